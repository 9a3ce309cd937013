"""Permission to join: hosts who are asked first, and hosts who blocked a person."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.tables.seating.admission import MOST_WISHES, HostDecision
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import Caller, Status, TableSnapshot
from tests.support.tables import EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World, open_world, refusal_of


class DecisionsOfHostNorth:
    """The choices of the host North, set by the test; people about whom none is set may join."""

    def __init__(self) -> None:
        self.by_person: dict[int, HostDecision] = {}
        self.avoids: dict[int, frozenset[int]] = {}

    async def decision_about(self, host: int, person: int) -> HostDecision:
        assert host == NORTH
        return self.by_person.get(person, HostDecision.OPEN)

    async def is_host_always_asked(self, host: int) -> bool:
        return host == NORTH and HostDecision.ASKS in self.by_person.values()

    async def actively_blocked_people(self, person: int) -> frozenset[int]:
        return self.avoids.get(person, frozenset())

    async def active_blockers_of(self, person: int) -> frozenset[int]:
        return frozenset(one for one, others in self.avoids.items() if person in others)


@pytest.fixture
def hosts() -> DecisionsOfHostNorth:
    return DecisionsOfHostNorth()


@pytest.fixture
async def world(tmp_path: Path, hosts: DecisionsOfHostNorth) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db", hosts=hosts) as opened:
        yield opened


def waiting_people(snapshot: TableSnapshot) -> list[int | None]:
    return [one.person for one in snapshot.wishes]


async def test_a_blocked_person_is_refused_without_a_reason(world: World, hosts: DecisionsOfHostNorth) -> None:
    snapshot = await world.open_lobby(NORTH)
    hosts.by_person[EAST] = HostDecision.SHUT
    expected = (TableCode.NOT_OPEN, {"table": snapshot.id})
    assert expected == await refusal_of(world.service.lobby.join(world.caller(EAST), snapshot.id))
    assert (NORTH,) == (await world.service.reading.snapshot(snapshot.id)).persons


async def test_a_block_does_not_affect_a_person_who_has_a_seat(world: World, hosts: DecisionsOfHostNorth) -> None:
    snapshot = await world.open_lobby(NORTH, EAST)
    hosts.by_person[EAST] = HostDecision.SHUT
    snapshot = await world.service.lobby.join(world.caller(EAST), snapshot.id, seat=3)
    assert 3 == snapshot.seat_of(EAST)
    await world.service.lobby.start(world.caller(NORTH), snapshot.id, fill=True)
    await world.service.lobby.leave(world.caller(EAST), snapshot.id)
    assert EAST in (await world.give_seat_back(EAST, snapshot.id)).persons


async def test_a_host_admits_a_waiting_person(world: World, hosts: DecisionsOfHostNorth) -> None:
    hosts.by_person = {EAST: HostDecision.ASKS, SOUTH: HostDecision.ASKS}
    snapshot = await world.open_lobby(NORTH, EAST, SOUTH)
    assert ([EAST, SOUTH], (NORTH,)) == (waiting_people(snapshot), snapshot.persons)
    snapshot = await world.service.lobby.admit(world.caller(NORTH), snapshot.id, SOUTH)
    assert ([EAST], (NORTH, SOUTH)) == (waiting_people(snapshot), snapshot.persons)
    assert "South" == snapshot.seats[1].name


async def test_a_host_turns_all_waiting_people_away(world: World, hosts: DecisionsOfHostNorth) -> None:
    hosts.by_person = {EAST: HostDecision.ASKS, SOUTH: HostDecision.ASKS}
    snapshot = await world.open_lobby(NORTH, EAST, SOUTH)
    assert [] == waiting_people(await world.service.lobby.reject_all_waiting(world.caller(NORTH), snapshot.id))
    expected = (TableCode.NO_WISH, {"table": snapshot.id})
    assert expected == await refusal_of(world.service.lobby.admit(world.caller(NORTH), snapshot.id, EAST))


async def test_only_the_host_decides(world: World, hosts: DecisionsOfHostNorth) -> None:
    hosts.by_person[EAST] = HostDecision.ASKS
    snapshot = await world.open_lobby(NORTH, EAST, SOUTH)
    expected = (TableCode.NOT_HOST, {"table": snapshot.id, "host": NORTH})
    assert expected == await refusal_of(world.service.lobby.admit(world.caller(SOUTH), snapshot.id, EAST))
    assert expected == await refusal_of(world.service.lobby.reject_all_waiting(world.caller(EAST), snapshot.id))


async def test_a_second_wish_to_join_is_refused_and_the_queue_is_limited(
    world: World, hosts: DecisionsOfHostNorth
) -> None:
    guests = range(100, 101 + MOST_WISHES)
    hosts.by_person = dict.fromkeys(guests, HostDecision.ASKS)
    snapshot = await world.open_lobby(NORTH)
    callers = [Caller(person, f"Guest {person}", GUILD, next(world.requests)) for person in guests]
    for caller in callers[:MOST_WISHES]:
        snapshot = await world.service.lobby.join(caller, snapshot.id)
    assert MOST_WISHES == len(snapshot.wishes)
    again = Caller(100, "Guest 100", GUILD, next(world.requests))
    assert (TableCode.ALREADY_WISHED, {"table": snapshot.id}) == await refusal_of(
        world.service.lobby.join(again, snapshot.id)
    )
    expected = (TableCode.TOO_MANY_WISHES, {"table": snapshot.id, "most": MOST_WISHES})
    assert expected == await refusal_of(world.service.lobby.join(callers[-1], snapshot.id))


async def test_a_waiting_person_can_withdraw(world: World, hosts: DecisionsOfHostNorth) -> None:
    hosts.by_person[EAST] = HostDecision.ASKS
    snapshot = await world.open_lobby(NORTH, EAST)
    assert [] == waiting_people(await world.service.lobby.leave(world.caller(EAST), snapshot.id))


async def test_a_full_table_admits_no_more_people(world: World, hosts: DecisionsOfHostNorth) -> None:
    hosts.by_person[EAST] = HostDecision.ASKS
    snapshot = await world.open_lobby(NORTH, EAST, SOUTH, WEST, STRANGER)
    assert snapshot.is_full
    expected = (TableCode.TABLE_FULL, {"table": snapshot.id, "players": 4})
    assert expected == await refusal_of(world.service.lobby.admit(world.caller(NORTH), snapshot.id, EAST))


async def test_the_queue_is_emptied_when_the_game_begins_or_the_table_closes(
    world: World, hosts: DecisionsOfHostNorth
) -> None:
    hosts.by_person[EAST] = HostDecision.ASKS
    started, closed = await world.open_lobby(NORTH, EAST), await world.open_lobby(NORTH, EAST)
    assert [] == waiting_people(await world.service.lobby.start(world.caller(NORTH), started.id, fill=True))
    assert [] == waiting_people(await world.service.lobby.close(world.caller(NORTH), closed.id))
    expected = (TableCode.ALREADY_STARTED, {"table": started.id})
    assert expected == await refusal_of(world.service.lobby.admit(world.caller(NORTH), started.id, EAST))


async def test_a_rematch_leaves_out_people_blocked_by_its_host(world: World, hosts: DecisionsOfHostNorth) -> None:
    snapshot = await world.start_game(NORTH, EAST, SOUTH, target=100)
    ended = await world.finish_game(snapshot.id, Random(3))
    assert Status.FINISHED is ended.status
    hosts.by_person[EAST] = HostDecision.SHUT
    rematch = await world.service.lobby.rematch(world.caller(NORTH), snapshot.id)
    assert {NORTH, SOUTH} == set(rematch.persons)
