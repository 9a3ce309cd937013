"""A table's wait for a vanished player depends on their last use of the bot (`docs/long-games.md`, 3)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, GRACE, PRESETS, ClockTerms, SeatClock, Stage
from bot.engine.moves.actions import DRAW
from bot.tables.rating_finished_games import rated_match_of
from bot.tables.state.absence import AbsenceChoice, EndChoice
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import StageReached
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import ClosingReason, Status
from tests.support.absent_player_games import cast_vote, start_clock_game
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.stored_table_data import events_of
from tests.support.tables import EAST, NORTH, SOUTH, WEST, World, open_world, refusal_of
from tests.support.vanishing_players import (
    LONGEST_WAIT,
    USUAL,
    expected_hours_to_decision,
    hours_until_decision,
    hours_until_time_used_up,
    start_game_waiting_for_north,
)

SEEN = (None, 1, 24, 48, 71)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a world whose bot has been ready from the start, and is away only when a test says so."""
    async with open_world(tmp_path / "canasta.db", silence=1000 * DAY) as opened:
        await opened.readiness.note_ready()
        yield opened


@pytest.mark.parametrize("persons", [2, 3, 4, 6])
@pytest.mark.parametrize(("quiet", "came"), [(0, 8), (9, 8), (10, 22)])
@pytest.mark.parametrize("last_seen", SEEN)
async def test_a_table_decides_about_an_absent_player_when_the_formula_says(
    world: World, persons: int, quiet: int, came: int, last_seen: int | None
) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=came, quiet_hours=quiet, persons=persons)
    decided = await hours_until_decision(world, snapshot, last_seen)
    assert (
        expected_hours_to_decision(-100 if last_seen is None else last_seen, turn_hour=came, quiet_hours=quiet)
        == decided
    )
    assert decided - (last_seen or 0) <= LONGEST_WAIT


@pytest.mark.parametrize(
    ("quiet", "came", "last_seen", "decided"),
    [(0, 8, -1, 72), (0, 8, 1, 96), (9, 8, -1, 108), (9, 8, 1, 108), (10, 22, -1, 132)],
)
async def test_a_table_decides_as_in_the_printed_examples(
    world: World, quiet: int, came: int, last_seen: int, decided: int
) -> None:
    assert decided == expected_hours_to_decision(last_seen, turn_hour=came, quiet_hours=quiet)
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=came, quiet_hours=quiet)
    assert decided == await hours_until_decision(world, snapshot, None if last_seen < 0 else last_seen)


@pytest.mark.parametrize(("quiet", "came", "extended", "decided"), [(0, 8, 96, 144), (10, 22, 166, 214)])
async def test_a_player_who_uses_the_bot_but_never_plays_gets_all_extra_time(
    world: World, quiet: int, came: int, extended: int, decided: int
) -> None:
    snapshot = await start_game_waiting_for_north(world, turn_hour=came, quiet_hours=quiet)
    start = world.clock.now()
    assert snapshot.clocks is not None
    assert start + decided * HOUR == snapshot.clocks.decided_at, "the others are told the latest instant from the start"
    for hour in range(0, decided, 20):
        await ring_alarms_until(world, start + hour * HOUR)
        await world.record_activity(NORTH)
    assert decided == await hours_until_time_used_up(world, snapshot, start)
    happened = [event for event in await events_of(world.store, snapshot.id) if isinstance(event, StageReached)]
    assert start + extended * HOUR == next(one.until for one in happened if one.stage is Stage.EXTENDED)
    assert {start + decided * HOUR} == {one.decided_at for one in happened if one.stage is not Stage.LAPSED}
    clocks = (await world.service.reading.snapshot(snapshot.id)).clocks
    assert clocks is not None
    assert 2 == clocks.seats[0].vacation_days


def test_no_table_waits_over_132_hours_for_an_absent_player() -> None:
    """This holds for every hour at which the turn can begin and for every hour of the player's last use."""
    longest = {
        quiet: max(
            expected_hours_to_decision(seen, turn_hour=came, quiet_hours=quiet) - max(seen, 0)
            for came in range(24)
            for seen in range(-1, 230)
            if seen < expected_hours_to_decision(seen, turn_hour=came, quiet_hours=quiet)
        )
        for quiet in (0, 8, 9, 10)
    }
    assert LONGEST_WAIT == max(longest.values()), longest


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("quiet", [0, 8, 9, 10])
async def test_tables_decide_as_computed_for_every_hour_of_turn_and_last_use(tmp_path: Path, quiet: int) -> None:
    for came in range(24):
        for seen in range(0, 220, 7):
            path = tmp_path / f"{came}-{seen}.db"
            async with open_world(path, silence=1000 * DAY) as world:
                snapshot = await start_game_waiting_for_north(world, turn_hour=came, quiet_hours=quiet)
                expected = expected_hours_to_decision(seen, turn_hour=came, quiet_hours=quiet)
                assert expected == await hours_until_decision(world, snapshot, seen), (came, seen)
            path.unlink()


async def test_an_extension_that_is_skipped_is_not_spent(world: World) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0)
    await ring_alarms_until(world, world.clock.now() + 72 * HOUR + MINUTE)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.clocks is not None
    assert (False, 1) == (snapshot.clocks.seats[0].extended, snapshot.clocks.seats[0].lapses)


async def test_at_a_fast_table_the_extension_comes_in_any_case(world: World) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_clock_game(world, NORTH, EAST, players=2, settings=TableSettings(clock=PRESETS["live"]))
    bank = PRESETS["live"].bank
    await ring_alarms_until(world, world.clock.now() + bank + GRACE)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.clocks is not None
    assert Stage.EXTENDED is snapshot.clocks.stage


async def test_a_person_never_seen_counts_as_present_only_after_the_bots_first_start(world: World) -> None:
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0)
    first = world.readiness.first_start
    service = world.service.absence
    assert await service.is_present(snapshot.id, NORTH, at=first + 72 * HOUR - 1)
    assert not await service.is_present(snapshot.id, NORTH, at=first + 72 * HOUR)
    await world.record_activity(NORTH)
    assert await service.is_present(snapshot.id, NORTH, at=world.clock.now() + 72 * HOUR - 1)


async def test_time_in_which_the_table_was_stopped_does_not_count_as_absence(world: World) -> None:
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0)
    start = world.clock.now()
    await world.record_activity(NORTH)
    await world.service.masters.pause(world.caller(WEST), snapshot.id, reason="storm")
    world.clock.advance(100 * HOUR)
    await world.service.masters.resume(world.caller(WEST), snapshot.id, reason="over")
    assert await world.service.absence.is_present(snapshot.id, NORTH, at=start + 172 * HOUR - 1)
    assert not await world.service.absence.is_present(snapshot.id, NORTH, at=start + 172 * HOUR)


async def test_the_use_of_the_bot_is_stored_once_an_hour(world: World) -> None:
    start = world.clock.now()
    for later, stored in ((0, 0), (HOUR, 0), (HOUR + 1, HOUR + 1), (2 * HOUR, HOUR + 1)):
        await world.contacts.record_bot_use(NORTH, start + later)
        assert start + stored == await world.contacts.last_seen(NORTH)


# --- vacation ---------------------------------------------------------------------------------------------------------

PLAIN = replace(USUAL, extension=False)


@pytest.mark.parametrize(("allowed", "zero", "noted"), [(0, 72, 0), (1, 96, 1), (7, 240, 7)])
async def test_planned_vacation_stops_a_clock_for_the_days_that_the_table_allows(
    world: World, allowed: int, zero: int, noted: int
) -> None:
    start = world.clock.now() // DAY * DAY + DAY + 8 * HOUR
    await world.personal.plan_vacation(NORTH, start, start + 14 * DAY, world.clock.now())
    snapshot = await start_game_waiting_for_north(
        world, turn_hour=8, quiet_hours=0, settings=replace(PLAIN, vacation=allowed)
    )
    assert start == world.clock.now()
    assert zero == await hours_until_time_used_up(world, snapshot, start)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.clocks is not None
    assert noted == snapshot.clocks.seats[0].vacation_days


async def test_one_vacation_day_serves_all_five_tables_where_time_runs_out(world: World) -> None:
    """North's time runs out at five tables on Thursday from 10:00 to 13:00.

    North plays at all five at 18:00 and has 13 days of vacation left.
    """
    settings = TableSettings(clock=ClockTerms("custom", 12 * HOUR, 12 * HOUR, 12 * HOUR), extension=False)
    world.clock.advance(DAY - world.clock.now() % DAY + 22 * HOUR)
    thursday = world.clock.now() + 2 * HOUR
    tables = []
    for _ in range(5):
        tables.append((await start_clock_game(world, NORTH, EAST, players=2, settings=settings)).id)
        world.clock.advance(45 * MINUTE)
    await world.record_activity(NORTH)
    await ring_alarms_until(world, thursday + 18 * HOUR)
    for table in tables:
        clocks = (await world.service.reading.snapshot(table)).clocks
        assert clocks is not None
        assert (Stage.VACATION, thursday + 34 * HOUR) == (clocks.stage, clocks.until), "Friday at 10:00"
    for table in tables:
        await _take_turn(world, table)
    assert 13 == await world.personal.days_left(NORTH, world.clock.now())
    snapshot = await world.service.reading.snapshot(tables[0])
    assert snapshot.clocks is not None
    assert SeatClock(12 * HOUR, vacation_days=1) == snapshot.clocks.seats[0]
    await ring_alarms_until(world, thursday + 20 * HOUR)
    await _take_turn(world, tables[0])  # East
    snapshot = await world.service.reading.snapshot(tables[0])
    assert snapshot.clocks is not None
    assert (0, thursday + 32 * HOUR) == (snapshot.clocks.owes, snapshot.clocks.until), (
        "a turn at 20:00 runs on its twelve hours"
    )


async def test_tables_that_are_checked_late_share_one_vacation_day_in_any_order(world: World) -> None:
    """If the bot was busy, the table where time ran out later may be checked first."""
    settings = TableSettings(clock=ClockTerms("custom", 12 * HOUR, 12 * HOUR, 12 * HOUR), extension=False)
    tables = []
    for _ in range(2):
        tables.append((await start_clock_game(world, NORTH, EAST, players=2, settings=settings)).id)
        world.clock.advance(MINUTE)
    await world.record_activity(NORTH)
    world.clock.advance(12 * HOUR)
    for table in reversed(tables):
        await world.service.deadlines.fire_deadline(table, "clock")
    snapshots = [await world.service.reading.snapshot(table) for table in tables]
    assert [Stage.VACATION] * 2 == [snapshot.clocks.stage for snapshot in snapshots if snapshot.clocks]
    assert 1 == len({snapshot.clocks.until for snapshot in snapshots if snapshot.clocks}), (
        "both until the end of the same day"
    )
    assert 13 == await world.personal.days_left(NORTH, world.clock.now())


async def test_a_move_ends_planned_vacation_at_once_at_its_table_and_later_at_others(world: World) -> None:
    start = world.clock.now()
    await world.personal.plan_vacation(NORTH, start, start + 5 * DAY, start)
    here, there = [(await start_clock_game(world, NORTH, EAST, players=2, settings=PLAIN)).id for _ in range(2)]
    await ring_alarms_until(world, start + 32 * HOUR)
    await world.service.play.act(world.caller(NORTH), here, DRAW)
    await world.service.finish()
    snapshots = [await world.service.reading.snapshot(table) for table in (here, there)]
    assert [start + (32 + 72) * HOUR, start + (48 + 72) * HOUR] == [one.clocks.until for one in snapshots if one.clocks]
    assert 12 == await world.personal.days_left(NORTH, world.clock.now() + DAY), "three days are given back"
    assert await _took_no_vacation_day(world)


async def _took_no_vacation_day(world: World) -> bool:
    """Return whether no vacation day was taken automatically."""
    return not any(one.automatic for one in (await world.personal.hours_of(NORTH)).vacations)


async def test_no_vacation_day_is_taken_if_the_person_declines_it_or_has_none_left(world: World) -> None:
    await world.personal.set_automatic_vacation(NORTH, automatic=False)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0, settings=PLAIN)
    assert 72 == await hours_until_decision(world, snapshot, 1)
    await world.personal.set_automatic_vacation(NORTH, automatic=True)
    now = world.clock.now()
    await world.personal.plan_vacation(NORTH, now, now + 14 * DAY, now)
    world.clock.advance(14 * DAY)
    assert 0 == await world.personal.days_left(NORTH, world.clock.now())
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0, settings=PLAIN)
    assert 72 == await hours_until_decision(world, snapshot, 1)


async def test_a_vacation_day_and_its_table_are_stored_in_one_write(world: World) -> None:
    """A process killed between two writes would leave the person more days than the table has recorded."""
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0, settings=PLAIN)
    start = world.clock.now()
    version = (await world.service.reading.snapshot(snapshot.id)).version
    await ring_alarms_until(world, start + 2 * HOUR)
    await world.record_activity(NORTH)
    assert await world.store.times.personal_hours(NORTH) is None
    await ring_alarms_until(world, start + 72 * HOUR + MINUTE)
    rows = await world.store.tables.actions(snapshot.id, after=version)
    assert "clock" == rows[-1].kind
    assert 1 == len((await world.personal.hours_of(NORTH)).vacations)
    assert await world.store.times.personal_hours(NORTH) is not None


async def _take_turn(world: World, table: int) -> None:
    """Let the player in turn draw and discard."""
    while True:
        snapshot, seat, view = await world.current_turn(table)
        person = snapshot.seats[seat].person
        assert person is not None
        step = next((one for one in view.legal if type(one).__name__ == "Discard"), view.legal[0])
        await world.service.play.act(world.caller(person), table, step)
        if type(step).__name__ == "Discard":
            return


# --- votes and returns ------------------------------------------------------------------------------------------------


async def test_saying_i_am_back_ends_the_vote_once_a_turn(world: World) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0, persons=3)
    asked = world.service.absence.confirm_return(world.caller(NORTH), snapshot.id)
    assert TableCode.NO_VOTE is (await refusal_of(asked))[0]
    await ring_alarms_until(world, world.clock.now() + 73 * HOUR)
    snapshot = await world.service.absence.confirm_return(world.caller(NORTH), snapshot.id)
    assert snapshot.clocks is not None
    assert (None, None, 0) == (snapshot.vote, snapshot.vote_until, snapshot.clocks.owes)
    assert world.clock.now() + 18 * HOUR == snapshot.clocks.until
    await world.record_activity(NORTH)
    await ring_alarms_until(world, world.clock.now() + 18 * HOUR + MINUTE)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.vote is not None, "no extension and no day of vacation after a return"
    asked = world.service.absence.confirm_return(world.caller(NORTH), snapshot.id)
    assert TableCode.RETURNED_BEFORE is (await refusal_of(asked))[0]
    await _take_turn(world, snapshot.id)
    assert (await world.service.reading.snapshot(snapshot.id)).vote is None


async def test_a_player_who_returns_after_running_out_of_time_has_no_planned_days_there(world: World) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0, persons=2)
    await ring_alarms_until(world, world.clock.now() + 97 * HOUR)
    now = world.clock.now()
    await world.personal.plan_vacation(NORTH, now, now + 10 * DAY, now)
    snapshot = await world.service.lobby.join(world.caller(NORTH), snapshot.id)
    assert snapshot.clocks is not None
    assert (0, now + 18 * HOUR) == (snapshot.clocks.owes, snapshot.clocks.until)


async def test_the_vote_stands_in_a_pause_and_the_absent_person_may_come_back_in_it(world: World) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0, persons=3)
    start = world.clock.now()
    await ring_alarms_until(world, start + 73 * HOUR)
    await world.service.masters.pause(world.caller(WEST), snapshot.id, reason="storm")
    await ring_alarms_until(world, start + 121 * HOUR)
    snapshot = await world.service.absence.confirm_return(world.caller(NORTH), snapshot.id)
    assert (None, True) == (snapshot.vote, snapshot.is_halted)
    await world.service.masters.resume(world.caller(WEST), snapshot.id, reason="over")
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.clocks is not None
    assert (0, start + (121 + 18) * HOUR, start + 121 * HOUR) == (
        snapshot.clocks.owes,
        snapshot.clocks.until,
        snapshot.resumed_at,
    )


# --- no opponent left ------------------------------------------------------------------------------------------------


async def test_one_of_two_players_vanishes_and_the_other_chooses_the_end(world: World) -> None:
    """A vote begins at hour 72, silence seats a computer player at 96, and the choice comes at 168.

    The game goes on without a clock.
    """
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0)
    start = world.clock.now()
    await ring_alarms_until(world, start + 97 * HOUR)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.clocks is not None
    assert snapshot.absence.unopposed is not None
    assert (NORTH, None) == (snapshot.seats[0].kept_for, snapshot.clocks.owes)
    assert start + 96 * HOUR + GRACE == snapshot.absence.unopposed.since
    assert start + 168 * HOUR + GRACE == snapshot.choice_at
    asked = world.service.absence.choose_game_end(world.caller(EAST), snapshot.id, EndChoice.CLAIM)
    assert TableCode.NO_END_CHOICE is (await refusal_of(asked))[0]
    await ring_alarms_until(world, start + 168 * HOUR + GRACE)
    snapshot = await world.service.absence.choose_game_end(world.caller(EAST), snapshot.id, EndChoice.PLAY_ON)
    assert Status.PLAYING is snapshot.status
    snapshot = await world.service.absence.choose_game_end(world.caller(EAST), snapshot.id, EndChoice.CLAIM)
    assert Status.FINISHED is snapshot.status
    assert snapshot.conclusion is not None
    assert ("forfeited", 1, 0) == (snapshot.conclusion.how, snapshot.conclusion.winner, snapshot.conclusion.last)
    match = rated_match_of(snapshot, at=0)
    assert match is not None
    assert [True, False] == [side.last for side in match.sides], "it is rated so"
    assert [NORTH, None] == [side.seats[0].lost for side in match.sides], "North has lost"


async def test_if_all_vote_an_hour_after_the_time_is_up_the_choice_comes_72_hours_later(world: World) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0)
    start = world.clock.now()
    await ring_alarms_until(world, start + 73 * HOUR)
    snapshot = await cast_vote(world, await world.service.reading.snapshot(snapshot.id), EAST, AbsenceChoice.COMPUTER)
    assert start + 145 * HOUR == snapshot.choice_at


async def test_the_choice_to_end_the_game_is_cancelled_if_the_opponent_returns(world: World) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0)
    await ring_alarms_until(world, world.clock.now() + 169 * HOUR)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.absence.unopposed is not None
    assert snapshot.absence.unopposed.open_at is not None
    snapshot = await world.service.lobby.join(world.caller(NORTH), snapshot.id)
    assert (None, None) == (snapshot.absence.unopposed, snapshot.choice_at)
    asked = world.service.absence.choose_game_end(world.caller(EAST), snapshot.id, EndChoice.END)
    assert TableCode.NO_END_CHOICE is (await refusal_of(asked))[0]


async def test_without_a_finished_deal_the_agreed_end_has_no_result(world: World) -> None:
    world.clock.advance(4 * DAY)
    snapshot = await start_game_waiting_for_north(world, turn_hour=8, quiet_hours=0)
    await ring_alarms_until(world, world.clock.now() + 169 * HOUR)
    snapshot = await world.service.absence.choose_game_end(world.caller(EAST), snapshot.id, EndChoice.END)
    assert (Status.CLOSED, ClosingReason.AGREED) == (snapshot.status, snapshot.closed_because)


async def test_partners_choose_together_and_the_others_come_last(world: World) -> None:
    """North and South are left, and one choice alone does not end the game.

    The choice of a player who leaves does not count.
    """
    snapshot = await start_clock_game(world, NORTH, EAST, SOUTH, WEST)
    for person, seat in ((EAST, 1), (WEST, 3)):
        await world.service.masters.hand_over(world.caller(person), snapshot.id, seat=seat, reason="asleep")
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.absence.unopposed is not None
    await ring_alarms_until(world, world.clock.now() + 72 * HOUR)
    snapshot = await world.service.absence.choose_game_end(world.caller(NORTH), snapshot.id, EndChoice.CLAIM)
    assert Status.PLAYING is snapshot.status
    snapshot = await world.service.absence.choose_game_end(world.caller(SOUTH), snapshot.id, EndChoice.END)
    assert Status.PLAYING is snapshot.status
    snapshot = await world.service.absence.choose_game_end(world.caller(SOUTH), snapshot.id, EndChoice.CLAIM)
    assert snapshot.conclusion is not None
    assert ("forfeited", 0, 1) == (snapshot.conclusion.how, snapshot.conclusion.winner, snapshot.conclusion.last)


async def test_a_player_whose_only_opponent_left_counts_as_unopposed(world: World) -> None:
    snapshot = await start_clock_game(world, NORTH, EAST, players=2)
    assert snapshot.absence.ends_at is not None
    await world.service.lobby.leave(world.caller(EAST), snapshot.id)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.absence.unopposed is not None, "a seat is kept for whoever left, too"
