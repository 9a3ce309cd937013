"""The server service: keeps what servers have chosen for their tables, and has it at hand."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import replace
from typing import Any, Final

from bot.profiles.servers import USUAL, ServerSettings, checked, read, written
from bot.store.guilds import AuditEntry
from bot.store.store import Store

__all__ = ["REMEMBERED", "AuditEntry", "ServerService"]

REMEMBERED: Final = 5_000
"""Servers whose settings are kept in memory, a few hundred bytes each."""


class ServerService:
    """One for the whole process; the only writer of these settings, so what it remembers is what is stored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[int, ServerSettings] = OrderedDict()
        self._languages: dict[int, str] = {}
        self._choosing = asyncio.Lock()

    async def begin(self) -> None:
        """Read which servers have chosen a language, which has to be known wherever something is said."""
        chosen = await self._store.preferences.chosen("server", "language")
        self._languages = {guild: read({"language": text}).language for guild, text in chosen.items()}

    def locale(self, guild: int) -> str | None:
        """The language that a server has chosen for its boards; None where Discord's holds."""
        return ServerSettings(language=self._languages.get(guild, USUAL.language)).locale

    async def settings(self, guild: int) -> ServerSettings:
        """What a server has chosen."""
        if guild in self._known:
            self._known.move_to_end(guild)
            return self._known[guild]
        found = read(await self._store.preferences.load("server", guild))
        # What was chosen while the answer was on its way is newer than the answer.
        return self._known[guild] if guild in self._known else self._remember(guild, found)

    async def choose(self, guild: int, **values: Any) -> ServerSettings:
        """Note what a server chooses, by the names of fields; all of it then. Raises `UnfitSetting`."""
        async with self._choosing:
            settings = checked(replace(await self.settings(guild), **values))
            await self._store.preferences.set("server", guild, written(settings))
            self._languages[guild] = settings.language
            return self._remember(guild, settings)

    async def open_tables(self, guild: int) -> int | None:
        """How many tables a server wants open at most; None where it has not said."""
        return (await self.settings(guild)).open_tables

    async def audit(self, guild: int, *, table: int | None = None, limit: int) -> tuple[AuditEntry, ...]:
        """What game masters did in a server, or at one table of it, the latest first."""
        return await self._store.guilds.audit(guild, table=table, limit=limit)

    def _remember(self, guild: int, settings: ServerSettings) -> ServerSettings:
        self._known[guild] = settings
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return settings
