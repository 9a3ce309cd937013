"""The connection to SQLite: the lock on the file, and statements in the connection's thread.

aiosqlite changes threads for every statement, which costs more than most statements do. So statements that belong
together are sent to the connection's thread as one function.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import aiosqlite

from bot.store.engines.interface import Answer, Parameters, Result, Row, refuse_nul_characters
from bot.store.errors import DAMAGED, DatabaseInUse, InvalidWrite, StorageFailed, error_text

if sys.platform == "win32":
    import msvcrt

    def _lock_file(descriptor: int) -> None:
        """Lock the file exclusively, or raise at once if another process holds the lock."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock_file(descriptor: int) -> None:
        """Lock the file exclusively, or raise at once if another process holds the lock."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


FILE_ERRORS: Final = (sqlite3.Error,)
"""What SQLite raises for a file that cannot be read."""

VERSION: Final = sqlite3.sqlite_version

TOLD_EVERY: Final = 5.0
"""Seconds between two progress lines during a long migration."""

PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA secure_delete = ON",
)
"""Write-ahead log, synchronised at every commit: an acknowledged write survives a power cut.

What is deleted is overwritten with zeros; `bot.store.engines.sqlite_file.Erasure` does the rest.
"""

_VALUE_ERRORS: Final = (
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
    OverflowError,
    UnicodeError,
)
"""Errors caused by the values of a statement, never by the disk."""


class DatabaseLock:
    """Lock that keeps other processes out, held until `release` or the end of the process.

    It is on a file of its own. SQLite has other locks on the database itself, and closing any second handle to the
    database would drop those.
    """

    def __init__(self, database: Path) -> None:
        """Lock the database for this process. Raises `DatabaseInUse`."""
        self._descriptor = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock_file(self._descriptor)
        except OSError:
            os.close(self._descriptor)
            raise DatabaseInUse(database) from None

    def release(self) -> None:
        """Release the lock. The lock file stays, because deleting it could let in two processes at once."""
        os.close(self._descriptor)


class Session:
    """Runs statements in the connection's thread. Raises `InvalidWrite` for values that do not fit."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Parameters | None = None) -> Result:
        """Execute one statement with named parameters."""
        if parameters:
            refuse_nul_characters(parameters)
        try:
            cursor = self._connection.execute(sql, parameters or {})
            return Result(cursor.fetchall(), cursor.rowcount)
        except _VALUE_ERRORS as error:
            raise InvalidWrite(error_text(error)) from None

    def executemany(self, sql: str, many: Sequence[Parameters]) -> int:
        """Execute one statement for each of the parameters and return how many rows were changed."""
        for parameters in many:
            refuse_nul_characters(parameters)
        try:
            return self._connection.executemany(sql, many).rowcount
        except _VALUE_ERRORS as error:
            raise InvalidWrite(error_text(error)) from None

    def notify(self, text: str) -> None:
        """Do nothing: no other process has the file open."""

    @contextmanager
    def log_progress(self, log: logging.Logger, task: str) -> Iterator[None]:
        """Log every few seconds while the block runs that `task` is still in progress."""
        began = told = perf_counter()

        def log_progress_if_due() -> int:
            nonlocal told
            if perf_counter() - told >= TOLD_EVERY:
                told = perf_counter()
                log.info("%s: %d s", task, told - began)
            return 0

        self._connection.set_progress_handler(log_progress_if_due, 100_000)
        try:
            yield
        finally:
            self._connection.set_progress_handler(None, 0)


class FileConnection:
    """A connection to a file; its opener must close it, or the process never ends."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def run(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` in the connection's thread without a pause. Raises `StorageFailed` for SQLite's errors."""
        try:
            return await self.run_with_own_errors(work)
        except sqlite3.Error as error:
            raise StorageFailed(error_text(error)) from None

    async def run_with_own_errors(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` in the connection's thread without a pause. Raises SQLite's own errors."""
        one: Any = self._connection
        answer: Answer = await one._execute(lambda: work(Session(one._conn)))  # noqa: SLF001 - one change of threads for all of it
        return answer

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows of a query; none for a number beyond 63 bits, which is no id.

        A text that is not UTF-8 is returned as `DAMAGED`. Raises `StorageFailed` for a damaged file.
        """
        try:
            return list(await self._connection.execute_fetchall(sql, parameters))
        except OverflowError:
            return []
        except sqlite3.Error as error:
            raise StorageFailed(error_text(error)) from None

    def on_notification(self, callback: Callable[[str], None]) -> None:
        """Do nothing: no other process has the file open."""

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()


def read_text(stored: bytes) -> str:
    """Decode a stored text; return `DAMAGED` if it is not UTF-8, so that the whole query does not fail."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return DAMAGED


async def connect(path: Path) -> FileConnection:
    """Open that file; the caller begins and ends transactions. Raises `sqlite3.Error`."""
    connection = aiosqlite.Connection(partial(sqlite3.connect, path, isolation_level=None), iter_chunk_size=64)
    await connection
    connection.row_factory = sqlite3.Row
    connection.text_factory = read_text
    return FileConnection(connection)


def plain_sqlite3_rate(path: Path, tables: int, rounds: int, *, snapshot: str, payload: str) -> float:
    """Return the durable actions per second that plain `sqlite3` writes to a new file.

    Each round is one batch and one commit with a row for every table. `canasta-bot bench store` compares with it.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE tables (id INTEGER PRIMARY KEY, version INTEGER, snapshot TEXT)")
    connection.execute("CREATE TABLE actions (id INTEGER, version INTEGER, payload TEXT, PRIMARY KEY (id, version))")
    connection.executemany("INSERT INTO tables VALUES (?, 1, ?)", [(number, snapshot) for number in range(tables)])
    began = perf_counter()
    for version in range(1, rounds + 1):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(
            "INSERT INTO actions VALUES (?, ?, ?)", [(number, version, payload) for number in range(tables)]
        )
        connection.executemany(
            "UPDATE tables SET version = ?, snapshot = ? WHERE id = ?",
            [(version, snapshot, number) for number in range(tables)],
        )
        connection.execute("COMMIT")
    seconds = perf_counter() - began
    connection.close()
    return tables * rounds / seconds
