"""Clicks on an outdated lobby: harmless ones are carried out, harmful ones are refused as stale."""

from __future__ import annotations

import asyncio
from collections import Counter

from bot.engine.moves.actions import DRAW
from bot.tables.core import stale_clicks
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Status, TableSnapshot
from tests.support.stand_ins import StandIn, service_with_store_parts
from tests.support.tables import CHANNEL, EAST, NORTH, SOUTH, STRANGER, WEST, World, refusal_of


def computer_numbers(snapshot: TableSnapshot) -> list[int]:
    """Return the number of the computer player in each seat, 0 if there is none."""
    return [holder.number for holder in snapshot.seats]


async def test_two_clicks_on_add_computer_seat_one(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    clicks = [
        world.service.lobby.add_computer(world.caller(NORTH), snapshot.id, expected_version=snapshot.version)
        for _ in range(2)
    ]
    came = await asyncio.gather(*clicks, return_exceptions=True)
    (problem,) = (one for one in came if isinstance(one, TableRefusal))
    assert TableCode.STALE_REQUEST is problem.code
    assert [0, 1, 0, 0] == computer_numbers(await world.service.reading.snapshot(snapshot.id))


async def test_an_old_close_never_closes_a_running_game(world: World) -> None:
    seen = await world.open_lobby(NORTH, EAST)
    await world.service.lobby.start(world.caller(NORTH), seen.id, fill=True)
    close = world.service.lobby.close(world.caller(NORTH), seen.id, expected_version=seen.version)
    assert TableCode.STALE_REQUEST is (await refusal_of(close))[0]
    snapshot = await world.service.reading.snapshot(seen.id)
    assert (Status.PLAYING, None) == (snapshot.status, snapshot.proposal)


async def test_an_old_close_does_not_close_a_lobby_with_a_new_guest(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    came = await world.service.lobby.join(world.caller(EAST), snapshot.id)
    close = world.service.lobby.close
    expected = (TableCode.STALE_REQUEST, {"table": snapshot.id, "expected": snapshot.version, "version": came.version})
    assert expected == await refusal_of(close(world.caller(NORTH), snapshot.id, expected_version=snapshot.version))
    await world.service.lobby.leave(world.caller(EAST), snapshot.id)
    assert Status.CLOSED is (await close(world.caller(NORTH), snapshot.id, expected_version=came.version)).status


async def test_an_old_leave_does_not_give_away_a_hand(world: World) -> None:
    seen = await world.open_lobby(NORTH, EAST)
    await world.service.lobby.start(world.caller(NORTH), seen.id, fill=True, expected_version=seen.version)
    leave = world.service.lobby.leave(world.caller(NORTH), seen.id, expected_version=seen.version)
    assert TableCode.STALE_REQUEST is (await refusal_of(leave))[0]
    snapshot = await world.service.reading.snapshot(seen.id)
    assert (NORTH, EAST) == snapshot.persons
    gone = await world.service.lobby.leave(world.caller(NORTH), seen.id, expected_version=snapshot.version)
    assert (EAST,) == gone.persons


async def test_an_old_leave_works_in_a_lobby_with_new_guests(world: World) -> None:
    seen = await world.open_lobby(NORTH, EAST)
    await world.service.lobby.join(world.caller(SOUTH), seen.id)
    snapshot = await world.service.lobby.leave(world.caller(EAST), seen.id, expected_version=seen.version)
    assert (NORTH, SOUTH) == snapshot.persons


async def test_an_old_start_is_refused_if_the_rules_have_changed(world: World) -> None:
    seen = await world.open_lobby(NORTH)
    service = world.service
    await service.lobby.join(world.caller(EAST), seen.id)
    changed = await service.rules.change_rules(world.caller(NORTH), seen.id, {"out_bonus": 200})
    start = service.lobby.start(world.caller(NORTH), seen.id, fill=True, expected_version=seen.version)
    assert TableCode.STALE_REQUEST is (await refusal_of(start))[0]
    await service.lobby.join(world.caller(SOUTH), seen.id)
    await service.lobby.leave(world.caller(EAST), seen.id)
    snapshot = await service.lobby.start(world.caller(NORTH), seen.id, fill=True, expected_version=changed.version)
    assert (Status.PLAYING, (NORTH, SOUTH)) == (snapshot.status, snapshot.persons)


async def test_a_seat_that_is_still_free_is_taken_by_an_old_click(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    await world.service.lobby.join(world.caller(EAST), table, seat=1)
    snapshot = await world.service.lobby.join(world.caller(SOUTH), table, seat=3, or_same_side=True)
    assert (NORTH, EAST, SOUTH) == snapshot.persons


async def test_people_who_click_the_same_seat_get_seats_of_the_same_side(world: World) -> None:
    table = (
        await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, rules="classic-trios", players=6)
    ).id
    clicks = [
        world.service.lobby.join(world.caller(one), table, seat=1, or_same_side=True) for one in (EAST, SOUTH, WEST)
    ]
    await asyncio.gather(*clicks)
    snapshot = await world.service.reading.snapshot(table)
    side = {snapshot.terms.side_of(snapshot.seat_of(one) or 0) for one in (EAST, SOUTH, WEST)}
    assert {1} == side
    stranger = world.service.lobby.join(world.caller(STRANGER), table, seat=1, or_same_side=True)
    assert (TableCode.SEAT_TAKEN, {"seat": 1}) == await refusal_of(stranger)


async def test_without_partners_a_click_on_a_taken_seat_gives_any_free_one(world: World) -> None:
    table = (await world.open_lobby(NORTH, players=3)).id
    clicks = [world.service.lobby.join(world.caller(one), table, seat=1, or_same_side=True) for one in (EAST, SOUTH)]
    await asyncio.gather(*clicks)
    assert Counter((NORTH, EAST, SOUTH)) == Counter((await world.service.reading.snapshot(table)).persons)
    full = (TableCode.TABLE_FULL, {"table": table, "players": 3})
    assert full == await refusal_of(world.service.lobby.join(world.caller(WEST), table, seat=1, or_same_side=True))


async def test_a_second_click_on_a_persons_own_seat_moves_no_player(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    join = world.service.lobby.join
    await join(world.caller(EAST), table, seat=1, or_same_side=True)
    held = (TableCode.ALREADY_SEATED, {"table": table, "seat": 1})
    assert held == await refusal_of(join(world.caller(EAST), table, seat=1, or_same_side=True))
    await join(world.caller(SOUTH), table, seat=3, or_same_side=True)
    held = (TableCode.ALREADY_SEATED, {"table": table, "seat": 3})
    assert held == await refusal_of(join(world.caller(SOUTH), table, seat=1, or_same_side=True))
    assert TableCode.NO_SUCH_SEAT is (await refusal_of(join(world.caller(WEST), table, seat=9, or_same_side=True)))[0]


async def test_a_very_old_click_is_stale_without_reading_the_log(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    for person in (EAST, SOUTH):
        await world.service.lobby.join(world.caller(person), snapshot.id)
    table = await world.service._context.repository.get(snapshot.id)
    assert table.version == snapshot.version + 2
    assert [False, True] == [
        await stale_clicks.is_request_current(world.store, table, snapshot.version, "leave", row_limit=most)
        for most in (1, 2)
    ]


async def test_a_click_on_the_current_version_reads_no_log(world: World) -> None:
    snapshot = await world.start_game(NORTH, EAST)
    without_log = service_with_store_parts(world, tables=StandIn(world.store.tables, actions=None)).play
    assert await without_log.is_current(snapshot.id, snapshot.version)
    outcome = await without_log.act(world.caller(NORTH), snapshot.id, DRAW, expected_version=snapshot.version)
    current = service_with_store_parts(world).play.is_current
    assert not await current(snapshot.id, snapshot.version)
    assert await current(snapshot.id, outcome.snapshot.table.version)
