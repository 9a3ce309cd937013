"""Closing tables: a lobby by its host, an idle running game by a moderator of the guild. Pure.

A table that is closed has no result. Players of a running game end it together (`bot.tables.consent`).
"""

from __future__ import annotations

from bot.tables.seating.seats import close_table, require_host, require_open_table
from bot.tables.state.events import AnyEvent
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, ClosingReason, Status
from bot.tables.state.table import Table


def close_lobby(
    table: Table, caller: Caller, *, moderator: bool, now: int, least_silence: int
) -> tuple[AnyEvent, ...] | None:
    """Close a lobby, or a game without moves for `least_silence` milliseconds.

    Return None if the caller is seated in the game and so must propose the closing to the other players. A game cannot
    be closed while a person's clock runs.
    """
    require_open_table(table)
    if table.record.status is Status.LOBBY:
        if not moderator:
            require_host(table, caller)
        return close_table(table.record, ClosingReason.ASKED)
    clocks = None if table.record.is_halted else table.record.clocks
    may_from = max(table.updated_at + least_silence, 0 if clocks is None or clocks.until is None else clocks.until)
    if moderator and now >= may_from:
        return close_table(table.record, ClosingReason.ASKED)
    if moderator and table.record.seat_of(caller.person) is None:
        raise TableRefusal(TableCode.NOT_SILENT, {"table": table.id, "from": may_from})
    return None
