"""Caches of tables and of prepared moves (premoves), which always equal what is stored.

A table that cannot be read (damaged, or of another format) is set aside, like one whose change failed for an unexpected
reason: the log names it once, every request for it raises unreadable_table, and all other tables go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import Final

from bot.logs import failure_text
from bot.numbered_cache import NumberedCache
from bot.store.errors import UndecodableData
from bot.store.premoves import PremoveStore
from bot.store.store import Store
from bot.tables.core import stored_forms
from bot.tables.state.events import AnyEvent
from bot.tables.state.premoves import Premove
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.table import Table, TablePersons

KEPT: Final = 1_000
"""Number of tables kept in memory; one takes about 16 kB in its first deal."""


class PremoveCache:
    """Cache of the premoves of each table, by person; unreadable premoves are left out."""

    def __init__(self, premoves: PremoveStore) -> None:
        self._premoves = premoves
        self._cache = NumberedCache(KEPT, self._load)

    async def premoves_at(self, table: int) -> Mapping[int, Premove]:
        """Return the premoves at a table, by person."""
        return await self._cache.get(table)

    async def _load(self, table: int) -> Mapping[int, Premove]:
        """Return the table's premoves from the store, without those that cannot be read."""
        found = {}
        for person, text in (await self._premoves.premoves_at_table(table)).items():
            try:
                found[person] = stored_forms.read_premove(text)
            except UndecodableData as fault:
                self._premoves.set_aside.note("premove", table, fault, table=table)
        return found

    def evict(self, *tables: int) -> None:
        """Evict the premoves of these tables, because other code has written them to the store."""
        self._cache.evict(*tables)

    def clear(self) -> None:
        """Evict all premoves."""
        self._cache.clear()

    async def _await_write(self, table: int, written: Awaitable[None]) -> None:
        """Await the write `written`, then evict the table's premoves."""
        try:
            await written
        finally:
            self._cache.evict(table)

    async def premove_of(self, table: int, person: int) -> Premove | None:
        """Return the person's premove at that table."""
        return (await self.premoves_at(table)).get(person)

    async def tables_with_premoves(self) -> tuple[int, ...]:
        """Return the tables that have premoves."""
        return await self._premoves.tables_with_premoves()

    async def store_premove(self, table: int, person: int, premove: Premove) -> None:
        """Store the premove, replacing the person's previous one."""
        await self._await_write(table, self._premoves.set_premoves(table, person, stored_forms.write_premove(premove)))

    async def replace_premove(self, table: int, person: int, before: Premove, after: Premove | None) -> None:
        """Replace the premove by `after` (None deletes it), but only if it still equals `before`."""
        prepared = None if after is None else stored_forms.write_premove(after)
        await self._await_write(
            table, self._premoves.change(table, person, prepared, before=stored_forms.write_premove(before))
        )

    async def delete_premove(self, table: int, person: int) -> None:
        """Delete the person's premove."""
        await self._await_write(table, self._premoves.forget(table, person))


_TABLE: Final = "table"


class TableCache:
    """Cache of the most recently used tables, always equal to the stored ones."""

    def __init__(self, store: Store, cache: type[NumberedCache[Table]] = NumberedCache) -> None:
        self._store = store
        self._cache = cache(KEPT, self._load)
        self._failing: set[int] = set()

    @property
    def tables_set_aside(self) -> frozenset[int]:
        """The numbers of tables that could not be read, or whose change failed unexpectedly."""
        return self._store.set_aside.numbers(_TABLE)

    async def table(self, table_number: int) -> Table:
        """Return the current table; refusals: unknown_table, unreadable_table."""
        if table_number in self._failing:
            raise TableRefusal(TableCode.UNREADABLE_TABLE, {"table": table_number})
        table = await self._cache.get(table_number)
        if not self._store.shards.owns(table.guild):
            self._cache.evict(table_number)  # the process that owns this table changes it without evicting it here
        return table

    def versions(self) -> Mapping[int, int]:
        """Return the versions of the cached tables."""
        return {number: table.version for number, table in self._cache.items()}

    def clear(self) -> None:
        """Evict all tables, because another process may have changed them."""
        self._cache.clear()

    async def evict_all(self) -> None:
        """Evict all tables now; tables that are being changed are evicted again after their changes."""
        await self._cache.evict_all()

    async def _load(self, table_number: int) -> Table:
        """Return the table from the store; refusals: unknown_table, unreadable_table."""
        try:
            stored = await self._store.tables.load(table_number)
            if stored is None:
                raise TableRefusal(TableCode.UNKNOWN_TABLE, {"table": table_number})
            holders = TablePersons(await self._store.tables.holders(table_number))
            record = stored_forms.read_record(stored.snapshot, holders)
        except UndecodableData as fault:
            raise self.set_aside_table(table_number, fault) from None
        self._store.set_aside.clear(_TABLE, table_number)
        place = (stored.guild, stored.channel, stored.thread)
        return Table(table_number, stored.version, *place, stored.updated_at, record, holders, stored.waits_since)

    def lock(self, table_number: int) -> asyncio.Lock:
        """Return the lock that serialises all writes to this table."""
        return self._cache.lock(table_number)

    def is_cached(self, table_number: int) -> bool:
        """Return whether the table is cached."""
        return self._cache.is_cached(table_number)

    def put(self, table: Table) -> None:
        """Cache a table that has just been stored; the caller holds its lock."""
        self._cache.put(table.id, table)

    def update_location(self, table_number: int, channel: int, thread: int | None) -> None:
        """Update the channel and thread of a cached table; the caller holds its lock."""
        known = self._cache.peek(table_number)
        if known is None:
            self._cache.evict(table_number)  # a load in progress may have read the old channel and thread
        else:
            self._cache.put(table_number, replace(known, channel=channel, thread=thread))

    def evict(self, *tables: int) -> None:
        """Evict the tables with these numbers, which have changed in the store; the caller holds their locks."""
        self._cache.evict(*tables)

    async def evict_guild(self, guild: int) -> None:
        """Evict the tables of a guild, each under its lock."""
        await self._cache.evict_where(lambda table: table.guild == guild)

    def events_of_row(self, table: Table, payload: str) -> tuple[AnyEvent, ...]:
        """Return the events in a row of the table's log (`payload`). Refusal: unreadable_table."""
        try:
            return stored_forms.read_payload(payload, table.holders)
        except UndecodableData as fault:
            raise self.set_aside_table(table.id, fault) from None

    def set_aside_table(self, table_number: int, fault: UndecodableData) -> TableRefusal:
        """Refuse all requests for an unreadable table from now on; return the refusal to raise.

        The table is logged once.

        `fault` says where the error is and quotes nothing of the table.
        """
        self._store.set_aside.note(_TABLE, table_number, fault, table=table_number)
        return TableRefusal(TableCode.UNREADABLE_TABLE, {"table": table_number})

    def set_aside_failing_table(self, table_number: int, error: Exception) -> None:
        """Refuse all requests for a table until the next start, because its change failed with `error`."""
        self._failing.add(table_number)
        self._store.set_aside.note(_TABLE, table_number, failure_text(error), table=table_number)
