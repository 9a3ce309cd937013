"""Reading tables: records decoded from what is stored, the latest of them remembered.

A table that this release cannot read (damaged, or written by a later one) is set aside: the log names it once, whoever
asks for it is refused with unreadable_table, and every other table goes on.

Keeping what is prepared: as JSON text in the store, beside the tables.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.store.errors import Undecodable
from bot.store.premoves import PremoveStore
from bot.store.store import Store
from bot.store.tables import StoredTable
from bot.tables.core import forms
from bot.tables.state.events import AnyEvent
from bot.tables.state.premoves import Premove
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.table import Table, TablePersons, TableState


class Premoves:
    """What is prepared at every table, by person; text that cannot be read is taken for nothing."""

    def __init__(self, premoves: PremoveStore) -> None:
        self._premoves = premoves

    async def at(self, table: int) -> Mapping[int, Premove]:
        """What is prepared at a table, by person."""
        found = {}
        for person, text in (await self._premoves.at_table(table)).items():
            with suppress(Undecodable):
                found[person] = forms.read_premove(text)
        return found

    async def of(self, table: int, person: int) -> Premove | None:
        """What that person has prepared there."""
        return (await self.at(table)).get(person)

    async def tables(self) -> tuple[int, ...]:
        """The tables at which anything is prepared."""
        return await self._premoves.tables()

    async def keep(self, table: int, person: int, premove: Premove) -> None:
        """Keep that, in place of what was there."""
        await self._premoves.set(table, person, forms.write_premove(premove))

    async def change(self, table: int, person: int, before: Premove, after: Premove | None) -> None:
        """Put another, or nothing, in the place of just that one."""
        prepared = None if after is None else forms.write_premove(after)
        await self._premoves.change(table, person, prepared, before=forms.write_premove(before))

    async def forget(self, table: int, person: int) -> None:
        """Keep nothing prepared by that person."""
        await self._premoves.forget(table, person)


KEPT: Final = 256
"""How many decoded records are remembered."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A decoded record, and the persons of its table."""

    record: TableState
    holders: TablePersons


logger = logging.getLogger(__name__)


class TableCache:
    """The tables as they are stored; the database is the truth, what is remembered here only saves decoding."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._records: OrderedDict[tuple[int, int], _Known] = OrderedDict()
        self._forgotten = 0
        self._set_aside: set[int] = set()

    @property
    def set_aside(self) -> frozenset[int]:
        """The tables that could not be read so far."""
        return frozenset(self._set_aside)

    async def table(self, number: int) -> Table:
        """The table as it stands; refusals: unknown_table, unreadable_table."""
        try:
            stored = await self._store.tables.load(number)
            if stored is None:
                raise TableRefusal(TableCode.UNKNOWN_TABLE, {"table": number})
            return await self._decoded(stored)
        except Undecodable as fault:
            raise self.unreadable(number, fault) from None

    async def _decoded(self, stored: StoredTable) -> Table:
        known = self._records.get((stored.id, stored.version))
        while known is None:
            forgotten = self._forgotten
            holders = TablePersons(await self._store.tables.holders(stored.id))
            if forgotten == self._forgotten:
                known = _Known(forms.read_record(stored.snapshot, holders), holders)
                self._set_aside.discard(stored.id)
        self._remember(stored.id, stored.version, known)
        place = (stored.guild, stored.channel, stored.thread)
        return Table(stored.id, stored.version, *place, stored.updated_at, known.record, known.holders)

    def remembers(self, number: int, version: int) -> bool:
        """Whether that table needs no decoding."""
        return (number, version) in self._records

    def remember(self, table: Table) -> None:
        """Keep a table's record that is at hand."""
        self._remember(table.id, table.version, _Known(table.record, table.holders))

    def _remember(self, number: int, version: int, known: _Known) -> None:
        self._records[number, version] = known
        self._records.move_to_end((number, version))
        if len(self._records) > KEPT:
            self._records.popitem(last=False)

    def forget(self, *tables: int) -> None:
        """Decode these tables anew: their persons have other numbers, or are not called any more what they were."""
        for key in [key for key in self._records if key[0] in tables]:
            del self._records[key]
        self._forgotten += 1

    def happened(self, table: Table, payload: str) -> tuple[AnyEvent, ...]:
        """What a row of a table's log tells; refusal: unreadable_table."""
        try:
            return forms.read_payload(payload, table.holders)
        except Undecodable as fault:
            raise self.unreadable(table.id, fault) from None

    def unreadable(self, number: int, fault: Undecodable) -> TableRefusal:
        """Set the table aside; what to refuse it with. The fault says where the trouble is and quotes nothing."""
        if number not in self._set_aside:
            self._set_aside.add(number)
            logger.error("a table cannot be read and is set aside: %s", fault, extra={"table": number})
        return TableRefusal(TableCode.UNREADABLE_TABLE, {"table": number})
