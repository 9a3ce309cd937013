"""Open the stores of a fleet in one process, each with its own connections and shards."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from bot.store.engines.interface import ShardPlan
from bot.store.store import Store, open_store
from tests.support.postgres import Server

COUNT = 4


def guild_id_of_shard(shard: int, number: int = 1, *, count: int = COUNT) -> int:
    """Return the made-up id of the `number`th Discord server that belongs to that shard."""
    return (number * count + shard) << 22


class Fleet:
    """Opens several stores on one database, and closes at the end those that are still open."""

    def __init__(self, running: Server, address: str) -> None:
        self.server = running
        self.address = address
        self.waited: list[str] = []
        self.pauses: dict[str, float] = {}
        self._stack = AsyncExitStack()
        self._names = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def open_store(self, size: int = 2, count: int = COUNT, *, name: str = "") -> Store:
        """Return the store of another process of the fleet; wait if no shards are free."""
        self._names += 1
        name = name or f"p{self._names}"
        plan = ShardPlan(size, count, name, **self.pauses)
        opening = open_store(self.address, plan=plan, waiting=lambda: self.waited.append(name))
        return await self._stack.enter_async_context(opening)

    def begin_to_open_store(self, size: int = 2, count: int = COUNT, *, name: str = "spare") -> asyncio.Task[Store]:
        """Return a task that opens the store of another process, which may have to wait for shards."""
        return asyncio.create_task(self.open_store(size, count, name=name))

    def cut_connection(self, name: str) -> None:
        """End the database sessions of a process's writer, as a broken network or a killed process would."""
        ours = f"application_name LIKE 'canasta {name} %'"
        self.run_sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}")  # noqa: S608 - the text contains no values

    @property
    def database(self) -> str:
        return urlsplit(self.address).path[1:]

    def run_sql(self, sql: str) -> str:
        """Run SQL statements on the database, and return the text that `psql` prints."""
        return self.server.run_sql(sql, self.database)
