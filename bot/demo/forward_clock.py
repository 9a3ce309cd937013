"""The demo's clock: the machine's, but it can be set forward to see a slow game in minutes.

It moves minute by minute while Discord would still accept edits of private answers (a quarter of an hour), then hour
by hour; before each step everything that is due is done.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND, SystemClock
from bot.clocks.uptime import HEARTBEAT_INTERVAL
from bot.store.store import open_store

NO_OUTAGE: Final = 2**62
"""Milliseconds of silence: time that is put forward is never taken for an outage."""

_STEPS: Final = ((15 * MINUTE, MINUTE, 0.02), (NO_OUTAGE, HOUR, 0.1))
"""Up to how much has passed, in which steps time is put forward, and how many seconds each takes."""


class ForwardClock(SystemClock):
    """The machine's clock, `forward` milliseconds ahead; sleepers wake when it is set forward."""

    def __init__(self, forward: int = 0) -> None:
        self.forward = forward
        self._moved = asyncio.Event()

    def now(self) -> int:
        return super().now() + self.forward

    def steady(self) -> int:
        return super().steady() + self.forward

    async def sleep(self, milliseconds: int) -> None:
        until = self.steady() + milliseconds
        await asyncio.sleep(0)
        while (left := until - self.steady()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), left / SECOND)

    def put_forward(self, milliseconds: int) -> None:
        """Set the clock forward by that much at once."""
        self.forward += milliseconds
        self._moved.set()
        self._moved = asyncio.Event()

    async def let_pass(self, milliseconds: int) -> None:
        """Set the clock forward by that much, in steps."""
        passed = 0
        while passed < milliseconds:
            step, seconds = next((step, seconds) for end, step, seconds in _STEPS if passed < end)
            step = min(step, milliseconds - passed)
            self.put_forward(step)
            passed += step
            await asyncio.sleep(seconds)


async def clock_of(database: Path) -> ForwardClock:
    """Return a clock that continues where the last demo on that file ended, if that is later than now.

    Raises `StoreError`.
    """
    async with open_store(database) as store:
        last = await store.times.last_heartbeat()
    ahead = 0 if last is None else last - SystemClock().now()
    return ForwardClock(ahead + HEARTBEAT_INTERVAL if ahead > 0 else 0)
