"""Time in the demo: the machine's clock, which can be put forward, so that a slow game can be seen in minutes.

No hour is skipped: time is put forward hour by hour, and whatever an hour brings is done before the next one begins.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Final

from bot.clocks.clock import HOUR, SECOND, SystemClock
from bot.clocks.readiness import BEAT
from bot.store.sqlite import open_store

NO_OUTAGE: Final = 2**62
"""Milliseconds of silence: time that is put forward is never taken for an outage."""

_SECONDS_AN_HOUR: Final = 0.1
"""How long an hour takes that is put forward."""


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
        """Let so much time pass, an hour after the other."""
        while milliseconds > 0:
            step = min(milliseconds, HOUR)
            self.put_forward(step)
            milliseconds -= step
            await asyncio.sleep(_SECONDS_AN_HOUR)


async def clock_of(database: Path) -> ForwardClock:
    """A clock that goes on where the last demo on that file left off, if that was ahead. Raises `StoreError`."""
    async with open_store(database) as store:
        last = await store.last_heartbeat()
    ahead = 0 if last is None else last - SystemClock().now()
    return ForwardClock(ahead + BEAT if ahead > 0 else 0)
