"""The lock on a database: one process at a time.

The lock is on a file of its own beside the database. Locking the database itself would not do: SQLite holds locks
of another sort on it, and closing any second handle to it would drop those.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bot.store.errors import DatabaseInUse

if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class DatabaseLock:
    """Held from the moment it is made until `release`, or until the process ends in whatever way."""

    def __init__(self, database: Path) -> None:
        """Raises `DatabaseInUse`."""
        self._descriptor = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _try(self._descriptor)
        except OSError:
            os.close(self._descriptor)
            raise DatabaseInUse(database) from None

    def release(self) -> None:
        """Let another process in. The lock file stays: deleting it could free two processes at once."""
        os.close(self._descriptor)
