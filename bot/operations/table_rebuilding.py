"""Rebuild a table from its stored log, and compare it with the stored table."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.play.invariants import broken_invariants
from bot.store.errors import UndecodableData
from bot.store.tables import StoredAction
from bot.store.upkeep.offline_databases import OfflineDatabase
from bot.tables.core import stored_forms
from bot.tables.state.fold import apply_table_events
from bot.tables.state.table import TablePersons, TableState


@dataclass(frozen=True, slots=True)
class RebuiltTable:
    """A table rebuilt from its log up to the last readable row.

    `fault` describes why the next row cannot be read; it is empty if all rows can.
    """

    record: TableState | None
    version: int
    rows: int
    fault: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether every row can be read."""
        return not self.fault


def rebuild_table(rows: tuple[StoredAction, ...], holders: TablePersons, *, to: int | None = None) -> RebuiltTable:
    """Return a table rebuilt from its log, up to the version `to` if given."""
    record: TableState | None = None
    version = 0
    for row in rows:
        if to is not None and row.version > to:
            break
        if row.version != version + 1:
            return RebuiltTable(record, version, len(rows), f"version {version + 1} is missing")
        try:
            after = apply_table_events(record, stored_forms.read_payload(row.payload, holders))
            found = () if after.game is None else broken_invariants(after.game)
        except Exception as error:  # noqa: BLE001 - a damaged row may cause any error
            fault = str(error) if isinstance(error, UndecodableData) else type(error).__name__
            return RebuiltTable(record, version, len(rows), f"version {row.version}: {fault}")
        if found:
            return RebuiltTable(record, version, len(rows), f"version {row.version}: the cards are not the pack")
        record, version = after, row.version
    return RebuiltTable(record, version, len(rows))


def table_fault(file: OfflineDatabase, number: int) -> str:
    """Return what is wrong with a stored table; an empty text if its log gives the same table."""
    holders = TablePersons(file.holders(number))
    try:
        stored, rows = file.table(number), file.actions(number)
        record = None if stored is None else stored_forms.read_record(stored.snapshot, holders)
    except UndecodableData as fault:
        return f"cannot be read: {fault}"
    if stored is None:
        return "is missing"
    folded = rebuild_table(rows, holders)
    if not folded.is_whole:
        return f"has a log that cannot be read: {folded.fault}"
    if folded.version != stored.version:
        return f"is at version {stored.version}, its log at {folded.version}"
    return "" if folded.record == record else "is not what its log leads to"
