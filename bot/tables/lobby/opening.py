"""Opening tables and taking seats, within the limits on all tables of a person and a guild."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from bot.store.tables import TableSummary
from bot.tables.context import TableContext
from bot.tables.core.limits import GuildLimits
from bot.tables.state.events import AnyEvent
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import TableLocation, TableRequest
from bot.tables.state.snapshots import Caller, Status
from bot.tables.state.table import Table


class TableOpening:
    """Opens tables within the limits. Hold `lock` while opening a table or taking a seat."""

    def __init__(self, context: TableContext, servers: GuildLimits) -> None:
        self._context = context
        self._servers = servers
        self.lock = asyncio.Lock()

    async def open(self, location: TableLocation, request: TableRequest, events: tuple[AnyEvent, ...]) -> Table:
        """Open a lobby if the limits allow it, and return its table.

        A repeated request gets the lobby that it has opened before.
        """
        caller = request.caller
        before = None if caller is None else await self._context.repository.table_opened_by_request(caller)
        if before is not None:
            return before.table
        if caller is not None:
            await self._require_below_table_limits(caller, location.guild)
            await self.require_below_seat_limit(caller.person)
        return (await self._context.repository.open(location, request, events)).table

    async def table_limit_of(self, guild: int) -> int:
        """Return how many tables a guild may have open: its own limit, at most the operator's."""
        chosen, most = await self._servers.open_table_limit(guild), self._context.limits.tables_per_guild
        return most if chosen is None else min(chosen, most)

    async def _require_below_table_limits(self, caller: Caller, guild: int) -> None:
        """Refuse if the guild has too many open tables, or the caller too many lobbies."""
        store, set_aside = self._context.store, self._context.repository.records.tables_set_aside
        # Abandoned games do not count towards a guild's limit.
        played = await store.tables.tables_played_since(
            guild, self._context.clock.now() - self._context.limits.played_within
        )
        open_here = sum(1 for table in played if table not in set_aside)
        allowed = await self.table_limit_of(guild)
        if open_here >= allowed:
            raise TableRefusal(TableCode.TOO_MANY_TABLES, {"open": open_here, "allowed": allowed})
        lobbies = self._count_readable_tables(await store.tables.tables_opened_by(caller.person, (Status.LOBBY,)))
        allowed = self._context.limits.lobbies_per_person
        if lobbies >= allowed:
            raise TableRefusal(TableCode.TOO_MANY_LOBBIES, {"open": lobbies, "allowed": allowed})

    async def require_below_seat_limit(self, person: int) -> None:
        """Refuse with too_many_seats if the person already holds as many seats as allowed."""
        held, allowed = await self.count_seats_of(person), self._context.limits.seats_per_person
        if held >= allowed:
            raise TableRefusal(TableCode.TOO_MANY_SEATS, {"held": held, "allowed": allowed})

    async def count_seats_of(self, person: int) -> int:
        """Return the number of seats that the person holds, outside tournaments."""
        set_aside = self._context.repository.records.tables_set_aside
        held = await self._context.store.contests.tables_outside_tournaments(person)
        return sum(1 for table in held if table not in set_aside)

    def _count_readable_tables(self, summaries: Collection[TableSummary]) -> int:
        """Return how many of these tables are readable.

        Unreadable ones are not counted, because players cannot leave them.
        """
        set_aside = self._context.repository.records.tables_set_aside
        return sum(1 for summary in summaries if summary.id not in set_aside)
