"""Archiving: a background task that stores finished tables and tournaments in a compact form.

They are archived a week after their end, a few per minute.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, Clock
from bot.logs import record_failure
from bot.store.errors import FATAL_ERRORS
from bot.store.store import Store
from bot.store.upkeep.archives import BEGINNING, KEPT

A_MINUTE: Final = 10
"""Tables archived per minute, so 600 an hour; small batches do not delay players."""

TOURNAMENTS_A_MINUTE: Final = 1
"""Tournaments archived per minute: a large one takes as long as many tables."""

DAY: Final = 24 * HOUR

logger = logging.getLogger("canasta.store")


class Archiver:
    """Archives finished tables and tournaments; one instance per process."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._tables_reached = self._tournaments_reached = BEGINNING
        self._began = clock.now()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Start and return the task that archives; if it ever ends, the program must end too."""
        self._task = asyncio.create_task(self._run(), name="packing")
        return self._task

    async def stop(self) -> None:
        """Stop the task; a batch in progress is still stored."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def archive_batch(self) -> int:
        """Archive one batch of due tables and tournaments, and return the number archived."""
        now = self._clock.now()
        if now - self._began > DAY:  # look through all tables again daily, because skipped ones may be due by now
            self._began, self._tables_reached, self._tournaments_reached = now, BEGINNING, BEGINNING
        before = now - KEPT
        tables, self._tables_reached = await self._store.tables.archive_due_tables(
            before, A_MINUTE, self._tables_reached
        )
        tournaments, self._tournaments_reached = await self._store.tournaments.archive_due_tournaments(
            before, TOURNAMENTS_A_MINUTE, self._tournaments_reached
        )
        return tables + tournaments

    async def _run(self) -> None:
        """Archive a batch every minute, for ever."""
        try:
            while True:
                await self._clock.sleep(MINUTE)
                try:
                    await self.archive_batch()
                except FATAL_ERRORS:
                    raise
                except Exception as error:  # noqa: BLE001 - packing only saves room
                    record_failure(logger, "packing tables and tournaments", error)
        except FATAL_ERRORS as error:
            logger.critical("packing stands still: %s", type(error).__name__)
