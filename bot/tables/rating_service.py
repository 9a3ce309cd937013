"""Rating finished games: each once, even if the process ends between a game's end and its rating."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from bot.ratings.service import RatingService
from bot.ratings.values import MatchId
from bot.store.ratings import RatingStore
from bot.tables.looks import TableChanged
from bot.tables.rating import match_of
from bot.tables.refusals import TableRefusal
from bot.tables.service import TableService

BATCH: Final = 50

log = logging.getLogger("canasta.ratings")


class TableRatings:
    """Hands finished games of rated tables to the ratings.

    The store notes with the end of such a game that it is to be rated; that note goes once it is.
    """

    def __init__(self, tables: TableService, ratings: RatingService, stored: RatingStore) -> None:
        self._tables = tables
        self._ratings = ratings
        self._stored = stored
        self._working = asyncio.Lock()
        self._running: set[asyncio.Task[int]] = set()

    def heard(self, changed: TableChanged) -> None:
        """Begin to rate what is to be rated, where a game has ended with that change."""
        if changed.rated:
            task = asyncio.create_task(self.catch_up(), name="rating a finished game")
            self._running.add(task)
            task.add_done_callback(self._ran)

    async def catch_up(self) -> int:
        """Rate every finished game that waits for it; how many there were."""
        done = 0
        async with self._working:
            while due := await self._stored.due(BATCH):
                for table, at in due:
                    await self._rate(table, at)
                    await self._stored.done(table)
                    done += 1
        return done

    async def finish(self) -> None:
        """Wait until what was begun is done."""
        while self._running:
            await asyncio.wait(self._running)

    async def _rate(self, table: int, at: int) -> None:
        """A table that cannot be read, or is rated already, stays as it is."""
        try:
            match = match_of(await self._tables.look(table), at=at)
        except TableRefusal:
            return
        if match is not None and not await self._ratings.knows(MatchId(0, table)):
            await self._ratings.rate(match)

    def _ran(self, task: asyncio.Task[int]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # The next end of a game, or the next start, tries it again.
            log.error("a finished game is not rated yet", exc_info=error)
