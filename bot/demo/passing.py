"""Time in the demo: the machine's clock, which can be put forward, so that a slow game can be seen in minutes.

Time is put forward minute by minute while Discord still takes edits of private answers, a quarter of an hour, then hour
by hour; what is due by then is done before the next step.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND, SystemClock
from bot.clocks.uptime import BEAT
from bot.store.store import open_store

NO_OUTAGE: Final = 2**62
"""Milliseconds of silence: time that is put forward is never taken for an outage."""

_STEPS: Final = ((15 * MINUTE, MINUTE, 0.02), (NO_OUTAGE, HOUR, 0.1))
"""Up to how much has passed, in which steps time is put forward, and how many seconds each takes."""


class ForwardClock(SystemClock):
    """The machine's clock, `forward` milliseconds ahead; who sleeps is woken when it is put forward."""

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
        """So much time has passed at once."""
        self.forward += milliseconds
        self._moved.set()
        self._moved = asyncio.Event()

    async def let_pass(self, milliseconds: int) -> None:
        """Let so much time pass, one step after the other."""
        passed = 0
        while passed < milliseconds:
            step, seconds = next((step, seconds) for end, step, seconds in _STEPS if passed < end)
            step = min(step, milliseconds - passed)
            self.put_forward(step)
            passed += step
            await asyncio.sleep(seconds)


async def clock_of(database: Path) -> ForwardClock:
    """Return a clock that goes on where the last demo on that file left off, if that was ahead. Raises `StoreError`."""
    async with open_store(database) as store:
        last = await store.times.last_heartbeat()
    ahead = 0 if last is None else last - SystemClock().now()
    return ForwardClock(ahead + BEAT if ahead > 0 else 0)
