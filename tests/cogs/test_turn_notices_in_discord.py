"""Notices of turns in the simulated Discord: to whom, where, once, and how they end."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.time_rules import DAY, Stage
from cogs.shared.notices import turn_decisions
from cogs.shared.notices.notifier import Notifier
from cogs.shared.notices.sender import Sender
from cogs.shared.posting.mentions import Members
from cogs.shared.posting.request_budget import Budget
from tests.cogs.test_table_messages import RecordedRequests, mentioned_people
from tests.support.clock import ManualClock
from tests.support.discord import Discord, all_components, controls, discord_world, text_of
from tests.support.slow_discord_games import SlowGames, mentions

MESSAGES = "/channels/*/messages"


@pytest.fixture
async def games(tmp_path: Path) -> AsyncIterator[SlowGames]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as world:
        yield SlowGames(world, clock)


async def test_a_daily_game_mentions_and_reminds_its_player_and_deletes_the_reminder(games: SlowGames) -> None:
    requests = RecordedRequests(games.discord)
    await games.start_game()
    ben = await games.person_in_turn()
    ((person, text),) = mentions(requests)
    assert str(ben.id) == person
    assert f"<@{ben.id}>, your turn. You have until <t:" in text
    await games.pass_time(10 * HOUR, Stage.HALF)
    (half,) = games.reminders()
    assert text_of(half).startswith(f"<@{ben.id}>, half your time at table 1 is gone. You have until <t:")
    assert {"hand"} == set(controls(half))
    await games.pass_time(8 * HOUR, Stage.LAST)
    (last,) = games.reminders()
    assert "last reminder for table 1" in text_of(last)
    assert "Then your extra day begins." in text_of(last)
    assert 2 == len(mentions(requests))
    await games.play_turn()
    assert [] == games.reminders()
    chi = await games.person_in_turn()
    assert [str(chi.id)] == [person for person, _ in mentions(requests)]
    assert ben.id != chi.id


async def test_the_panel_shows_its_players_remaining_time(discord: Discord) -> None:
    game = SlowGames(discord, ManualClock())
    await game.start_game()
    ben = await game.person_in_turn()
    other = next(one for one in game.persons if one.id != ben.id)
    assert "You have until <t:" in text_of(await ben.run("hand"))
    assert "You have 20 h." in text_of(await other.run("hand"))
    assert "You have until <t:" in text_of(await discord.board())


async def test_a_restart_repeats_no_notice(games: SlowGames) -> None:
    await games.start_game()
    await games.pass_time(10 * HOUR, Stage.HALF)
    (half,) = games.reminders()
    requests = RecordedRequests(games.discord)
    for _ in range(2):
        await games.discord.restart()
        await games.pass_time(11 * MINUTE)
    assert [] == mentions(requests)
    assert [half.id] == [one.id for one in games.reminders()]
    await games.pass_time(8 * HOUR, Stage.LAST)
    assert 1 == len(mentions(requests))
    assert half.id not in [one.id for one in games.reminders()]


async def test_a_notice_interrupted_by_a_crash_is_sent_again_with_its_nonce(games: SlowGames) -> None:
    """Discord knows the nonce for some minutes and posts no second message; later nothing is sent."""
    await games.start_game()
    requests = RecordedRequests(games.discord)
    await games.pass_time(10 * HOUR, Stage.HALF)
    (sent,) = nonces(requests)
    book = games.discord.application.client.context.services.notices
    (notice,) = await book.notices_of_table(1)
    (ben,) = [one for one in games.persons if one.id == notice.person]
    assert str(ben.id % 10**6) in sent
    for age, expected in ((MINUTE, [sent]), (10 * MINUTE, [])):
        book = games.discord.application.client.context.services.notices
        await book.store_notice(replace(notice, message=None, at=games.clock.now() - age))
        requests.requests_about_messages()
        await games.discord.restart()
        await games.wait_until_idle()
        assert expected == nonces(requests)


def nonces(requests: RecordedRequests) -> list[str]:
    """Return the nonces of new messages with mentions.

    Discord is asked to accept each of them only once.
    """
    made = [body for method, body in requests.requests_about_messages() if method == "POST" and mentioned_people(body)]
    assert all(body["enforce_nonce"] for body in made)
    return [body["nonce"] for body in made]


async def test_a_closed_direct_message_becomes_one_mention_in_the_archived_thread(games: SlowGames) -> None:
    """This is acceptance line 5 of `docs/long-games.md`."""
    await games.start_game(thread=True)
    ben = await games.person_in_turn()
    await games.choose_notices(ben, notices="dm")
    thread = (await games.discord.snapshot()).thread
    assert thread is not None
    settings = games.discord.environment.backend.channels[thread].thread_metadata
    assert settings is not None
    settings.archived = True
    games.discord.environment.inject_error(
        "POST", f"/channels/{games.dm_channel(ben).id}/messages", status=403, code=50007, times=None
    )
    requests = RecordedRequests(games.discord)
    await games.pass_time(10 * HOUR, Stage.HALF)
    assert [str(ben.id)] == [person for person, _ in mentions(requests)]
    (mention,) = games.reminders(thread=True)
    assert thread == mention.channel.id
    assert [] == games.direct_messages(ben)
    await games.discord.restart()
    await games.pass_time(11 * MINUTE)
    assert [] == mentions(requests)
    assert 1 == len(games.reminders(thread=True))


async def test_a_direct_message_is_tried_again_after_the_person_has_done_something(games: SlowGames) -> None:
    await games.start_game()
    ben = await games.person_in_turn()
    await games.choose_notices(ben, notices="dm")
    room = f"/channels/{games.dm_channel(ben).id}/messages"
    games.discord.environment.inject_error("POST", room, status=403, code=50007)
    await games.pass_time(10 * HOUR, Stage.HALF)
    assert 1 == len(games.reminders())
    await ben.run("help")
    await games.pass_time(8 * HOUR, Stage.LAST)
    assert [] == games.reminders()
    (letter,) = games.direct_messages(ben)
    assert text_of(letter).startswith("x, last reminder for table 1")
    assert [] == list(controls(letter)), "no cards and no control, but the way to the table"
    (link,) = [one["url"] for one in all_components(letter) if "url" in one]
    place = f"{games.discord.world.server.id}/{games.discord.world.canasta.id}"
    assert re.fullmatch(rf"https://discord.com/channels/{place}/\d+", link), "to the table's message"


async def test_a_turn_is_sent_as_direct_message_instead_of_mention_if_preferred(games: SlowGames) -> None:
    for index in range(2):
        await games.choose_notices(games.discord.person(index), notices="dm")
    requests = RecordedRequests(games.discord)
    await games.start_game()
    ben = await games.person_in_turn()
    assert "your turn at table 1 came" in text_of(games.direct_messages(ben)[0])
    assert [] == [text for _, text in mentions(requests) if "your turn." in text]
    await games.play_turn()
    assert [] == games.direct_messages(ben), "the move takes it away"
    assert 1 == len(games.direct_messages(await games.person_in_turn()))


async def test_notices_go_to_the_channel_if_the_thread_refuses_them(games: SlowGames) -> None:
    await games.start_game(thread=True)
    thread = (await games.discord.snapshot()).thread
    games.discord.environment.inject_error("POST", f"/channels/{thread}/messages", status=400, code=50083, times=None)
    await games.pass_time(10 * HOUR, Stage.HALF)
    (mention,) = games.reminders(thread=True)
    assert games.discord.world.tables.id == mention.channel.id


async def test_mentions_wait_until_quiet_hours_end(games: SlowGames) -> None:
    personal = games.discord.application.client.context.personal_times
    hour = games.clock.now() // HOUR % 24
    for index in range(2):
        # The quiet hours are eight hours from now on.
        await personal.set_quiet_hours(
            games.discord.person(index).id, QuietWindow("UTC", hour * 60, 8), games.clock.now()
        )
    requests = RecordedRequests(games.discord)
    await games.start_game()
    ben = await games.person_in_turn()
    assert [] == mentions(requests)
    await games.pass_time(4 * HOUR)
    assert [] == mentions(requests)
    await games.discord.restart()
    await games.pass_time(MINUTE)
    personal = games.discord.application.client.context.personal_times
    wakes = (await personal.hours_of(ben.id)).end_of_quiet_hours(games.clock.now())
    assert wakes is not None
    await games.pass_time(wakes - games.clock.now() + 11 * MINUTE)
    ((person, text),) = mentions(requests)
    assert str(ben.id) == person
    assert f"<@{ben.id}>, your turn at table 1 came <t:" in text
    await games.play_turn()
    assert [] == games.reminders()


async def test_other_turns_wait_while_a_call_is_unseen_and_then_one_notice_lists_them(games: SlowGames) -> None:
    requests = RecordedRequests(games.discord)
    for table in (1, 2, 3):
        await games.start_game(table=table)
    first = {table: await games.person_in_turn(table) for table in (1, 2, 3)}
    made = mentions(requests)
    assert len({one.id for one in first.values()}) == len(made), "each person is called once"
    again = [table for table in (2, 3) if first[table].id == first[1].id]
    assert again, "somebody begins at two tables"
    await games.pass_time(turn_decisions.UNSEEN)
    bundled = [text for person, text in mentions(requests) if person == str(first[1].id)]
    assert 1 == len(bundled)
    assert all(f"table {table}" in bundled[0] for table in again)
    await games.pass_time(HOUR)
    assert [] == mentions(requests)


async def test_a_player_who_opens_a_panel_learns_of_waiting_turns(games: SlowGames) -> None:
    requests = RecordedRequests(games.discord)
    for table in (1, 2, 3):
        await games.start_game(table=table)
    first = [await games.person_in_turn(table) for table in (1, 2, 3)]
    person = next(one for one in first if sum(one.id == other.id for other in first) > 1)
    mentions(requests)
    games.clock.advance(MINUTE)
    await person.run("help")
    await games.wait_until_idle()
    assert [str(person.id)] == [called for called, _ in mentions(requests)]


async def test_above_the_daily_limit_only_the_last_reminder_mentions(
    games: SlowGames,
) -> None:
    await games.start_game()
    ben = await games.person_in_turn()
    book = games.discord.application.client.context.services.notices
    await games.choose_notices(ben, pings="4")
    await games.pass_time(MINUTE)
    contact = await book.contact(ben.id)
    for _ in range(4):
        contact = contact.with_mention(games.clock.now())
    await book.store_contact(ben.id, contact)
    requests = RecordedRequests(games.discord)
    await games.pass_time(10 * HOUR, Stage.HALF)
    assert [] == mentions(requests)
    await games.pass_time(8 * HOUR, Stage.LAST)
    assert [str(ben.id)] == [person for person, _ in mentions(requests)]


async def test_a_person_who_left_the_server_gets_no_notices(games: SlowGames) -> None:
    await games.start_game()
    ben = await games.person_in_turn()
    await games.discord.environment.settle()
    games.discord.environment.inject_error("GET", f"/guilds/*/members/{ben.id}", status=404, code=10007, times=None)
    requests = RecordedRequests(games.discord)
    await games.pass_time(10 * HOUR, Stage.HALF)
    await games.pass_time(8 * HOUR, Stage.LAST)
    other = next(one for one in games.persons if one.id != ben.id)
    assert [str(other.id)] == [person for person, _ in mentions(requests)], "who decides about the seat"


async def test_notices_that_discord_rejects_when_busy_are_sent_later(games: SlowGames) -> None:
    await games.start_game()
    games.discord.environment.inject_error("POST", MESSAGES, status=503, code=0)
    await games.pass_time(10 * HOUR, Stage.HALF)
    for _ in range(4):
        await games.pass_time(10_000)
    assert 1 == len(games.reminders())


async def test_a_digest_is_a_direct_message_once_a_day_if_something_waits(games: SlowGames) -> None:
    await games.start_game()
    ben = await games.person_in_turn()
    other = next(one for one in games.persons if one.id != ben.id)
    hour = (games.clock.now() // HOUR + 3) % 24
    for one in (ben, other):
        await games.choose_notices(one, digest=str(hour), zone="UTC")
    await games.pass_time(10 * MINUTE)
    assert [] == games.direct_messages(ben), "not before its hour"
    await games.pass_time(3 * HOUR)
    while not games.direct_messages(ben):
        await games.pass_time(MINUTE)
    await games.pass_time(3 * HOUR)
    (letter,) = games.direct_messages(ben)
    assert "Table 1 · Classic · deal 1" in text_of(letter)
    assert "**your turn** (came <t:" in text_of(letter)
    assert [] == games.direct_messages(other)


async def test_listeners_learn_of_people_who_left_when_a_notice_was_due(games: SlowGames) -> None:
    heard: list[tuple[int, int]] = []

    async def record_departure(table: int, person: int) -> None:
        heard.append((table, person))

    await games.start_game()
    ben = await games.person_in_turn()
    client = games.discord.application.client
    services = client.context.services
    members, budget = Members(client, games.clock), Budget(games.clock)
    sender = Sender(client, services.servers, members, budget=budget, direct=client.context.direct)
    listening = Notifier(
        services.tables,
        services.notices,
        services.personal_times,
        sender,
        clock=games.clock,
        away_until=lambda: 0,
        gone=record_departure,
    )
    snapshot = await games.discord.snapshot()
    store = services.tables._context.repository.store
    await store.notices.clear_notice(snapshot.id, ben.id, turn_decisions.turn_notice_name(snapshot))
    await store.notices.set_contact_times(ben.id, None)
    await services.notices.forget(ben.id)
    games.discord.environment.inject_error("GET", f"/guilds/*/members/{ben.id}", status=404, code=10007)
    assert not await listening.may_mention(snapshot, ben.id)
    assert [(1, ben.id)] == heard


async def test_a_lone_player_is_told_nothing_about_a_clock_that_does_not_run(discord: Discord) -> None:
    you = discord.person(0)
    for table, clock in enumerate(("daily", "live", "none"), start=1):
        await you.run("table new", clock=clock, computers=3)
        await you.run("table start", table=str(table))
        text = text_of(await discord.board(table))
        assert "clock" not in text.lower()


async def test_a_live_clock_is_told_in_the_lobby_and_in_the_panel(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", clock="live", players=2)
    terms = "Live: 5 min each, +1 min after each turn, at most 10 min. It runs once two people play."
    await friend.click(await discord.board(), "sit")
    assert terms in text_of(await discord.board())
    assert re.search(r"Your time runs out <t:\d+:R>\.", text_of(await you.click(await discord.board(), "start")))
