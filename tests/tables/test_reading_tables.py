"""Reading tables: cached views, rate limits, lists of tables, and slow work outside the event loop."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.engine.moves.actions import DRAW
from bot.engine.play.building_views import seat_view
from bot.engine.rules.sets import rule_set
from bot.store.tables import StoredTable
from bot.tables.core.limits import Limits
from bot.tables.core.rules_thread import RulesThread, is_quick
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import TableSnapshot
from tests.support.call_recorder import record_calls
from tests.support.stand_ins import StandIn, service_with_store_parts
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, World, open_world


async def refusal_code(request: Awaitable[object]) -> TableCode:
    with pytest.raises(TableRefusal) as refused:
        await request
    return refused.value.code


async def damage_snapshot(path: Path, table: int) -> None:
    """Cut a table's stored snapshot in half."""

    def cut_snapshot_in_half() -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(
                "UPDATE tables SET snapshot = substr(snapshot, 1, length(snapshot) / 2), version = version + 1"
                " WHERE id = ?",
                (table,),
            )
            connection.commit()

    await asyncio.to_thread(cut_snapshot_in_half)


# --- the cache --------------------------------------------------------------------------------------------------------


async def test_a_position_is_computed_once_for_the_public_and_once_for_each_seat(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    snapshot = await world.service.reading.snapshot(table)
    north = await world.service.reading.seat_snapshot(table, person=NORTH, guild=GUILD)
    east = await world.service.reading.seat_snapshot(table, person=EAST, guild=GUILD)
    again = await world.service.reading.seat_snapshot(table, person=NORTH, guild=GUILD)
    assert north.view is again.view
    assert north.view is not east.view
    assert snapshot.view is (await world.service.reading.snapshot(table)).view is north.table.view


async def test_a_move_rebuilds_every_view(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    before = await world.service.reading.seat_snapshot(table, person=NORTH, guild=GUILD)
    assert before.table.actor is not None
    actor = before.table.actor.person
    assert actor is not None
    outcome = await world.service.play.act(world.caller(actor), table, DRAW)
    after = await world.service.reading.seat_snapshot(table, person=NORTH, guild=GUILD)
    assert before.view != after.view
    assert (await world.service.reading.seat_snapshot(table, person=actor, guild=GUILD)).view is outcome.snapshot.view


async def test_place_and_seats_of_a_table_are_never_taken_from_cached_views(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    before = await world.service.reading.snapshot(table)
    await world.service.places.move(table, channel=CHANNEL + 1, thread=CHANNEL + 2)
    moved = await world.service.reading.snapshot(table)
    assert (CHANNEL + 1, CHANNEL + 2) == (moved.channel, moved.thread)
    assert before.view is moved.view
    world.clock.advance(1000)
    await world.service.lobby.leave(world.caller(EAST), table)
    left = await world.service.reading.snapshot(table)
    assert "computer" == left.seats[1].kind
    assert moved.updated_at < left.updated_at


async def test_tables_of_two_files_are_never_confused(world: World, tmp_path: Path) -> None:
    async with open_world(tmp_path / "other.db") as other:
        first, second = await world.start_game(NORTH, players=2), await other.start_game(NORTH, players=2)
        assert first.id == second.id
        assert (await world.service.reading.snapshot(first.id)).view is not (
            await other.service.reading.snapshot(second.id)
        ).view


# --- rate limits ------------------------------------------------------------------------------------------------------


async def test_only_the_person_who_looks_too_often_waits(tmp_path: Path) -> None:
    async with open_world(tmp_path / "canasta.db", limits=Limits(burst=4, refill=600)) as world:
        table = (await world.start_game(NORTH, EAST)).id
        for _ in range(12):
            await world.service.reading.seat_snapshot(table, person=NORTH, guild=GUILD)
        snapshot = world.service.reading.seat_snapshot
        assert TableCode.TOO_FAST is await refusal_code(snapshot(table, person=NORTH, guild=GUILD))
        assert TableCode.TOO_FAST is await refusal_code(
            world.service.reading.check_action(table, DRAW, person=NORTH, guild=GUILD)
        )
        await snapshot(table, person=EAST, guild=GUILD)
        await world.service.lobby.leave(world.caller(NORTH), table)  # actions have their own limit
        world.clock.advance(200)
        assert TableCode.NOT_SEATED is await refusal_code(snapshot(table, person=NORTH, guild=GUILD))


# --- data for lists ---------------------------------------------------------------------------------------------------


async def test_table_locations_are_known_without_loading_tables(world: World) -> None:
    tables = [(await world.open_lobby(NORTH)).id for _ in range(3)]
    read: list[int] = []

    async def note_and_load(number: int) -> StoredTable | None:
        read.append(number)
        return await world.store.tables.load(number)

    # a new service, whose cache is empty as after a restart
    service = service_with_store_parts(world, tables=StandIn(world.store.tables, load=note_and_load))
    assert tables == [one.id for one in await service.reading.open_refs_in(GUILD)]
    assert tables == [one.id for one in await service.reading.open_refs_of(NORTH, GUILD)]
    assert [] == read
    found = await service.reading.cached_snapshots(await service.reading.open_refs_in(GUILD), most=2)
    assert tables[:2] == [snapshot.id for snapshot in found]
    assert 2 == len(read)
    again = await service.reading.cached_snapshots(await service.reading.open_refs_in(GUILD), most=1)
    assert (tables, 3) == ([snapshot.id for snapshot in again], len(read))


async def test_unreadable_tables_are_left_out_and_count_against_no_limit(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path, limits=Limits(burst=99, lobbies_per_person=1, seats_per_person=1)) as world:
        table = (await world.open_lobby(NORTH)).id
        assert TableCode.TOO_MANY_LOBBIES is await refusal_code(world.open_lobby(NORTH))
        await damage_snapshot(path, table)
    async with open_world(path, limits=Limits(burst=99, lobbies_per_person=1, seats_per_person=1)) as world:
        assert TableCode.UNREADABLE_TABLE is await refusal_code(world.service.reading.snapshot(table))
        assert TableCode.UNREADABLE_TABLE is await refusal_code(world.service.lobby.leave(world.caller(NORTH), table))
        other = await world.open_lobby(NORTH)
        assert (other,) == await world.service.reading.open_tables_in(GUILD)
        assert (other,) == await world.service.reading.open_tables_of(NORTH)


# --- slow rules -------------------------------------------------------------------------------------------------------


def test_only_house_rules_may_be_slow_to_compute() -> None:
    rules = rule_set("classic", 2)
    assert is_quick(rules)
    assert is_quick(replace(rules, target=300))
    assert not is_quick(replace(rules, draw=5))


async def test_only_house_rules_are_read_outside_the_event_loop() -> None:
    workshop, rules = RulesThread(), rule_set("classic", 2)
    assert threading.get_ident() == await workshop.run(rules, threading.get_ident)
    assert threading.get_ident() != await workshop.run(replace(rules, draw=5), threading.get_ident)


async def test_views_of_a_table_with_house_rules_are_computed_only_once(world: World) -> None:
    with record_calls(seat_view=seat_view) as made:
        lobby: TableSnapshot = await world.open_lobby(NORTH, EAST, players=2)
        await world.service.rules.change_rules(world.caller(NORTH), lobby.id, {"draw": 3})
        await world.service.lobby.start(world.caller(NORTH), lobby.id)
        snapshots = await asyncio.gather(
            *(world.service.reading.seat_snapshot(lobby.id, person=NORTH, guild=GUILD) for _ in range(50)),
        )
    assert 1 == len(made)
    assert threading.get_ident() not in [thread for _, thread in made]
    assert 1 == len({id(snapshot.view) for snapshot in snapshots})
    assert snapshots[0].table.actor is not None
    actor = snapshots[0].table.actor.person
    assert actor is not None
    outcome = await world.service.play.act(world.caller(actor), lobby.id, DRAW)
    assert outcome.snapshot.view is not None
    assert len(snapshots[0].view.hand if snapshots[0].view else ()) < len(outcome.snapshot.view.hand)
