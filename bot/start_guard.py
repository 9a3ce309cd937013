"""Protection of the token: Discord resets one that is used for a thousand identifies (logins) a day.

A start is stored before Discord is reached, so a full or broken disk ends the program without an identify. A bot that
starts again and again waits longer each time, and one with few identifies left waits until Discord grants new ones.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from bot.clocks.clock import MINUTE, SECOND, Clock
from bot.clocks.time_rules import DAY
from bot.logs import record_failure
from bot.metrics import METRICS
from bot.store.engines.interface import Budgets
from bot.store.errors import StorageFailed
from bot.store.timers_and_uptime import TimeStore

STABLE: Final = 10 * MINUTE
"""Milliseconds that the bot must be ready for its start to count as good."""

PATIENT_STARTS: Final = 3
FIRST_PAUSE: Final = 30 * SECOND
LONGEST_PAUSE: Final = 30 * MINUTE
"""After `PATIENT_STARTS` bad starts in a day each further one waits twice as long, from `FIRST_PAUSE` up to this."""

LEAST_FREE: Final = 100 * 2**20
"""Minimum of free bytes on the disk; with less the bot does not connect."""

LEAST_IDENTIFIES: Final = 50

log = logging.getLogger("canasta")


class IdentifyingClient(Protocol):
    """The methods of the Discord client that the start guard needs."""

    async def identifies_left(self) -> tuple[int, int, int]: ...

    def is_ready(self) -> bool: ...


def pause_before_start(bad_starts: int) -> int:
    """Return the milliseconds to wait before a start if `bad_starts` starts of the last day ended soon."""
    if bad_starts < PATIENT_STARTS:
        return 0
    return int(min(FIRST_PAUSE * 2 ** min(bad_starts - PATIENT_STARTS, 20), LONGEST_PAUSE))


def has_too_few_identifies(remaining: int, shards: int) -> bool:
    """Return whether too few identifies (logins) are left today, so that the bot must wait."""
    return remaining < max(LEAST_IDENTIFIES, 2 * shards)


def free_bytes(file: Path) -> int:
    """Return the number of free bytes on the file's disk."""
    return shutil.disk_usage(file.parent).free


class StartGuard:
    """Records a start and makes the bot wait before it logs in; one instance per connection attempt."""

    def __init__(self, store: TimeStore, clock: Clock, file: Path, *, free: Callable[[Path], int] = free_bytes) -> None:
        self._store = store
        self._clock = clock
        self._file = file
        self._free = free
        self._number = 0
        self._left = 0
        self.is_pausing = False
        """Whether the bot waits until it may connect."""

    async def record_start(self) -> int:
        """Store that the bot starts; return the milliseconds to wait before connecting.

        Raises `StorageFailed` if the disk is full.
        """
        if self._free(self._file.absolute()) < LEAST_FREE:
            raise StorageFailed("less than 100 MB are free on the disk")
        now = self._clock.now()
        bad = await self._store.count_failed_starts(now - DAY)
        self._number = await self._store.store_start(now, forget_before=now - DAY)
        pause = pause_before_start(bad)
        if pause:
            log.warning("%d starts in a day ended soon: waiting %d s", bad, pause // SECOND)
        return pause

    async def count_identify(self) -> None:
        """Store and count an identify (a login of a shard) before it is sent."""
        self._left = max(0, self._left - 1)
        METRICS.set_gauge("identifies_left", self._left)
        await self._store.count_login(self._number)

    async def wait_for_identifies(self, client: IdentifyingClient) -> None:
        """Wait until Discord's daily limit leaves enough identifies (logins)."""
        while True:
            remaining, shards, reset_after = await client.identifies_left()
            self._left = remaining
            METRICS.set_gauge("identifies_left", self._left)
            if not has_too_few_identifies(remaining, shards):
                return
            log.critical("only %d identifies are left today: waiting %d s", remaining, reset_after // SECOND)
            await self.pause(max(reset_after, SECOND))

    async def pause(self, milliseconds: int) -> None:
        """Wait that many milliseconds; `is_pausing` is true meanwhile."""
        self.is_pausing = True
        try:
            await self._clock.sleep(milliseconds)
        finally:
            self.is_pausing = False

    async def mark_good_start(self, client: IdentifyingClient) -> None:
        """Mark the start as good once the bot has been ready for ten minutes."""
        ready_since: int | None = None
        while True:
            now = self._clock.now()
            ready_since = (now if ready_since is None else ready_since) if client.is_ready() else None
            if ready_since is not None and now - ready_since >= STABLE:
                await self._store.note_good_start(self._number, ready_since, ready_for=now - ready_since)
                return
            await self._clock.sleep(15 * SECOND)


IDENTIFIES_PER_HOUR: Final = 654
"""One identify in five and a half seconds: Discord refuses a second one within five."""

LOOK_EVERY: Final = 0.5


async def wait_for_identify_turn(budgets: Budgets, place: int) -> None:
    """Wait until this process may log in a shard.

    `place` is the shard's number modulo Discord's `max_concurrency`; only one shard of a place may log in at a time.
    """
    while True:
        try:
            granted = await budgets.take_tokens(f"identify:{place}", 1, urgent=1, per_hour=IDENTIFIES_PER_HOUR, holds=1)
        except Exception as error:  # noqa: BLE001 - the database is away; without it nothing can be served anyway
            record_failure(log, "waiting for a turn to identify", error)
        else:
            if granted.tokens:
                return
        await asyncio.sleep(LOOK_EVERY)
