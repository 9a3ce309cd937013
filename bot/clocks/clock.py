"""The clock: the one place that asks what time it is. Everything else is handed a `Clock`."""

from __future__ import annotations

import asyncio
import time
from typing import Final, Protocol

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
"""Milliseconds."""


class Clock(Protocol):
    """Tells the time and lets it pass."""

    def now(self) -> int:
        """UTC milliseconds."""

    def steady(self) -> int:
        """Milliseconds since some instant, by a clock that is never set: for lengths of time."""

    async def sleep(self, milliseconds: int) -> None:
        """Return when that much time has passed; at the next turn of the event loop for zero."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def steady(self) -> int:
        return time.monotonic_ns() // 1_000_000

    async def sleep(self, milliseconds: int) -> None:
        await asyncio.sleep(milliseconds / SECOND)
