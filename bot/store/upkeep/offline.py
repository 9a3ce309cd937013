"""Access to a database file for commands: reading, or changing under its lock, in one thread without the writer."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar, cast
from urllib.parse import quote

from bot.store.connection import PRAGMAS, DatabaseLock, Parameters, Row, Session, read_text
from bot.store.database import Database
from bot.store.errors import (
    DamagedDatabase,
    EarlierDatabase,
    NewerDatabase,
    NotOurDatabase,
    StorageFailed,
    error_text,
)
from bot.store.migrations import APPLICATION_ID, EARLIER_ID, is_ours, migrations
from bot.store.tables import (
    ACTIONS,
    HOLDERS,
    TABLE,
    StoredAction,
    StoredHolder,
    StoredTable,
    packed_actions,
    stored_table,
)
from bot.store.upkeep.archives import ARCHIVE, ARCHIVE_PEOPLE
from bot.store.upkeep.set_aside import SetAside

Record = TypeVar("Record")

DATABASE_ERRORS: Final = (sqlite3.Error,)
"""What SQLite raises for a file that cannot be read."""


SQLITE_VERSION: Final = sqlite3.sqlite_version


class OfflineFile:
    """An open database file; raises `sqlite3.Error` for what cannot be read."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.session = Session(connection)

    def rows(self, sql: str, parameters: Parameters | None = None) -> Sequence[Row]:
        """Return the rows of a query."""
        return self.session.execute(sql, parameters).rows

    def number(self, sql: str, parameters: Parameters | None = None) -> int | None:
        """Return the number in the first column of the first row."""
        rows = self.rows(sql, parameters)
        return cast("int | None", rows[0][0]) if rows else None

    def all(self, record: type[Record], sql: str, parameters: Parameters | None = None) -> tuple[Record, ...]:
        """Return one record per row; its fields are named after the columns."""
        made: list[Any] = [record(**dict(row)) for row in self.rows(sql, parameters)]
        return tuple(made)

    # --- tables ------------------------------------------------------------------------------------------------------

    def table_numbers(self) -> tuple[int, ...]:
        """Return the numbers of all tables, open ones first, then the latest."""
        order = "ORDER BY status IN ('lobby', 'playing') DESC, id DESC"
        return tuple(row[0] for row in self.rows(f"SELECT id FROM tables {order}"))  # noqa: S608 - no value in it

    def open_tables(self) -> tuple[int, ...]:
        """Return the numbers of lobbies and running games."""
        return tuple(row[0] for row in self.rows("SELECT id FROM tables WHERE status IN ('lobby', 'playing')"))

    def table(self, number: int) -> StoredTable | None:
        """Return a table as it is stored. Raises `Undecodable`."""
        rows = self.rows(TABLE, {"table": number})
        return stored_table(rows[0]) if rows else None

    def actions(self, number: int) -> tuple[StoredAction, ...]:
        """Return the log of a table, packed or not. Raises `Undecodable`."""
        archives = self.rows(ARCHIVE, {"table": number})
        if archives:
            return packed_actions(number, archives[0], self.rows(ARCHIVE_PEOPLE, {"table": number}))
        return self.all(StoredAction, ACTIONS, {"table": number, "after": 0, "limit": 2**62})

    def holders(self, number: int) -> tuple[StoredHolder, ...]:
        """Return the people of a table by number."""
        return self.all(StoredHolder, HOLDERS, {"table": number})

    # --- the file ----------------------------------------------------------------------------------------------------

    def damage(self) -> tuple[str, ...]:
        """Return what SQLite finds wrong with the file; nothing for a sound one.

        `quick_check` would not do: SQLite 3.40 calls sound tables damaged with it.
        """
        found = [row[0] for row in self.rows("PRAGMA integrity_check")]
        broken = {f"a row of {row[0]} belongs to none of {row[2]}" for row in self.rows("PRAGMA foreign_key_check")}
        return (*(one for one in found if one != "ok"), *sorted(broken))

    def is_current(self) -> bool:
        """Return whether the file has this release's schema; rows of other schemas cannot be read."""
        return self.version() == known_version()

    def version(self) -> int:
        """Return the number of the last migration of the file."""
        return int(self.rows("PRAGMA user_version")[0][0])


@contextmanager
def read_file(path: Path) -> Iterator[OfflineFile]:
    """Open a file for reading, even while the bot runs. Raises as `change_file`, but not `DatabaseInUse`."""
    with closing(_connect(path, "ro")) as connection:
        yield _checked(path, connection)


@contextmanager
def change_file(path: Path) -> Iterator[OfflineFile]:
    """Open a file under its lock to change it; all of it is committed at the end, or nothing.

    Raises `DatabaseInUse`, `NewerDatabase`, `EarlierDatabase`, `NotOurDatabase`, `DamagedDatabase`, `StorageFailed`.
    """
    if not path.is_file():
        raise StorageFailed(f"{path} does not exist")
    lock = DatabaseLock(path.resolve())
    try:
        with closing(_connect(path, "rw")) as connection:
            file = _checked(path, connection)
            for pragma in PRAGMAS:
                connection.execute(pragma)
            connection.execute("BEGIN IMMEDIATE")
            yield file
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        lock.release()


def known_version() -> int:
    """Return the schema version of this release."""
    return migrations()[-1].version


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open the file in that SQLite mode, such as read-only."""
    try:
        address = f"file:{quote(str(path.resolve()))}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=20)
    except sqlite3.Error as error:
        raise StorageFailed(f"{path} cannot be opened: {error_text(error)}") from None
    connection.row_factory = sqlite3.Row
    connection.text_factory = read_text
    return connection


def _checked(path: Path, connection: sqlite3.Connection) -> OfflineFile:
    """Return the file if its schema is of this release or an earlier one, else raise."""
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        raise StorageFailed(f"{path} cannot be read: {error_text(error)}") from None
    except sqlite3.DatabaseError:
        raise (DamagedDatabase(path) if is_ours(path) else NotOurDatabase(path)) from None
    if application == EARLIER_ID:
        raise EarlierDatabase(path)
    if application != APPLICATION_ID:
        raise NotOurDatabase(path)
    if version > known_version():
        raise NewerDatabase(path, found=version, known=known_version())
    return OfflineFile(path, connection)


class OfflineReads(Database):
    """Adapter through which parts of the store, such as `RatingStore`, read an offline file; read-only."""

    def __init__(self, file: OfflineFile) -> None:
        self.path = file.path
        self.set_aside = SetAside()
        self._file = file

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows."""
        return self._file.rows(sql, parameters)
