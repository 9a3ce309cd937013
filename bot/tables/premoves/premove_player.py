"""The player of premoves: plays what people have prepared, after a random delay.

The delay hides whether a player decided now or before. The player listens to every change and every new premove, with
at most one task for a table. After a restart it checks every table with premoves, and the delay starts again.
"""

from __future__ import annotations

import asyncio
import logging
from random import Random, SystemRandom
from typing import Final

from bot.clocks.clock import MINUTE, SECOND, Clock
from bot.engine.moves.refusals import Refusal
from bot.logs import record_failure
from bot.store.errors import FATAL_ERRORS
from bot.tables.premoves.service import PremoveService
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import TableChanged

SLOW: Final = (MINUTE, 3 * MINUTE)
FAST: Final = (2 * SECOND, 5 * SECOND)
"""The shortest and longest delay of a premove, at fast tables."""

logger = logging.getLogger(__name__)


class PremovePlayer:
    """Plays premoves when their turn has come; one instance per process."""

    def __init__(self, premoves: PremoveService, clock: Clock, random: Random | None = None) -> None:
        self._premoves = premoves
        self._clock = clock
        self._chance = random or SystemRandom()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._resuming: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to play premoves, first at every table that has some now."""
        self._premoves.subscribe_to_stored_premoves(self._schedule_check)
        self._resuming = asyncio.create_task(self._check_all_tables(), name="premoves resume")

    def on_change(self, change: TableChanged) -> None:
        """Play the premoves of a changed table if they are due; a listener of the table service."""
        self._schedule_check(change.table)

    async def close(self) -> None:
        """Stop playing premoves; the table service finishes writes in progress."""
        resuming = () if self._resuming is None else (self._resuming,)
        tasks = (*self._tasks.values(), *resuming)
        self._again.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _check_all_tables(self) -> None:
        """Look for due premoves at every table that has premoves; errors are logged."""
        try:
            for table in await self._premoves.tables_with_premoves():
                self._schedule_check(table)
        except FATAL_ERRORS as error:
            logger.warning("premoves were not resumed: %s", type(error).__name__)
        except Exception as error:  # noqa: BLE001 - each is looked at again when its table changes
            record_failure(logger, "resuming premoves", error)

    def _schedule_check(self, table: int) -> None:
        """Look for due premoves at the table in a new task.

        If a task already runs for the table, look again when it is done.
        """
        if table in self._tasks:
            self._again.add(table)
            return
        self._tasks[table] = asyncio.create_task(self._play_if_due(table), name=f"premoves of table {table}")

    async def _play_if_due(self, table: int) -> None:
        """Play the table's premove if one is due, after a random delay."""
        try:
            due = await self._premoves.due_premove(table)
            if due is not None:
                await self._clock.sleep(self._chance.randint(*(SLOW if due.slow else FAST)))
                await self._premoves.play_premove(due)
        except Refusal as refusal:
            logger.error("a premove was refused: %s", refusal.code.value, extra={"table": table})  # noqa: TRY400 - no traceback
        except TableRefusal as refusal:
            if refusal.code is not TableCode.STALE_REQUEST:  # another move came first, or the premove was deleted
                logger.info("a premove was not done: %s", refusal.code.value, extra={"table": table})
        except Exception as error:  # noqa: BLE001 - the person then plays by hand; the error's text may name cards
            logger.error("a premove failed: %s", type(error).__name__, extra={"table": table})  # noqa: TRY400 - no traceback
        finally:
            # No await between the two, or a change could be missed.
            del self._tasks[table]
            if table in self._again:
                self._again.discard(table)
                self._schedule_check(table)
