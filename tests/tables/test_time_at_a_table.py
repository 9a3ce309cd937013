"""Time at a table: charged only to the player who owes a turn, never for outages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.quiet_hours_and_vacation import Vacation
from bot.clocks.scheduler import Scheduler
from bot.clocks.time_rules import DAY, GRACE, PRESETS, ClockTerms, SeatClock, Stage
from bot.clocks.uptime import HEARTBEAT_INTERVAL
from bot.engine.moves.actions import Discard
from bot.tables.state.clocks import Clocks, TableSettings
from bot.tables.state.fold import apply_table_events
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.snapshots import Status, TableSnapshot
from bot.tables.timing import timekeeping
from tests.support.clock import START, ManualClock
from tests.support.stored_table_data import events_of
from tests.support.tables import CHANNEL, EAST, NORTH, World, open_world

LIVE, DAILY = PRESETS["live"], PRESETS["daily"]


async def start_game(world: World, settings: TableSettings) -> TableSnapshot:
    """Return a game of two people with a clock, North to play."""
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, players=2, settings=settings)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    return await world.service.lobby.start(world.caller(NORTH), snapshot.id)


async def take_turn(world: World, table: int) -> TableSnapshot:
    """Let the player in turn draw and discard as simply as possible."""
    while True:
        snapshot, seat, view = await world.current_turn(table)
        discards = [step for step in view.legal if isinstance(step, Discard)]
        person = snapshot.seats[seat].person
        assert person is not None
        step = discards[0] if discards else view.legal[0]
        await world.service.play.act(world.caller(person), table, step)
        if discards:
            return await world.service.reading.snapshot(table)


async def clocks_of(world: World, table: int) -> Clocks:
    found = (await world.service.reading.snapshot(table)).clocks
    assert found is not None
    return found


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a world in which the bot is never considered away, so that hours pass in few steps."""
    async with open_world(tmp_path / "canasta.db", silence=DAY * 1000) as opened:
        yield opened


@asynccontextmanager
async def running_scheduler(world: World) -> AsyncIterator[Scheduler]:
    """Yield the scheduler of a running bot."""
    scheduler = Scheduler(world.store.times, world.clock, world.service.deadlines, readiness=world.readiness)
    await scheduler.fire_due()
    yield scheduler


async def pass_time(world: World, scheduler: Scheduler, milliseconds: int) -> None:
    """Advance the time, with the scheduler doing due work at about the right time."""
    clock, end = world.clock, world.clock.now() + milliseconds
    while clock.now() < end:
        due = await world.store.times.next_due_at()
        clock.advance(max(SECOND, min(end, due or end) - clock.now()))
        await scheduler.fire_due()


async def test_the_clock_runs_during_a_turn_and_then_gets_its_increment(world: World) -> None:
    snapshot = await start_game(world, TableSettings(clock=DAILY))
    async with running_scheduler(world) as scheduler:
        assert 0 == (await clocks_of(world, snapshot.id)).owes
        await pass_time(world, scheduler, 30 * HOUR)
        after = await take_turn(world, snapshot.id)
    assert after.clocks is not None
    assert SeatClock(54 * HOUR) == after.clocks.seats[0]
    assert (1, START + 30 * HOUR) == (after.clocks.owes, after.clocks.since)
    assert START + 102 * HOUR == after.clocks.until


async def test_example_11_an_outage_is_not_charged(tmp_path: Path) -> None:
    path, clock = tmp_path / "c.db", ManualClock()
    async with open_world(path, clock=clock) as world, running_scheduler(world) as scheduler:
        clock.advance(HEARTBEAT_INTERVAL - 10 * SECOND)
        table = (await start_game(world, TableSettings(clock=LIVE))).id
        clock.advance(10 * SECOND)
        await scheduler.fire_due()
    clock.advance(48 * SECOND)
    async with open_world(path, clock=clock, first_request=6_000_000) as world, running_scheduler(world):
        clock.advance(22 * SECOND)
        after = await take_turn(world, table)
    assert after.clocks is not None
    assert 328 * SECOND == after.clocks.seats[0].bank


async def test_example_9_the_extension_comes_by_itself_once_a_game(world: World) -> None:
    snapshot = await start_game(world, TableSettings(clock=ClockTerms("custom", 12 * HOUR, 12 * HOUR, 12 * HOUR)))
    async with running_scheduler(world) as scheduler:
        await pass_time(world, scheduler, 6 * HOUR)
        assert Stage.HALF is (await clocks_of(world, snapshot.id)).stage
        await pass_time(world, scheduler, 4 * HOUR)
        assert Stage.HALF is (await clocks_of(world, snapshot.id)).stage
        await pass_time(world, scheduler, 2 * HOUR)
        assert Stage.LAST is (await clocks_of(world, snapshot.id)).stage
        await pass_time(world, scheduler, MINUTE)
        extended = await clocks_of(world, snapshot.id)
        assert (Stage.EXTENDED, START + 36 * HOUR) == (extended.stage, extended.until)
        await pass_time(world, scheduler, 19 * HOUR)
        after = await take_turn(world, snapshot.id)
    assert after.clocks is not None
    assert SeatClock(12 * HOUR, extended=True) == after.clocks.seats[0]


async def test_example_10_a_day_of_vacation_is_taken_and_a_move_ends_it(world: World) -> None:
    settings = TableSettings(clock=ClockTerms("custom", 12 * HOUR, 0, 12 * HOUR), extension=False)
    snapshot = await start_game(world, settings)
    async with running_scheduler(world) as scheduler:
        await pass_time(world, scheduler, 12 * HOUR + MINUTE)
        away = await clocks_of(world, snapshot.id)
        assert (Stage.VACATION, START + 36 * HOUR) == (away.stage, away.until)
        await pass_time(world, scheduler, 8 * HOUR - MINUTE)
        after = await take_turn(world, snapshot.id)
    assert after.clocks is not None
    assert SeatClock(0, vacation_days=1) == after.clocks.seats[0]
    assert 13 == await world.personal.days_left(NORTH, world.clock.now())
    taken = (await world.personal.hours_of(NORTH)).vacations
    assert (Vacation(START + 12 * HOUR, START + 36 * HOUR, automatic=True),) == taken, "at other tables at zero, too"


@pytest.mark.parametrize("allowed", [0, 7])
async def test_planned_vacation_counts_where_the_table_allows_any(world: World, allowed: int) -> None:
    settings = TableSettings(clock=PRESETS["daily"], extension=False, vacation=allowed)
    await world.personal.plan_vacation(NORTH, START + HOUR, START + HOUR + DAY, START)
    snapshot = await start_game(world, settings)
    world.clock.advance(26 * HOUR)
    after = await take_turn(world, snapshot.id)
    assert after.clocks is not None
    assert (72 - 26 + 12 if not allowed else 72) * HOUR == after.clocks.seats[0].bank


async def test_example_12_a_click_before_the_end_counts_if_it_is_stored_soon_enough(world: World) -> None:
    snapshot = await start_game(
        world, TableSettings(clock=ClockTerms("custom", 30 * SECOND, 0, 30 * SECOND), extension=False)
    )
    async with running_scheduler(world) as scheduler:
        await world.service.play.act(
            world.caller(NORTH), snapshot.id, (await world.current_turn(snapshot.id))[2].legal[0]
        )
        await pass_time(world, scheduler, 30 * SECOND + 900)
        after = await take_turn(world, snapshot.id)
    assert after.clocks is not None
    assert (0, 1) == (after.clocks.seats[0].bank, after.clocks.owes)


async def test_a_computer_player_keeps_the_seat_when_all_time_is_used_up(world: World) -> None:
    snapshot = await start_game(world, TableSettings(clock=LIVE))
    async with running_scheduler(world) as scheduler:
        await pass_time(world, scheduler, 5 * MINUTE + GRACE)
        assert Stage.EXTENDED is (await clocks_of(world, snapshot.id)).stage
        await pass_time(world, scheduler, MINUTE)
        after = await world.service.reading.snapshot(snapshot.id)
    assert ("computer", NORTH) == (after.seats[0].kind, after.seats[0].kept_for)
    assert after.clocks is not None
    assert (None, 1) == (after.clocks.owes, after.clocks.seats[0].lapses)


async def test_no_clock_runs_for_a_lone_player_or_without_a_clock(world: World) -> None:
    snapshot = await world.service.lobby.create(
        world.caller(NORTH), channel=CHANNEL, players=2, computers=1, settings=TableSettings(clock=LIVE)
    )
    started = await world.service.lobby.start(world.caller(NORTH), snapshot.id)
    assert started.clocks is None
    assert (await start_game(world, TableSettings())).clocks is None
    assert await world.store.times.timer(snapshot.id, "clock") is None


async def test_a_game_with_a_fixed_number_of_deals_ends_after_them(world: World) -> None:
    snapshot = await start_game(world, TableSettings(deals=1))
    after = await world.finish_deal(snapshot.id, Random(1))
    assert (Status.FINISHED, None) == (after.status, after.next_deal_at)
    assert after.conclusion is not None
    assert after.view is not None
    assert ("played", tuple(total.score for total in after.view.totals)) == (
        after.conclusion.how,
        after.conclusion.scores,
    )
    assert after.conclusion.scores.index(max(after.conclusion.scores)) == after.conclusion.winner


@pytest.mark.parametrize("seed", range(4))
async def test_a_log_with_clocks_folds_to_the_table(world: World, seed: int) -> None:
    random = Random(seed)
    snapshot = await start_game(world, TableSettings(clock=ClockTerms("custom", 12 * HOUR, HOUR, 12 * HOUR)))
    async with running_scheduler(world) as scheduler:
        for _ in range(25):
            await pass_time(world, scheduler, random.randrange(1, 14) * HOUR)
            if (await world.service.reading.snapshot(snapshot.id)).seats[0].kind == "computer":
                break
            if await world.service.reading.computer_turn(snapshot.id) is not None:
                await world.take_random_step(snapshot.id, random)
            else:
                await take_turn(world, snapshot.id)
    told = apply_table_events(None, await events_of(world.store, snapshot.id))
    assert (await world.service._context.repository.get(snapshot.id)).record == told
    assert all(clock.time_left >= 0 for clock in (told.clocks or Clocks(())).seats)


async def test_a_player_who_moves_after_time_ran_out_gets_the_increment(world: World) -> None:
    """Otherwise a player who returned during a vote would run out of time in every later turn."""
    settings = TableSettings(clock=PRESETS["daily"], extension=False, vacation=0)
    snapshot = await start_game(world, settings)
    world.clock.advance(72 * HOUR + MINUTE)
    await world.service.deadlines.fire_deadline(snapshot.id, "clock")
    lapsed = await clocks_of(world, snapshot.id)
    assert (Stage.LAPSED, 0) == (lapsed.stage, lapsed.seats[0].bank)
    after = await take_turn(world, snapshot.id)
    assert after.clocks is not None
    assert (12 * HOUR, None) == (after.clocks.seats[0].bank, after.vote)


async def test_a_move_ends_a_vacation_and_a_proposal_does_not(world: World) -> None:
    await world.personal.plan_vacation(NORTH, START + HOUR, START + HOUR + 3 * DAY, START)
    snapshot = await start_game(world, TableSettings(clock=PRESETS["daily"], extension=False))
    world.clock.advance(2 * HOUR)
    await world.service.consent.propose(world.caller(NORTH), snapshot.id, ProposalKind.PAUSE)
    assert (await world.personal.hours_of(NORTH)).current_vacation(world.clock.now()) is not None
    await world.service.play.act(world.caller(NORTH), snapshot.id, (await world.current_turn(snapshot.id))[2].legal[0])
    assert START + 25 * HOUR == (await world.personal.hours_of(NORTH)).vacations[0].actual_end, (
        "two days are given back"
    )


async def test_asking_for_the_time_left_at_a_table_without_clocks_is_an_error(world: World) -> None:
    snapshot = await start_game(world, TableSettings(clock=LIVE))
    record = (await world.service._context.repository.get(snapshot.id)).record
    untimed = replace(record, clocks=None), replace(record, settings=replace(record.settings, clock=None))
    for one in untimed:
        with pytest.raises(ValueError, match="nobody's time"):
            await timekeeping.time_left(one, 0, world.service._context.time_lookup, world.clock.now())
