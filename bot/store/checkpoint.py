"""Checkpoints: emptying the write-ahead log, in which deleted data would stand until its pages are written again."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bot.store.connection import Connection, Session
from bot.store.errors import StorageFailed, kind_of

AGAIN: Final = 15.0
"""Seconds until a checkpoint is tried again because something else reads the file, such as a backup."""

_log = logging.getLogger("canasta.store")


class Checkpoints:
    """Empties the log of one connection; `fail` stops the store where that cannot be done at all."""

    def __init__(self, connection: Connection, fail: Callable[[BaseException], None]) -> None:
        self._connection = connection
        self._fail = fail
        self._retrying: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Write the log into the file and empty it; while something else reads the file, try again later.

        Raises `StorageFailed`.
        """
        if not await self._try() and (self._retrying is None or self._retrying.done()):
            _log.info("the log of the database is being read; it is emptied later")
            self._retrying = asyncio.create_task(self._retry(), name="store-checkpoint")

    async def close(self) -> None:
        """Try no more: closing the file empties the log too."""
        if self._retrying is not None:
            self._retrying.cancel()
            await asyncio.wait([self._retrying])

    async def _retry(self) -> None:
        with suppress(StorageFailed):  # `fail` has told of it
            while True:
                await asyncio.sleep(AGAIN)
                if await self._try():
                    return

    async def _try(self) -> bool:
        """Return whether the log is empty now."""
        try:
            return await self._connection.visit(_truncate)
        except sqlite3.Error as error:
            self._fail(error)
            raise StorageFailed(f"a checkpoint failed: {kind_of(error)}") from None


def _truncate(session: Session) -> bool:
    """Return whether the log could be emptied; does not wait for readers, because all writes would wait with it."""
    (waited,) = session.execute("PRAGMA busy_timeout").rows[0]
    session.execute("PRAGMA busy_timeout = 0")
    try:
        (busy, _, _) = session.execute("PRAGMA wal_checkpoint(TRUNCATE)").rows[0]
    finally:
        session.execute(f"PRAGMA busy_timeout = {waited:d}")
    return not busy
