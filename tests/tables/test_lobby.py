"""The lobby: seats, computer players, hosts, the start and the end."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import HOUR
from bot.tables.core.limits import Limits
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import EMPTY_SEAT, BoardMessage, ClosingReason, SeatHolder, Status, TableSnapshot
from tests.support.clock import START
from tests.support.tables import (
    CHANNEL,
    EAST,
    GUILD,
    NORTH,
    OTHER_GUILD,
    SOUTH,
    STRANGER,
    WEST,
    World,
    open_world,
    refusal_of,
)


def people_by_seat(snapshot: TableSnapshot) -> list[int | None]:
    return [holder.person for holder in snapshot.seats]


def holder_kinds(snapshot: TableSnapshot) -> list[str]:
    return [holder.kind for holder in snapshot.seats]


async def test_a_new_table_has_its_host_in_the_first_seat(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    assert snapshot.status is Status.LOBBY
    assert snapshot.seats == (SeatHolder("person", NORTH, "North"), EMPTY_SEAT, EMPTY_SEAT, EMPTY_SEAT)
    assert (snapshot.host, snapshot.rules, snapshot.players, snapshot.target) == (NORTH, "classic", 4, 5000)
    assert (snapshot.guild, snapshot.channel, snapshot.thread) == (GUILD, CHANNEL, None)
    assert snapshot.expires_at == START + 24 * HOUR
    assert snapshot.view is None


async def test_a_commitment_to_the_first_deal_is_published_before_anybody_can_join(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    (shuffle,) = snapshot.shuffle
    assert (shuffle.deal, shuffle.contributions, shuffle.seed) == (1, None, None)
    assert len(bytes.fromhex(shuffle.commitment)) == 32


async def test_computer_players_sit_next_to_the_host(world: World) -> None:
    snapshot = await world.open_lobby(NORTH, computers=3)
    assert [holder.number for holder in snapshot.seats] == [0, 1, 2, 3]
    assert snapshot.is_full


async def test_people_join_the_first_empty_seat_or_choose_one(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    await world.service.lobby.join(world.caller(SOUTH), table, seat=2)
    snapshot = await world.service.lobby.join(world.caller(EAST), table)
    assert people_by_seat(snapshot) == [NORTH, EAST, SOUTH, None]


async def test_a_seated_person_may_move_to_an_empty_seat(world: World) -> None:
    table = (await world.open_lobby(NORTH, EAST)).id
    snapshot = await world.service.lobby.join(world.caller(EAST), table, seat=3)
    assert people_by_seat(snapshot) == [NORTH, None, None, EAST]


async def test_unavailable_seats_are_refused(world: World) -> None:
    table = (await world.open_lobby(NORTH, EAST)).id
    join = world.service.lobby.join
    assert await refusal_of(join(world.caller(SOUTH), table, seat=1)) == (TableCode.SEAT_TAKEN, {"seat": 1})
    assert await refusal_of(join(world.caller(SOUTH), table, seat=4)) == (
        TableCode.NO_SUCH_SEAT,
        {"seat": 4, "players": 4},
    )
    assert await refusal_of(join(world.caller(SOUTH), table, seat=-1)) == (
        TableCode.NO_SUCH_SEAT,
        {"seat": -1, "players": 4},
    )
    assert await refusal_of(join(world.caller(EAST), table)) == (TableCode.ALREADY_SEATED, {"table": table, "seat": 1})


async def test_a_full_table_refuses_another_person(world: World) -> None:
    table = (await world.open_lobby(NORTH, EAST, SOUTH, WEST)).id
    detail = {"table": table, "players": 4}
    assert await refusal_of(world.service.lobby.join(world.caller(STRANGER), table)) == (TableCode.TABLE_FULL, detail)


async def test_when_the_host_leaves_the_next_person_hosts_the_lobby(world: World) -> None:
    table = (await world.open_lobby(NORTH, EAST, SOUTH)).id
    snapshot = await world.service.lobby.leave(world.caller(NORTH), table)
    assert (snapshot.host, people_by_seat(snapshot)) == (EAST, [None, EAST, SOUTH, None])


async def test_a_lobby_that_its_last_person_leaves_is_closed(world: World) -> None:
    table = (await world.open_lobby(NORTH, computers=2)).id
    snapshot = await world.service.lobby.leave(world.caller(NORTH), table)
    assert (snapshot.status, snapshot.closed_because, snapshot.expires_at) == (Status.CLOSED, ClosingReason.EMPTY, None)
    assert await world.store.times.next_due_at() is None


async def test_the_host_adds_and_removes_computer_players(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    await world.service.lobby.add_computer(world.caller(NORTH), table, seat=2)
    snapshot = await world.service.lobby.add_computer(world.caller(NORTH), table)
    assert [(holder.kind, holder.number) for holder in snapshot.seats[1:3]] == [("computer", 2), ("computer", 1)]
    snapshot = await world.service.lobby.remove_computer(world.caller(NORTH), table)
    assert holder_kinds(snapshot) == ["person", "computer", "empty", "empty"]
    snapshot = await world.service.lobby.add_computer(world.caller(NORTH), table)
    assert snapshot.seats[2].number == 1
    snapshot = await world.service.lobby.remove_computer(world.caller(NORTH), table, seat=1)
    assert holder_kinds(snapshot) == ["person", "empty", "computer", "empty"]


async def test_only_the_host_changes_the_lobby(world: World) -> None:
    table = (await world.open_lobby(NORTH, EAST, computers=1)).id
    service, expected = world.service, (TableCode.NOT_HOST, {"table": table, "host": NORTH})
    assert await refusal_of(service.lobby.add_computer(world.caller(EAST), table)) == expected
    assert await refusal_of(service.lobby.remove_computer(world.caller(EAST), table)) == expected
    assert await refusal_of(service.lobby.start(world.caller(EAST), table, fill=True)) == expected
    assert await refusal_of(service.lobby.close(world.caller(EAST), table)) == expected


async def test_removing_a_computer_player_that_is_not_there_is_refused(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    remove = world.service.lobby.remove_computer
    assert await refusal_of(remove(world.caller(NORTH), table)) == (TableCode.NO_COMPUTER, {"table": table})
    assert await refusal_of(remove(world.caller(NORTH), table, seat=0)) == (TableCode.NO_COMPUTER, {"table": table})
    assert (await refusal_of(remove(world.caller(NORTH), table, seat=9)))[0] is TableCode.NO_SUCH_SEAT


async def test_a_table_starts_when_it_is_full_or_filled(world: World) -> None:
    table = (await world.open_lobby(NORTH, EAST)).id
    assert await refusal_of(world.service.lobby.start(world.caller(NORTH), table)) == (
        TableCode.NOT_ENOUGH_PLAYERS,
        {"seated": 2, "players": 4},
    )
    snapshot = await world.service.lobby.start(world.caller(NORTH), table, fill=True)
    assert (snapshot.status, holder_kinds(snapshot)) == (Status.PLAYING, ["person", "person", "computer", "computer"])
    assert snapshot.expires_at is None
    assert snapshot.view is not None
    assert (snapshot.view.deal, snapshot.view.actor) == (1, 0)


async def test_a_started_table_is_no_lobby_any_more(world: World) -> None:
    table = (await world.start_game(NORTH)).id
    service, expected = world.service, (TableCode.ALREADY_STARTED, {"table": table})
    assert await refusal_of(service.lobby.start(world.caller(NORTH), table)) == expected
    assert await refusal_of(service.lobby.join(world.caller(EAST), table)) == expected
    assert await refusal_of(service.lobby.add_computer(world.caller(NORTH), table)) == expected
    assert await refusal_of(service.lobby.remove_computer(world.caller(NORTH), table)) == expected


@pytest.mark.parametrize(
    ("asked", "code", "detail"),
    [
        ({"rules": "belote"}, TableCode.UNKNOWN_RULES, {"rules": "belote"}),
        ({"rules": ""}, TableCode.UNKNOWN_RULES, {"rules": ""}),
        (
            {"players": 7},
            TableCode.PLAYERS_NOT_OFFERED,
            {"rules": "classic", "players": 7, "offered": "2, 3, 4, 5, 6"},
        ),
        (
            {"target": 5001},
            TableCode.TARGET_OUT_OF_RANGE,
            {"target": 5001, "lowest": 100, "highest": 100_000, "multiple": 5},
        ),
        ({"target": -5000}, TableCode.TARGET_OUT_OF_RANGE, None),
        ({"target": 2**70}, TableCode.TARGET_OUT_OF_RANGE, None),
        ({"computers": 4}, TableCode.COMPUTERS_OUT_OF_RANGE, {"computers": 4, "lowest": 0, "highest": 3}),
        ({"computers": -1}, TableCode.COMPUTERS_OUT_OF_RANGE, None),
    ],
)
async def test_a_lobby_with_impossible_terms_is_not_opened(
    world: World, asked: dict[str, Any], code: TableCode, detail: dict[str, Any] | None
) -> None:
    found = await refusal_of(world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, **asked))
    assert found == (code, found[1] if detail is None else detail)
    assert await world.service.reading.open_tables_in(GUILD) == ()


async def test_a_table_of_another_server_is_refused_everywhere(world: World) -> None:
    table = (await world.start_game(NORTH)).id
    service, expected = world.service, (TableCode.WRONG_SERVER, {"table": table})
    for guild in (OTHER_GUILD, None):
        caller = world.caller(NORTH, guild=guild)
        assert await refusal_of(service.lobby.join(caller, table)) == expected
        assert await refusal_of(service.lobby.leave(caller, table)) == expected
        assert await refusal_of(service.lobby.add_computer(caller, table)) == expected
        assert await refusal_of(service.lobby.remove_computer(caller, table)) == expected
        assert await refusal_of(service.lobby.start(caller, table)) == expected
        assert await refusal_of(service.lobby.close(caller, table, moderator=True)) == expected
        assert await refusal_of(service.lobby.rematch(caller, table)) == expected
        assert await refusal_of(service.play.begin_next_deal(caller, table)) == expected
        assert await refusal_of(service.reading.snapshot_for(table, person=NORTH, guild=guild)) == expected
        assert await refusal_of(service.reading.seat_snapshot(table, person=NORTH, guild=guild)) == expected
    assert (await refusal_of(service.lobby.create(world.caller(NORTH, guild=None), channel=CHANNEL)))[0] is (
        TableCode.WRONG_SERVER
    )


async def test_a_table_that_does_not_exist_is_refused(world: World) -> None:
    expected = (TableCode.UNKNOWN_TABLE, {"table": 77})
    assert await refusal_of(world.service.lobby.join(world.caller(NORTH), 77)) == expected
    assert await refusal_of(world.service.lobby.rematch(world.caller(NORTH), 77)) == expected
    assert await refusal_of(world.service.reading.snapshot(77)) == expected


async def test_tables_are_found_by_server_and_by_person(world: World) -> None:
    first, second, third = (
        await world.open_lobby(NORTH, EAST),
        await world.start_game(EAST),
        await world.open_lobby(SOUTH),
    )
    await world.service.lobby.close(world.caller(SOUTH), third.id)
    assert [snapshot.id for snapshot in await world.service.reading.open_tables_in(GUILD)] == [first.id, second.id]
    assert [snapshot.id for snapshot in await world.service.reading.open_tables_of(EAST, GUILD)] == [
        first.id,
        second.id,
    ]
    assert [snapshot.id for snapshot in await world.service.reading.open_tables_of(NORTH)] == [first.id]
    assert await world.service.reading.open_tables_of(EAST, OTHER_GUILD) == ()
    assert [one.id for one in await world.store.tables.tables_with_status((Status.PLAYING,))] == [second.id]


async def test_an_unstarted_lobby_expires_and_joining_does_not_delay_that(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    world.clock.advance(23 * HOUR)
    joined = await world.service.lobby.join(world.caller(EAST), snapshot.id)
    assert joined.expires_at == snapshot.expires_at
    world.clock.advance(HOUR)
    await world.service.deadlines.fire_deadline(snapshot.id, "expire")
    closed = await world.service.reading.snapshot(snapshot.id)
    assert (closed.status, closed.closed_because) == (Status.CLOSED, ClosingReason.EXPIRED)
    assert await world.store.times.next_due_at() is None


async def test_a_future_or_cancelled_deadline_does_nothing(world: World) -> None:
    lobby, game = await world.open_lobby(NORTH), await world.start_game(EAST)
    for snapshot in (lobby, game):
        await world.service.deadlines.fire_deadline(snapshot.id, "expire")
        await world.service.deadlines.fire_deadline(snapshot.id, "next_deal")
        assert await world.service.reading.snapshot(snapshot.id) == snapshot


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (Limits(burst=99, lobbies_per_person=2), TableCode.TOO_MANY_LOBBIES),
        (Limits(burst=99, tables_per_guild=2), TableCode.TOO_MANY_TABLES),
        (Limits(burst=99, seats_per_person=2), TableCode.TOO_MANY_SEATS),
    ],
)
async def test_the_number_of_open_tables_is_limited(tmp_path: Path, limits: Limits, code: TableCode) -> None:
    async with open_world(tmp_path / "canasta.db", limits=limits) as world:
        opened = await asyncio.gather(
            *(world.service.lobby.create(world.caller(NORTH), channel=CHANNEL) for _ in range(4)),
            return_exceptions=True,
        )
        refusals = [one for one in opened if isinstance(one, TableRefusal)]
        assert [code, code] == [one.code for one in refusals]
        assert len(await world.service.reading.open_tables_in(GUILD)) == 2


async def test_joining_more_tables_than_allowed_is_refused(tmp_path: Path) -> None:
    async with open_world(tmp_path / "canasta.db", limits=Limits(burst=99, seats_per_person=1)) as world:
        first, second = await world.open_lobby(NORTH), await world.open_lobby(SOUTH)
        await world.service.lobby.join(world.caller(EAST), first.id)
        assert await refusal_of(world.service.lobby.join(world.caller(EAST), second.id)) == (
            TableCode.TOO_MANY_SEATS,
            {"held": 1, "allowed": 1},
        )
        await world.service.lobby.join(world.caller(EAST), first.id, seat=3)


async def test_only_the_person_who_asks_too_fast_waits(tmp_path: Path) -> None:
    async with open_world(tmp_path / "canasta.db", limits=Limits(burst=2, refill=500)) as world:
        table = (await world.open_lobby(NORTH)).id
        await world.service.lobby.add_computer(world.caller(NORTH), table)
        add = world.service.lobby.add_computer
        assert await refusal_of(add(world.caller(NORTH), table)) == (TableCode.TOO_FAST, {"milliseconds": 500})
        await world.service.lobby.join(world.caller(EAST), table)
        world.clock.advance(500)
        await add(world.caller(NORTH), table)


async def test_a_request_that_comes_twice_is_served_once(world: World) -> None:
    create = world.caller(NORTH)
    first = await world.service.lobby.create(create, channel=CHANNEL)
    assert await world.service.lobby.create(create, channel=CHANNEL) == first
    join = world.caller(EAST)
    joined = await world.service.lobby.join(join, first.id)
    assert await world.service.lobby.join(join, first.id) == joined
    assert len(await world.service.reading.open_tables_in(GUILD)) == 1


async def test_a_request_id_of_another_person_is_refused(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    join = world.caller(EAST)
    await world.service.lobby.join(join, snapshot.id)
    stolen = world.caller(SOUTH, request=join.request)
    assert await refusal_of(world.service.lobby.join(stolen, snapshot.id)) == (TableCode.REQUEST_REUSED, {})


async def test_names_are_cleaned_before_they_are_kept(world: World) -> None:
    caller = world.caller(NORTH)
    odd = type(caller)(NORTH, "\u202eNo\u200brth\n  the\tfirst\u0301\u0301\u0301\u0301\u0301", GUILD, caller.request)
    snapshot = await world.service.lobby.create(odd, channel=CHANNEL)
    assert snapshot.seats[0].name == "North the first\u0301\u0301"


async def test_the_location_of_a_table_is_stored_without_a_new_version(world: World) -> None:
    snapshot = await world.open_lobby(NORTH)
    service = world.service
    assert await service.places.board_message(snapshot.id) is None
    assert await service.places.outdated_boards() == (snapshot.id,)
    shown = BoardMessage(snapshot.id, CHANNEL, 700, snapshot.version, START)
    await service.places.record_board_message(shown)
    await service.places.move(snapshot.id, channel=CHANNEL, thread=701)
    assert await service.places.board_message(snapshot.id) == shown
    assert await service.places.outdated_boards() == ()
    moved = await service.reading.snapshot(snapshot.id)
    assert (moved.version, moved.thread) == (snapshot.version, 701)
    await service.lobby.join(world.caller(EAST), snapshot.id)
    assert await service.places.outdated_boards() == (snapshot.id,)
    await service.places.forget_board_message(snapshot.id)
    assert await service.places.board_message(snapshot.id) is None
