"""Notices of votes, offers, ends, seats and places: recipients, sent once, deleted when outdated."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import Window
from bot.clocks.time_rules import DAY, ClockTerms
from bot.tables.people.notices import NoticeRepository, SentNotice
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import TableSettings
from bot.tables.state.proposals import ProposalKind
from tests.cogs.test_presenter import Requests, caller, mentioned_people
from tests.support.clock import ManualClock
from tests.support.discord import Message, Person, discord_world, text_of
from tests.support.slow_discord_games import TERMS, Slow, mentions, open_direct_messages

VOTED = TableSettings(clock=TERMS, extension=False, vacation=0)
LONG = TableSettings(clock=ClockTerms("custom", 14 * DAY, 0, 14 * DAY), latest_end=14)
UNCLOCKED = TableSettings()


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[Slow]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as world:
        yield Slow(world, clock)


def mentions_in(requests: Requests, words: str) -> list[list[int]]:
    """Return the mentioned people of each new message with the text."""
    made = [body for method, body in requests.made() if method == "POST" and words in str(body)]
    return [[int(person) for person in mentioned_people(body)] for body in made if mentioned_people(body)]


def mentioning_messages(slow: Slow, words: str) -> list[Message]:
    """Return the mentioning messages in the channel with the text."""
    found = [one for one in slow.discord.world.canasta.history() if not one.flags.ephemeral]
    return [one for one in found if words in text_of(one) and text_of(one).startswith("<@")]


async def restart(slow: Slow) -> None:
    """Restart the bot and send all notices that are due then."""
    await slow.discord.restart()
    await slow.passes(MINUTE)
    await slow.passes(11 * MINUTE)


async def let_time_run_out(slow: Slow) -> tuple[Person, Person]:
    """Return the person who ran out of time and the other one, who is the host."""
    await slow.deal(settings=VOTED)
    host, absent = slow.persons
    if (await slow.actor()).id == host.id:
        await slow.turn()
    await slow.passes(20 * HOUR)
    for _ in range(3):
        await slow.passes(MINUTE)
    assert (await slow.discord.look()).vote is not None
    return absent, host


async def test_voters_are_mentioned_once_and_the_notice_is_deleted_at_the_decision(slow: Slow) -> None:
    requests = Requests(slow.discord)
    absent, host = await let_time_run_out(slow)
    assert [[host.id]] == mentions_in(requests, "What now? A player")
    await restart(slow)
    assert [] == mentions(requests)
    (notice,) = mentioning_messages(slow, "What now? A player")
    vote = (await slow.discord.look()).vote
    assert vote is not None
    await slow.discord.application.tables.absence.vote(
        caller(slow.discord, host), 1, AbsenceChoice.COMPUTER, asked_at=vote.at
    )
    await slow.rest()
    assert [] == mentioning_messages(slow, "What now?")
    told = dict(mentions(requests))
    assert str(host.id) not in told, "nobody is called for what they did"
    assert "A computer plays for you at table 1. From <t:" in told[str(absent.id)]
    await restart(slow)
    assert [] == mentions(requests)
    assert notice.id not in [one.id for one in slow.discord.world.canasta.history()]


async def test_the_host_is_notified_once_of_a_persons_return(slow: Slow) -> None:
    absent, host = await let_time_run_out(slow)
    tables = slow.discord.application.tables
    vote = (await slow.discord.look()).vote
    assert vote is not None
    await tables.absence.vote(caller(slow.discord, host), 1, AbsenceChoice.COMPUTER, asked_at=vote.at)
    await slow.rest()
    requests = Requests(slow.discord)
    await tables.lobby.join(caller(slow.discord, absent), 1)
    await slow.rest()
    assert [[host.id]] == mentions_in(requests, "x is back at table 1.")
    assert [] == mentioning_messages(slow, "a computer plays for")
    await restart(slow)
    assert [] == mentions_in(requests, "is back at table")


async def test_an_offer_is_shown_to_the_others_until_it_is_answered(slow: Slow) -> None:
    await slow.deal()
    host, friend = slow.persons
    tables, requests = slow.discord.application.tables, Requests(slow.discord)
    await tables.consent.propose(caller(slow.discord, host), 1, ProposalKind.PAUSE)
    await slow.rest()
    assert [[friend.id]] == mentions_in(requests, "A question for you at table 1: x offers a pause")
    assert 1 == len(mentioning_messages(slow, "A question for you"))
    await tables.consent.answer_proposal(caller(slow.discord, friend), 1, agrees=False)
    await slow.rest()
    assert [] == mentioning_messages(slow, "A question for you")


async def test_the_latest_end_is_announced_to_all_seven_days_and_one_day_before(slow: Slow) -> None:
    await slow.deal(settings=LONG)
    both, requests = [one.id for one in slow.persons], Requests(slow.discord)
    await slow.passes(6 * DAY)
    assert [] == mentions_in(requests, "has a latest end: the deal")
    await slow.passes(DAY)
    assert [both] == mentions_in(requests, "has a latest end: the deal")
    await restart(slow)
    await slow.passes(5 * DAY)
    (early,) = mentioning_messages(slow, "has a latest end: the deal")
    assert [] == mentions_in(requests, "has a latest end: the deal")
    await slow.passes(DAY)
    assert [both] == mentions_in(requests, "has a latest end: the deal")
    assert [early.id] != [one.id for one in mentioning_messages(slow, "has a latest end: the deal")]
    await restart(slow)
    assert [] == mentions_in(requests, "has a latest end: the deal")


async def test_an_idle_game_is_announced_a_day_before_closing_until_a_move(slow: Slow) -> None:
    await slow.deal(settings=UNCLOCKED)
    requests = Requests(slow.discord)
    await slow.passes(29 * DAY)
    told = "Table 1 has had no move for at least 29 days. It closes <t:"
    assert [[one.id for one in slow.persons]] == mentions_in(requests, told)
    await restart(slow)
    assert [] == mentions(requests)
    await slow.turn()
    assert [] == mentioning_messages(slow, "has had no move for at least")


async def test_each_player_is_notified_in_the_chosen_way_and_after_quiet_hours(slow: Slow) -> None:
    await slow.deal(settings=UNCLOCKED)
    sleeper, reader = slow.persons
    await slow.wishes(reader, notices="dm")
    hour = slow.clock.now() // HOUR % 24
    personal = slow.discord.application.client.context.personal
    await personal.set_quiet(sleeper.id, Window("UTC", hour * 60, 8), slow.clock.now())
    requests = Requests(slow.discord)
    await slow.passes(29 * DAY)
    assert [] == mentions_in(requests, "has had no move for at least")
    (letter,) = slow.letters(reader)
    assert text_of(letter).startswith("x: Table 1 has had no move for at least 29 days.")
    await restart(slow)
    assert [] == mentions(requests)
    await slow.passes(8 * HOUR)
    assert [[sleeper.id]] == mentions_in(requests, "has had no move for at least")
    assert 1 == len(slow.letters(reader))
    await slow.turn()
    assert [] == [one for one in slow.letters(reader) if "idle limit" in text_of(one)]


async def test_a_person_who_turned_notices_off_gets_none(slow: Slow) -> None:
    await slow.deal(settings=UNCLOCKED)
    for one in slow.persons:
        await slow.wishes(one, notices="none")
    requests = Requests(slow.discord)
    await slow.passes(29 * DAY)
    assert (await slow.discord.look()).absence.idle_at is not None
    assert [] == mentions(requests)


async def test_all_players_are_notified_once_that_a_slow_game_is_over(slow: Slow) -> None:
    await slow.deal()
    host, friend = slow.persons
    await slow.wishes(friend, notices="dm")
    requests = Requests(slow.discord)
    await slow.discord.application.tables.consent.propose(caller(slow.discord, host), 1, ProposalKind.RESIGN)
    await slow.rest()
    assert [] == mentions_in(requests, "The game at table 1 is over"), "the host has ended it"
    (letter,) = slow.letters(friend)
    assert "The game at table 1 is over" in text_of(letter)
    for _ in range(2):
        await restart(slow)
        slow.discord.application.client.notices.shown(1)
        await slow.rest()
    assert [] == mentions(requests)
    assert [letter.id] == [one.id for one in slow.letters(friend)]


async def test_a_message_interrupted_by_a_crash_is_sent_again_only_soon_after(slow: Slow) -> None:
    await slow.deal(settings=UNCLOCKED)
    requests = Requests(slow.discord)
    await slow.passes(29 * DAY)
    (sent,) = nonces(requests)
    notices = await notice_repository(slow).of_table(1)
    cut = [one for one in notices if one.about.startswith("idle")]
    assert 2 == len(cut)
    for age, expected in ((0, [sent]), (10 * MINUTE, [])):
        slow.clock.advance(MINUTE if age == 0 else age)
        for one in cut:
            await notice_repository(slow).keep(replace(one, message=None))
        requests.made()
        await slow.discord.restart()
        await slow.rest()
        assert expected == nonces(requests)


def notice_repository(slow: Slow) -> NoticeRepository:
    """Return the stored data about notices."""
    return slow.discord.application.client.context.services.notices


def nonces(requests: Requests) -> list[str]:
    """Return the nonces of the messages about the idle limit; each asks Discord to reject a second one."""
    made = [
        body
        for method, body in requests.made()
        if method == "POST" and mentioned_people(body) and "has had no move" in str(body)
    ]
    assert all(body["enforce_nonce"] for body in made)
    return [body["nonce"] for body in made]


async def test_notices_of_matters_that_discord_rejects_when_busy_are_sent_later(slow: Slow) -> None:
    await slow.deal(settings=UNCLOCKED)
    slow.discord.environment.inject_error("POST", "/channels/*/messages", status=503, code=0)
    slow.discord.environment.inject_error("POST", "/channels/*/messages", status=503, code=0)
    requests = Requests(slow.discord)
    await slow.passes(29 * DAY)
    for _ in range(4):
        await slow.passes(10_000)
    assert 1 == len(mentioning_messages(slow, "has had no move for at least"))
    assert requests.made()


async def test_the_host_is_notified_once_that_the_thread_is_gone(slow: Slow) -> None:
    await slow.deal(thread=True)
    requests = Requests(slow.discord)
    thread = (await slow.discord.look()).thread
    assert thread is not None
    slow.discord.environment.backend.delete_channel(thread)
    await slow.rest()
    assert [[slow.persons[0].id]] == mentions_in(requests, "The thread of table 1 was deleted.")
    await restart(slow)
    assert [] == mentions_in(requests, "was deleted")
    assert any("The thread of table 1" in text_of(one) for one in slow.discord.world.tables.history())


async def test_the_host_gets_one_direct_message_that_the_channel_is_gone(slow: Slow) -> None:
    await slow.deal()
    host = slow.persons[0]
    await open_direct_messages(slow.discord, host.id)
    slow.discord.environment.backend.delete_channel(slow.discord.world.canasta.id)
    await slow.rest()
    (letter,) = slow.letters(host)
    assert "The channel of table 1 was deleted. `/table show` in any channel" in text_of(letter)
    await restart(slow)
    await slow.passes(HOUR)
    assert [letter.id] == [one.id for one in slow.letters(host)]
    place = slow.discord.world.tables
    await Person(host.actor, place).types("table show", table="1")
    await slow.rest()
    assert [] == slow.letters(host), "the table is somewhere again"


async def test_a_notice_of_an_earlier_matter_does_not_end_that_of_a_turn(slow: Slow) -> None:
    await slow.deal()
    actor = await slow.actor()
    host, friend = slow.persons
    other = host if actor.id == friend.id else friend
    await slow.discord.application.tables.consent.propose(caller(slow.discord, other), 1, ProposalKind.END)
    await slow.rest()
    abouts = [one.about for one in await notices_of(slow, actor)]
    assert 2 == len(abouts)
    await slow.discord.application.tables.consent.answer_proposal(caller(slow.discord, actor), 1, agrees=False)
    await slow.rest()
    assert [one for one in abouts if not one.startswith("offer")] == [
        one.about for one in await notices_of(slow, actor)
    ]


async def notices_of(slow: Slow, person: Person) -> tuple[SentNotice, ...]:
    """Return the notices sent to a person."""
    return await notice_repository(slow).of_person(person.id)
