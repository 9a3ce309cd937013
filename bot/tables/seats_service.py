"""The part of the table service that arranges a lobby's seats for its host."""

from __future__ import annotations

from bot.tables import seats, stale
from bot.tables.asked import Decision, TableRequest
from bot.tables.desk import TableContext
from bot.tables.looks import Caller, TableSnapshot
from bot.tables.record import Table


class SeatsService(TableContext):
    """What a host can ask about who sits where."""

    async def place(self, caller: Caller, table: int, *, seat: int, to: int, seen: int | None = None) -> TableSnapshot:
        """Let whoever holds `seat` change with seat `to`, held or free; `seen` is the version that was clicked on.

        Refusals: not_host, no_such_seat, seat_empty, stale_request, already_started, table_closed, game_finished.
        """
        self._admit(caller)

        async def decide(found: Table) -> Decision:
            await stale.require_current(self._ledger.store, found, seen, stale.seating)
            return Decision(seats.place(found, caller, seat, to))

        return await self._ask(table, TableRequest("place", {"seat": seat, "to": to}, caller=caller), decide)

    async def set_computers(self, caller: Caller, table: int, count: int) -> TableSnapshot:
        """Have so many computer players at a lobby.

        Refusals: not_host, computers_out_of_range, already_started, table_closed, game_finished.
        """
        self._admit(caller)

        async def decide(found: Table) -> Decision:
            return Decision(seats.set_computers(found, caller, count))

        return await self._ask(table, TableRequest("set_computers", {"count": count}, caller=caller), decide)
