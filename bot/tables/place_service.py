"""The part of the table service about tables whose channel, or whose server, is gone."""

from __future__ import annotations

from collections.abc import Callable

from bot.tables import place
from bot.tables.asked import Decision, TableRequest
from bot.tables.desk import TableContext
from bot.tables.events import AnyEvent
from bot.tables.record import Table, TableState


class PlaceService(TableContext):
    """What Discord's side tells of where tables are shown; nothing happens where a table knows it already."""

    async def channel_gone(self, table: int) -> None:
        """The table's channel was deleted. Refusals: unknown_table, unreadable_table."""
        await self._lost(table, "channel_gone", place.WITHOUT_CHANNEL)

    async def server_gone(self, table: int) -> None:
        """The bot was removed from the table's server. Refusals: unknown_table, unreadable_table."""
        await self._lost(table, "server_gone", place.WITHOUT_SERVER)

    async def _lost(self, table: int, kind: str, kept_for: int) -> None:
        now = self._ledger.clock.now()
        await self._told(table, kind, lambda record: place.lost(record, now=now, kept_for=kept_for))

    async def place_found(self, table: int) -> None:
        """The table is shown again. Refusals: unknown_table, unreadable_table."""
        now = self._ledger.clock.now()
        await self._told(table, "place_found", lambda record: place.found(record, now=now))

    async def _told(self, table: int, kind: str, follows: Callable[[TableState], tuple[AnyEvent, ...]]) -> None:
        async def decide(found: Table) -> Decision:
            return Decision(follows(found.record))

        if follows((await self._ledger.table(table)).record):
            await self._ledger.change(table, TableRequest(kind, {}), decide)
