"""Sealed boards: only those who play or have played there may look. Pure."""

from __future__ import annotations

from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.table import Table


def require_visible(table: Table, person: int | None) -> None:
    """Refuse to show a sealed table to anybody but those who play or have played there: board_sealed."""
    record = table.record
    if record.sealed and person not in persons_of(table):
        raise TableRefusal(TableCode.BOARD_SEALED, {"table": table.id})


def persons_of(table: Table) -> frozenset[int]:
    """Who sits at a table, or has sat there in the deal in play or the one that ended last."""
    record = table.record
    holders = (*record.seats, *(one.holder for one in record.sat))
    found = (person for holder in holders for person in (holder.person, holder.kept_for))
    return frozenset(person for person in found if person is not None)
