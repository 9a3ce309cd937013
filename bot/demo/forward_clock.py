"""The demo's clock: the machine's clock, which can be set forward to see a slow game in minutes.

For a quarter of an hour, in which Discord accepts edits of private answers, it moves minute by minute, then hour by
hour. Before each step all work that is due is done.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeAlias

from bot.clocks.clock import HOUR, MINUTE, SECOND, SystemClock
from bot.clocks.uptime import HEARTBEAT_INTERVAL
from bot.store.store import open_store

NO_OUTAGE: Final = 2**62
"""The demo's `silence` in milliseconds: so large that passing time is never taken for an outage."""

_STEPS: Final = ((15 * MINUTE, MINUTE, 0.02), (NO_OUTAGE, HOUR, 0.1))
"""Rows: until that much time has passed, the size of a step, and the seconds that a step takes."""


NextStop: TypeAlias = Callable[[], Awaitable[int | None]]


async def _no_next_stop() -> None:
    return None


class ForwardClock(SystemClock):
    """The machine's clock, `forward` milliseconds ahead; sleepers wake when it is set forward.

    `finish_due_work` waits until all due work is done. It returns the instant at which the clock must stop on its
    way forward, or None.
    """

    def __init__(self, forward: int = 0) -> None:
        self.forward = forward
        self.next_stop: NextStop = _no_next_stop
        self._moved = asyncio.Event()

    def now(self) -> int:
        return super().now() + self.forward

    def monotonic(self) -> int:
        return super().monotonic() + self.forward

    async def sleep(self, milliseconds: int) -> None:
        until = self.monotonic() + milliseconds
        await asyncio.sleep(0)
        while (left := until - self.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), left / SECOND)

    def put_forward(self, milliseconds: int) -> None:
        """Set the clock forward by that many milliseconds in one step."""
        self.forward += milliseconds
        self._moved.set()
        self._moved = asyncio.Event()

    async def let_time_pass(self, milliseconds: int) -> None:
        """Set the clock forward by that many milliseconds in small steps, or until it must stop."""
        passed = 0
        while passed < milliseconds:
            stop, now = await self.next_stop(), self.now()
            step, seconds = next((step, seconds) for end, step, seconds in _STEPS if passed < end)
            step = min(step, milliseconds - passed)
            stops = stop is not None and now < stop <= now + step
            self.put_forward(stop - now if stops and stop is not None else step)
            passed += step
            await asyncio.sleep(seconds)
            if stops:
                await self.next_stop()
                return


async def continued_clock(database: Path) -> ForwardClock:
    """Return a clock that shows at least the time at which the last demo on that file ended.

    Raises `StoreError`.
    """
    async with open_store(database) as store:
        last = await store.times.last_heartbeat()
    ahead = 0 if last is None else last - SystemClock().now()
    return ForwardClock(ahead + HEARTBEAT_INTERVAL if ahead > 0 else 0)
