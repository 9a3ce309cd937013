"""A table service on a real file, and people who send it requests."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.clocks.uptime import LONGEST_SILENCE, Uptime
from bot.engine.moves.phases import Phase
from bot.engine.play.legal_steps import legal_actions
from bot.engine.table.views import SeatView
from bot.store.store import Store
from bot.tables.core.limits import GuildLimits, Limits
from bot.tables.core.rules_thread import RulesThread
from bot.tables.people.notices import NoticeRepository
from bot.tables.seating.admission import EVERYBODY, Admission
from bot.tables.service import TableService
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import ActionResult, Caller, Status, TableSnapshot
from bot.tables.timing.timekeeping import StoredTimeLookup
from tests.support.clock import ManualClock
from tests.support.deal_finishing import finish_deal
from tests.support.empty_database import open_new_store
from tests.support.stacked_dealer import StackedDealer

GUILD = 900
OTHER_GUILD = 901
CHANNEL = 800
NORTH, EAST, SOUTH, WEST, STRANGER = 1, 2, 3, 4, 5
NAMES = {NORTH: "North", EAST: "East", SOUTH: "South", WEST: "West", STRANGER: "Stranger"}

PATIENT = Limits(burst=1_000_000, refill=1)
"""Limits that no test exceeds."""


@dataclass(slots=True)
class World:
    """A table service on a real file, with its store and its clock."""

    store: Store
    service: TableService
    clock: ManualClock
    personal: PersonalTimes
    readiness: Uptime
    dealer: StackedDealer
    contacts: NoticeRepository
    requests: Iterator[int] = field(default_factory=lambda: itertools.count(5_000_000))
    names: dict[int, str] = field(default_factory=lambda: dict(NAMES))

    def caller(self, person: int, *, guild: int | None = GUILD, request: int | None = None) -> Caller:
        """Return the `Caller` of a new request by that person."""
        return Caller(person, self.names[person], guild, next(self.requests) if request is None else request)

    async def record_activity(self, *persons: int) -> None:
        """Record that these people use the bot now."""
        for person in persons:
            await self.contacts.record_bot_use(person, self.clock.now())

    async def open_lobby(
        self, *persons: int, players: int = 4, computers: int = 0, target: int | None = None
    ) -> TableSnapshot:
        """Open a lobby with these people, and return it; the first one is the host."""
        snapshot = await self.service.lobby.create(
            self.caller(persons[0]), channel=CHANNEL, players=players, computers=computers, target=target
        )
        for person in persons[1:]:
            snapshot = await self.service.lobby.join(self.caller(person), snapshot.id)
        return snapshot

    async def start_game(self, *persons: int, players: int = 4, target: int | None = None) -> TableSnapshot:
        """Start a game with these people and computer players at the other seats; return the table."""
        snapshot = await self.open_lobby(*persons, players=players, target=target)
        return await self.service.lobby.start(self.caller(persons[0]), snapshot.id, fill=True)

    async def give_seat_back(self, person: int, table: int) -> TableSnapshot:
        """Give a person who left on purpose their seat back, with the consent of all; return the table."""
        snapshot = await self.service.lobby.join(self.caller(person), table)
        for seat in [number for number, holder in enumerate(snapshot.seats) if holder.kept_for == person]:
            for one in snapshot.persons:
                claim = snapshot.absence.claim(seat)
                assert claim is not None
                asked_at = claim.at
                caller = self.caller(one)
                snapshot = await self.service.absence.answer_claim(caller, table, seat, agrees=True, asked_at=asked_at)
        return snapshot

    async def current_turn(self, table: int) -> tuple[TableSnapshot, int, SeatView]:
        """Return the table, the seat in turn, and that seat's view."""
        snapshot = await self.service.reading.snapshot(table)
        assert snapshot.view is not None
        assert snapshot.view.actor is not None
        person = snapshot.seats[snapshot.view.actor].person
        if person is not None:
            view, _ = await self.service.reading.view_for_person(table, person=person, guild=GUILD)
            return snapshot, snapshot.view.actor, view
        found = await self.service.reading.computer_turn(table)
        assert found is not None
        assert found.view is not None
        return snapshot, found.seat, found.view

    async def take_random_step(self, table: int, random: Random) -> ActionResult | TableSnapshot:
        """Let the player in turn take a random legal step, and return the result."""
        snapshot, seat, view = await self.current_turn(table)
        step = random.choice(view.legal)
        person = snapshot.seats[seat].person
        if person is None:
            return await self.service.play.act_for_computer(table, seat, step, expected_version=snapshot.version)
        return await self.service.play.act(self.caller(person), table, step, expected_version=snapshot.version)

    async def play_deal(self, table: int, random: Random) -> TableSnapshot:
        """Play step by step until the running deal is scored; return the table."""
        while True:
            await self.take_random_step(table, random)
            snapshot = await self.service.reading.snapshot(table)
            assert snapshot.view is not None
            if snapshot.view.phase in (Phase.BETWEEN, Phase.OVER):
                return snapshot

    async def finish_deal(self, table: int, random: Random) -> TableSnapshot:
        """Play the running deal to its score in a single change, which is quicker; return the table."""

        await finish_deal(self.service, table, lambda game, _: random.choice(legal_actions(game)))
        return await self.service.reading.snapshot(table)

    async def finish_game(self, table: int, random: Random) -> TableSnapshot:
        """Play deals in a single change each until the game is over; return the table."""
        while True:
            snapshot = await self.finish_deal(table, random)
            if snapshot.status is Status.FINISHED:
                return snapshot
            await self.service.play.begin_next_deal(self.caller(snapshot.host), table)

    async def play_game(self, table: int, random: Random) -> TableSnapshot:
        """Play deals step by step until the game is over; return the table."""
        while True:
            snapshot = await self.play_deal(table, random)
            if snapshot.status is Status.FINISHED:
                return snapshot
            await self.service.play.begin_next_deal(self.caller(snapshot.host), table)


async def refusal_of(request: Awaitable[object]) -> tuple[TableCode, Mapping[str, Any]]:
    """Return the code and detail with which a request to a table is refused."""
    with pytest.raises(TableRefusal) as caught:
        await request
    return caught.value.code, dict(caught.value.detail)


@asynccontextmanager
async def open_world(
    path: Path,
    *,
    clock: ManualClock | None = None,
    limits: Limits = PATIENT,
    first_request: int = 5_000_000,
    silence: int = LONGEST_SILENCE,
    hosts: Admission = EVERYBODY,
    servers: GuildLimits | None = None,
    dealer: StackedDealer | None = None,
    rules_thread: RulesThread | None = None,
) -> AsyncIterator[World]:
    """Yield a table service on that file, new or used before.

    If its bot was silent for longer than `silence`, that is an outage.
    """
    clock = clock or ManualClock()
    async with open_new_store(path) as store:
        personal, readiness = PersonalTimes(store.times), Uptime(store.times, clock, silence=silence)
        await readiness.load()
        dealer, contacts = dealer or StackedDealer(), NoticeRepository(store)
        time_lookup = StoredTimeLookup(personal, readiness, contacts)
        service = TableService(
            store,
            clock,
            limits,
            personal=personal,
            time_lookup=time_lookup,
            hosts=hosts,
            servers=servers,
            dealer=dealer,
            rules_thread=rules_thread,
        )
        personal.subscribe(service.deadlines.handle_changed_personal_hours)
        try:
            yield World(store, service, clock, personal, readiness, dealer, contacts, itertools.count(first_request))
        finally:
            await service.finish()
