"""Tables whose channel or server is gone: no time is charged, and finally they are closed."""

from __future__ import annotations

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY, PRESETS
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import Deadline
from bot.tables.state.fold import apply_table_events
from bot.tables.state.snapshots import ClosingReason, Status, TableSnapshot
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import EAST, NORTH, World


async def start_game(world: World) -> TableSnapshot:
    settings = TableSettings(clock=PRESETS["daily"])
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=800, players=2, settings=settings)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    return await world.service.lobby.start(world.caller(NORTH), snapshot.id)


@pytest.mark.parametrize(("gone", "days"), [("record_lost_channel", 7), ("record_lost_guild", 30)])
async def test_clocks_stop_if_the_channel_is_lost_and_the_game_is_finally_closed(
    world: World, gone: str, days: int
) -> None:
    table = (await start_game(world)).id
    world.clock.advance(HOUR)
    await getattr(world.service.places, gone)(table)
    before = await world.service.reading.snapshot(table)
    await getattr(world.service.places, gone)(table)
    assert before == await world.service.reading.snapshot(table), "known already"
    assert await world.store.times.timer(table, Deadline.CLOCK) is None
    world.clock.advance(days * DAY - 1)
    await world.service.deadlines.fire_deadline(table, Deadline.PLACE)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.clocks is not None
    assert (Status.PLAYING, 71 * HOUR) == (snapshot.status, snapshot.clocks.seats[0].bank)
    world.clock.advance(1)
    await world.service.deadlines.fire_deadline(table, Deadline.PLACE)
    snapshot = await world.service.reading.snapshot(table)
    assert (Status.CLOSED, ClosingReason.EXPIRED) == (snapshot.status, snapshot.closed_because)


async def test_a_game_goes_on_when_its_channel_is_back(world: World) -> None:
    table = (await start_game(world)).id
    await world.service.places.record_lost_channel(table)
    world.clock.advance(3 * DAY)
    await world.service.places.record_restored_place(table)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.clocks is not None
    assert (None, 0, world.clock.now() + 72 * HOUR) == (
        snapshot.place_lost,
        snapshot.clocks.owes,
        snapshot.clocks.until,
    )
    assert await world.store.times.timer(table, Deadline.PLACE) is None
    assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))


async def test_a_lobby_that_loses_its_channel_for_a_while_is_unchanged(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    await world.service.places.record_lost_channel(snapshot.id)
    await world.service.places.record_restored_place(snapshot.id)
    assert snapshot == await world.service.reading.snapshot(snapshot.id)
