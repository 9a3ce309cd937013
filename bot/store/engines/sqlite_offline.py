"""Open files for commands in one thread: the checks before that, and the transaction of a change."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from bot.store.engines.sqlite_connection import PRAGMAS, VERSION, Session, read_text
from bot.store.engines.sqlite_migrations import APPLICATION_ID, EARLIER_ID, has_our_header
from bot.store.errors import (
    DamagedDatabase,
    EarlierDatabase,
    NewerDatabase,
    NotOurDatabase,
    StorageFailed,
    error_text,
)


@dataclass(frozen=True, slots=True)
class OfflineFile:
    """A file that a command has open."""

    session: Session
    connection: sqlite3.Connection

    @property
    def product_and_version(self) -> tuple[str, str]:
        """The name and version of the database program."""
        return "SQLite", VERSION

    def version(self) -> int:
        """Return the number of the last migration of the file."""
        return int(self.session.execute("PRAGMA user_version").rows[0][0])

    def find_damage(self) -> tuple[str, ...]:
        """Return the damage that SQLite finds in the file; nothing for a sound one.

        The quicker `quick_check` is not used, because in SQLite 3.40 it calls sound tables damaged.
        """
        found = [row[0] for row in self.session.execute("PRAGMA integrity_check").rows]
        missing = self.session.execute("PRAGMA foreign_key_check").rows
        broken = {f"a row of {row[0]} belongs to none of {row[2]}" for row in missing}
        return (*(one for one in found if one != "ok"), *sorted(broken))

    def columns(self) -> Mapping[str, Sequence[str]]:
        """Return the columns of every table."""
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        return {
            name: tuple(row["name"] for row in self.session.execute(f"PRAGMA table_info({name})").rows)
            for (name,) in self.session.execute(names).rows
        }

    def close(self) -> None:
        """Close the file; what was not committed is lost."""
        self.connection.close()


def open_checked_file(path: Path, mode: str, *, known: int) -> OfflineFile:
    """Open a file in a mode of SQLite, such as read-only.

    Raises if its schema version is newer than `known`, or if it is not a file of this program.
    """
    connection = _connect(path, mode)
    try:
        _check_schema(path, connection, known)
    except BaseException:
        connection.close()
        raise
    return OfflineFile(Session(connection), connection)


def begin_changing(session: Session) -> None:
    """Begin the transaction of a command's change."""
    for pragma in PRAGMAS:
        session.execute(pragma)
    session.execute("BEGIN IMMEDIATE")


def end_changing(session: Session) -> None:
    """Commit a command's change and empty the log."""
    session.execute("COMMIT")
    session.execute("PRAGMA wal_checkpoint(TRUNCATE)")


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


def _check_schema(path: Path, connection: sqlite3.Connection, known: int) -> None:
    """Raise unless the file's schema is of this release or an earlier one."""
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        raise StorageFailed(f"{path} cannot be read: {error_text(error)}") from None
    except sqlite3.DatabaseError:
        raise (DamagedDatabase(path) if has_our_header(path) else NotOurDatabase(path)) from None
    if application == EARLIER_ID:
        raise EarlierDatabase(path)
    if application != APPLICATION_ID:
        raise NotOurDatabase(path)
    if version > known:
        raise NewerDatabase(path, found=version, known=known)
