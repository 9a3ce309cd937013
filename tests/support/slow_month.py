"""A month of slow games: people sleep, forget, leave, vote and return, and the bot crashes and restarts.

Everything happens by a clock moved by hand, on a real file. The facts of the month (when each person was quiet, when
the bot was away) are noted here, apart from the program, so that its charges can be checked against them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random

from bot.clocks.clock import SECOND
from bot.clocks.scheduler import Scheduler
from bot.clocks.time_rules import DAY
from bot.computer.player import player_for
from bot.engine.moves.refusals import Refusal
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import DEFAULT_LEVEL, TableSettings
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Caller, Status, TableSnapshot
from tests.support.clock import START, ManualClock
from tests.support.slow_player_habits import Habits
from tests.support.tables import CHANNEL, GUILD, PATIENT, World, open_world

PLAYER = player_for(DEFAULT_LEVEL, seed=1)

SEEN = 1000 * DAY
"""How long substitutes have been in the server."""


@dataclass(slots=True)
class SlowMonth:
    """The people, their games, and the history of the bot.

    Each game takes the next of the `settings`.
    """

    path: Path
    chance: Random
    people: dict[int, Habits]
    settings: tuple[TableSettings, ...]
    clock: ManualClock = field(default_factory=ManualClock)
    outages: list[tuple[int, int]] = field(default_factory=list)
    tables: list[int] = field(default_factory=list)
    requests: Iterator[int] = field(default_factory=lambda: count(7_000_000))
    looks: list[tuple[int, int]] = field(default_factory=list)
    noted: int = START
    sights: dict[int, list[int]] = field(default_factory=dict)

    def caller(self, person: int) -> Caller:
        return Caller(person, f"Person {person}", GUILD, next(self.requests))

    @asynccontextmanager
    async def open_world(self) -> AsyncIterator[World]:
        """Yield the table service, opened on the month's file."""
        async with open_world(self.path, clock=self.clock, limits=PATIENT, silence=1000 * DAY) as world:
            yield world

    @asynccontextmanager
    async def open_bot(self) -> AsyncIterator[tuple[World, Scheduler]]:
        """Yield the table service and its scheduler, opened on the month's file.

        Everything that was due has been done.
        """
        async with self.open_world() as world:
            scheduler = Scheduler(world.store.times, self.clock, world.service.deadlines, readiness=world.readiness)
            await scheduler.fire_due()
            yield world, scheduler

    async def start_games(self, games: int) -> None:
        """Seat four people, who have set quiet hours, at each of that many games."""
        async with self.open_bot() as (world, _):
            for person, habits in self.people.items():
                if habits.window is not None:
                    await world.personal.set_quiet_hours(person, habits.window, self.clock.now())
                if habits.away is not None:
                    await world.personal.plan_vacation(person, *habits.away, self.clock.now())
                heappush(self.looks, (self._next_visit(habits), person))
            for number in range(games):
                seated = self.chance.sample(sorted(self.people), 4)
                settings = self.settings[number % len(self.settings)]
                self.tables.append(await self._start_game(world, seated, CHANNEL + number, settings))
            await let_computers_play(world)

    async def _start_game(self, world: World, seated: list[int], channel: int, settings: TableSettings) -> int:
        """Start a game of those people; return its table's number."""
        host, *others = seated
        snapshot = await world.service.lobby.create(self.caller(host), channel=channel, players=4, settings=settings)
        for person in others:
            await world.service.lobby.join(self.caller(person), snapshot.id)
        await world.service.lobby.start(self.caller(host), snapshot.id)
        return snapshot.id

    def _next_visit(self, habits: Habits) -> int:
        """Return a random instant for the next visit of a person with these habits."""
        return self.clock.now() + round(self.chance.expovariate(habits.looks / DAY)) + SECOND

    async def let_time_pass(self, milliseconds: int) -> None:
        """Let that much time pass while the bot is running."""
        async with self.open_bot() as (world, scheduler):
            await self._run_until(world, scheduler, self.clock.now() + milliseconds)

    async def _run_until(self, world: World, scheduler: Scheduler, end: int) -> None:
        while self.clock.now() < end:
            due = await world.store.times.next_due_at()
            coming = min(end, self.looks[0][0] if self.looks else end, due or end)
            self.clock.advance(max(coming - self.clock.now(), 0) or SECOND)
            await scheduler.fire_due()
            await let_computers_play(world)
            while self.looks and self.looks[0][0] <= self.clock.now():
                _, person = heappop(self.looks)
                await self._visit_games(world, self.people[person])
                heappush(self.looks, (self._next_visit(self.people[person]), person))
        # Alarms that are due at the end ring before the bot may crash.
        await scheduler.fire_due()
        await let_computers_play(world)
        self.noted = await world.store.times.last_heartbeat() or end

    async def _visit_games(self, world: World, habits: Habits) -> None:
        """Visit all games as one person, and do everything that this person wants to do.

        A person who leaves the table does so at the next visit; if they left the server, that is noticed then.
        """
        now, person, service = self.clock.now(), habits.person, world.service
        if habits.is_visiting(now) or habits.has_given_up_seats(now):
            await world.record_activity(person)
            self.sights.setdefault(person, []).append(now)
        tables = [one.id for one in await service.reading.open_refs_of(person)]
        for table in tables:
            if habits.has_given_up_seats(now):
                await service.lobby.leave(self.caller(person), table)
            elif habits.is_outside_server(now):
                await service.absence.handle_departure(table, person)
            elif habits.is_visiting(now):
                await service.absence.handle_return(table, person)
                await self._vote_at_table(world, person, await service.reading.snapshot(table))
                await self._play_turns(world, person, table)
        if habits.is_visiting(now):
            await self._reclaim_or_take_seats(world, person)
        await let_computers_play(world)

    async def _vote_at_table(self, world: World, person: int, snapshot: TableSnapshot) -> None:
        """Vote, most of the time, on the open questions of a table."""
        caller = self.caller(person)
        if snapshot.vote is not None and self.chance.random() < 0.6:
            choice = self.chance.choice(list(AbsenceChoice))
            await self._try_request(
                world.service.absence.cast_vote(caller, snapshot.id, choice, asked_at=snapshot.vote.at)
            )
        for claim in snapshot.absence.claims:
            agrees = self.chance.random() < 0.8
            answer = world.service.absence.answer_claim(
                caller, snapshot.id, claim.seat, agrees=agrees, asked_at=claim.at
            )
            await self._try_request(answer)

    @staticmethod
    async def _try_request(request: Awaitable[object]) -> None:
        """Make a request, and ignore a refusal."""
        with suppress(TableRefusal):
            await request

    async def _play_turns(self, world: World, person: int, table: int) -> None:
        for _ in range(40):
            view, version = await world.service.reading.view_for_person(table, person=person, guild=GUILD)
            if not view.must_act or not view.legal:
                return
            try:
                await world.service.play.act(
                    self.caller(person), table, PLAYER.choose(view).step, expected_version=version
                )
            except (Refusal, TableRefusal):
                return

    async def _reclaim_or_take_seats(self, world: World, person: int) -> None:
        """Reclaim this person's seats from computer players; sometimes take another's seat as a substitute."""
        for table in self.tables:
            snapshot = await world.service.reading.snapshot(table)
            if snapshot.status is not Status.PLAYING:
                continue
            if any(holder.kept_for == person for holder in snapshot.seats):
                await self._try_request(world.service.lobby.join(self.caller(person), table))
            elif snapshot.sought and self.chance.random() < 0.1:
                seat, joined_at = snapshot.sought[0].seat, START - SEEN
                await self._try_request(
                    world.service.lobby.take_seat(self.caller(person), table, seat, joined_at=joined_at)
                )

    def stop_bot_for(self, milliseconds: int) -> None:
        """Stop the bot for that long; the outage begins when it last noted that it was ready."""
        self.clock.advance(milliseconds)
        self.outages.append((self.noted, self.clock.now()))

    async def set_clock_forward(self, milliseconds: int) -> None:
        """Set the machine's clock forward while the bot runs."""
        async with self.open_bot() as (_, scheduler):
            start = self.clock.now()
            self.clock.shift_wall_clock(milliseconds)
            await scheduler.fire_due()
            self.noted = self.clock.now()
            self.outages.append((start, self.noted))


async def let_computers_play(world: World) -> None:
    """Let computer players act wherever a game waits for them."""
    for table in await world.service.reading.tables_with_due_computer_turn():
        while (turn := await world.service.reading.computer_turn(table)) is not None and turn.view is not None:
            step = PLAYER.choose(turn.view).step
            await world.service.play.act_for_computer(table, turn.seat, step, expected_version=turn.table.version)
