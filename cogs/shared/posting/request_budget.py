"""Request budget of the whole bot: requests per second, and which go first.

Discord allows fifty in any second. Requests to channels wait here for their turn; answers to interactions do not count.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
from collections import Counter, deque
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Final, Protocol

from bot.clocks.clock import SECOND, Clock
from bot.logs import record_failure

logger = logging.getLogger("canasta.discord")

RATE: Final = 34
"""Requests per second that are always allowed.

Forty-five would be below the limit if requests arrived as evenly as they are sent, but a busy machine and the network
bunch them.
"""

BURST: Final = 4
"""Requests allowed at once after a quiet time; no second has more than `RATE` plus `BURST`."""


class Priority(IntEnum):
    """Order in which waiting requests are sent."""

    NOTIFY = 0  # a person is mentioned or messaged
    EDIT = 1
    MEND = 2  # a message outdated since an earlier run, or anything else that can wait
    DELETE = 3


SHARE_OF_MENDING: Final = 10
"""One request in this many is the oldest of class MEND, so that play never starves it."""


class TokenBucket:
    """Token bucket that says when a request may be sent; pure arithmetic on milliseconds.

    It holds at most `burst` tokens and gains `rate` per second; a request takes one.
    """

    def __init__(self, now: int, *, rate: int = RATE, burst: int = BURST) -> None:
        self._rate = rate
        self._burst = burst
        self._parts = burst * SECOND
        self._counted_at = now
        self.paused_until = now

    def milliseconds_to_wait(self, now: int) -> int:
        """Return milliseconds until a request may be sent; 0 for now."""
        self._add_gained_tokens(now)
        short = SECOND - self._parts
        return max(self.paused_until - now, -(-short // self._rate), 0)

    def take_token(self, now: int) -> None:
        """Take a token; allowed only if `milliseconds_to_wait` returns 0."""
        self._add_gained_tokens(now)
        self._parts -= SECOND

    def pause(self, until: int) -> None:
        """Allow no request before that time."""
        self.paused_until = max(self.paused_until, until)

    def _add_gained_tokens(self, now: int) -> None:
        """Add the tokens gained since the last call; a clock set back changes nothing."""
        gained = max(0, now - self._counted_at) * self._rate
        self._parts = min(self._parts + gained, self._burst * SECOND)
        self._counted_at = now


class TokenGrant(Protocol):
    """A common budget's answer: requests granted now, and for how many milliseconds it grants none."""

    @property
    def tokens(self) -> int: ...

    @property
    def paused_for(self) -> int: ...


class CommonBudgets(Protocol):
    """Budgets that all processes of the bot share."""

    async def take_tokens(self, name: str, wanted: int, *, urgent: int, per_hour: int, holds: int) -> TokenGrant: ...

    async def pause(self, name: str, milliseconds: int) -> None: ...


ASK_EVERY: Final = 100
"""Milliseconds between two requests to the common budget."""

ASK_AT_MOST: Final = 4
FOR_CALLS: Final = 2
"""Tokens that the common budget reserves for mentions.

It holds that many more than `BURST`; otherwise a process that asks ten times a second would be granted only two other
requests each time.
"""

COMMON: Final = "requests"


class Budget:
    """Releases requests one by one, by priority and then in order of arrival.

    At least every tenth is of class MEND if one waits, so that these are not delayed for ever.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        rate: int = RATE,
        burst: int = BURST,
        common: CommonBudgets | None = None,
        may_send: Callable[[], bool] = lambda: True,
    ) -> None:
        """Count requests here, or in the `common` budget of all processes; release none unless `may_send`."""
        self._clock = clock
        self._rate = rate
        self._burst = burst
        self._common = common
        self._may_send = may_send
        self._pausing: set[asyncio.Task[None]] = set()
        self._bucket = TokenBucket(clock.now(), rate=rate, burst=burst)
        self._waiting: list[tuple[Priority, int, asyncio.Future[None]]] = []
        self._mending: deque[asyncio.Future[None]] = deque()
        self._since_mending = 0
        self._order = itertools.count()
        self._serving: asyncio.Task[None] | None = None

    async def wait_for_turn(self, priority: Priority) -> None:
        """Wait until a request may be sent."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (priority, next(self._order), turn))
        if priority is Priority.MEND:
            self._mending.append(turn)
        if self._serving is None and self._common is None:
            self._release_allowed_requests()
        if self._waiting and self._serving is None:
            self._serving = asyncio.create_task(self._release_requests_forever(), name="budget of requests")
        await turn

    @property
    def paused_until(self) -> int:
        """Return the time before which no request is allowed (UTC milliseconds)."""
        return self._bucket.paused_until

    def count_waiting_by_priority(self) -> Mapping[str, int]:
        """Return the number of waiting requests by the name of their priority."""
        counts = Counter(priority.name.lower() for priority, _, turn in self._waiting if not turn.done())
        return {one.name.lower(): counts[one.name.lower()] for one in Priority}

    def pause(self, milliseconds: int) -> None:
        """Allow no request for that many milliseconds."""
        self._bucket.pause(self._clock.now() + milliseconds)
        self.pause_common_budget(COMMON, milliseconds)

    def pause_common_budget(self, name: str, milliseconds: int) -> None:
        """Let no process use the common budget of that name for a while.

        Without a common budget (a lone process) nothing happens.
        """
        if self._common is not None:
            task = asyncio.create_task(
                self._pause_common_budget_in_background(self._common, name, milliseconds), name="pausing all processes"
            )
            self._pausing.add(task)
            task.add_done_callback(self._pausing.discard)

    async def _pause_common_budget_in_background(self, common: CommonBudgets, name: str, milliseconds: int) -> None:
        """Pause the common budget; runs in the background for `pause_common_budget`."""
        try:
            await common.pause(name, milliseconds)
        except Exception as error:  # noqa: BLE001 - the next refusal of Discord pauses again
            record_failure(logger, "pausing all processes", error)

    async def ask_common_budget(self, name: str, *, per_hour: int, holds: int) -> bool | None:
        """Return whether the common budget of that name allows one more use; None in a lone process.

        The budget gains `per_hour` uses an hour and keeps at most `holds`.
        """
        if self._common is None:
            return None
        try:
            return (await self._common.take_tokens(name, 1, urgent=1, per_hour=per_hour, holds=holds)).tokens > 0
        except Exception as error:  # noqa: BLE001 - while the database is away no request is allowed
            record_failure(logger, "asking for a common budget", error)
            return False

    async def close(self) -> None:
        """Allow no more requests."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)

    def _release_allowed_requests(self) -> int:
        """Release all requests allowed now; return milliseconds until the next one; 0 if none waits."""
        while self._waiting:
            if not self._may_send():
                return ASK_EVERY
            now = self._clock.now()
            wait = self._bucket.milliseconds_to_wait(now)
            if wait:
                return wait
            turn = self._take_next_request()
            if not turn.done():
                self._bucket.take_token(now)
                turn.set_result(None)
        return 0

    def _take_next_request(self) -> asyncio.Future[None]:
        """Remove and return the next waiting request, which may already be cancelled or released."""
        while self._mending and self._mending[0].done():
            self._mending.popleft()
        if self._mending and self._since_mending >= SHARE_OF_MENDING - 1:
            self._since_mending = 0
            return self._mending.popleft()
        priority, _, turn = heapq.heappop(self._waiting)
        if not turn.done():
            self._since_mending = 0 if priority is Priority.MEND else self._since_mending + 1
        return turn

    async def _release_requests_forever(self) -> None:
        if self._common is None:
            while wait := self._release_allowed_requests():
                await self._clock.sleep(wait)
        else:
            while self._waiting:
                began = self._clock.monotonic()
                await self._release_granted_requests(self._common)
                await self._clock.sleep(max(0, ASK_EVERY - (self._clock.monotonic() - began)))
        self._serving = None

    async def _release_granted_requests(self, common: CommonBudgets) -> None:
        """Release as many requests as the common budget grants."""
        wanted = [priority for priority, _, turn in heapq.nsmallest(ASK_AT_MOST, self._waiting) if not turn.done()]
        if not self._may_send() or self._clock.now() < self._bucket.paused_until:
            return
        if not wanted:  # those that wait have all been cancelled or released already
            heapq.heappop(self._waiting)
            return
        urgent = sum(priority is Priority.NOTIFY for priority in wanted)
        try:
            granted = await common.take_tokens(
                COMMON, len(wanted), urgent=urgent, per_hour=self._rate * 3_600, holds=self._burst + FOR_CALLS
            )
        except Exception as error:  # noqa: BLE001 - the database is away; the next ask may succeed
            record_failure(logger, "asking for the budget of requests", error)
            return
        if granted.paused_for:
            self._bucket.pause(self._clock.now() + granted.paused_for)
        left = granted.tokens
        while left and self._waiting:
            turn = self._take_next_request()
            if not turn.done():
                turn.set_result(None)
                left -= 1
