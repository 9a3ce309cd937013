"""A month of slow games: people who sleep, forget, leave and go on vacation, and a bot that dies and comes back.

Everything happens by a clock moved by hand, on a real file. What is true of the month (when each person was quiet, when
the bot was away) is noted here, apart from the program, so that what it charged can be held against it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from heapq import heappop, heappush
from itertools import count, pairwise
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from bot.clocks.clock import MINUTE, SECOND
from bot.clocks.law import DAY
from bot.clocks.quiet import Window
from bot.clocks.scheduler import Scheduler
from bot.computer.player import LEVELS, player_for
from bot.engine.refusals import Refusal
from bot.tables.looks import Caller, Status
from bot.tables.refusals import TableRefusal
from bot.tables.timing.settings import TableSettings
from tests.support.clock import START, ManualClock
from tests.support.tables import CHANNEL, GUILD, PATIENT, World, open_world

ZONES = ("Europe/Rome", "America/New_York", "Asia/Jakarta", "America/Montevideo", "Africa/Johannesburg")
STEP = 15 * MINUTE


@dataclass(slots=True)
class Habits:
    """How somebody plays: so many looks a day while awake, forgetting all games now and then, gone from a day on."""

    person: int
    window: Window | None
    looks: int
    forgets: tuple[int, int] | None = None
    leaves_at: int | None = None
    away: tuple[int, int] | None = None

    def is_quiet(self, instant: int) -> bool:
        """Whether the instant lies in the window, by the wall clock of its zone."""
        window = self.window
        if window is None:
            return False
        local = datetime.fromtimestamp(instant / 1000, ZoneInfo(window.zone))
        into = (local.hour * 60 + local.minute - window.start) % (24 * 60)
        return into < 60 * window.hours

    def is_there(self, instant: int) -> bool:
        """Whether the person looks at games at all then."""
        if self.leaves_at is not None and instant >= self.leaves_at:
            return False
        spans = [one for one in (self.forgets, self.away) if one is not None]
        return not self.is_quiet(instant) and not any(start <= instant < end for start, end in spans)


@dataclass(slots=True)
class Month:
    """The people, their games and what happened to the bot."""

    path: Path
    chance: Random
    people: dict[int, Habits]
    settings: TableSettings
    clock: ManualClock = field(default_factory=ManualClock)
    outages: list[tuple[int, int]] = field(default_factory=list)
    tables: list[int] = field(default_factory=list)
    requests: Iterator[int] = field(default_factory=lambda: count(7_000_000))
    looks: list[tuple[int, int]] = field(default_factory=list)
    noted: int = START

    def caller(self, person: int) -> Caller:
        return Caller(person, f"Person {person}", GUILD, next(self.requests))

    @asynccontextmanager
    async def bot(self) -> AsyncIterator[tuple[World, Scheduler]]:
        """The bot on the month's file, ready."""
        async with AsyncExitStack() as stack:
            opened = open_world(self.path, clock=self.clock, limits=PATIENT, silence=1000 * DAY)
            world = await stack.enter_async_context(opened)
            scheduler = Scheduler(world.store, self.clock, world.service, readiness=world.readiness)
            await scheduler.turn()
            yield world, scheduler

    async def begin(self, games: int) -> None:
        """Seat four people at each of so many games, who have said when they sleep."""
        async with self.bot() as (world, _):
            for person, habits in self.people.items():
                if habits.window is not None:
                    await world.personal.set_quiet(person, habits.window, self.clock.now())
                if habits.away is not None:
                    await world.personal.plan_away(person, *habits.away, self.clock.now())
                heappush(self.looks, (self._next_look(habits), person))
            for number in range(games):
                host, *others = self.chance.sample(sorted(self.people), 4)
                look = await world.service.create(
                    self.caller(host), channel=CHANNEL + number, players=4, settings=self.settings
                )
                for person in others:
                    await world.service.join(self.caller(person), look.id)
                await world.service.start(self.caller(host), look.id)
                self.tables.append(look.id)
            await computers_play(world)

    def _next_look(self, habits: Habits) -> int:
        return self.clock.now() + round(self.chance.expovariate(habits.looks / DAY)) + SECOND

    async def live(self, milliseconds: int) -> None:
        """So much time with a bot that is ready."""
        async with self.bot() as (world, scheduler):
            await self._live(world, scheduler, self.clock.now() + milliseconds)

    async def _live(self, world: World, scheduler: Scheduler, end: int) -> None:
        while self.clock.now() < end:
            due = await world.store.next_due()
            coming = min(end, self.looks[0][0] if self.looks else end, due or end)
            self.clock.advance(max(coming - self.clock.now(), 0) or SECOND)
            await scheduler.turn()
            await computers_play(world)
            while self.looks and self.looks[0][0] <= self.clock.now():
                _, person = heappop(self.looks)
                await self._look(world, self.people[person])
                heappush(self.looks, (self._next_look(self.people[person]), person))
        # What is due at the end is done before the bot may die.
        await scheduler.turn()
        await computers_play(world)
        self.noted = await world.store.last_heartbeat() or end

    async def _look(self, world: World, habits: Habits) -> None:
        """Somebody looks at all games and does what is wanted; who leaves does so at the next look."""
        now = self.clock.now()
        if habits.leaves_at is not None and now >= habits.leaves_at:
            for one in await world.service.open_of(habits.person):
                await world.service.leave(self.caller(habits.person), one.id)
        elif habits.is_there(now):
            for one in await world.service.open_of(habits.person):
                await self._play(world, habits.person, one.id)
            await self._come_back(world, habits.person)
        await computers_play(world)

    async def _play(self, world: World, person: int, table: int) -> None:
        for _ in range(40):
            seen = await world.service.person_look(table, person)
            if (
                seen.view is None
                or not seen.view.to_act
                or not seen.view.legal
                or seen.table.status is not Status.PLAYING
            ):
                return
            step = PLAYER.choose(seen.view)
            try:
                await world.service.act(self.caller(person), table, step, expected_version=seen.table.version)
            except (Refusal, TableRefusal):
                return

    async def _come_back(self, world: World, person: int) -> None:
        """Take up again the seats that computer players keep."""
        for table in self.tables:
            look = await world.service.look(table)
            if look.status is Status.PLAYING and any(holder.kept_for == person for holder in look.seats):
                await world.service.join(self.caller(person), table)

    def dies(self, milliseconds: int) -> None:
        """The bot is away for so long; all since it last noted that it was ready counts."""
        self.clock.advance(milliseconds)
        self.outages.append((self.noted, self.clock.now()))

    async def jump(self, milliseconds: int) -> None:
        """The machine's clock is put forward while the bot runs."""
        async with self.bot() as (_, scheduler):
            start = self.clock.now()
            self.clock.jump(milliseconds)
            await scheduler.turn()
            self.noted = self.clock.now()
            self.outages.append((start, self.noted))


PLAYER = player_for(LEVELS[0], seed=1)


async def computers_play(world: World) -> None:
    """Let computer players do what waits for them."""
    for table in await world.service.waiting_for_computers():
        while (turn := await world.service.computer_look(table)) is not None and turn.view is not None:
            step = PLAYER.choose(turn.view)
            await world.service.act_as_computer(table, turn.seat, step, expected_version=turn.table.version)


def people(chance: Random, number: int) -> dict[int, Habits]:
    """So many people of all sorts."""
    found = {}
    for person in range(1, number + 1):
        window = Window(chance.choice(ZONES), chance.randrange(20, 26) % 24 * 60, chance.randrange(6, 11))
        forgets = away = leaves = None
        sort = chance.random()
        if sort < 0.15:
            start = START + chance.randrange(2, 20) * DAY
            forgets = start, start + chance.randrange(3, 12) * DAY
        elif sort < 0.25:
            start = START + chance.randrange(3, 20) * DAY
            away = start, start + chance.randrange(2, 10) * DAY
        elif sort < 0.3:
            leaves = START + chance.randrange(3, 20) * DAY
        found[person] = Habits(
            person, None if chance.random() < 0.2 else window, chance.choice((2, 3, 4, 8)), forgets, leaves, away
        )
    return found


def ran(habits: Habits, stood: Iterable[tuple[int, int]], *, since: int, until: int) -> int:
    """How long the person owed something and neither slept nor had a reason to, summed stretch by stretch.

    `stood` are the outages of the bot and the person's days of vacation.
    """
    spans = [span for span in stood if span[0] < until and span[1] > since]
    cuts = {since, until} | {one for span in spans for one in span if since < one < until}
    cuts |= {instant for instant in range(since - since % STEP, until, STEP) if since < instant}
    stretches = pairwise(sorted(cuts))
    return sum(
        end - start
        for start, end in stretches
        if not habits.is_quiet(start) and not any(one <= start < other for one, other in spans)
    )
