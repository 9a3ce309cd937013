"""Roll calls: early entrants of a slow table confirm that they still play before the game begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY, PRESETS
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import Deadline
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import ClosingReason, RollCall, Status, TableSnapshot
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, World, open_world, refusal_of

SLOW = TableSettings(clock=PRESETS["daily"])


async def lobby_of_three_people(world: World, *, clock: TableSettings = SLOW) -> TableSnapshot:
    """Return North's lobby for three players; East joined two days ago, South just now."""
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=800, players=3, settings=clock)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    world.clock.advance(2 * DAY)
    return await world.service.lobby.join(world.caller(SOUTH), snapshot.id)


async def test_early_entrants_are_asked_and_then_the_game_begins(world: World) -> None:
    table = (await lobby_of_three_people(world)).id
    now = world.clock.now()
    snapshot = await world.service.lobby.start(world.caller(NORTH), table)
    assert (Status.LOBBY, RollCall(now, (1,), fill=False)) == (snapshot.status, snapshot.roll)
    asked = (TableCode.ROLL_CALLED, {"table": table, "from": now + DAY})
    assert asked == await refusal_of(world.service.lobby.start(world.caller(NORTH), table))
    for person in (NORTH, SOUTH):
        assert (TableCode.NOT_CALLED, {"table": table}) == await refusal_of(
            world.service.lobby.confirm_presence(world.caller(person), table)
        )
    assert (TableCode.NOT_SEATED, {"table": table}) == await refusal_of(
        world.service.lobby.confirm_presence(world.caller(STRANGER), table)
    )
    snapshot = await world.service.lobby.confirm_presence(world.caller(EAST), table)
    assert (Status.PLAYING, None) == (snapshot.status, snapshot.roll)
    assert await world.store.times.timer(table, Deadline.ROLL_CALL) is None
    assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))


async def test_a_day_of_silence_frees_the_seat(world: World) -> None:
    table = (await lobby_of_three_people(world)).id
    await world.service.lobby.start(world.caller(NORTH), table)
    world.clock.advance(23 * HOUR)
    await world.service.deadlines.fire_deadline(table, Deadline.ROLL_CALL)
    assert EAST in (await world.service.reading.snapshot(table)).persons
    world.clock.advance(HOUR)
    await world.service.deadlines.fire_deadline(table, Deadline.ROLL_CALL)
    snapshot = await world.service.reading.snapshot(table)
    assert ((NORTH, SOUTH), None, Status.LOBBY) == (snapshot.persons, snapshot.roll, snapshot.status)
    full = await world.service.lobby.join(world.caller(EAST), table)
    assert full.is_full
    world.clock.advance(HOUR)
    snapshot = await world.service.lobby.start(world.caller(NORTH), table)
    assert Status.LOBBY is snapshot.status
    assert snapshot.roll is not None
    assert (2,) == snapshot.roll.seats, "South, who came a day ago"


async def start_lobby_late(world: World) -> int:
    """Return a lobby opened at hour 0 and started at hour 164, so that East is asked to confirm."""
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=800, players=3, settings=SLOW)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    await ring_alarms_until(world, snapshot.created_at + 163 * HOUR)
    await world.service.lobby.join(world.caller(SOUTH), snapshot.id)
    await ring_alarms_until(world, snapshot.created_at + 164 * HOUR)
    await world.service.lobby.start(world.caller(NORTH), snapshot.id)
    return snapshot.id


async def test_a_lobby_outlives_its_roll_call_by_a_day(world: World) -> None:
    opened = world.clock.now()
    table = await start_lobby_late(world)
    await ring_alarms_until(world, opened + 188 * HOUR - 1)
    assert EAST in (await world.service.reading.snapshot(table)).persons
    await ring_alarms_until(world, opened + 188 * HOUR)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.missed is not None
    assert ([EAST], opened + 188 * HOUR) == ([one.person for one in snapshot.missed.holders], snapshot.missed.at)
    await ring_alarms_until(world, opened + 212 * HOUR - 1)
    assert Status.LOBBY is (await world.service.reading.snapshot(table)).status
    await ring_alarms_until(world, opened + 212 * HOUR)
    closed = await world.service.reading.snapshot(table)
    assert (Status.CLOSED, ClosingReason.EXPIRED) == (closed.status, closed.closed_because)


async def test_a_host_may_keep_the_lobby_waiting_for_a_week(world: World) -> None:
    opened = world.clock.now()
    table = await start_lobby_late(world)
    await ring_alarms_until(world, opened + 190 * HOUR)
    ended = opened + 188 * HOUR
    assert (TableCode.NOT_HOST, {"table": table, "host": NORTH}) == await refusal_of(
        world.service.lobby.keep_lobby(world.caller(SOUTH), table, asked_at=ended)
    )
    snapshot = await world.service.lobby.keep_lobby(world.caller(NORTH), table, asked_at=ended)
    assert opened + 358 * HOUR == snapshot.expires_at
    code, _ = await refusal_of(world.service.lobby.keep_lobby(world.caller(NORTH), table, asked_at=ended))
    assert TableCode.STALE_REQUEST is code
    await ring_alarms_until(world, opened + 358 * HOUR - 1)
    assert Status.LOBBY is (await world.service.reading.snapshot(table)).status
    await ring_alarms_until(world, opened + 358 * HOUR)
    assert Status.CLOSED is (await world.service.reading.snapshot(table)).status
    assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))


async def test_a_person_removed_for_silence_may_sit_down_again(world: World) -> None:
    opened = world.clock.now()
    table = await start_lobby_late(world)
    await ring_alarms_until(world, opened + 189 * HOUR)
    snapshot = await world.service.lobby.join(world.caller(EAST), table)
    assert (None, True) == (snapshot.missed, snapshot.is_full)
    asked = await world.service.lobby.start(world.caller(NORTH), table)
    assert asked.roll is not None
    assert (2,) == asked.roll.seats, "South sat down more than a day ago; East has just done so"


async def test_a_lobby_whose_asked_persons_are_all_silent_is_closed(world: World) -> None:
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=800, players=2, settings=SLOW)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    world.clock.advance(DAY)
    await world.service.lobby.start(world.caller(NORTH), snapshot.id)
    await world.service.lobby.leave(world.caller(NORTH), snapshot.id)
    await ring_alarms_until(world, world.clock.now() + DAY)
    closed = await world.service.reading.snapshot(snapshot.id)
    assert closed.missed is not None
    assert (ClosingReason.EMPTY, EAST) == (closed.closed_because, closed.missed.holders[0].person)


async def test_computer_players_fill_empty_seats_if_the_start_asked_for_that(world: World) -> None:
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=800, players=4, settings=SLOW)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    world.clock.advance(DAY)
    await world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True)
    begun = await world.service.lobby.confirm_presence(world.caller(EAST), snapshot.id)
    assert (Status.PLAYING, 2) == (begun.status, len(begun.persons))


async def test_an_entrant_who_leaves_is_not_asked(world: World) -> None:
    table = (await lobby_of_three_people(world)).id
    await world.service.lobby.start(world.caller(NORTH), table)
    snapshot = await world.service.lobby.leave(world.caller(EAST), table)
    assert (None, Status.LOBBY) == (snapshot.roll, snapshot.status)


@pytest.mark.parametrize("clock", [None, "live", "daily"])
async def test_fast_tables_and_recent_joiners_have_no_roll_call(world: World, clock: str | None) -> None:
    settings = TableSettings(clock=None if clock is None else PRESETS[clock])
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=800, players=2, settings=settings)
    world.clock.advance(0 if clock == "daily" else HOUR)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    world.clock.advance(23 * HOUR if clock == "daily" else HOUR)
    assert Status.PLAYING is (await world.service.lobby.start(world.caller(NORTH), snapshot.id)).status


async def test_if_the_host_does_not_confirm_the_next_person_hosts_the_lobby(world: World) -> None:
    """North starts the game and leaves, so East is the host; East stays silent, so South becomes the host."""
    table = (await lobby_of_three_people(world)).id
    await world.service.lobby.start(world.caller(NORTH), table)
    left = await world.service.lobby.leave(world.caller(NORTH), table)
    assert (EAST, (1,)) == (left.host, () if left.roll is None else left.roll.seats)
    world.clock.advance(DAY)
    await world.service.deadlines.fire_deadline(table, Deadline.ROLL_CALL)
    snapshot = await world.service.reading.snapshot(table)
    assert (SOUTH, (SOUTH,)) == (snapshot.host, snapshot.persons)
    assert await record_of(world.store, table) == apply_table_events(None, await events_of(world.store, table))


async def test_a_roll_call_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        table = (await lobby_of_three_people(world)).id
        snapshot = await world.service.lobby.start(world.caller(NORTH), table)
    async with open_world(path, clock=world.clock, first_request=6_000_000) as world:
        assert snapshot == await world.service.reading.snapshot(table)
        assert Status.PLAYING is (await world.service.lobby.confirm_presence(world.caller(EAST), table)).status
