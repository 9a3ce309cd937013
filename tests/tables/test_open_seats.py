"""Open seats: the lobby that fits a wish, blocks in both directions, and questions to lobbies."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import MINUTE
from bot.clocks.time_rules import PRESETS
from bot.store.guilds import LobbyCall
from bot.tables.open_seats import OpenSeatsRow, SeatWish
from bot.tables.seating.admission import HostDecision
from bot.tables.seating.waiting_question import ASKED_AFTER
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import Deadline
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import Status, TableSnapshot
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.tables import EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World, open_world, refusal_of

ANY = SeatWish()


class HostChoices:
    """Choices of hosts who block people; some decide about every person who wants to join."""

    def __init__(self) -> None:
        self.by_person: dict[int, frozenset[int]] = {}
        self.asking: set[int] = set()

    async def decision_about(self, host: int, person: int) -> HostDecision:
        return HostDecision.SHUT if person in self.by_person.get(host, ()) else HostDecision.OPEN

    async def is_host_always_asked(self, host: int) -> bool:
        return host in self.asking

    async def actively_blocked_people(self, person: int) -> frozenset[int]:
        return self.by_person.get(person, frozenset())

    async def active_blockers_of(self, person: int) -> frozenset[int]:
        return frozenset(one for one, others in self.by_person.items() if person in others)


@pytest.fixture
def hosts() -> HostChoices:
    return HostChoices()


@pytest.fixture
async def world(tmp_path: Path, hosts: HostChoices) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db", hosts=hosts) as opened:
        yield opened


async def seat_by_wish(world: World, person: int, wish: SeatWish = ANY, *, hidden: int = 0) -> TableSnapshot | None:
    found = await world.service.open_seats.seat_caller(world.caller(person), wish, may_see=lambda one: one != hidden)
    return None if found is None else found[0]


async def test_the_fullest_lobby_is_chosen_and_a_full_one_is_not_listed(world: World) -> None:
    empty, fuller = await world.open_lobby(NORTH), await world.open_lobby(EAST, SOUTH)
    listed = [snapshot.id for snapshot in await world.service.open_seats.lobbies(GUILD)]
    assert [fuller.id, empty.id] == listed
    for person in (WEST, STRANGER):
        assert fuller.id == (await seat_by_wish(world, person) or empty).id
    assert [empty.id] == [snapshot.id for snapshot in await world.service.open_seats.lobbies(GUILD)]


async def test_no_wish_leads_to_a_lobby_in_a_hidden_channel_or_whose_host_is_asked(
    world: World, hosts: HostChoices
) -> None:
    snapshot = await world.open_lobby(NORTH)
    assert await seat_by_wish(world, EAST, hidden=snapshot.channel) is None
    hosts.asking.add(NORTH)
    assert await seat_by_wish(world, EAST) is None
    assert () == await world.service.open_seats.lobbies(GUILD)


async def test_a_wish_may_name_game_pace_and_rating(world: World) -> None:
    await world.service.lobby.create(
        world.caller(NORTH), channel=1, rules="samba", settings=TableSettings(clock=PRESETS["daily"], rated=True)
    )
    samba, classic = [await world.service.rules.rules_named(GUILD, name) for name in ("samba", "classic")]
    for wish, fits in (
        (SeatWish(offer=samba, slow=True, rated=True), True),
        (SeatWish(offer=classic), False),
        (SeatWish(slow=False), False),
        (SeatWish(rated=False), False),
    ):
        assert fits is bool([one for one in await world.service.open_seats.lobbies(GUILD) if wish.is_met_by(one)])


@pytest.mark.parametrize(("blocks", "blocked"), [(STRANGER, EAST), (EAST, STRANGER), (NORTH, STRANGER)])
async def test_people_are_not_seated_with_those_they_block_or_who_block_them(
    world: World, hosts: HostChoices, blocks: int, blocked: int
) -> None:
    snapshot = await world.open_lobby(NORTH, EAST)
    hosts.by_person[blocks] = frozenset({blocked})
    code = TableCode.BLOCKED_THERE if blocks == STRANGER else TableCode.NOT_OPEN
    asked = world.service.lobby.join(world.caller(STRANGER), snapshot.id)
    assert (code, {"table": snapshot.id}) == await refusal_of(asked)
    assert await seat_by_wish(world, STRANGER) is None
    assert (NORTH, EAST) == (await world.service.reading.snapshot(snapshot.id)).persons


async def test_people_of_a_waiting_lobby_are_asked_once_and_the_first_answer_counts(world: World) -> None:
    snapshot = await world.open_lobby(NORTH, EAST)
    await ring_alarms_until(world, snapshot.created_at + ASKED_AFTER - 1)
    assert (await world.service.reading.snapshot(snapshot.id)).waiting is None
    await ring_alarms_until(world, snapshot.created_at + ASKED_AFTER)
    question = (await world.service.reading.snapshot(snapshot.id)).waiting
    assert question is not None
    assert (NORTH, EAST) == question.persons
    seated = (TableCode.NOT_SEATED, {"table": snapshot.id})
    lobby = world.service.lobby
    assert seated == await refusal_of(lobby.keep_waiting(world.caller(STRANGER), snapshot.id, asked_at=question.at))
    snapshot = await lobby.keep_waiting(world.caller(EAST), snapshot.id, asked_at=question.at)
    assert snapshot.waiting is None
    late = await refusal_of(lobby.start_with_computers(world.caller(NORTH), snapshot.id, asked_at=question.at))
    assert TableCode.STALE_REQUEST is late[0]
    assert await world.store.times.timer(snapshot.id, Deadline.WAITING) is None


async def test_any_seated_person_may_start_with_computers_of_the_tables_level(world: World) -> None:
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=1, settings=TableSettings(level="strong"))
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    await ring_alarms_until(world, snapshot.created_at + ASKED_AFTER)
    asked_at = snapshot.created_at + ASKED_AFTER
    snapshot = await world.service.lobby.start_with_computers(world.caller(EAST), snapshot.id, asked_at=asked_at)
    assert (Status.PLAYING, ["strong"] * 2) == (snapshot.status, [one.level for one in snapshot.seats[2:]])
    assert snapshot.waiting is None


async def test_people_at_full_slow_or_started_tables_are_not_asked(world: World) -> None:
    full = await world.open_lobby(NORTH, EAST, SOUTH, WEST)
    slow = await world.service.lobby.create(
        world.caller(NORTH), channel=1, settings=TableSettings(clock=PRESETS["daily"])
    )
    begun = await world.service.lobby.create(world.caller(NORTH), channel=1)
    await world.service.lobby.start(world.caller(NORTH), begun.id, fill=True)
    await ring_alarms_until(world, world.clock.now() + ASKED_AFTER + MINUTE)
    for snapshot in (full, slow, begun):
        assert (await world.service.reading.snapshot(snapshot.id)).waiting is None
        assert await world.store.times.timer(snapshot.id, Deadline.WAITING) is None


async def test_a_call_and_the_message_of_open_seats_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        snapshot = await world.open_lobby(NORTH)
        await world.service.open_seats.record_lobby_call(GUILD, snapshot.id)
        called = world.clock.now()
        world.clock.advance(MINUTE)
        await world.service.open_seats.record_lobby_call(GUILD, snapshot.id)
        row = OpenSeatsRow(GUILD, NORTH, 800, 55, 1)
        await world.service.open_seats.store_posted_list(row)
    async with open_world(path, clock=world.clock, first_request=6_000_000) as world:
        assert (LobbyCall(snapshot.id, called),) == await world.service.open_seats.recent_lobby_calls(GUILD)
        assert ((GUILD,), row) == (
            await world.service.open_seats.guilds_with_posted_list(),
            await world.service.open_seats.posted_list(GUILD),
        )
        await world.service.open_seats.forget_posted_list(GUILD)
        assert await world.service.open_seats.posted_list(GUILD) is None
