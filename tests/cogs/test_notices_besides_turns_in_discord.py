"""Notices of votes, proposals, ends and lost places: to the right people, once, deleted when outdated."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.time_rules import DAY, ClockTerms
from bot.tables.people.notices import NoticeRepository, SentNotice
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import TableSettings
from bot.tables.state.proposals import ProposalKind
from tests.cogs.test_table_messages import RecordedRequests, caller, mentioned_people
from tests.support.clock import ManualClock
from tests.support.discord import Message, Person, discord_world, text_of
from tests.support.slow_discord_games import TERMS, SlowGames, mentions, open_direct_messages

VOTED = TableSettings(clock=TERMS, extension=False, vacation=0)
LONG = TableSettings(clock=ClockTerms("custom", 14 * DAY, 0, 14 * DAY), latest_end=14)
UNCLOCKED = TableSettings()


@pytest.fixture
async def games(tmp_path: Path) -> AsyncIterator[SlowGames]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as world:
        yield SlowGames(world, clock)


def mentions_in(requests: RecordedRequests, words: str) -> list[list[int]]:
    """Return the people whom each new message with these words mentions."""
    made = [body for method, body in requests.requests_about_messages() if method == "POST" and words in str(body)]
    return [[int(person) for person in mentioned_people(body)] for body in made if mentioned_people(body)]


def mentioning_messages(games: SlowGames, words: str) -> list[Message]:
    """Return the channel's messages with these words that mention a person."""
    found = [one for one in games.discord.world.canasta.history() if not one.flags.ephemeral]
    return [one for one in found if words in text_of(one) and text_of(one).startswith("<@")]


async def restart(games: SlowGames) -> None:
    """Restart the bot, and send all notices that are due then."""
    await games.discord.restart()
    await games.pass_time(MINUTE)
    await games.pass_time(11 * MINUTE)


async def let_all_time_run_out(games: SlowGames) -> tuple[Person, Person]:
    """Let all time of the guest run out in a turn; return the guest and the host."""
    await games.start_game(settings=VOTED)
    host, absent = games.persons
    if (await games.person_in_turn()).id == host.id:
        await games.play_turn()
    await games.pass_time(20 * HOUR)
    for _ in range(3):
        await games.pass_time(MINUTE)
    assert (await games.discord.snapshot()).vote is not None
    return absent, host


async def test_voters_are_mentioned_once_and_the_notice_is_deleted_at_the_decision(games: SlowGames) -> None:
    requests = RecordedRequests(games.discord)
    absent, host = await let_all_time_run_out(games)
    assert [[host.id]] == mentions_in(requests, "What now? A player")
    await restart(games)
    assert [] == mentions(requests)
    (notice,) = mentioning_messages(games, "What now? A player")
    vote = (await games.discord.snapshot()).vote
    assert vote is not None
    await games.discord.application.tables.absence.cast_vote(
        caller(games.discord, host), 1, AbsenceChoice.COMPUTER, asked_at=vote.at
    )
    await games.wait_until_idle()
    assert [] == mentioning_messages(games, "What now?")
    told = dict(mentions(requests))
    assert str(host.id) not in told, "nobody is called for what they did"
    assert "A computer plays for you at table 1. From <t:" in told[str(absent.id)]
    await restart(games)
    assert [] == mentions(requests)
    assert notice.id not in [one.id for one in games.discord.world.canasta.history()]


async def test_the_host_is_notified_once_of_a_persons_return(games: SlowGames) -> None:
    absent, host = await let_all_time_run_out(games)
    tables = games.discord.application.tables
    vote = (await games.discord.snapshot()).vote
    assert vote is not None
    await tables.absence.cast_vote(caller(games.discord, host), 1, AbsenceChoice.COMPUTER, asked_at=vote.at)
    await games.wait_until_idle()
    requests = RecordedRequests(games.discord)
    await tables.lobby.join(caller(games.discord, absent), 1)
    await games.wait_until_idle()
    assert [[host.id]] == mentions_in(requests, "x is back at table 1.")
    assert [] == mentioning_messages(games, "a computer plays for")
    await restart(games)
    assert [] == mentions_in(requests, "is back at table")


async def test_a_proposal_is_shown_to_the_others_until_it_is_answered(games: SlowGames) -> None:
    await games.start_game()
    host, friend = games.persons
    tables, requests = games.discord.application.tables, RecordedRequests(games.discord)
    await tables.consent.propose(caller(games.discord, host), 1, ProposalKind.PAUSE)
    await games.wait_until_idle()
    assert [[friend.id]] == mentions_in(requests, "A question for you at table 1: x offers a pause")
    assert 1 == len(mentioning_messages(games, "A question for you"))
    await tables.consent.answer_proposal(caller(games.discord, friend), 1, agrees=False)
    await games.wait_until_idle()
    assert [] == mentioning_messages(games, "A question for you")


async def test_the_latest_end_is_announced_to_all_seven_days_and_one_day_before(games: SlowGames) -> None:
    await games.start_game(settings=LONG)
    both, requests = [one.id for one in games.persons], RecordedRequests(games.discord)
    await games.pass_time(6 * DAY)
    assert [] == mentions_in(requests, "has a latest end: the deal")
    await games.pass_time(DAY)
    assert [both] == mentions_in(requests, "has a latest end: the deal")
    await restart(games)
    await games.pass_time(5 * DAY)
    (early,) = mentioning_messages(games, "has a latest end: the deal")
    assert [] == mentions_in(requests, "has a latest end: the deal")
    await games.pass_time(DAY)
    assert [both] == mentions_in(requests, "has a latest end: the deal")
    assert [early.id] != [one.id for one in mentioning_messages(games, "has a latest end: the deal")]
    await restart(games)
    assert [] == mentions_in(requests, "has a latest end: the deal")


async def test_an_idle_game_is_announced_a_day_before_closing_until_a_move(games: SlowGames) -> None:
    await games.start_game(settings=UNCLOCKED)
    requests = RecordedRequests(games.discord)
    await games.pass_time(29 * DAY)
    text = "Table 1 has had no move for at least 29 days. It closes <t:"
    assert [[one.id for one in games.persons]] == mentions_in(requests, text)
    await restart(games)
    assert [] == mentions(requests)
    await games.play_turn()
    assert [] == mentioning_messages(games, "has had no move for at least")


async def test_each_player_is_notified_in_the_chosen_way_and_after_quiet_hours(games: SlowGames) -> None:
    await games.start_game(settings=UNCLOCKED)
    sleeper, reader = games.persons
    await games.choose_notices(reader, notices="dm")
    hour = games.clock.now() // HOUR % 24
    personal = games.discord.application.client.context.personal_times
    await personal.set_quiet_hours(sleeper.id, QuietWindow("UTC", hour * 60, 8), games.clock.now())
    requests = RecordedRequests(games.discord)
    await games.pass_time(29 * DAY)
    assert [] == mentions_in(requests, "has had no move for at least")
    (letter,) = games.direct_messages(reader)
    assert text_of(letter).startswith("x: Table 1 has had no move for at least 29 days.")
    await restart(games)
    assert [] == mentions(requests)
    await games.pass_time(8 * HOUR)
    assert [[sleeper.id]] == mentions_in(requests, "has had no move for at least")
    assert 1 == len(games.direct_messages(reader))
    await games.play_turn()
    assert [] == [one for one in games.direct_messages(reader) if "idle limit" in text_of(one)]


async def test_a_person_who_turned_notices_off_gets_none(games: SlowGames) -> None:
    await games.start_game(settings=UNCLOCKED)
    for one in games.persons:
        await games.choose_notices(one, notices="none")
    requests = RecordedRequests(games.discord)
    await games.pass_time(29 * DAY)
    assert (await games.discord.snapshot()).absence.idle_at is not None
    assert [] == mentions(requests)


async def test_all_players_are_notified_once_that_a_slow_game_is_over(games: SlowGames) -> None:
    await games.start_game()
    host, friend = games.persons
    await games.choose_notices(friend, notices="dm")
    requests = RecordedRequests(games.discord)
    await games.discord.application.tables.consent.propose(caller(games.discord, host), 1, ProposalKind.RESIGN)
    await games.wait_until_idle()
    assert [] == mentions_in(requests, "The game at table 1 is over"), "the host has ended it"
    (letter,) = games.direct_messages(friend)
    assert "The game at table 1 is over" in text_of(letter)
    for _ in range(2):
        await restart(games)
        games.discord.application.client.notices.record_board_shown(1)
        await games.wait_until_idle()
    assert [] == mentions(requests)
    assert [letter.id] == [one.id for one in games.direct_messages(friend)]


async def test_a_message_interrupted_by_a_crash_is_sent_again_only_soon_after(games: SlowGames) -> None:
    await games.start_game(settings=UNCLOCKED)
    requests = RecordedRequests(games.discord)
    await games.pass_time(29 * DAY)
    (sent,) = nonces(requests)
    notices = await notice_repository(games).notices_of_table(1)
    cut = [one for one in notices if one.about.startswith("idle")]
    assert 2 == len(cut)
    for age, expected in ((0, [sent]), (10 * MINUTE, [])):
        games.clock.advance(MINUTE if age == 0 else age)
        for one in cut:
            await notice_repository(games).store_notice(replace(one, message=None))
        requests.requests_about_messages()
        await games.discord.restart()
        await games.wait_until_idle()
        assert expected == nonces(requests)


def notice_repository(games: SlowGames) -> NoticeRepository:
    """Return the repository of stored notices."""
    return games.discord.application.client.context.services.notices


def nonces(requests: RecordedRequests) -> list[str]:
    """Return the nonces of messages about the idle limit.

    Discord is asked to accept each of them only once.
    """
    made = [
        body
        for method, body in requests.requests_about_messages()
        if method == "POST" and mentioned_people(body) and "has had no move" in str(body)
    ]
    assert all(body["enforce_nonce"] for body in made)
    return [body["nonce"] for body in made]


async def test_notices_of_events_that_discord_rejects_when_busy_are_sent_later(games: SlowGames) -> None:
    await games.start_game(settings=UNCLOCKED)
    games.discord.environment.inject_error("POST", "/channels/*/messages", status=503, code=0)
    games.discord.environment.inject_error("POST", "/channels/*/messages", status=503, code=0)
    requests = RecordedRequests(games.discord)
    await games.pass_time(29 * DAY)
    for _ in range(4):
        await games.pass_time(10_000)
    assert 1 == len(mentioning_messages(games, "has had no move for at least"))
    assert requests.requests_about_messages()


async def test_the_host_is_notified_once_that_the_thread_is_gone(games: SlowGames) -> None:
    await games.start_game(thread=True)
    requests = RecordedRequests(games.discord)
    thread = (await games.discord.snapshot()).thread
    assert thread is not None
    games.discord.environment.backend.delete_channel(thread)
    await games.wait_until_idle()
    assert [[games.persons[0].id]] == mentions_in(requests, "The thread of table 1 was deleted.")
    await restart(games)
    assert [] == mentions_in(requests, "was deleted")
    assert any("The thread of table 1" in text_of(one) for one in games.discord.world.tables.history())


async def test_the_host_gets_one_direct_message_that_the_channel_is_gone(games: SlowGames) -> None:
    await games.start_game()
    host = games.persons[0]
    await open_direct_messages(games.discord, host.id)
    games.discord.environment.backend.delete_channel(games.discord.world.canasta.id)
    await games.wait_until_idle()
    (letter,) = games.direct_messages(host)
    assert "The channel of table 1 was deleted. `/table show` in any channel" in text_of(letter)
    await restart(games)
    await games.pass_time(HOUR)
    assert [letter.id] == [one.id for one in games.direct_messages(host)]
    place = games.discord.world.tables
    await Person(host.actor, place).run("table show", table="1")
    await games.wait_until_idle()
    assert [] == games.direct_messages(host), "the table is somewhere again"


async def test_a_notice_of_an_earlier_event_does_not_end_that_of_a_turn(games: SlowGames) -> None:
    await games.start_game()
    actor = await games.person_in_turn()
    host, friend = games.persons
    other = host if actor.id == friend.id else friend
    await games.discord.application.tables.consent.propose(caller(games.discord, other), 1, ProposalKind.END)
    await games.wait_until_idle()
    abouts = [one.about for one in await notices_of(games, actor)]
    assert 2 == len(abouts)
    await games.discord.application.tables.consent.answer_proposal(caller(games.discord, actor), 1, agrees=False)
    await games.wait_until_idle()
    assert [one for one in abouts if not one.startswith("offer")] == [
        one.about for one in await notices_of(games, actor)
    ]


async def notices_of(games: SlowGames, person: Person) -> tuple[SentNotice, ...]:
    """Return the stored notices to a person."""
    return await notice_repository(games).notices_of_person(person.id)
