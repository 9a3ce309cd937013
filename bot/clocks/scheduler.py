"""The scheduler: one task that sleeps until the earliest of all stored deadlines.

Deadlines are stored with their tables, so they survive a restart. A deadline only wakes its table: the table service
then computes whether the time is really over, without outages of the bot, and sets the deadline again if it is not.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

from bot.clocks.clock import MINUTE, SECOND, Clock
from bot.clocks.uptime import HEARTBEAT_INTERVAL, Uptime
from bot.logs import label_log_lines, log_level, record_failure
from bot.store.errors import FATAL_ERRORS
from bot.store.timers_and_uptime import DueTimer

BATCH: Final = 200
RETRY: Final = MINUTE
"""Time until a failed deadline is tried again; doubled each time, up to `LONGEST_RETRY`."""
LONGEST_RETRY: Final = 64 * MINUTE
NEVER: Final = 2**62

logger = logging.getLogger(__name__)


class Deadlines(Protocol):
    """A source of deadlines: the store, or a service that derives them."""

    async def next_due_at(self) -> int | None:
        """Return the instant of the earliest deadline (UTC milliseconds), or None."""

    async def due_timers(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Return at most `limit` deadlines that are due by `now`, earliest first."""


class DeadlineService(Protocol):
    """A service that handles due deadlines: that of tables, of tournaments or of series."""

    async def fire_deadline(self, table: int, kind: str) -> None:
        """Handle the table's due deadline of this kind."""


@dataclass(frozen=True, slots=True)
class _FailingDeadline:
    """A deadline that could not be handled: when to try again, and the current delay."""

    until: int
    wait: int


class Scheduler:
    """Has a service handle each stored deadline when it is due, while `ready()` is true.

    `wake_at` must be called for a new deadline. `subject` names in the log what the deadlines belong to: ``table``,
    ``tournament`` or ``series``.
    """

    def __init__(
        self,
        deadlines: Deadlines,
        clock: Clock,
        service: DeadlineService,
        *,
        readiness: Uptime,
        ready: Callable[[], bool] = lambda: True,
        subject: str = "table",
    ) -> None:
        self._deadlines = deadlines
        self._clock = clock
        self._service = service
        self._readiness = readiness
        self._ready = ready
        self._subject = subject
        self._wakes_at = NEVER
        self._poked = asyncio.Event()
        self._failing: dict[tuple[int, str], _FailingDeadline] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Start and return the scheduler's task; if it ever ends, the program must end too."""
        self._task = asyncio.create_task(self._run(), name="scheduler")
        return self._task

    async def stop(self) -> None:
        """Stop the scheduler; the table service finishes actions in progress."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def wake_at(self, due_at: int) -> None:
        """Make sure that the scheduler wakes up by the instant `due_at`."""
        if due_at < self._wakes_at:
            self._poked.set()

    async def _run(self) -> None:
        try:
            while True:
                self._poked.clear()
                await self._sleep(await self._fire_due_or_pause())
        except FATAL_ERRORS as error:
            logger.critical("deadlines stand still: %s", type(error).__name__)

    async def _fire_due_or_pause(self) -> int:
        """Run `fire_due` and return how many milliseconds to sleep, also after an unexpected error."""
        try:
            return await self.fire_due()
        except FATAL_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - the clocks of all tables must go on
            record_failure(logger, "a turn of the deadlines", error)
            return HEARTBEAT_INTERVAL

    async def fire_due(self) -> int:
        """Have the service handle each due deadline, and return how many milliseconds to sleep until the next."""
        if not self._ready():
            self._readiness.note_not_ready()
            return SECOND
        await self._readiness.note_ready()
        now = self._clock.now()
        await self._fire_due_deadlines(now)
        next_due = await self._deadlines.next_due_at()
        if next_due is None:
            return HEARTBEAT_INTERVAL
        # A deadline that is still due has failed, or did not fit into the batch; wait a second before the next try.
        return max(min(next_due - self._clock.now(), HEARTBEAT_INTERVAL), SECOND if next_due <= now else 0)

    async def _sleep(self, milliseconds: int) -> None:
        self._wakes_at = self._clock.now() + milliseconds
        waits = [asyncio.ensure_future(self._clock.sleep(milliseconds)), asyncio.ensure_future(self._poked.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._wakes_at = NEVER
            for wait in waits:
                wait.cancel()

    # --- deadlines ---------------------------------------------------------------------------------------------------

    async def _fire_due_deadlines(self, now: int) -> None:
        self._failing = {timer: one for timer, one in self._failing.items() if one.until + LONGEST_RETRY > now}
        postponed = {timer for timer, one in self._failing.items() if one.until > now}
        due = await self._deadlines.due_timers(now, BATCH + len(postponed))
        await asyncio.gather(*(self._fire_deadline(one) for one in due if (one.table, one.kind) not in postponed))

    async def _fire_deadline(self, timer: DueTimer) -> None:
        which = timer.table, timer.kind
        failing = self._failing.get(which)
        if await self._run_work(timer, self._service.fire_deadline(*which), is_logged=failing is not None):
            self._failing.pop(which, None)
        else:
            wait = RETRY if failing is None else min(2 * failing.wait, LONGEST_RETRY)
            self._failing[which] = _FailingDeadline(self._clock.now() + wait, wait)

    async def _run_work(self, timer: DueTimer, work: Awaitable[None], *, is_logged: bool = False) -> bool:
        """Await the handling of a deadline; return whether it succeeded.

        A failure never stops other tables.

        `is_logged` means that the failure has been logged before; it is then not logged again.
        """
        try:
            with label_log_lines(**{self._subject: timer.table}):
                await work
        except FATAL_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - one table must not stop the others
            if not is_logged:
                place, level = {self._subject: timer.table}, log_level(error, logging.WARNING)
                logger.log(level, "deadline %s: %s", timer.kind, type(error).__name__, extra=place)
            return False
        return True
