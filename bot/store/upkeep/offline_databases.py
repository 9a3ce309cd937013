"""Open a database for commands, in one thread without the writer: to read it, or to change it alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from bot.store.database import Database
from bot.store.engines.interface import OfflineBackend, Parameters, Row, Session, ShardPlan, Shards
from bot.store.engines.sqlite_connection import DatabaseLock
from bot.store.engines.sqlite_offline import begin_changing, end_changing, open_checked_file
from bot.store.errors import OtherFleet, StorageFailed
from bot.store.migrations import read_migrations
from bot.store.store import Store, open_store
from bot.store.table_changes import StoredHolder
from bot.store.tables import ACTIONS, HOLDERS, TABLE, StoredAction, StoredTable, actions_in_archive, stored_table
from bot.store.upkeep.deletions import Deletion, deletion_list_path, read_deletions, stored_deletions
from bot.store.upkeep.table_archives import ARCHIVE, ARCHIVE_PEOPLE
from bot.store.upkeep.unreadable_rows import UnreadableRows

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class DatabasePlace:
    """Where a database is: a file, or the `url` of a server and a path beside which commands keep files."""

    path: Path
    url: str = ""


class OfflineDatabase:
    """An open database for a command. Unreadable data raises the database program's own errors."""

    def __init__(self, place: DatabasePlace, opened: OfflineBackend) -> None:
        self.place = place
        self.session: Session = opened.session
        self._opened = opened

    @property
    def path(self) -> Path:
        """The file of the database; for a server, the path beside which commands keep files."""
        return self.place.path

    def fetch(self, sql: str, parameters: Parameters | None = None) -> Sequence[Row]:
        """Return the rows of a query."""
        return self.session.execute(sql, parameters).rows

    def fetch_number(self, sql: str, parameters: Parameters | None = None) -> int | None:
        """Return the number in the first column of the first row; None without a row."""
        rows = self.fetch(sql, parameters)
        return cast("int | None", rows[0][0]) if rows else None

    def fetch_all(self, record: type[Record], sql: str, parameters: Parameters | None = None) -> tuple[Record, ...]:
        """Return one `record` per row; its fields are named after the columns."""
        made: list[Any] = [record(**dict(row)) for row in self.fetch(sql, parameters)]
        return tuple(made)

    # --- tables ------------------------------------------------------------------------------------------------------

    def table_numbers(self) -> tuple[int, ...]:
        """Return the numbers of all tables, open ones first, then the latest."""
        order = "ORDER BY status IN ('lobby', 'playing') DESC, id DESC"
        return tuple(row[0] for row in self.fetch(f"SELECT id FROM tables {order}"))  # noqa: S608 - no value in it

    def open_tables(self) -> tuple[int, ...]:
        """Return the numbers of lobbies and running games."""
        return tuple(row[0] for row in self.fetch("SELECT id FROM tables WHERE status IN ('lobby', 'playing')"))

    def table(self, number: int) -> StoredTable | None:
        """Return a table as it is stored. Raises `UndecodableData`."""
        rows = self.fetch(TABLE, {"table": number})
        return stored_table(rows[0]) if rows else None

    def actions(self, number: int) -> tuple[StoredAction, ...]:
        """Return the log of a table, archived or not. Raises `UndecodableData`."""
        archives = self.fetch(ARCHIVE, {"table": number})
        if archives:
            return actions_in_archive(number, archives[0], self.fetch(ARCHIVE_PEOPLE, {"table": number}))
        return self.fetch_all(StoredAction, ACTIONS, {"table": number, "after": 0, "limit": 2**62})

    def holders(self, number: int) -> tuple[StoredHolder, ...]:
        """Return the people of a table, by their numbers."""
        return self.fetch_all(StoredHolder, HOLDERS, {"table": number})

    # --- the whole ---------------------------------------------------------------------------------------------------

    @property
    def product_and_version(self) -> tuple[str, str]:
        """The name and version of the database program."""
        return self._opened.product_and_version

    def find_damage(self) -> tuple[str, ...]:
        """Return what the database program finds wrong; nothing for a sound database."""
        return self._opened.find_damage()

    def columns(self) -> Mapping[str, Sequence[str]]:
        """Return the columns of every table."""
        return self._opened.columns()

    def is_current(self) -> bool:
        """Return whether the database has this release's schema; only then can its rows be read."""
        return self.version() == newest_schema_version()

    def version(self) -> int:
        """Return the number of the last migration."""
        return self._opened.version()

    def deletions(self) -> tuple[Deletion, ...]:
        """Return the list of deletions: that in the file beside the database, or a server's rows."""
        return stored_deletions(self.session) if self.place.url else read_deletions(deletion_list_path(self.path))


@contextmanager
def open_database_for_reading(place: DatabasePlace) -> Iterator[OfflineDatabase]:
    """Open a database to read it as it is at one moment, even while the bot runs.

    Raises the errors of `open_file_for_reading`, and `DatabaseAway`.
    """
    if not place.url:
        with open_file_for_reading(place.path) as file:
            yield file
        return
    from bot.store.engines.postgres_upkeep import open_for_reading  # noqa: PLC0415 - psycopg is optional

    with closing(open_for_reading(place.url, known=newest_schema_version())) as opened:
        yield OfflineDatabase(place, opened)


@contextmanager
def open_database_for_changes(place: DatabasePlace) -> Iterator[OfflineDatabase]:
    """Open a database to change it while no bot runs; at the end everything is committed, or nothing.

    Raises the errors of `open_file_for_changes`; for a server `DatabaseAway`, and `OtherFleet` while it is in use.
    """
    if not place.url:
        with open_file_for_changes(place.path) as file:
            yield file
        return
    from bot.store.engines.postgres_upkeep import open_for_changing  # noqa: PLC0415 - psycopg is optional

    with closing(open_for_changing(place.url, known=newest_schema_version())) as opened:
        yield OfflineDatabase(place, opened)
        opened.session.execute("COMMIT")


@asynccontextmanager
async def open_store_alone(place: DatabasePlace) -> AsyncIterator[Store]:
    """Open the store for a command while no bot runs. Raises `DatabaseInUse`, `OtherFleet`."""
    if not place.url:
        async with open_store(place.path) as store:
            yield store
        return
    from bot.store.engines.postgres_upkeep import count_shards_of_fleet  # noqa: PLC0415 - psycopg is optional

    count = count_shards_of_fleet(place.url)

    def raise_process_is_running() -> None:
        raise OtherFleet("a process runs on this database; stop all first")

    async with open_store(
        place.url, plan=ShardPlan(count, count, "command"), waiting=raise_process_is_running
    ) as store:
        yield store


@contextmanager
def open_file_for_reading(path: Path) -> Iterator[OfflineDatabase]:
    """Open a file to read it, even while the bot runs.

    Raises the errors of `open_file_for_changes` except `DatabaseInUse`.
    """
    _require_file(path)
    with closing(open_checked_file(path, "ro", known=newest_schema_version())) as opened:
        yield OfflineDatabase(DatabasePlace(path), opened)


@contextmanager
def open_file_for_changes(path: Path) -> Iterator[OfflineDatabase]:
    """Open a file under its lock to change it; at the end everything is committed, or nothing.

    Raises `DatabaseInUse`, `NewerDatabase`, `EarlierDatabase`, `NotOurDatabase`, `DamagedDatabase`, `StorageFailed`.
    """
    _require_file(path)
    lock = DatabaseLock(path.resolve())
    try:
        with closing(open_checked_file(path, "rw", known=newest_schema_version())) as opened:
            begin_changing(opened.session)
            yield OfflineDatabase(DatabasePlace(path), opened)
            end_changing(opened.session)
    finally:
        lock.release()


def _require_file(path: Path) -> None:
    """Raise `StorageFailed` if there is no such file."""
    if not path.is_file():
        raise StorageFailed(f"{path} does not exist; the first start of the bot makes it")


def newest_schema_version() -> int:
    """Return the schema version of this release."""
    return read_migrations()[-1].version


class OfflineReads(Database):
    """Lets parts of the store, such as `RatingStore`, read a database that a command has open."""

    def __init__(self, file: OfflineDatabase) -> None:
        self.path: Path | None = file.path
        self.set_aside = UnreadableRows()
        self._file = file

    @property
    def shards(self) -> Shards:
        """All shards, so that rows of all servers are read."""
        return Shards()

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows of a query."""
        return self._file.fetch(sql, parameters)
