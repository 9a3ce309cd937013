"""Sealed tables: only people who play or have played there may view them. Pure."""

from __future__ import annotations

from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.table import Table


def require_visible(table: Table, person: int | None) -> None:
    """Raise board_sealed if the table is sealed and the person neither plays nor has played there."""
    record = table.record
    if record.is_sealed and person not in recent_players(table):
        raise TableRefusal(TableCode.BOARD_SEALED, {"table": table.id})


def recent_players(table: Table) -> frozenset[int]:
    """Return the people who sit at a table, or sat there in the current or the last deal."""
    record = table.record
    holders = (*record.seats, *(one.holder for one in record.sat))
    found = (person for holder in holders for person in (holder.person, holder.kept_for))
    return frozenset(person for person in found if person is not None)
