"""The connection: SQLite in a thread of its own, which does all that belongs together in one visit.

aiosqlite goes to its thread and back for every statement, which costs more than most statements do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiosqlite

Answer = TypeVar("Answer")


class Connection(aiosqlite.Connection):
    """A connection that also does several statements at once."""

    async def visit(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """What `work` answers, done in the connection's thread without a pause. Raises what it raises."""
        answer: Answer = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return answer


async def connect(path: Path) -> Connection:
    """Open that file. Transactions are begun and ended by whoever wants one. Raises `sqlite3.Error`."""
    connection = Connection(partial(sqlite3.connect, path, isolation_level=None), iter_chunk_size=64)
    await connection
    return connection
