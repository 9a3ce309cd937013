"""Copy a database file while the bot runs, check the copy, and put it in the place of the file."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bot.store.errors import StorageFailed, error_text

NEEDED: Final = 1.2
"""Free space that a copy needs, as a multiple of the file's size."""


def require_disk_space(folder: Path, size: int) -> None:
    """Raise `StorageFailed` unless the folder has room for a copy of `size` bytes."""
    needed, free = round(NEEDED * size), shutil.disk_usage(folder).free
    if free < needed:
        raise StorageFailed(f"{folder}: {needed // 2**20 + 1} MB are needed, {free // 2**20} MB are free")


def size_with_log(database: Path) -> int:
    """Return the size of a database with its log, in bytes."""
    log = database.with_name(f"{database.name}-wal")
    return database.stat().st_size + (log.stat().st_size if log.exists() else 0)


def copy_database(database: Path, target: Path) -> None:
    """Copy the database's current content to a new file that only its owner can read; the bot may run.

    `VACUUM INTO` reads one state of the file. The backup interface of SQLite would start again with every commit.
    """
    target.unlink(missing_ok=True)
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    address = f"file:{quote(str(database.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, isolation_level=None, timeout=20)) as connection:
            connection.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.OperationalError as error:
        target.unlink(missing_ok=True)
        raise StorageFailed(f"{database} cannot be copied: {error_text(error)}") from None
    sync_file(target)


def vacuum_file(database: Path) -> None:
    """Rewrite a file without deleted data, and empty its log.

    No other process may have the file open.
    """
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    sync_file(database)


def replace_database(copy: Path, database: Path, *, old: Path) -> None:
    """Replace the database by a copy and keep it as `old`; a kill leaves either of the two in place.

    The caller must hold the lock of the database.
    """
    log, shared = (database.with_name(f"{database.name}{end}") for end in ("-wal", "-shm"))
    if database.exists():
        _empty_log(database)
        os.link(database, old)
    if log.exists():
        # An unreadable file may leave its log, which must not be applied to the new file.
        log.replace(old.with_name(f"{old.name}-wal"))
    shared.unlink(missing_ok=True)
    sync_file(copy)
    copy.replace(database)
    sync_folder(database.parent)


def _empty_log(database: Path) -> None:
    """Write the log into the file and empty it; the log of a damaged file is kept."""
    try:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError:
        return


def sync_file(path: Path) -> None:
    """Flush a file's content to the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk, so that renames survive a crash."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
