"""The writer: one task that writes everything, many writes to a transaction (group commit).

While one transaction is being made durable the next writes wait; all that have come by then share the next
transaction and its one synchronisation with the disk. No timer is involved: a lone write goes at once.

A write is all or nothing, and a bad one never harms its neighbours: a batch that cannot be written as a whole is
written again one by one, each under a savepoint. Where the disk or the database fails the writer stops for good.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from bot.store.connection import Connection
from bot.store.errors import StorageFailed, StoreClosed, kind_of

BATCH: Final = 256
QUEUED: Final = 2_000
"""Writes that may wait; more make their callers wait."""

Parameters: TypeAlias = Mapping[str, object]
Rows: TypeAlias = Iterable[sqlite3.Row]
Run: TypeAlias = Callable[[str, Parameters], Rows]

_log = logging.getLogger("canasta.store")


class Conflict(Exception):
    """A write that the data does not allow: a broken constraint, or a row that is not there. Nothing was written."""


# What the values of one write can cause, and the disk cannot.
_REFUSED: Final = (
    Conflict,
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
    sqlite3.DataError,
    OverflowError,
    UnicodeError,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a write; `rows` is how many rows it must change, None for any number."""

    sql: str
    parameters: Parameters = field(repr=False)
    rows: int | None = 1


@dataclass(frozen=True, slots=True)
class Write:
    """Statements that touch only what belongs to `key`, so that writes of different keys may be mixed."""

    key: Hashable
    statements: tuple[Statement, ...]


Work: TypeAlias = Callable[[Run], Any]
"""A write that needs an answer between its statements; done in the connection's thread."""


@dataclass(frozen=True, slots=True)
class _Item:
    task: Write | Work
    done: asyncio.Future[Any]


class Writer:
    """Owns every transaction on the connection, and tells readers when none is open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._room = asyncio.Semaphore(QUEUED)
        self._waiting: deque[_Item] = deque()
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._failed = asyncio.Event()
        self._failure = ""
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="store-writer")

    # --- for callers -------------------------------------------------------------------------------------------------

    async def write(self, task: Write | Work) -> Any:
        """Return when the write is durable, with what the work returned. Cancelling the caller does not cancel it.

        Raises `Conflict`, `StorageFailed`, `StoreClosed`.
        """
        await self._room.acquire()
        done = asyncio.get_running_loop().create_future()
        done.add_done_callback(lambda _: self._room.release())
        try:
            self.check()
        except BaseException:
            done.cancel()
            raise
        self._waiting.append(_Item(task, done))
        self._arrived.set()
        return await asyncio.shield(done)

    async def idle(self) -> None:
        """Return at a moment when no transaction is open.

        A statement asked for before the next `await` runs before any transaction that begins later, because the
        connection runs statements in the order they are asked for.
        """
        while not self._idle.is_set():
            await self._idle.wait()
        self.check()

    def check(self) -> None:
        """Raise what has ended the store, if anything has."""
        if self._failed.is_set():
            raise StorageFailed(self._failure)
        if self._closing:
            raise StoreClosed("the store is closed")

    def fail(self, error: BaseException) -> None:
        """Stop for good. What the error says is told nowhere: it may quote a row, and cards with it."""
        if not self._failed.is_set():
            self._failure = f"the database failed: {kind_of(error)}"
            self._failed.set()
            _log.critical("%s; nothing more is written", self._failure)

    async def broken(self) -> StorageFailed:
        """Return once the writer has stopped because of a failure."""
        await self._failed.wait()
        return StorageFailed(self._failure)

    async def close(self) -> None:
        """Write what has been accepted, then end."""
        self._closing = True
        self._arrived.set()
        await asyncio.wait([self._task])

    # --- the task ----------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        batch: list[_Item] = []
        try:
            while batch := await self._next_batch():
                await self._commit(batch)
        except Exception as error:  # noqa: BLE001 - whatever it is, it ends the store; callers are told
            self.fail(error)
        finally:
            self._closing = True
            self._idle.set()
            for item in (*batch, *self._waiting):
                _refuse(item, StorageFailed(self._failure) if self._failure else StoreClosed("the store is closed"))

    async def _next_batch(self) -> list[_Item]:
        """What waits, at most `BATCH`; empty when the writer is to end."""
        while not self._waiting and not self._closing and not self._failed.is_set():
            self._arrived.clear()
            await self._arrived.wait()
        if self._failed.is_set():
            return []
        return [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]

    async def _commit(self, batch: list[_Item]) -> None:
        self._idle.clear()
        try:
            outcomes = await self._connection.visit(partial(_written, [item.task for item in batch]))
        finally:
            self._idle.set()
        for item, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                _refuse(item, outcome)
            elif not item.done.done():
                item.done.set_result(outcome)
        await asyncio.sleep(0)  # readers that wait ask now, before the next transaction begins


def _refuse(item: _Item, error: BaseException) -> None:
    if not item.done.done():
        item.done.set_exception(error)


# --- the transaction, in the connection's thread ---------------------------------------------------------------------


def _written(tasks: Sequence[Write | Work], connection: sqlite3.Connection) -> list[object]:
    """What each task returned, or why it was refused, once all that was done is durable."""
    return _together(tasks, connection) or _one_by_one(tasks, connection)


def _together(tasks: Sequence[Write | Work], connection: sqlite3.Connection) -> list[object]:
    """All at once, statement by statement; nothing (and nothing done) where that cannot be."""
    writes = [task for task in tasks if isinstance(task, Write)]
    if len({write.key for write in writes}) < len(tasks):
        return []
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statements in _alike(writes):
            cursor = connection.executemany(statements[0].sql, [statement.parameters for statement in statements])
            _check_rows(cursor.rowcount, statements)
    except _REFUSED:
        connection.execute("ROLLBACK")
        return []
    connection.execute("COMMIT")
    return [None] * len(tasks)


def _one_by_one(tasks: Sequence[Write | Work], connection: sqlite3.Connection) -> list[object]:
    """Each under a savepoint: what it returned, or why it was refused."""
    outcomes: list[object] = []
    connection.execute("BEGIN IMMEDIATE")
    for task in tasks:
        connection.execute("SAVEPOINT one")
        try:
            outcomes.append(_carry_out(task, connection))
        except _REFUSED as error:
            connection.execute("ROLLBACK TO one")
            outcomes.append(error if isinstance(error, Conflict) else Conflict(kind_of(error)))
        connection.execute("RELEASE one")
    connection.execute("COMMIT")
    return outcomes


def _carry_out(task: Write | Work, connection: sqlite3.Connection) -> object:
    if not isinstance(task, Write):
        return task(lambda sql, parameters: connection.execute(sql, parameters).fetchall())
    for statement in task.statements:
        cursor = connection.execute(statement.sql, statement.parameters)
        _check_rows(cursor.rowcount, [statement])
    return None


def _alike(writes: list[Write]) -> Iterator[list[Statement]]:
    """The statements to run as one: the same text at the same place of different writes."""
    for place in zip_longest(*(write.statements for write in writes)):
        groups: dict[str, list[Statement]] = {}
        for statement in place:
            if statement is not None:
                groups.setdefault(statement.sql, []).append(statement)
        yield from groups.values()


def _check_rows(changed: int, statements: list[Statement]) -> None:
    expected = [statement.rows for statement in statements if statement.rows is not None]
    if expected and changed != sum(expected):
        raise Conflict(f"{changed} rows changed where {sum(expected)} should have")
