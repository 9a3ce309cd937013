"""The stored data of a table, decoded: its log, its snapshot, its people."""

from __future__ import annotations

from bot.store.store import Store
from bot.tables.core import stored_forms
from bot.tables.state.events import AnyEvent
from bot.tables.state.table import TablePersons, TableState


async def holders_of(store: Store, table: int) -> TablePersons:
    """Return the people of a table by the numbers that its log uses for them."""
    return TablePersons(await store.tables.holders(table))


async def events_of(store: Store, table: int) -> list[AnyEvent]:
    """Return all events of a table."""
    holders = await holders_of(store, table)
    return [
        event for row in await store.tables.actions(table) for event in stored_forms.read_payload(row.payload, holders)
    ]


async def record_of(store: Store, table: int) -> TableState:
    """Return a table's stored snapshot."""
    stored = await store.tables.load(table)
    assert stored is not None
    return stored_forms.read_record(stored.snapshot, await holders_of(store, table))
