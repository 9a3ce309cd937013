"""The open database: one file, one connection, one writer; and the erasure of what was deleted from its files.

There is only one connection, because two that write to one file can damage it in SQLite before 3.51.3, and because a
pool of them starves writers.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import stat
from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from bot.store.connection import PRAGMAS, Answer, Connection, DatabaseLock, Parameters, Row, Session, connect
from bot.store.errors import DamagedDatabase, NotOurDatabase, StorageFailed, error_text
from bot.store.migrations import SCRIPTS, is_ours, migrate, migrations, was_emptied
from bot.store.upkeep.set_aside import SetAside
from bot.store.writer import Statement, Write, Writer

Record = TypeVar("Record")

EVERY_ROW: Final = 2**62
"""The limit for queries that return all rows."""

CHECKPOINT_RETRY: Final = 15.0
"""Seconds until a checkpoint is tried again because something else reads the file, such as a backup."""

MOST_REWRITTEN: Final = 8 * 2**20
"""The largest file, in bytes, that is vacuumed while the bot is serving, because all requests wait meanwhile."""

_log = logging.getLogger("canasta.store")


class Database:
    """An open database, made by `open_database`; its opener must close it, or the process never ends."""

    def __init__(self, connection: Connection, lock: DatabaseLock, path: Path) -> None:
        self._connection = connection
        self._lock = lock
        self._writer = Writer(connection)
        self._erasure = Erasure(connection, path, self._writer.fail)
        self._open = True
        self.path = path
        self.set_aside = SetAside()

    # --- reading -----------------------------------------------------------------------------------------------------

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows, as last committed; a text that is not UTF-8 is `DAMAGED`. Raises `StorageFailed`."""
        await self._writer.idle()
        try:
            return await self._connection.fetch(sql, parameters)
        except sqlite3.Error as error:
            self._writer.fail(error)
            raise StorageFailed(f"a read failed: {error_text(error)}") from None

    async def all(self, record: type[Record], sql: str, parameters: Parameters) -> tuple[Record, ...]:
        """Return one record per row; its fields are named after the columns."""
        rows = await self.fetch(sql, parameters)
        made: list[Any] = [record(**dict(row)) for row in rows]
        return tuple(made)

    async def one(self, record: type[Record], sql: str, parameters: Parameters) -> Record | None:
        """Return the first row as a record."""
        found = await self.all(record, sql, parameters)
        return found[0] if found else None

    async def values(self, sql: str, parameters: Parameters) -> tuple[int, ...]:
        """Return the numbers in the first column."""
        return tuple(row[0] for row in await self.fetch(sql, parameters))

    async def value(self, sql: str, parameters: Parameters) -> int | None:
        """Return the number in the first column of the first row."""
        rows = await self.fetch(sql, parameters)
        return cast("int | None", rows[0][0]) if rows else None

    async def text(self, sql: str, parameters: Parameters) -> str | None:
        """Return the text in the first column of the first row."""
        rows = await self.fetch(sql, parameters)
        return cast("str | None", rows[0][0]) if rows else None

    # --- writing -----------------------------------------------------------------------------------------------------

    async def write(self, key: Hashable, *statements: Statement) -> None:
        """Write all the statements durably, or none.

        They touch only what belongs to `key`. Raises `InvalidWrite`.
        """
        await self._writer.write(Write(key, statements))

    async def run(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` and return its result once everything it wrote is durable. Raises `InvalidWrite`."""
        return cast(Answer, await self._writer.write(work))

    async def begin(self) -> None:
        """Erase what an earlier process left of deleted rows. Raises `StorageFailed`."""
        await self._erasure.begin()

    async def run_and_erase(self, work: Callable[[Session], None]) -> None:
        """Return once the files hold nothing of what `work` deleted. Raises `InvalidWrite`, `StorageFailed`."""
        self._erasure.mark()
        await self.run(work)
        await self._erasure.erase()

    @property
    def commits(self) -> int:
        """How many transactions this process has committed."""
        return self._writer.commits

    # --- the end -----------------------------------------------------------------------------------------------------

    async def broken(self) -> StorageFailed:
        """Return once the database has failed and stopped."""
        return await self._writer.broken()

    async def close(self) -> None:
        """Write everything accepted, then close the file. Closing twice does nothing."""
        if not self._open:
            return
        self._open = False
        try:
            await self._erasure.close()
            await self._writer.close()
        finally:
            await _close_and_unlock(self._connection, self._lock)


def pad_alternatives(name: str, values: Collection[str], number: int) -> dict[str, str]:
    """Return `name_1` to `name_<number>` as parameters for a list of alternatives in a statement.

    Unused ones are empty texts.
    """
    return {f"{name}_{place}": value for place, value in enumerate([*values, *[""] * number][:number], 1)}


async def open_database(path: Path, scripts: Path = SCRIPTS) -> Database:
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
    database = Database(connection, lock, path)
    try:
        await database.begin()
    except BaseException:
        await database.close()
        raise
    return database


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
    """Warn of a file that others may read; only its owner can decide what to do about it."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        _log.warning(
            "%s can be read by others (mode %04o): hands and seeds lie in it; chmod 600 mends that", path, mode
        )


async def _bring_up_to_date(connection: Connection, path: Path, scripts: Path) -> None:
    """Check the file and carry out the migrations that it lacks."""
    if was_emptied(path):
        raise DamagedDatabase(path)
    try:
        copied = await connection.visit(partial(migrate, path=path, steps=migrations(scripts)))
        for pragma in PRAGMAS:
            await connection.fetch(pragma, {})
    except sqlite3.OperationalError as error:
        raise StorageFailed(f"{path} cannot be prepared: {error_text(error)}") from None
    except sqlite3.DatabaseError:
        raise (DamagedDatabase(path) if is_ours(path) else NotOurDatabase(path)) from None
    except OSError as error:
        raise StorageFailed(f"{path} cannot be prepared: {error.strerror}") from error
    if copied is not None:
        _log.info("a copy made before the migration is %s", copied)
    _log.info("database %s, SQLite %s", path, sqlite3.sqlite_version)


async def _close_and_unlock(connection: Connection, lock: DatabaseLock) -> None:
    """Close the connection and release the lock after a failed start."""
    try:
        await connection.close()
    finally:
        lock.release()


# --- erasure ----------------------------------------------------------------------------------------------------------


class Erasure:
    """Erases copies of deleted rows from the files of one database; `fail` stops a store that cannot be read.

    SQLite overwrites what is deleted (`secure_delete`), but two copies can outlive it: one in the write-ahead log,
    until a checkpoint empties it; and one in the unused bytes of a page whose rows had moved to another page, until
    `VACUUM` writes the file anew. A mark beside the file tells that this is still to be done: a large file waits for
    the next start.
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

    def mark(self) -> None:
        """Mark that an erasure is pending, so that the next start completes it if this process is killed."""
        self._mark.touch(0o600)

    async def erase(self) -> None:
        """Erase what the last writes deleted; in a large file only from the log. Raises `StorageFailed`."""
        if self._path.stat().st_size <= MOST_REWRITTEN:
            await self._write_anew()
        else:
            _log.info("the database is large: it is written anew at the next start")
        await self._empty_log()

    async def close(self) -> None:
        """Stop retrying; closing the file empties the log as well."""
        if self._retrying is not None:
            self._retrying.cancel()
            await asyncio.wait([self._retrying])

    async def _write_anew(self) -> None:
        """Write the whole file anew; if there is no room for that, the next start tries again."""
        try:
            await self._connection.visit(_vacuum)
        except sqlite3.Error as error:
            _log.warning("the database cannot be written anew: %s", error_text(error))
        else:
            self._mark.unlink(missing_ok=True)

    async def _empty_log(self) -> None:
        """Write the log into the file and empty it; while something else reads the file, try again later."""
        if not await self._checkpoint() and (self._retrying is None or self._retrying.done()):
            _log.info("the log of the database is being read; it is emptied later")
            self._retrying = asyncio.create_task(self._retry(), name="store-checkpoint")

    async def _retry(self) -> None:
        """Try again to empty the log after a pause."""
        with suppress(StorageFailed):  # `fail` has logged the error
            while True:
                await asyncio.sleep(CHECKPOINT_RETRY)
                if await self._checkpoint():
                    return

    async def _checkpoint(self) -> bool:
        """Return whether the log is empty now."""
        try:
            return await self._connection.visit(_truncate)
        except sqlite3.Error as error:
            self._fail(error)
            raise StorageFailed(f"a checkpoint failed: {error_text(error)}") from None


def _vacuum(session: Session) -> None:
    """Write the whole file anew, without unused pages."""
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
