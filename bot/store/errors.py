"""Errors of the store. None of these texts holds a payload, a snapshot or a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_MEANINGS: Final = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_NOTADB": "the file is damaged",
    "SQLITE_IOERR": "the disk cannot be read or written",
    "SQLITE_READONLY": "the file may not be written",
    "SQLITE_CANTOPEN": "the file cannot be opened",
    "SQLITE_BUSY": "another program holds the file",
}
"""The meanings of SQLite's codes for an operator; an extended code begins with its plain one."""


def error_text(error: BaseException) -> str:
    """Return an error's class, and SQLite's code with its meaning, as a text for logs.

    The error's own text is left out, because it may quote stored data; `StorageFailed` never does.
    """
    if isinstance(error, StorageFailed):
        return str(error)
    code = getattr(error, "sqlite_errorname", None)
    if not isinstance(code, str):
        return type(error).__name__
    meaning = next((meaning for plain, meaning in _MEANINGS.items() if code.startswith(plain)), None)
    text = f"{type(error).__name__} {code}"
    return text if meaning is None else f"{meaning} ({text})"


class StoreError(Exception):
    """Base class of the errors that the store raises on purpose."""


class StaleVersion(StoreError):
    """The table has a newer version than the caller expected; nothing was written."""

    def __init__(self, *, table: int, expected: int, version: int) -> None:
        super().__init__(f"table {table} is at version {version}, not {expected}")
        self.table = table
        self.expected = expected
        self.version = version


class RequestAlreadyServed(StoreError):
    """A request with this id was written before, as `version` of `table`. Nothing was written now."""

    def __init__(self, *, request: int, table: int, version: int) -> None:
        super().__init__(f"request {request} became version {version} of table {table}")
        self.request = request
        self.table = table
        self.version = version


class UnknownTable(StoreError):
    """No table has that number; nothing was written."""

    def __init__(self, table: int) -> None:
        super().__init__(f"there is no table {table}")
        self.table = table


class InvalidWrite(StoreError):
    """The database refuses the values, or a row to change is missing; nothing was written.

    Values are refused for a broken constraint or a number past 63 bits.
    """


class StorageFailed(StoreError):
    """The disk or the database failed, and the store has stopped.

    The outcome of writes in progress is unknown until a restart. Writes are never retried: after a failed
    synchronisation the next one may report success for lost data.
    """


class ShardsLost(StorageFailed):
    """Another process may have taken the shards of this one, so this one must end."""


class DatabaseAway(StoreError):
    """The database's server cannot be reached right now; nothing was written unless `is_unknown`.

    `is_unknown` means that the connection broke while a commit was under way; `is_slow`, that the server can be reached
    but ended a statement that took too long.
    """

    def __init__(self, why: str, *, is_unknown: bool = False, is_slow: bool = False) -> None:
        super().__init__(f"the database cannot be reached ({why})")
        self.is_unknown = is_unknown
        self.is_logged_once = not is_slow
        """Whether the store itself logs it, so that nobody else need do."""


class TransactionCollided(StoreError):
    """The transaction was rolled back because of another one, and may be tried once more."""


class UnsuitableServer(StoreError):
    """The server cannot be used as it is set up, or other processes have other settings.

    An operator must correct this.
    """


class OtherFleet(StoreError):
    """Other running processes keep this one out.

    They have another schema, or a command uses the database alone.
    """


class StoreClosed(StoreError):
    """The store is closing or closed and accepts nothing more."""


class DatabaseInUse(StoreError):
    """Another process has the database open; two writers could damage the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is in use by another process. Stop that one first, or choose another file with CANASTA_DATABASE."
        )
        self.path = path


class EarlierDatabase(StoreError):
    """The file was written before version 1; it stays as it is."""

    def __init__(self, path: Path) -> None:
        super().__init__("This database was written before version 1 and cannot be read. Start with a new one.")
        self.path = path


class NewerDatabase(StoreError):
    """The file has a newer format, which this program cannot read."""

    def __init__(self, path: Path | str, *, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema version {found} and this release knows {known} at most. "
            "Install the later release, or restore the copy made before the upgrade."
        )
        self.path = path
        self.found = found
        self.known = known


class NotOurDatabase(StoreError):
    """The file is no database, or is one of another program; it stays as it is."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path} is not a database of this program. Choose another file with CANASTA_DATABASE.")
        self.path = path


class DamagedDatabase(StoreError):
    """The file is a database of this program but can no longer be read; it stays as it is."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is a database of this program, but damaged or cut short. Keep it and restore a copy; nothing was "
            "changed. To begin with an empty database, choose another file with CANASTA_DATABASE."
        )
        self.path = path


FATAL_ERRORS: Final = (StorageFailed, StoreClosed)
"""The only errors that may end a task that serves many; after any other error the task goes on with its next item."""


DAMAGED: Final = "\ufffd"
"""What a query returns in place of a stored text that is not UTF-8: no name, and no JSON."""


class UndecodableData(StoreError):
    """Stored data that cannot be read: an unknown name, a missing field, a value of the wrong kind."""
