"""The idle limit comes after every clock and question, and an action resets it.

Players are warned a day before it.
"""

from __future__ import annotations

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS
from bot.engine.moves.actions import DRAW, Discard
from bot.tables.absence.idle_games import has_running_clock_or_open_question
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import Deadline
from bot.tables.state.fold import apply_table_events
from bot.tables.state.proposals import LONGEST_PAUSE, ProposalKind
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import ClosingReason, Status, TableSnapshot
from bot.tables.state.table import TableState
from tests.support.absent_player_games import FOUR, cast_vote, start_clock_game, start_game_with_no_time_left
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World, refusal_of

DAILY = PRESETS["daily"]


async def table_state(world: World, table: int) -> TableState:
    return (await world.service._context.repository.get(table)).record


async def let_time_pass_until(world: World, table: int, instant: int) -> TableSnapshot:
    """Let time pass until that instant and fire due alarms; computer players move at once."""
    while True:
        snapshot = await world.service.reading.snapshot(table)
        while (
            snapshot.status is Status.PLAYING
            and snapshot.actor is not None
            and snapshot.actor.person is None
            and snapshot.persons
        ):
            _, seat, view = await world.current_turn(table)
            step = DRAW if DRAW in view.legal else next(one for one in view.legal if isinstance(one, Discard))
            await world.service.play.act_for_computer(table, seat, step, expected_version=snapshot.version)
            snapshot = await world.service.reading.snapshot(table)
        due = await world.store.times.next_due_at()
        if due is None or due > instant:
            world.clock.advance(max(0, instant - world.clock.now()))
            return await world.service.reading.snapshot(table)
        await ring_alarms_until(world, due)


async def test_a_pause_moves_the_limit(world: World) -> None:
    """The limit is 14 days, and the pause lasts from hour 0 to 336.

    So players are warned at hour 648, and the table closes at 672.
    """
    snapshot = await start_clock_game(world, *FOUR, settings=TableSettings(idle=14))
    table, start = snapshot.id, world.clock.now()
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.PAUSE, days=LONGEST_PAUSE)
    for person in (EAST, SOUTH, WEST):
        await world.service.consent.answer_proposal(world.caller(person), table, agrees=True)
    await ring_alarms_until(world, start + 648 * HOUR - 1)
    assert (await world.service.reading.snapshot(table)).absence.idle_at is None
    await ring_alarms_until(world, start + 648 * HOUR)
    assert start + 672 * HOUR == (await world.service.reading.snapshot(table)).absence.idle_at
    await ring_alarms_until(world, start + 672 * HOUR - 1)
    assert Status.PLAYING is (await world.service.reading.snapshot(table)).status
    await ring_alarms_until(world, start + 672 * HOUR)
    snapshot = await world.service.reading.snapshot(table)
    assert (Status.CLOSED, ClosingReason.IDLE) == (snapshot.status, snapshot.closed_because)


async def test_four_players_who_vanish_are_warned_a_day_after_the_last_vote(world: World) -> None:
    """The limit is 7 days; computer players take the seats at hours 96, 192 and 288.

    Players are warned at hour 288, and the game closes at 312.
    """
    await world.record_activity(*FOUR)
    snapshot = await start_clock_game(world, *FOUR, settings=TableSettings(clock=DAILY, idle=7))
    table, start = snapshot.id, world.clock.now()
    for persons, hours in ((4, 95), (3, 97), (3, 191), (2, 193), (2, 287)):
        snapshot = await let_time_pass_until(world, table, start + hours * HOUR)
        assert (persons, None, Status.PLAYING) == (len(snapshot.persons), snapshot.absence.idle_at, snapshot.status)
    snapshot = await let_time_pass_until(world, table, start + 288 * HOUR + MINUTE)
    assert snapshot.absence.idle_at is not None
    assert (1, 312) == (len(snapshot.persons), round((snapshot.absence.idle_at - start) / HOUR))
    snapshot = await let_time_pass_until(world, table, snapshot.absence.idle_at - 1)
    assert Status.PLAYING is snapshot.status
    snapshot = await let_time_pass_until(world, table, start + 312 * HOUR + MINUTE)
    assert (Status.CLOSED, ClosingReason.IDLE) == (snapshot.status, snapshot.closed_because)
    assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))


async def test_no_alarm_is_set_while_a_clock_runs_or_a_question_is_open(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    assert snapshot.vote is not None
    open_now = await table_state(world, snapshot.id)
    assert (True, None) == (has_running_clock_or_open_question(open_now), open_now.deadlines.get(Deadline.IDLE))
    for person in (EAST, SOUTH):
        snapshot = await cast_vote(world, snapshot, person, AbsenceChoice.COMPUTER)
    goes_on = await table_state(world, snapshot.id)
    assert (True, None) == (has_running_clock_or_open_question(goes_on), goes_on.deadlines.get(Deadline.IDLE)), (
        "a computer player is to act"
    )


async def test_any_player_may_keep_an_idle_game_even_with_a_computer_in_their_seat(world: World) -> None:
    await world.record_activity(*FOUR)
    snapshot = await start_clock_game(world, *FOUR, settings=TableSettings(clock=DAILY, idle=7))
    table, start = snapshot.id, world.clock.now()
    stale, _ = await refusal_of(world.service.absence.keep_game(world.caller(NORTH), table))
    assert TableCode.STALE_REQUEST is stale
    snapshot = await let_time_pass_until(world, table, start + 289 * HOUR)
    kept = next(one.kept_for for one in snapshot.seats if one.kept_for is not None)
    code, _ = await refusal_of(world.service.absence.keep_game(world.caller(STRANGER), table))
    assert TableCode.NOT_SEATED is code
    snapshot = await world.service.absence.keep_game(world.caller(kept), table)
    assert snapshot.absence.idle_at is None
    snapshot = await let_time_pass_until(world, table, world.clock.now() + 6 * DAY - 1)
    assert snapshot.absence.idle_at is None
    snapshot = await let_time_pass_until(world, table, world.clock.now() + 1)
    assert snapshot.absence.idle_at == world.clock.now() + DAY


async def test_an_idle_game_cannot_be_kept_during_a_pause(world: World) -> None:
    snapshot = await start_clock_game(world, NORTH, EAST, settings=TableSettings(idle=7), players=2)
    await ring_alarms_until(world, world.clock.now() + 6 * DAY)
    snapshot = await world.service.masters.pause(world.caller(STRANGER), snapshot.id, reason="storm")
    assert snapshot.absence.idle_at is not None
    code, _ = await refusal_of(world.service.absence.keep_game(world.caller(NORTH), snapshot.id))
    assert TableCode.GAME_PAUSED is code
    await ring_alarms_until(world, world.clock.now() + 10 * DAY)
    snapshot = await world.service.masters.resume(world.caller(STRANGER), snapshot.id, reason="over")
    assert (Status.PLAYING, world.clock.now() + DAY) == (snapshot.status, snapshot.absence.idle_at)
