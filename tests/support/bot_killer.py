"""Kills the bot in the simulated Discord before or after work of the outbox, and restarts it.

A copy of the database made at that instant is all that a killed process leaves; none of its later requests arrives.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from bot.store.outbox import OutboxRow
from bot.store.writer import Statement
from tests.support.discord import Discord

POINTS = ("before_commit", "after_commit", "before_request", "unanswered", "answered", "stopping")
"""Points at which the bot can be killed; `stopping` is an orderly stop during the request."""


class BotKilled(Exception):
    """Raised in place of a write after the bot was killed."""


@dataclass(slots=True)
class BotKiller:
    """Kills the bot at `point` of an outbox row of this kind, whose request has this method and path.

    With `late`, outbox rows are written in a transaction of their own after the change: the mistake that the outbox
    avoids.
    """

    discord: Discord
    kind: str
    method: str
    path: str
    point: str
    late: bool = False
    is_bot_killed: bool = False

    @property
    def _copy_path(self) -> Path:
        """Path of the copy of the database that is made at the kill."""
        return self.discord.database.with_suffix(".killed")

    def wrap_requests_and_writes(self) -> None:
        """Wrap the running bot's requests and writes, so that it can be killed."""
        client, store = self.discord.application.client, self.discord.application.tables._context.store
        http: Any = client.http
        database: Any = store.outbox._database
        outbox: Any = store.outbox
        http.request = self._wrap_request(http.request)
        database.write = self._wrap_write(database.write)
        database.run = self._wrap_work_of_row(database.run)
        database.run_and_erase = self._wrap_work_of_row(database.run_and_erase)
        outbox.delete_promise = self._wrap_deletion(outbox.delete_promise)

    def _kill_bot(self) -> None:
        """Mark the bot as killed, and copy the database as it is now."""
        if not self.is_bot_killed:
            self.is_bot_killed = True
            for ending in ("", "-wal"):
                source = Path(f"{self.discord.database}{ending}")
                if source.exists():
                    shutil.copy(source, f"{self._copy_path}{ending}")

    def _is_sought_request(self, route: Any) -> bool:
        """Return whether a request is the one at which the bot is to be killed."""
        path = route.url.partition("/api/v10")[2].partition("?")[0]
        return route.method == self.method and re.fullmatch(self.path, path) is not None

    def _wrap_request(self, request: Callable[..., Any]) -> Callable[..., Any]:
        """Return `request` extended: at the sought request it kills the bot, before or after sending it."""

        async def request_or_kill(route: Any, **options: Any) -> Any:
            sought = self._is_sought_request(route)
            if sought and self.point == "before_request":
                self._kill_bot()
            if self.is_bot_killed:
                raise aiohttp.ClientConnectionError
            if sought and self.point == "stopping":
                self.point = ""
                await asyncio.Event().wait()
            answer = await request(route, **options)
            if sought and self.point == "unanswered":
                self._kill_bot()
                raise aiohttp.ClientConnectionError
            return answer

        return request_or_kill

    def _wrap_write(self, write: Callable[..., Any]) -> Callable[..., Any]:
        """Return `write` extended: it kills the bot before or after it stores the sought outbox row."""

        async def write_or_kill(key: Hashable, *statements: Statement, notify: str = "") -> None:
            del notify
            promises = [one for one in statements if self._stores_sought_row(one)]
            if promises and self.point == "before_commit":
                self._kill_bot()
            if self.is_bot_killed:
                raise BotKilled
            now = [one for one in statements if not (self.late and one in promises)]
            if now:
                await write(key, *now)
            if promises and self.point == "after_commit":
                self._kill_bot()
            if self.late and promises and not self.is_bot_killed:
                await write(key, *promises)

        return write_or_kill

    def _wrap_work_of_row(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Return `run` extended: it kills the bot before or after the sought work of an outbox row (method RUN)."""

        async def run_or_kill(work: Any) -> Any:
            sought = self.method == "RUN" and re.fullmatch(self.path, work.__qualname__) is not None
            if sought and self.point == "before_request":
                self._kill_bot()
            if self.is_bot_killed:
                raise BotKilled
            answer = await run(work)
            if sought and self.point == "unanswered":
                self._kill_bot()
                raise BotKilled
            if sought and self.point == "answered":
                self._kill_bot()
            return answer

        return run_or_kill

    def _stores_sought_row(self, statement: Statement) -> bool:
        """Return whether a statement stores an outbox row of the sought kind."""
        return "INSERT INTO outbox" in statement.sql and dict(statement.parameters).get("kind") == self.kind

    def _wrap_deletion(self, done: Callable[[OutboxRow], Any]) -> Callable[[OutboxRow], Any]:
        """Return `done` extended: it kills the bot before it deletes the sought outbox row."""

        async def delete_or_kill(row: OutboxRow) -> None:
            if row.kind == self.kind and self.point == "answered":
                self._kill_bot()
            await done(row)

        return delete_or_kill

    async def restart_bot(self) -> None:
        """Restart the bot on the database as it was at the kill, or on the current one if it was not killed."""
        await self.discord.restart(meanwhile=self._restore_copy if self.is_bot_killed else lambda: None)

    def _restore_copy(self) -> None:
        """Replace the database with the copy made at the kill."""
        for ending in ("", "-wal", "-shm"):
            Path(f"{self.discord.database}{ending}").unlink(missing_ok=True)
        for ending in ("", "-wal"):
            if Path(f"{self._copy_path}{ending}").exists():
                Path(f"{self._copy_path}{ending}").replace(f"{self.discord.database}{ending}")


@dataclass(slots=True)
class KillCountdown:
    """Kills the bot at its `left`th request or write from now on.

    It is killed before that call if `before`, else after it.
    """

    discord: Discord
    left: int
    before: bool
    killer: BotKiller = field(init=False)

    def __post_init__(self) -> None:
        self.killer = BotKiller(self.discord, "", "", "", "")

    @property
    def is_bot_killed(self) -> bool:
        """Whether the bot was killed."""
        return self.killer.is_bot_killed

    def wrap_requests_and_writes(self) -> None:
        """Wrap the running bot's requests and writes, so that they are counted."""
        http: Any = self.discord.application.client.http
        database: Any = self.discord.application.tables._context.store.outbox._database
        http.request = self._count_calls(http.request, aiohttp.ClientConnectionError)
        for name in ("write", "run", "run_and_erase"):
            setattr(database, name, self._count_calls(getattr(database, name), BotKilled))

    def _count_calls(self, work: Callable[..., Any], error: type[Exception]) -> Callable[..., Any]:
        """Return `work` extended: it counts each of its calls.

        The last call kills the bot, and from then on each raises `error`.
        """

        async def count_call(*given: Any, **options: Any) -> Any:
            self.left -= 1
            is_last = self.left == 0
            if is_last and self.before:
                self.killer._kill_bot()
            if self.is_bot_killed:
                raise error
            answer = await work(*given, **options)
            if is_last:
                self.killer._kill_bot()
            if self.is_bot_killed:
                raise error
            return answer

        return count_call
