"""Clocks that tests move by hand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.clocks.clock import SystemClock

START = 1_700_000_000_000


@dataclass(slots=True)
class ManualClock:
    """A clock that moves only on `advance`, which wakes sleepers in order, the earliest first."""

    instant: int = START
    jumped: int = 0
    sleepers: list[tuple[int, asyncio.Future[None]]] = field(default_factory=list)

    def now(self) -> int:
        return self.instant

    def monotonic(self) -> int:
        return self.instant - self.jumped

    async def sleep(self, milliseconds: int) -> None:
        if milliseconds <= 0:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sleepers.append((self.instant + milliseconds, woken))
        await woken

    def shift_wall_clock(self, milliseconds: int) -> None:
        """Set the wall clock forward or back; no time passes."""
        self.jumped += milliseconds
        self.advance(milliseconds)

    def advance(self, milliseconds: int) -> None:
        """Advance the clock by this many milliseconds at once."""
        self.instant += milliseconds
        due = sorted((one for one in self.sleepers if one[0] <= self.instant), key=lambda one: one[0])
        self.sleepers = [one for one in self.sleepers if one[0] > self.instant]
        for _, woken in due:
            if not woken.done():
                woken.set_result(None)


class ShiftedClock(SystemClock):
    """The machine's clock plus an offset that tests advance; the simulated Discord wakes sleepers."""

    forward = 0

    def advance(self, milliseconds: int) -> None:
        """Advance the clock by this many milliseconds at once."""
        self.forward += milliseconds

    def now(self) -> int:
        return super().now() + self.forward

    def monotonic(self) -> int:
        return super().monotonic() + self.forward
