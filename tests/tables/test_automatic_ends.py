"""Automatic ends: of idle games, and at the latest end of games with a clock."""

from __future__ import annotations

from random import Random

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS
from bot.engine.moves.actions import DRAW
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import SettingsChosen
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import ClosingReason, Status, TableSnapshot
from bot.tables.state.table import Table
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.tables import CHANNEL, EAST, NORTH, World


async def game_with_clock(world: World, settings: TableSettings) -> TableSnapshot:
    """Start a game of two people with a clock."""
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, players=2, settings=settings)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    return await world.service.lobby.start(world.caller(NORTH), snapshot.id)


async def test_an_idle_game_is_closed_after_a_days_notice(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    start = world.clock.now()
    await ring_alarms_until(world, start + 29 * DAY - MINUTE)
    assert (await world.service.reading.snapshot(table)).absence.idle_at is None
    await ring_alarms_until(world, start + 29 * DAY)
    assert start + 30 * DAY == (await world.service.reading.snapshot(table)).absence.idle_at
    await ring_alarms_until(world, start + 30 * DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert (Status.CLOSED, ClosingReason.IDLE) == (snapshot.status, snapshot.closed_because)
    assert await world.store.times.next_due_at() is None


async def test_any_move_prevents_the_closing_of_an_idle_game(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    start = world.clock.now()
    await ring_alarms_until(world, start + 29 * DAY + HOUR)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    assert (await world.service.reading.snapshot(table)).absence.idle_at is None
    moved = world.clock.now()
    await ring_alarms_until(world, moved + 29 * DAY - HOUR)
    assert Status.PLAYING is (await world.service.reading.snapshot(table)).status
    await ring_alarms_until(world, moved + 30 * DAY)
    assert ClosingReason.IDLE is (await world.service.reading.snapshot(table)).closed_because


async def test_a_move_delays_the_notice_that_an_idle_game_closes(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    start = world.clock.now()
    world.clock.advance(20 * DAY)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await ring_alarms_until(world, start + 48 * DAY)
    assert (await world.service.reading.snapshot(table)).absence.idle_at is None
    await ring_alarms_until(world, start + 49 * DAY)
    assert start + 50 * DAY == (await world.service.reading.snapshot(table)).absence.idle_at


async def test_a_lone_players_game_is_closed_after_a_year(world: World) -> None:
    table = (await world.start_game(NORTH, players=2)).id
    start = world.clock.now()
    await ring_alarms_until(world, start + 363 * DAY)
    assert Status.PLAYING is (await world.service.reading.snapshot(table)).status
    await ring_alarms_until(world, start + 365 * DAY)
    assert ClosingReason.IDLE is (await world.service.reading.snapshot(table)).closed_because


async def test_the_latest_end_is_announced_twice_and_ends_the_game_after_the_deal(world: World) -> None:
    snapshot = await game_with_clock(world, TableSettings(clock=PRESETS["daily"], latest_end=14))
    start, table = world.clock.now(), snapshot.id
    assert (start + 14 * DAY, False) == (snapshot.absence.ends_at, snapshot.absence.ends_told)
    for day in range(1, 14):
        await ring_alarms_until(world, start + day * DAY)
        snapshot = await world.service.reading.snapshot(table)
        assert (day >= 7, False) == (snapshot.absence.ends_told, snapshot.last_deal)
        await world.take_random_step(table, Random(day))
    await ring_alarms_until(world, start + 14 * DAY)
    assert (await world.service.reading.snapshot(table)).last_deal
    snapshot = await world.finish_deal(table, Random(1))
    assert snapshot.conclusion is not None
    assert (Status.FINISHED, "latest_end") == (snapshot.status, snapshot.conclusion.how)


async def test_a_game_between_deals_ends_at_once_at_its_latest_end(world: World) -> None:
    settings = TableSettings(clock=PRESETS["daily"], latest_end=14)
    table = (await game_with_clock(world, settings)).id
    start = world.clock.now()
    world.clock.advance(14 * DAY - 10 * MINUTE)
    await world.finish_deal(table, Random(2))
    await ring_alarms_until(world, start + 14 * DAY)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.conclusion is not None
    assert (Status.FINISHED, "latest_end") == (snapshot.status, snapshot.conclusion.how)
    assert await world.store.times.next_due_at() is None


async def test_outages_move_the_latest_end(world: World) -> None:
    snapshot = await game_with_clock(world, TableSettings(clock=PRESETS["daily"], latest_end=14))
    start = world.clock.now()
    world.readiness._outages = ((start + DAY, start + DAY + 5 * HOUR),)
    await ring_alarms_until(world, start + 7 * DAY)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert start + 14 * DAY + 5 * HOUR == snapshot.absence.ends_at
    assert not snapshot.absence.ends_told
    await ring_alarms_until(world, start + 7 * DAY + 5 * HOUR)
    assert (await world.service.reading.snapshot(snapshot.id)).absence.ends_told


async def test_a_game_without_a_clock_has_no_latest_end(world: World) -> None:
    snapshot = await world.start_game(NORTH, EAST, players=2)
    assert snapshot.absence.ends_at is None
    assert "latest_end" not in {timer.kind for timer in await world.store.times.due_timers(2**61, 50)}


async def test_another_clock_moves_the_latest_end(world: World) -> None:
    table = (await game_with_clock(world, TableSettings(clock=PRESETS["live"]))).id
    start = world.clock.now()
    assert start + 7 * DAY == (await world.service.reading.snapshot(table)).absence.ends_at

    async def choose_daily_clock(_: Table) -> Decision:
        return Decision((SettingsChosen(TableSettings(clock=PRESETS["daily"])),))

    await world.service._context.repository.change(table, TableRequest("slower", {}), choose_daily_clock)
    assert start + 90 * DAY == (await world.service.reading.snapshot(table)).absence.ends_at
