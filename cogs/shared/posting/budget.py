"""The budget: how many requests the whole bot makes in a second, and which go first.

Discord allows fifty in any second. Requests to channels wait here for their turn; answers to interactions do not count.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from enum import IntEnum
from typing import Final

from bot.clocks.clock import SECOND, Clock

RATE: Final = 34
"""Requests a second that are let through all the time.

Forty-five would fit below the limit if they arrived as they leave; a busy machine and a network press them together.
"""

BURST: Final = 4
"""Requests that may come at once after a quiet while: no second ever sees more than `RATE` and `BURST` together."""


class Priority(IntEnum):
    """What goes first where requests wait."""

    NOTIFY = 0  # somebody is called to play
    EDIT = 1
    DELETE = 2


class Bucket:
    """When a request may be made: pure arithmetic on milliseconds.

    It holds `burst` tokens at most and gains `rate` of them a second; a request takes one.
    """

    def __init__(self, now: int, *, rate: int = RATE, burst: int = BURST) -> None:
        self._rate = rate
        self._burst = burst
        self._parts = burst * SECOND
        self._counted_at = now
        self.paused_until = now

    def wait(self, now: int) -> int:
        """How long until a request may be made; 0 for at once."""
        self._count(now)
        short = SECOND - self._parts
        return max(self.paused_until - now, -(-short // self._rate), 0)

    def take(self, now: int) -> None:
        """Make a request; only where `wait` says 0."""
        self._count(now)
        self._parts -= SECOND

    def pause(self, until: int) -> None:
        """Let nothing through before that instant."""
        self.paused_until = max(self.paused_until, until)

    def _count(self, now: int) -> None:
        """A clock that was set back gives nothing and takes nothing."""
        gained = max(0, now - self._counted_at) * self._rate
        self._parts = min(self._parts + gained, self._burst * SECOND)
        self._counted_at = now


class Budget:
    """Lets requests through one by one, by priority and then in the order they came."""

    def __init__(self, clock: Clock, *, rate: int = RATE, burst: int = BURST) -> None:
        self._clock = clock
        self._bucket = Bucket(clock.now(), rate=rate, burst=burst)
        self._waiting: list[tuple[Priority, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._serving: asyncio.Task[None] | None = None

    async def take(self, priority: Priority) -> None:
        """Return when a request may be made."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (priority, next(self._order), turn))
        if self._serving is None:
            self._serve_at_once()
        if self._waiting and self._serving is None:
            self._serving = asyncio.create_task(self._serve(), name="budget of requests")
        await turn

    @property
    def paused_until(self) -> int:
        """The instant before which nothing is let through at all."""
        return self._bucket.paused_until

    def pause(self, milliseconds: int) -> None:
        """Let nothing through for that long."""
        self._bucket.pause(self._clock.now() + milliseconds)

    async def close(self) -> None:
        """Let nothing through any more."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)

    def _serve_at_once(self) -> int:
        """Let through whatever may go now; how long the next has to wait."""
        while self._waiting:
            now = self._clock.now()
            wait = self._bucket.wait(now)
            if wait:
                return wait
            turn = heapq.heappop(self._waiting)[-1]
            if not turn.done():
                self._bucket.take(now)
                turn.set_result(None)
        return 0

    async def _serve(self) -> None:
        while wait := self._serve_at_once():
            await self._clock.sleep(wait)
        self._serving = None
