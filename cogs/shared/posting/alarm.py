"""The alarm: wakes tables at their times, with one sleeper for all of them."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from typing import Final

from bot.clocks.clock import SECOND, Clock

LONGEST: Final = 15 * SECOND
"""The longest sleep, so that a jump of the clock is noticed."""


class Alarm:
    """Calls `ring` with a table when its instant has come. A table has one instant, the latest that was set."""

    def __init__(self, clock: Clock, ring: Callable[[int], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._instants: dict[int, int] = {}
        self._queue: list[tuple[int, int]] = []
        self._sooner = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in a task of its own."""
        self._task = asyncio.create_task(self._run(), name="alarm for boards")

    async def stop(self) -> None:
        """Wake nobody any more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def set(self, table: int, instant: int) -> None:
        """Wake the table then, in place of any time set before."""
        if self._instants.get(table) == instant:
            return
        self._instants[table] = instant
        first = not self._queue or instant < self._queue[0][0]
        heapq.heappush(self._queue, (instant, table))
        if first:
            self._sooner.set()

    def clear(self, table: int) -> None:
        """Do not wake the table."""
        self._instants.pop(table, None)

    async def _run(self) -> None:
        while True:
            self._sooner.clear()
            now = self._clock.now()
            while self._queue and self._queue[0][0] <= now:
                instant, table = heapq.heappop(self._queue)
                if self._instants.get(table) == instant:
                    del self._instants[table]
                    self._ring(table)
            await self._sleep(self._queue[0][0] - now if self._queue else LONGEST)

    async def _sleep(self, milliseconds: int) -> None:
        sleeping = asyncio.ensure_future(self._clock.sleep(min(milliseconds, LONGEST)))
        sooner = asyncio.ensure_future(self._sooner.wait())
        try:
            await asyncio.wait((sleeping, sooner), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            sooner.cancel()
