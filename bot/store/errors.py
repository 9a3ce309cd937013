"""What can go wrong with what is kept. None of these texts holds a payload, a snapshot or a seed."""

from __future__ import annotations

from pathlib import Path


class StoreError(Exception):
    """The root of everything the store raises on purpose."""


class StaleVersion(StoreError):
    """The table has moved on since the caller looked; nothing was written."""

    def __init__(self, *, table: int, expected: int, version: int) -> None:
        super().__init__(f"table {table} is at version {version}, not {expected}")
        self.table = table
        self.expected = expected
        self.version = version


class AlreadyServed(StoreError):
    """A request with this id has been written before, as that version of that table; nothing was written now."""

    def __init__(self, *, request: int, table: int, version: int) -> None:
        super().__init__(f"request {request} became version {version} of table {table}")
        self.request = request
        self.table = table
        self.version = version


class UnknownTable(StoreError):
    """There is no table of that number; nothing was written."""

    def __init__(self, table: int) -> None:
        super().__init__(f"there is no table {table}")
        self.table = table


class InvalidWrite(StoreError):
    """The database cannot take the values (a broken constraint, a number past 63 bits); nothing was written."""


class StorageFailed(StoreError):
    """The disk or the database failed, and the store has stopped: what was being written is unknown until a restart.

    Nothing is ever retried: after a failed synchronisation the next one may report success for lost data.
    """


class StoreClosed(StoreError):
    """The store is closing or closed and takes nothing more."""


class DatabaseInUse(StoreError):
    """Another process has the database open; two writers on one file could damage it."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is in use by another process. Stop that one first, or choose another file with CANASTA_DATABASE."
        )
        self.path = path


class NewerDatabase(StoreError):
    """The file was written by a later release, which this one cannot read."""

    def __init__(self, path: Path, *, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema version {found} and this release knows {known} at most. "
            "Install the later release, or restore the copy made before the upgrade."
        )
        self.path = path
        self.found = found
        self.known = known


class NotOurDatabase(StoreError):
    """The file is no database, or a database of something else; it is left as it was."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is not a database of this program. Choose another file with CANASTA_DATABASE.")
        self.path = path


class Undecodable(StoreError):
    """Stored data that this release cannot read: an unknown name, a missing field, a value of the wrong kind."""
