"""The statuses with which commands end, for service managers and scripts (`docs/operating.md`)."""

from __future__ import annotations

from enum import IntEnum

from bot.store.errors import (
    DamagedDatabase,
    DatabaseInUse,
    EarlierDatabase,
    NewerDatabase,
    NotOurDatabase,
    StorageFailed,
    StoreError,
)


class ExitCode(IntEnum):
    """Why a command ended. With 2, 3 and 4 a person has to act first, so a service manager must not start it again."""

    DONE = 0
    FAILED = 1
    SETTINGS = 2
    TOKEN = 3
    FILE = 4
    DISK = 5


_FILE = (DatabaseInUse, EarlierDatabase, NewerDatabase, NotOurDatabase, DamagedDatabase)


def code_of(error: StoreError) -> ExitCode:
    """Return the status for an error of the store: 4 for the file, 5 for the disk."""
    if isinstance(error, _FILE):
        return ExitCode.FILE
    return ExitCode.DISK if isinstance(error, StorageFailed) else ExitCode.FAILED
