"""The database: one file, one connection, one writer.

Write-ahead logging with a synchronisation at every commit: an acknowledged write survives a power cut. One
connection only, because two that write to one file can damage it in SQLite before 3.51.3, and because a pool of
them starves writers.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
from pathlib import Path
from typing import Final

import aiosqlite

from bot.store.connection import Connection, connect
from bot.store.errors import DamagedDatabase, NotOurDatabase, StorageFailed, Undecodable, is_of_a_row, kind_of
from bot.store.lock import DatabaseLock
from bot.store.migrations import Migration, is_ours, migrate, migrations, was_emptied
from bot.store.writer import Parameters, Work, Write, Writer

PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
)

_log = logging.getLogger("canasta.store")


class Database:
    """An open database. Made by `open_database`; whoever opens it closes it, or the process never ends."""

    def __init__(self, connection: Connection, lock: DatabaseLock) -> None:
        self._connection = connection
        self._lock = lock
        self._writer = Writer(connection)
        self._open = True

    async def read(self, sql: str, parameters: Parameters) -> list[sqlite3.Row]:
        """The rows, as last committed. A number past 63 bits is an id of nothing and finds nothing.

        Raises `Undecodable` where a row is damaged, `StorageFailed` where more than that is.
        """
        await self._writer.idle()
        try:
            return list(await self._connection.execute_fetchall(sql, parameters))
        except OverflowError:
            return []
        except sqlite3.Error as error:
            if is_of_a_row(error):
                raise Undecodable("a stored text is not UTF-8") from None
            self._writer.fail(error)
            raise StorageFailed(f"a read failed: {kind_of(error)}") from None

    async def write(self, task: Write | Work) -> object:
        """Write durably; see `Writer.write`."""
        return await self._writer.write(task)

    async def broken(self) -> StorageFailed:
        """Return once the database has failed and stopped."""
        return await self._writer.broken()

    async def close(self) -> None:
        """Write what has been accepted and let go of the file."""
        if not self._open:
            return
        self._open = False
        try:
            await self._writer.close()
        finally:
            await _let_go(self._connection, self._lock)


async def open_database(path: Path, steps: tuple[Migration, ...] | None = None) -> Database:
    """Open the file, make it if there is none, and bring it to the newest version.

    Raises `DatabaseInUse`, `NewerDatabase`, `NotOurDatabase`, `DamagedDatabase`, and `StorageFailed` where the file
    cannot be opened.
    """
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)  # at DEBUG it writes what is stored, hands among it
    path, lock = _claim(path)
    try:
        connection = await connect(path)
    except sqlite3.Error as error:
        lock.release()
        raise StorageFailed(f"{path} cannot be opened: {kind_of(error)}") from None
    try:
        await _prepare(connection, path, migrations() if steps is None else steps)
    except BaseException:
        await _let_go(connection, lock)
        raise
    return Database(connection, lock)


def _claim(path: Path) -> tuple[Path, DatabaseLock]:
    """The file, its owner's only because it will hold hands and seeds, and the lock on it."""
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
    """A file that was made elsewhere may be open to others; what may be done about that its owner has to say."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        _log.warning(
            "%s can be read by others (mode %04o): hands and seeds lie in it; chmod 600 mends that", path, mode
        )


async def _prepare(connection: aiosqlite.Connection, path: Path, steps: tuple[Migration, ...]) -> None:
    connection.row_factory = sqlite3.Row
    if was_emptied(path):
        raise DamagedDatabase(path)
    try:
        copied = await migrate(connection, path, steps)
        for pragma in PRAGMAS:
            await connection.execute(pragma)
    except sqlite3.OperationalError as error:
        raise StorageFailed(f"{path} cannot be prepared: {kind_of(error)}") from None
    except sqlite3.DatabaseError:
        raise (DamagedDatabase(path) if is_ours(path) else NotOurDatabase(path)) from None
    except OSError as error:
        raise StorageFailed(f"{path} cannot be prepared: {error.strerror}") from error
    if copied is not None:
        _log.info("a copy made before the migration is %s", copied)
    _log.info("database %s, SQLite %s", path, sqlite3.sqlite_version)


async def _let_go(connection: aiosqlite.Connection, lock: DatabaseLock) -> None:
    try:
        await connection.close()
    finally:
        lock.release()
