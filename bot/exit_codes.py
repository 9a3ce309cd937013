"""The exit statuses of commands, for service managers and scripts (`docs/operating.md`)."""

from __future__ import annotations

from enum import IntEnum

from bot.store.errors import (
    DamagedDatabase,
    DatabaseInUse,
    EarlierDatabase,
    NewerDatabase,
    NotOurDatabase,
    OtherFleet,
    ShardsLost,
    StorageFailed,
    StoreError,
    UnsuitableServer,
)


class ExitCode(IntEnum):
    """The exit status of a command.

    After 2, 3 and 4 a person must act first, so a service manager must not restart it.
    """

    DONE = 0
    FAILED = 1
    SETTINGS = 2
    TOKEN = 3
    FILE = 4
    DISK = 5


_FILE = (DatabaseInUse, EarlierDatabase, NewerDatabase, NotOurDatabase, DamagedDatabase, OtherFleet)


def exit_code_of(error: StoreError) -> ExitCode:
    """Return the exit status for an error of the store.

    It is 2 for settings, 4 for an unusable file, 5 for a failure of the disk, otherwise 1.
    """
    if isinstance(error, UnsuitableServer):
        return ExitCode.SETTINGS
    if isinstance(error, ShardsLost):
        return ExitCode.FAILED
    if isinstance(error, _FILE):
        return ExitCode.FILE
    return ExitCode.DISK if isinstance(error, StorageFailed) else ExitCode.FAILED
