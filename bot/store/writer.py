"""The writer: one task that writes everything, many writes per transaction (group commit).

While one transaction is being made durable the next writes wait; all that have come by then share the next transaction
and its single synchronisation with the disk. No timer is involved: a lone write starts at once. A write is all or
nothing, and a bad one never harms others: a batch that cannot be written as a whole is written again one by one, each
under a savepoint. If the disk or the database fails, the writer stops for good.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from math import inf
from time import monotonic, perf_counter
from typing import Any, Final, TypeAlias

from bot.metrics import METRICS
from bot.store.engines.interface import Connection, Parameters, Result, Session
from bot.store.errors import (
    DatabaseAway,
    InvalidWrite,
    ShardsLost,
    StorageFailed,
    StoreClosed,
    TransactionCollided,
    error_text,
)

MOST_PER_TRANSACTION: Final = 256
MOST_QUEUED: Final = 2_000
"""Maximum of queued writes; callers of further ones wait for a free place."""

_log = logging.getLogger("canasta.store")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a write; `rows` is how many rows it must change, None for any number."""

    sql: str
    parameters: Parameters = field(repr=False)
    rows: int | None = 1


@dataclass(frozen=True, slots=True)
class Write:
    """Statements that touch only rows that belong to `key`.

    So they can be written together with those of writes that have other keys.
    """

    key: Hashable
    statements: tuple[Statement, ...]
    notify: str = ""
    """The notification for other processes of the same database; empty for none."""


def boottime_seconds() -> float:
    """Return seconds of a clock that goes on while the machine sleeps, if the system has one."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else monotonic()


Work: TypeAlias = Callable[[Session], Any]
"""A write that uses results between its statements; it runs in the connection's thread."""


@dataclass(frozen=True, slots=True)
class _WaitingWrite:
    """A queued write with the future that its caller awaits."""

    task: Write | Work
    done: asyncio.Future[Any]


class Writer:
    """Runs every transaction on the connection. Readers can wait until no transaction is open."""

    def __init__(self, connection: Connection, *, come_back: Callable[[], Awaitable[None]]) -> None:
        """Begin to write. While the database's server cannot be reached, `come_back` is awaited.

        It raises `StorageFailed` to give up.
        """
        self._connection = connection
        self._come_back = come_back
        self._away_since: float | None = None
        self._confirmed = -inf
        self._room = asyncio.Semaphore(MOST_QUEUED)
        self._waiting: deque[_WaitingWrite] = deque()
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._failed = asyncio.Event()
        self._failure = ""
        self._failed_as: type[StorageFailed] = StorageFailed
        self._closing = False
        self.commits = 0
        self._task = asyncio.create_task(self._run(), name="store-writer")

    # --- for callers -------------------------------------------------------------------------------------------------

    async def write(self, task: Write | Work) -> Any:
        """Wait until the write is durable, and return the result of its work.

        Cancelling the caller does not cancel the write. Raises `InvalidWrite`, `StorageFailed`, `StoreClosed`, and what
        the work raises; nothing is written then.
        """
        await self._room.acquire()
        done = asyncio.get_running_loop().create_future()
        done.add_done_callback(lambda _: self._room.release())
        try:
            self.raise_if_failed()
        except BaseException:
            done.cancel()
            raise
        self._waiting.append(_WaitingWrite(task, done))
        self._arrived.set()
        return await asyncio.shield(done)

    async def wait_until_idle(self) -> None:
        """Wait until no transaction is open.

        A statement requested before the next `await` runs before any later transaction, because the connection runs
        statements in the order of requests.
        """
        while not self._idle.is_set():
            await self._idle.wait()
        self.raise_if_failed()

    def raise_if_failed(self) -> None:
        """Raise the error that has ended the store, if any."""
        if self._failed.is_set():
            raise StorageFailed(self._failure)
        if self._closing:
            raise StoreClosed("the store is closed")
        if self._away_since is not None:
            raise DatabaseAway("waiting for it")

    @property
    def seconds_since_commit(self) -> float:
        """Seconds since the last confirmed transaction began, including time in which the machine slept."""
        return boottime_seconds() - self._confirmed

    @property
    def seconds_away(self) -> float:
        """Seconds for which the database's server has not been reachable; 0 if it is."""
        return 0.0 if self._away_since is None else boottime_seconds() - self._away_since

    def fail(self, error: BaseException) -> None:
        """Stop the writer for good because of an error.

        The error's text is never logged, because it may quote a row with cards.
        """
        if not self._failed.is_set():
            self._failure = f"the database failed: {error_text(error)}"
            self._failed_as = ShardsLost if isinstance(error, ShardsLost) else StorageFailed
            self._failed.set()
            _log.critical("%s; nothing more is written", self._failure)

    async def wait_for_failure(self) -> StorageFailed:
        """Wait until the writer has stopped because of a failure, and return the error.

        It is `ShardsLost` if another process may have taken this one's shards.
        """
        await self._failed.wait()
        return self._failed_as(self._failure)

    async def close(self) -> None:
        """Write everything accepted, then end. While the server cannot be reached, waiting writes are refused."""
        self._closing = True
        self._arrived.set()
        if self._away_since is not None:
            self._task.cancel()
        await asyncio.wait([self._task])

    # --- the task ----------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Write batches until the writer is closed or fails."""
        batch: list[_WaitingWrite] = []
        try:
            while batch := await self._next_batch():
                try:
                    await self._commit(batch)
                except DatabaseAway as away:
                    await self._wait_for_return(batch, away)
        except Exception as error:  # noqa: BLE001 - any error ends the store; callers get it
            self.fail(error)
        finally:
            self._closing = True
            self._idle.set()
            for item in (*batch, *self._waiting):
                _refuse_write(
                    item, StorageFailed(self._failure) if self._failure else StoreClosed("the store is closed")
                )

    async def _next_batch(self) -> list[_WaitingWrite]:
        """Return the waiting writes, at most `MOST_PER_TRANSACTION`; none if the writer should end."""
        while not self._waiting and not self._closing and not self._failed.is_set():
            self._arrived.clear()
            await self._arrived.wait()
        if self._failed.is_set():
            return []
        return [self._waiting.popleft() for _ in range(min(MOST_PER_TRANSACTION, len(self._waiting)))]

    async def _wait_for_return(self, batch: list[_WaitingWrite], away: DatabaseAway) -> None:
        """Refuse all writes until the server can be reached again.

        A commit whose outcome is unknown is never repeated.
        """
        self._away_since = boottime_seconds()
        _log.error("%s; writes are refused until it is back", away)
        for item in batch:
            _refuse_write(item, away)
        while self._waiting:
            _refuse_write(self._waiting.popleft(), DatabaseAway("waiting for it"))
        await self._come_back()
        _log.info("the database is back after %.1f s", self.seconds_away)
        self._away_since = None
        self._confirmed = boottime_seconds()

    async def _commit(self, batch: list[_WaitingWrite]) -> None:
        """Write a batch in one transaction, and give each write's caller its result."""
        self._idle.clear()
        try:
            began, sent = perf_counter(), boottime_seconds()
            outcomes = await self._connection.run(partial(_write_batch, [item.task for item in batch]))
            METRICS.observe("commit_seconds", perf_counter() - began)
        finally:
            self._idle.set()
        self.commits += 1
        self._confirmed = sent
        for item, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                _refuse_write(item, outcome)
            elif not item.done.done():
                item.done.set_result(outcome)
        await asyncio.sleep(0)  # let waiting readers submit their queries before the next transaction begins


def _refuse_write(item: _WaitingWrite, error: BaseException) -> None:
    """Give the caller of a write an error."""
    if not item.done.done():
        item.done.set_exception(error)


# --- the transaction, in the connection's thread ---------------------------------------------------------------------


def _write_batch(tasks: Sequence[Write | Work], session: Session) -> list[object]:
    """Write all tasks durably, and return each one's result, or the error for which it was refused."""
    try:
        return _write_together(tasks, session) or _write_one_by_one(tasks, session)
    except TransactionCollided:
        session.execute("ROLLBACK")
    try:
        return _write_together(tasks, session) or _write_one_by_one(tasks, session)
    except TransactionCollided as collision:
        raise DatabaseAway(str(collision)) from None  # reconnecting ends the session, and with it its locks on the rows


def _write_together(tasks: Sequence[Write | Work], session: Session) -> list[object]:
    """Write all tasks, equal statements together; return their results, or an empty list if that fails."""
    # Sorted, because two processes that change the same rows in different orders would wait for each other.
    writes = [task for task in tasks if isinstance(task, Write)]
    if len(writes) > 1:
        writes.sort(key=_batch_sort_key)
    if len({write.key for write in writes}) < len(tasks):
        return []
    session.execute("BEGIN IMMEDIATE")
    try:
        for statements in _group_equal_statements(writes):
            changed = session.executemany(statements[0].sql, [statement.parameters for statement in statements])
            _check_row_counts(changed, statements)
        for text in dict.fromkeys([write.notify for write in writes if write.notify]):
            session.notify(text)
    except InvalidWrite:
        session.execute("ROLLBACK")
        return []
    session.execute("COMMIT")
    return [None] * len(tasks)


def _batch_sort_key(write: Write) -> str:
    """Return the sort key by which the writes of a batch are ordered."""
    return str(write.key)


class _WatchedSession:
    """A session that notes failures of the disk or the database; errors of the work itself do not count."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.has_failed = False

    def execute(self, sql: str, parameters: Parameters | None = None) -> Result:
        """Execute one statement."""
        with self._note_failures():
            return self._session.execute(sql, parameters)

    def executemany(self, sql: str, many: Sequence[Parameters]) -> int:
        """Execute one statement for each of the parameters."""
        with self._note_failures():
            return self._session.executemany(sql, many)

    def notify(self, text: str) -> None:
        """Notify the other processes of the fleet."""
        with self._note_failures():
            self._session.notify(text)

    @contextmanager
    def _note_failures(self) -> Iterator[None]:
        """Note an error that is raised in the block, unless it only refuses a value."""
        try:
            yield
        except InvalidWrite:
            raise
        except Exception:
            self.has_failed = True
            raise


def _write_one_by_one(tasks: Sequence[Write | Work], session: Session) -> list[object]:
    """Write each task under a savepoint, and return its result or the error that it raised."""
    outcomes: list[object] = []
    watched = _WatchedSession(session)
    session.execute("BEGIN IMMEDIATE")
    for task in tasks:
        session.execute("SAVEPOINT one")
        try:
            outcomes.append(_run_task(task, watched))
        except Exception as refusal:  # a step that fails must not end the store for all others
            if watched.has_failed:
                raise
            session.execute("ROLLBACK TO one")
            outcomes.append(refusal)
        session.execute("RELEASE one")
    session.execute("COMMIT")
    return outcomes


def _run_task(task: Write | Work, session: Session) -> object:
    """Run a write's statements or its work in the open transaction, and return its result."""
    if not isinstance(task, Write):
        return task(session)
    run_statements(session, task.statements)
    if task.notify:
        session.notify(task.notify)
    return None


def run_statements(session: Session, statements: Sequence[Statement]) -> None:
    """Run the statements in the open transaction. Raises `InvalidWrite`."""
    for statement in statements:
        _check_row_counts(session.execute(statement.sql, statement.parameters).changed, [statement])


def _group_equal_statements(writes: list[Write]) -> Iterator[list[Statement]]:
    """Yield statements that can be run as one: equal texts at the same position of different writes."""
    for place in zip_longest(*(write.statements for write in writes)):
        groups: dict[str, list[Statement]] = {}
        for statement in place:
            if statement is not None:
                groups.setdefault(statement.sql, []).append(statement)
        yield from groups.values()


def _check_row_counts(changed: int, statements: Sequence[Statement]) -> None:
    """Raise `InvalidWrite` if a statement has not changed as many rows as it must."""
    expected = [statement.rows for statement in statements if statement.rows is not None]
    if expected and changed != sum(expected):
        raise InvalidWrite(f"{changed} rows changed where {sum(expected)} should have")
