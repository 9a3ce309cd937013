"""Erasure: leaving nothing of deleted rows in the files of the database.

SQLite overwrites what is deleted (`secure_delete`), but two copies can outlive it: one in the write-ahead log, until a
checkpoint empties it; and one in the unused bytes of a page whose rows had moved to another page, until `VACUUM` writes
the file anew.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot.store.connection import Connection, Session
from bot.store.errors import StorageFailed, kind_of

AGAIN: Final = 15.0
"""Seconds until a checkpoint is tried again because something else reads the file, such as a backup."""

AT_ONCE: Final = 32 * 2**20
"""The largest file, in bytes, that is written anew while the bot serves; everything waits meanwhile."""

_log = logging.getLogger("canasta.store")


class Erasure:
    """Erases copies of deleted rows from the files of one database; `fail` stops a store that cannot be read.

    A mark beside the file tells that it has still to be written anew. A large file waits for the next start.
    """

    def __init__(self, connection: Connection, path: Path, fail: Callable[[BaseException], None]) -> None:
        self._connection = connection
        self._path = path
        self._mark = path.with_name(f"{path.name}.erase")
        self._fail = fail
        self._retrying: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Erase what an earlier process left. Raises `StorageFailed`."""
        if self._mark.exists():
            await self._write_anew()
        await self._empty_log()

    async def erase(self) -> None:
        """Erase what the last writes deleted; in a large file only from the log. Raises `StorageFailed`."""
        self._mark.touch(0o600)
        if self._path.stat().st_size <= AT_ONCE:
            await self._write_anew()
        else:
            _log.info("the database is large: it is written anew at the next start")
        await self._empty_log()

    async def close(self) -> None:
        """Try no more: closing the file empties the log too."""
        if self._retrying is not None:
            self._retrying.cancel()
            await asyncio.wait([self._retrying])

    async def _write_anew(self) -> None:
        """Write the whole file anew; if there is no room for that, the next start tries again."""
        try:
            await self._connection.visit(_vacuum)
        except sqlite3.Error as error:
            _log.warning("the database cannot be written anew: %s", kind_of(error))
        else:
            self._mark.unlink(missing_ok=True)

    async def _empty_log(self) -> None:
        """Write the log into the file and empty it; while something else reads the file, try again later."""
        if not await self._checkpoint() and (self._retrying is None or self._retrying.done()):
            _log.info("the log of the database is being read; it is emptied later")
            self._retrying = asyncio.create_task(self._retry(), name="store-checkpoint")

    async def _retry(self) -> None:
        with suppress(StorageFailed):  # `fail` has told of it
            while True:
                await asyncio.sleep(AGAIN)
                if await self._checkpoint():
                    return

    async def _checkpoint(self) -> bool:
        """Return whether the log is empty now."""
        try:
            return await self._connection.visit(_truncate)
        except sqlite3.Error as error:
            self._fail(error)
            raise StorageFailed(f"a checkpoint failed: {kind_of(error)}") from None


def _vacuum(session: Session) -> None:
    session.execute("VACUUM")


def _truncate(session: Session) -> bool:
    """Return whether the log could be emptied; does not wait for readers, because all writes would wait with it."""
    (waited,) = session.execute("PRAGMA busy_timeout").rows[0]
    session.execute("PRAGMA busy_timeout = 0")
    try:
        (busy, _, _) = session.execute("PRAGMA wal_checkpoint(TRUNCATE)").rows[0]
    finally:
        session.execute(f"PRAGMA busy_timeout = {waited:d}")
    return not busy
