"""A bot that crashes before or after one of its writes, and is started again on the same file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from bot.clocks.clock import SECOND
from bot.clocks.scheduler import Scheduler
from bot.clocks.time_rules import DAY
from bot.store.writer import Statement
from bot.tables.state.shuffle import SEED_BYTES
from tests.support.clock import ManualClock
from tests.support.stacked_dealer import StackedDealer
from tests.support.tables import World, open_world


class BotCrashed(BaseException):
    """Raised to simulate a crash of the process: everything not written is lost."""


@dataclass(slots=True)
class CrashPlan:
    """Counts the bot's writes, and kills it once before or after write `number`."""

    number: int | None = None
    after: bool = False
    writes: int = 0
    has_crashed: bool = False
    is_safe: bool = False

    def begin_write(self) -> None:
        """Count a write that is about to begin; raise `BotCrashed` if the bot crashes before it or has crashed."""
        if self.has_crashed:
            raise BotCrashed
        self.writes += not self.is_safe
        self._crash_if_due(after=False)

    def end_write(self) -> None:
        """Raise `BotCrashed` if the bot crashes after the write just made."""
        self._crash_if_due(after=True)

    def _crash_if_due(self, *, after: bool) -> None:
        """Raise `BotCrashed` if the bot crashes at this point."""
        if self.writes == self.number and after is self.after and not self.is_safe:
            self.number, self.has_crashed = None, True
            raise BotCrashed


@dataclass(slots=True)
class CrashingBot:
    """A world with its scheduler; its database writes are counted."""

    world: World
    scheduler: Scheduler

    async def advance_to(self, until: int) -> None:
        """Advance the clock to an instant, ringing every alarm when it is due."""
        clock = self.world.clock
        while clock.now() < until:
            due = await self.world.store.times.next_due_at()
            clock.advance(max(min(until, until if due is None else due) - clock.now(), 0) or SECOND)
            await self.scheduler.fire_due()
        await self.scheduler.fire_due()


Told = TypeVar("Told")

Step: TypeAlias = Callable[[CrashingBot], Awaitable[None]]


async def run_steps(
    path: Path,
    steps: Sequence[Step],
    crash_plan: CrashPlan,
    read_result: Callable[[World], Awaitable[Told]],
    *,
    safe: int = 0,
) -> Told:
    """Run the steps in order, repeating a step that a crash interrupted.

    Return the result of `read_result` at the end. In the first `safe` steps the bot does not crash.
    """
    clock, done = ManualClock(), 0
    while True:
        crash_plan.has_crashed = False
        async with _open_bot(path, clock, crash_plan) as bot:
            try:
                while done < len(steps):
                    crash_plan.is_safe = done < safe
                    await bot.scheduler.fire_due()
                    await steps[done](bot)
                    done += 1
            except BotCrashed:
                continue
            return await read_result(bot.world)


@asynccontextmanager
async def _open_bot(path: Path, clock: ManualClock, crash_plan: CrashPlan) -> AsyncIterator[CrashingBot]:
    """Yield a bot with the tables on this file, its writes counted in `crash_plan`."""
    # A seed lost with its table is drawn again; it must be the same so that the tables can be compared.
    dealer = StackedDealer(seeds=repeat(bytes(SEED_BYTES)))
    async with open_world(path, clock=clock, silence=1000 * DAY, dealer=dealer) as world:
        database: Any = world.store.tables._database
        write, run = database.write, database.run

        async def counted_write(key: Hashable, *statements: Statement) -> None:
            if key == "heartbeat":
                await write(key, *statements)
                return
            crash_plan.begin_write()
            await write(key, *statements)
            crash_plan.end_write()

        async def counted_run(work: Callable[[Any], Any]) -> Any:
            crash_plan.begin_write()
            answer = await run(work)
            crash_plan.end_write()
            return answer

        database.write, database.run = counted_write, counted_run
        scheduler = Scheduler(world.store.times, clock, world.service.deadlines, readiness=world.readiness)
        yield CrashingBot(world, scheduler)
