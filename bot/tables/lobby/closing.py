"""Closing tables: the lobby by its host, a running game by a moderator of the server once it rests.

Pure, like `bot.tables.seating.seats`. Whatever was played at a table that is closed brings no result. Those who sit
at a
running game end it together (`bot.tables.consent`).
"""

from __future__ import annotations

from bot.tables.seating.seats import closing, require_host, require_open
from bot.tables.state.events import AnyEvent
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, ClosedBecause, Status
from bot.tables.state.table import Table


def close(table: Table, caller: Caller, *, moderator: bool, now: int, silence: int) -> tuple[AnyEvent, ...] | None:
    """Close a lobby, or a game where nothing has happened for `silence` milliseconds; None for who sits at one.

    Nobody closes a game while somebody's clock runs. Whoever is seated has to ask the others.
    """
    require_open(table)
    if table.record.status is Status.LOBBY:
        if not moderator:
            require_host(table, caller)
        return closing(table.record, ClosedBecause.ASKED)
    clocks = table.record.clocks
    may_from = max(table.updated_at + silence, 0 if clocks is None or clocks.until is None else clocks.until)
    if moderator and now >= may_from:
        return closing(table.record, ClosedBecause.ASKED)
    if moderator and table.record.seat_of(caller.person) is None:
        raise TableRefusal(TableCode.NOT_SILENT, {"table": table.id, "from": may_from})
    return None
