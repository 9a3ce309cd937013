"""When and how a table's message is written: the decisions alone, and their effect in a game."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.engine.moves.actions import DRAW
from bot.tables.state.snapshots import BoardMessage, SeatHolder, Status, TableSnapshot
from cogs.shared.discord_api.discord_calls import CallTrouble
from cogs.shared.posting import mentions
from cogs.shared.posting.edit_schedule import (
    Alarm,
    EditKind,
    EditRequest,
    EditSchedule,
    next_write_time,
    pause_after_failures,
    plan_edit,
)
from tests.cogs.test_discord_failures import let_time_pass
from tests.cogs.test_table_messages import RecordedRequests, caller, mentioned_people, start_game_without_panels
from tests.support.clock import START, ManualClock
from tests.support.discord import discord_world
from tests.support.engine_games import played_positions, table_snapshot

NOW = START
PACE = EditSchedule()


def seat_holders(*numbers: int | None) -> tuple[SeatHolder, ...]:
    """Return one seat holder for each person id; None makes a computer player."""
    return tuple(
        SeatHolder("computer", number=seat + 1) if number is None else SeatHolder("person", number, f"P{number}")
        for seat, number in enumerate(numbers)
    )


def running_table(*numbers: int | None, version: int = 10) -> TableSnapshot:
    """Return a table at the start of the first seat's turn."""
    state = next(iter(played_positions(1, deals=1)))
    snapshot = table_snapshot(state, version=version)
    assert snapshot.view is not None
    assert snapshot.view.actor is not None
    view = replace(snapshot.view, actor=0, turn=0)
    return replace(snapshot, view=view, seats=seat_holders(*numbers), recent=(), status=Status.PLAYING)


def board_message(
    snapshot: TableSnapshot, *, text: str = "", age: int = 0, version: int = 9, number: int = 500
) -> BoardMessage:
    """Return the record of the message that shows the table."""
    return BoardMessage(snapshot.id, snapshot.thread or snapshot.channel, number, version, NOW - age, text)


def planned_edit(
    snapshot: TableSnapshot, shown: BoardMessage | None, *, newest: int = 0, refused: bool = False
) -> tuple[EditKind, int] | None:
    found = plan_edit(snapshot, shown, EditRequest(), now=NOW, newest=newest, pictures_refused=refused)
    return None if found is None else (found.way, found.calls or 0)


# --- mentions ---------------------------------------------------------------------------------------------------------


def test_the_player_in_turn_is_mentioned_once() -> None:
    snapshot = running_table(1, 2, 3, 4)
    assert 1 == mentions.person_to_mention(snapshot, "")
    text = mentions.mentions_as_text(snapshot, "")
    assert mentions.person_to_mention(snapshot, text) is None
    assert text == mentions.mentions_as_text(snapshot, text)
    assert snapshot.view is not None
    partner = replace(snapshot, view=replace(snapshot.view, actor=2))
    assert 3 == mentions.person_to_mention(partner, text)
    assert mentions.person_to_mention(snapshot, mentions.mentions_as_text(partner, text)) is None


def test_lone_players_and_turns_of_computer_players_cause_no_mention() -> None:
    assert mentions.person_to_mention(running_table(1, None, None, None), "") is None
    assert 1 == mentions.person_newly_in_turn(running_table(1, None, None, None), "")
    assert mentions.person_to_mention(running_table(None, 2, 3, 4), "") is None


@given(st.text(max_size=20))
def test_an_unreadable_record_of_mentions_causes_one_more_mention(text: str) -> None:
    snapshot = running_table(1, 2, 3, 4)
    if mentions.person_to_mention(snapshot, text) is not None:
        assert mentions.person_to_mention(snapshot, mentions.mentions_as_text(snapshot, text)) is None


# --- form -------------------------------------------------------------------------------------------------------------


def test_a_message_is_edited_unless_another_player_must_be_mentioned() -> None:
    snapshot = running_table(1, 2, 3, 4)
    text = mentions.mentions_as_text(snapshot, "")
    assert (EditKind.POST, 1) == planned_edit(snapshot, board_message(snapshot))
    assert (EditKind.EDIT, 0) == planned_edit(snapshot, board_message(snapshot, text=text))
    assert planned_edit(snapshot, board_message(snapshot, text=text, version=10)) is None
    alone = running_table(1, None, None, None)
    assert (EditKind.EDIT, 0) == planned_edit(alone, board_message(alone))
    assert (EditKind.POST, 0) == planned_edit(alone, None)


def test_an_old_or_scrolled_away_message_is_posted_again() -> None:
    snapshot = running_table(1, None, None, None)
    assert (EditKind.POST, 0) == planned_edit(snapshot, board_message(snapshot, age=56 * MINUTE))
    assert (EditKind.EDIT, 0) == planned_edit(snapshot, board_message(snapshot, age=9 * MINUTE), newest=900)
    assert (EditKind.POST, 0) == planned_edit(snapshot, board_message(snapshot, age=11 * MINUTE), newest=900)
    assert (EditKind.EDIT, 0) == planned_edit(snapshot, board_message(snapshot, age=11 * MINUTE), newest=400)
    assert (EditKind.POST, 0) == planned_edit(snapshot, replace(board_message(snapshot), channel=1))


def test_without_edits_a_board_waits_for_the_next_players_turn() -> None:
    snapshot = running_table(1, None, None, None)
    assert (EditKind.POST, 0) == planned_edit(snapshot, board_message(snapshot), refused=True)
    assert (
        planned_edit(snapshot, board_message(snapshot, text=mentions.mentions_as_text(snapshot, "")), refused=True)
        is None
    )
    computer = running_table(None, 2, None, None)
    assert planned_edit(computer, board_message(computer), refused=True) is None
    lobby = replace(snapshot, view=None, status=Status.LOBBY)
    assert (EditKind.EDIT, 0) == planned_edit(lobby, board_message(lobby), refused=True)


# --- time -------------------------------------------------------------------------------------------------------------


def test_a_board_waits_while_a_computer_player_is_to_act_and_not_for_a_person() -> None:
    computer, person, alone = (
        running_table(None, 2, 3, 4),
        running_table(1, 2, 3, 4),
        running_table(1, None, None, None),
    )
    text = mentions.mentions_as_text(alone, "")
    assert NOW + PACE.computers == next_write_time(computer, "", PACE, since=NOW, wrote=0)
    assert (
        NOW
        == next_write_time(person, "", PACE, since=NOW, wrote=0)
        == next_write_time(person, text, PACE, since=NOW, wrote=0)
    )
    assert NOW == next_write_time(alone, "", PACE, since=NOW, wrote=0)
    assert NOW + PACE.alone == next_write_time(alone, text, PACE, since=NOW, wrote=0)
    assert NOW + PACE.between == next_write_time(person, "", PACE, since=NOW, wrote=NOW)


@pytest.mark.parametrize("trouble", [CallTrouble.DISCORD_DOWN, CallTrouble.NO_PERMISSION])
def test_repeatedly_refused_requests_become_rarer(trouble: CallTrouble) -> None:
    pauses = [pause_after_failures(trouble, refused) for refused in range(1, 30)]
    assert sorted(pauses) == pauses
    assert 5 * SECOND <= pauses[0] < pauses[-1] <= HOUR


async def test_the_alarm_wakes_tables_in_their_order_and_each_at_its_latest_time() -> None:
    clock, rung = ManualClock(), list[int]()
    alarm = Alarm(clock, rung.append)
    alarm.start()
    for table, instant in ((1, 30), (2, 10), (3, 20), (2, 40), (4, 15)):
        alarm.set(table, START + instant * SECOND)
    alarm.clear(4)
    for _ in range(50):
        for _ in range(5):
            await asyncio.sleep(0)
        clock.advance(SECOND)
    await alarm.stop()
    assert [3, 1, 2] == rung


async def test_changes_between_two_edits_make_one_edit(tmp_path: Path) -> None:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock, rhythm=PACE) as discord:
        first = await start_game_without_panels(discord)
        await let_time_pass(discord, clock, 60 * SECOND)
        requests = RecordedRequests(discord)
        tables = discord.application.tables
        await tables.play.act(caller(discord, first), 1, DRAW)
        await discord.application.client.board_updater.wait_until_idle()
        assert [("PATCH", [])] == [
            (method, mentioned_people(body)) for method, body in requests.requests_about_messages()
        ]
        for _ in range(3):
            discord.application.client.board_updater.request_update(1, rewrite=True)
        await discord.application.client.board_updater.wait_until_idle()
        assert [] == requests.requests_about_messages()
        await let_time_pass(discord, clock, 4 * SECOND)
        assert ["PATCH"] == requests.methods()
