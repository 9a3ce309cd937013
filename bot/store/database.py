"""The open database: one engine, one writer, and reads of what was committed last."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Hashable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from bot.store.engines.interface import Answer, Budgets, Engine, Parameters, Row, Session, ShardPlan, Shards
from bot.store.engines.sqlite_file import open_file
from bot.store.errors import DatabaseAway, StorageFailed, StoreClosed, error_text
from bot.store.migrations import SCRIPTS
from bot.store.upkeep.unreadable_rows import UnreadableRows
from bot.store.writer import Statement, Write, Writer

Record = TypeVar("Record")

BEAT_EVERY: Final = 5.0
"""Seconds between two confirmations that a process still owns its shards, if it writes nothing else."""

LONGEST_SILENCE: Final = 10.0
"""Seconds after a confirmation in which a process may act by itself; the server ends a silent session after 15."""

EVERY_ROW: Final = 2**62
"""The limit for queries that return all rows."""

_log = logging.getLogger("canasta.store")


class Database:
    """An open database, made by `open_database`; its opener must close it, or the process never ends."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writer = Writer(engine.connection, come_back=self._reconnect)
        self._on_return: list[Callable[[], None]] = []
        self._beating = (
            None if engine.must_read_between_writes else asyncio.create_task(self._send_heartbeats(), name="store-beat")
        )
        self._asking: asyncio.Task[None] | None = None
        self._open = True
        self.set_aside = UnreadableRows()

    @property
    def file(self) -> Path | None:
        """The database's file; None on a server."""
        return self._engine.path

    # --- reading -----------------------------------------------------------------------------------------------------

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows of a query, as committed last. Raises `StorageFailed`, `DatabaseAway`.

        A text that is not UTF-8 is returned as `DAMAGED`.
        """
        if self._engine.must_read_between_writes:
            await self._writer.wait_until_idle()
        self._writer.raise_if_failed()
        try:
            return await self._engine.connection.fetch(sql, parameters)
        except StorageFailed as error:
            self._writer.fail(error)
            raise StorageFailed(f"a read failed: {error_text(error)}") from None
        except DatabaseAway as away:
            if self._asking is None and away.is_logged_once:
                self._asking = asyncio.create_task(self._check_server_reachable(away), name="store-asking")
            raise

    async def _check_server_reachable(self, refused: DatabaseAway) -> None:
        """Check with an empty write whether the server can be reached; if so, log that it refuses reads.

        If it cannot be reached, the writer logs that.
        """
        try:
            with suppress(DatabaseAway, StorageFailed, StoreClosed):
                await self.run(lambda _: None)
                _log.error("writes are done, but reads are refused: %s", refused)
        finally:
            self._asking = None

    async def fetch_all(self, record: type[Record], sql: str, parameters: Parameters) -> tuple[Record, ...]:
        """Return one `record` per row; its fields are named after the columns."""
        rows = await self.fetch(sql, parameters)
        made: list[Any] = [record(**dict(row)) for row in rows]
        return tuple(made)

    async def fetch_one(self, record: type[Record], sql: str, parameters: Parameters) -> Record | None:
        """Return the first row as a `record`; None without a row."""
        found = await self.fetch_all(record, sql, parameters)
        return found[0] if found else None

    async def fetch_numbers(self, sql: str, parameters: Parameters) -> tuple[int, ...]:
        """Return the numbers in the first column."""
        return tuple(row[0] for row in await self.fetch(sql, parameters))

    async def fetch_number(self, sql: str, parameters: Parameters) -> int | None:
        """Return the number in the first column of the first row; None without a row."""
        rows = await self.fetch(sql, parameters)
        return cast("int | None", rows[0][0]) if rows else None

    async def fetch_text(self, sql: str, parameters: Parameters) -> str | None:
        """Return the text in the first column of the first row; None without a row."""
        rows = await self.fetch(sql, parameters)
        return cast("str | None", rows[0][0]) if rows else None

    # --- writing -----------------------------------------------------------------------------------------------------

    async def write(self, key: Hashable, *statements: Statement, notify: str = "") -> None:
        """Write all the statements durably, or none; with them, send `notify` to other processes.

        The statements may touch only rows that belong to `key`. Raises `InvalidWrite`.
        """
        await self._writer.write(Write(key, statements, notify))

    async def run(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` and return its result once everything it wrote is durable. Raises `InvalidWrite`."""
        return cast(Answer, await self._writer.write(work))

    async def run_and_erase(self, work: Callable[[Session], None]) -> None:
        """Run `work`, and return once no file holds a copy of what it deleted.

        Raises `InvalidWrite`, `StorageFailed`.
        """
        self._engine.mark_erasure_pending()
        await self.run(work)
        try:
            await self._engine.erase_deleted_copies()
        except StorageFailed as error:
            self._writer.fail(error)
            raise

    @property
    def commit_count(self) -> int:
        """The number of transactions that this process has committed."""
        return self._writer.commits

    # --- a server ----------------------------------------------------------------------------------------------------

    @property
    def shards(self) -> Shards:
        """The range of shards that this process owns."""
        return self._engine.shards

    @property
    def budgets(self) -> Budgets | None:
        """Budgets that all processes share; None on a file."""
        return self._engine.budgets

    async def publish_state(self, state: str) -> None:
        """Publish a description of this process for `canasta-bot fleet`. Raises `DatabaseAway`."""
        await self._engine.publish_state(state)

    async def server_now(self) -> int | None:
        """Return the server's time (UTC milliseconds); None for a file. Raises `DatabaseAway`."""
        return await self._engine.server_now()

    @property
    def shard_parameters(self) -> Parameters:
        """The parameters of the condition `OWNED` for this process's shards."""
        return self.shards.parameters

    @property
    def may_act(self) -> bool:
        """Whether this process certainly still owns its shards, so that it may act on its own initiative."""
        if self._engine.must_read_between_writes:
            return True
        return not self._writer.seconds_away and self._writer.seconds_since_commit < LONGEST_SILENCE

    @property
    def seconds_since_commit(self) -> float:
        """Seconds since the database last confirmed a transaction; always 0 with SQLite."""
        return 0.0 if self._engine.must_read_between_writes else self._writer.seconds_since_commit

    @property
    def seconds_away(self) -> float:
        """Seconds for which the database's server has not been reachable; 0 if it is."""
        return self._writer.seconds_away

    def on_reconnect(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the server is reachable again.

        Other processes may have written in the meantime, so the listener must drop its caches.
        """
        self._on_return.append(listener)

    def on_notification(self, callback: Callable[[str], None]) -> None:
        """Call `callback` with the text of each notification from another process.

        After a gap, in which notifications may have been lost, the text is empty.
        """
        self._engine.connection.on_notification(callback)

    async def _reconnect(self) -> None:
        """Reconnect, and call the listeners, which drop all caches, before anything is written."""
        await self._engine.reconnect()
        for listener in self._on_return:
            listener()

    async def _send_heartbeats(self) -> None:
        """Have the server confirm every few seconds that this process still owns its shards."""
        while True:
            with suppress(DatabaseAway, StorageFailed):
                await self.run(lambda _: None)
            await asyncio.sleep(BEAT_EVERY)

    # --- the end -----------------------------------------------------------------------------------------------------

    async def wait_for_failure(self) -> StorageFailed:
        """Return once the database has failed and stopped."""
        return await self._writer.wait_for_failure()

    async def close(self) -> None:
        """Write everything accepted, then close the file. Closing twice does nothing."""
        if not self._open:
            return
        self._open = False
        try:
            for task in (self._beating, self._asking):
                if task is not None:
                    task.cancel()
            await self._engine.stop_erasing_deleted_data()
            await self._writer.close()
        finally:
            await self._engine.close()


def padded_list_parameters(name: str, values: Collection[str], number: int) -> dict[str, str]:
    """Return the values as parameters `name_1` to `name_<number>` of a statement.

    Parameters beyond the last value are empty texts.
    """
    return {f"{name}_{place}": value for place, value in enumerate([*values, *[""] * number][:number], 1)}


async def open_database(
    place: Path | str,
    scripts: Path = SCRIPTS,
    *,
    plan: ShardPlan | None = None,
    waiting: Callable[[], None] = lambda: None,
) -> Database:
    """Open a file or the database of a URL, and bring it to the newest version.

    A missing file is created. On a server, wait until a range of the `plan` is free; `waiting` is called before every
    wait, and may raise. Raises `DatabaseInUse`, `EarlierDatabase`, `NewerDatabase`, `NotOurDatabase`,
    `DamagedDatabase`, and `StorageFailed` for a file that cannot be opened.
    """
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)  # at DEBUG aiosqlite logs stored data, including hands
    if isinstance(place, Path):
        return Database(await open_file(place, scripts))
    from bot.store.engines.postgres_server import open_server  # noqa: PLC0415 - psycopg is optional

    logging.getLogger("psycopg").setLevel(logging.ERROR)  # psycopg's messages quote the server's, which quote rows
    return Database(await open_server(place, scripts, plan or ShardPlan(), waiting))
