"""The part of the table service about those who watch a game; nothing here changes a table's version."""

from __future__ import annotations

from bot.store.spectators import Watcher
from bot.tables.desk import TableContext
from bot.tables.looks import TableSnapshot


class WatchingService(TableContext):
    """Who would like a line after each deal."""

    async def watch(self, look: TableSnapshot, person: int, *, wants: bool) -> None:
        """Note that somebody watches from now on, and whether a line is sent after each deal that ends."""
        if wants:
            told = 0 if look.view is None else len(look.view.results)
            await self._ledger.store.spectators.add(look.id, person, told=told)
        else:
            await self._ledger.store.spectators.remove(look.id, person)

    async def watchers(self, table: int) -> tuple[Watcher, ...]:
        """The persons who would like a line after each deal."""
        return await self._ledger.store.spectators.at_table(table)

    async def note_watcher_told(self, table: int, person: int, deal: int) -> None:
        """Note that a watcher was sent the line of that deal."""
        await self._ledger.store.spectators.add(table, person, told=deal)
