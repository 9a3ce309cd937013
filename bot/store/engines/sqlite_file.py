"""A database file: its lock, the migrations when it is opened, and the erasure of deleted data."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import stat
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from bot.store.engines.interface import Budgets, Connection, Shards
from bot.store.engines.sqlite_connection import PRAGMAS, DatabaseLock, FileConnection, Session, connect
from bot.store.engines.sqlite_migrations import has_our_header, is_only_journal_left, migrate
from bot.store.errors import DamagedDatabase, NotOurDatabase, StorageFailed, error_text
from bot.store.migrations import read_migrations

CHECKPOINT_RETRY: Final = 15.0
"""Seconds until a checkpoint is tried again because something else reads the file, such as a backup."""

MOST_REWRITTEN: Final = 8 * 2**20
"""The largest file, in bytes, that is vacuumed while the bot is serving, because all requests wait meanwhile."""

_log = logging.getLogger("canasta.store")


class FileEngine:
    """An open file, with a single connection.

    A pool of connections starves writers, and two that write to one file can damage it in SQLite before 3.51.3.
    """

    def __init__(self, connection: FileConnection, lock: DatabaseLock, path: Path) -> None:
        self.connection: Connection = connection
        self.path: Path | None = path
        self.must_read_between_writes = True
        self.shards = Shards()
        self.budgets: Budgets | None = None
        self.erasure = Erasure(connection, path)
        self._connection = connection
        self._lock = lock

    def mark_erasure_pending(self) -> None:
        """Note that rows will be deleted, and that the files may keep no copy of them."""
        self.erasure.mark_pending()

    async def erase_deleted_copies(self) -> None:
        """Erase the copies of deleted rows from the files. Raises `StorageFailed`."""
        await self.erasure.erase_deleted_copies()

    async def publish_state(self, state: str) -> None:
        """Do nothing: a file has no fleet."""

    async def server_now(self) -> int | None:
        """Return None: a file has no clock of its own."""
        return None

    async def reconnect(self) -> None:
        """Do nothing: a file can always be reached."""

    async def stop_erasing_deleted_data(self) -> None:
        """End the attempts to empty the log."""
        await self.erasure.close()

    async def close(self) -> None:
        """Close the file and release its lock."""
        await _close_and_unlock(self._connection, self._lock)


async def open_file(path: Path, scripts: Path) -> FileEngine:
    """Open the file, create it if it is missing, and bring it to the newest version.

    Raises `DatabaseInUse`, `EarlierDatabase`, `NewerDatabase`, `NotOurDatabase`, `DamagedDatabase`, and `StorageFailed`
    for a file that cannot be opened.
    """
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)  # at DEBUG it logs stored data, including hands
    path, lock = _create_and_lock(path)
    try:
        connection = await connect(path)
    except sqlite3.Error as error:
        lock.release()
        raise StorageFailed(f"{path} cannot be opened: {error_text(error)}") from None
    try:
        await _bring_up_to_date(connection, path, scripts)
    except BaseException:
        await _close_and_unlock(connection, lock)
        raise
    engine = FileEngine(connection, lock, path)
    try:
        await engine.erasure.complete_earlier_erasure()
    except BaseException:
        await engine.stop_erasing_deleted_data()
        await engine.close()
        raise
    return engine


def _create_and_lock(path: Path) -> tuple[Path, DatabaseLock]:
    """Create the file if it is missing, and lock it.

    Only its owner can read it, because it will hold hands and seeds.
    """
    try:
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = DatabaseLock(path)
    except OSError as error:
        raise StorageFailed(f"{path} cannot be opened: {error.strerror}") from error
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        lock.release()
        raise StorageFailed(f"{path} cannot be opened: {error.strerror}") from error
    _warn_of_readers(path)
    return path, lock


def _warn_of_readers(path: Path) -> None:
    """Log a warning if other users may read the file; only its owner can decide what to do about it."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        _log.warning(
            "%s can be read by others (mode %04o): hands and seeds lie in it; chmod 600 mends that", path, mode
        )


async def _bring_up_to_date(connection: FileConnection, path: Path, scripts: Path) -> None:
    """Check the file and carry out the migrations that it lacks."""
    if is_only_journal_left(path):
        raise DamagedDatabase(path)
    try:
        copied = await connection.run_with_own_errors(partial(migrate, path=path, steps=read_migrations(scripts)))
        await connection.run_with_own_errors(_set_pragmas)
    except sqlite3.OperationalError as error:
        raise StorageFailed(f"{path} cannot be prepared: {error_text(error)}") from None
    except sqlite3.DatabaseError:
        raise (DamagedDatabase(path) if has_our_header(path) else NotOurDatabase(path)) from None
    except OSError as error:
        raise StorageFailed(f"{path} cannot be prepared: {error.strerror}") from error
    if copied is not None:
        _log.info("a copy made before the migration is %s", copied)
    _log.info("database %s, SQLite %s", path, sqlite3.sqlite_version)


def _set_pragmas(session: Session) -> None:
    """Set the connection so that commits are durable and deleted data is overwritten."""
    for pragma in PRAGMAS:
        session.execute(pragma)
    # After a migration has renamed a table, SQLite 3.40 refuses a checkpoint until the schema has been read again.
    session.execute("SELECT count(*) FROM sqlite_master")


async def _close_and_unlock(connection: FileConnection, lock: DatabaseLock) -> None:
    """Close the connection and release the lock after a failed start."""
    try:
        await connection.close()
    finally:
        lock.release()


# --- erasure ----------------------------------------------------------------------------------------------------------


class Erasure:
    """Erases copies of deleted rows from the files of one database.

    SQLite overwrites what is deleted (`secure_delete`), but two copies can outlive it: one in the write-ahead log,
    until a checkpoint empties it; and one in the unused bytes of a page whose rows had moved to another page, until
    `VACUUM` rewrites the file. While this is still to be done, a mark file beside the database says so: a large file
    waits for the next start.
    """

    def __init__(self, connection: FileConnection, path: Path) -> None:
        self.retry_after = CHECKPOINT_RETRY
        self.most_rewritten = MOST_REWRITTEN
        self._connection = connection
        self._path = path
        self._mark = path.with_name(f"{path.name}.erase")
        self._retrying: asyncio.Task[None] | None = None

    async def complete_earlier_erasure(self) -> None:
        """Erase the copies that an earlier process left. Raises `StorageFailed`."""
        if self._mark.exists():
            await self._rewrite_file()
        await self._empty_log()

    def mark_pending(self) -> None:
        """Store that an erasure is pending; if this process is killed, the next start completes it."""
        self._mark.touch(0o600)

    async def erase_deleted_copies(self) -> None:
        """Erase the copies of deleted rows; in a large file only those in the log. Raises `StorageFailed`."""
        if self._path.stat().st_size <= self.most_rewritten:
            await self._rewrite_file()
        else:
            _log.info("the database is large: it is rewritten at the next start")
        await self._empty_log()

    async def close(self) -> None:
        """Stop the attempts to empty the log; closing the file empties it as well."""
        if self._retrying is not None:
            self._retrying.cancel()
            await asyncio.wait([self._retrying])

    async def _rewrite_file(self) -> None:
        """Rewrite the whole file without deleted data; without room for that, the next start tries again."""
        try:
            await self._connection.run_with_own_errors(_vacuum)
        except sqlite3.Error as error:
            _log.warning("the database cannot be rewritten: %s", error_text(error))
        else:
            self._mark.unlink(missing_ok=True)

    async def _empty_log(self) -> None:
        """Write the log into the file and empty it; while another program reads the file, try again later."""
        if not await self._checkpoint() and (self._retrying is None or self._retrying.done()):
            _log.info("the log of the database is being read; it is emptied later")
            self._retrying = asyncio.create_task(self._retry_emptying_log(), name="store-checkpoint")

    async def _retry_emptying_log(self) -> None:
        """Try to empty the log, with pauses, until it is empty.

        A failure of the disk ends the attempts; the next write reports it.
        """
        with suppress(StorageFailed):
            while True:
                await asyncio.sleep(self.retry_after)
                if await self._checkpoint():
                    return

    async def _checkpoint(self) -> bool:
        """Try to empty the log, and return whether it is empty now."""
        try:
            return await self._connection.run_with_own_errors(_truncate_log)
        except sqlite3.Error as error:
            raise StorageFailed(f"a checkpoint failed: {error_text(error)}") from None


def _vacuum(session: Session) -> None:
    """Rewrite the whole file, without unused pages."""
    session.execute("VACUUM")


def _truncate_log(session: Session) -> bool:
    """Try to empty the log; return whether it is empty now.

    It does not wait for readers, because all writes would wait with it.
    """
    (waited,) = session.execute("PRAGMA busy_timeout").rows[0]
    session.execute("PRAGMA busy_timeout = 0")
    try:
        (busy, _, _) = session.execute("PRAGMA wal_checkpoint(TRUNCATE)").rows[0]
    finally:
        session.execute(f"PRAGMA busy_timeout = {waited:d}")
    return not busy
