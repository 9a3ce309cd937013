"""Access to a database file for commands: reading, or changing under its lock, in one thread without the writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from bot.store.database import Database
from bot.store.engines.seam import Parameters, Row, Session, Shards
from bot.store.engines.sqlite_connection import DatabaseLock
from bot.store.engines.sqlite_offline import begin_changing, end_changing, open_checked
from bot.store.errors import StorageFailed
from bot.store.migrations import migrations
from bot.store.table_changes import StoredHolder
from bot.store.tables import ACTIONS, HOLDERS, TABLE, StoredAction, StoredTable, packed_actions, stored_table
from bot.store.upkeep.set_aside import SetAside
from bot.store.upkeep.table_archives import ARCHIVE, ARCHIVE_PEOPLE

Record = TypeVar("Record")


class OfflineFile:
    """An open database file; raises SQLite's own errors for what cannot be read."""

    def __init__(self, path: Path, session: Session) -> None:
        self.path = path
        self.session = session

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
    with closing(open_checked(path, "ro", known=known_version())) as opened:
        yield OfflineFile(path, opened.session)


@contextmanager
def change_file(path: Path) -> Iterator[OfflineFile]:
    """Open a file under its lock to change it; all of it is committed at the end, or nothing.

    Raises `DatabaseInUse`, `NewerDatabase`, `EarlierDatabase`, `NotOurDatabase`, `DamagedDatabase`, `StorageFailed`.
    """
    if not path.is_file():
        raise StorageFailed(f"{path} does not exist")
    lock = DatabaseLock(path.resolve())
    try:
        with closing(open_checked(path, "rw", known=known_version())) as opened:
            begin_changing(opened.session)
            yield OfflineFile(path, opened.session)
            end_changing(opened.session)
    finally:
        lock.release()


def known_version() -> int:
    """Return the schema version of this release."""
    return migrations()[-1].version


class OfflineReads(Database):
    """Adapter through which parts of the store, such as `RatingStore`, read an offline file; read-only."""

    def __init__(self, file: OfflineFile) -> None:
        self.path: Path | None = file.path
        self.set_aside = SetAside()
        self._file = file

    @property
    def shards(self) -> Shards:
        """All servers."""
        return Shards()

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows."""
        return self._file.rows(sql, parameters)
