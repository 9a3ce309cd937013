"""Plain tables and changes for tests of the store."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from bot.store.store import Store
from bot.store.table_changes import NewTable, TableChange
from bot.store.tables import StoredAction

GUILD = 900
CHANNEL = 800
NORTH, EAST, SOUTH = 1, 2, 3

_requests = count(1_000_000)


def new_table(**different: Any) -> NewTable:
    """Return the row of a new lobby whose host is North."""
    plain = NewTable(
        guild=GUILD,
        channel=CHANNEL,
        thread=None,
        request=next(_requests),
        person=NORTH,
        kind="open",
        payload="{}",
        status="lobby",
        snapshot='{"version":1}',
        at=1_000,
        seated=(NORTH,),
    )
    return replace(plain, **different)


def new_change(table: int, expected_version: int, **different: Any) -> TableChange:
    """Return a change by North at a table, for the store to commit."""
    plain = TableChange(
        table=table,
        expected_version=expected_version,
        request=next(_requests),
        person=NORTH,
        seat=0,
        kind="act",
        payload="{}",
        status="playing",
        snapshot=f'{{"version":{expected_version + 1}}}',
        at=1_000 + expected_version,
    )
    return replace(plain, **different)


async def create_tables(store: Store, count: int) -> list[int]:
    """Create that many tables, and return their numbers."""
    return [await store.tables.create(new_table()) for _ in range(count)]


async def read_log(store: Store, table: int) -> tuple[StoredAction, ...]:
    """Return a table's whole log.

    Fail if it has a gap, or does not end at the table's version.
    """
    rows = await store.tables.actions(table)
    stored = await store.tables.load(table)
    assert stored is not None
    assert [row.version for row in rows] == list(range(1, stored.version + 1))
    return rows
