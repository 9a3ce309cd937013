"""Shared dependencies of all table services: repository, limits, rates, snapshots, dealer."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.clock import Clock
from bot.store.store import Store
from bot.tables.core.cache import PremoveCache
from bot.tables.core.limits import Limits, RateLimiter
from bot.tables.core.repository import TableRepository
from bot.tables.core.rules_thread import RulesThread
from bot.tables.snapshots.snapshots import SnapshotCache
from bot.tables.state.requests import Decide, LogEntry, TableRequest
from bot.tables.state.shuffle import Dealer
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tables.state.table import Table
from bot.tables.timing.timekeeping import TimeLookup


@dataclass(frozen=True, slots=True, kw_only=True)
class TableContext:
    """The dependencies that all table services share.

    `rate` limits a person's requests, `reads` their reads.
    """

    repository: TableRepository
    limits: Limits
    rate: RateLimiter
    reads: RateLimiter
    rules_thread: RulesThread
    snapshots: SnapshotCache
    premoves: PremoveCache
    store: Store
    clock: Clock
    time_lookup: TimeLookup
    dealer: Dealer

    def count_request(self, caller: Caller) -> None:
        """Count a request that changes no table; refusal: too_fast. The repository counts all others."""
        self.rate.count_request(caller.person, self.clock.now())

    def count_read(self, person: int) -> None:
        """Count one read of a table; refusal: too_fast."""
        self.reads.count_request(person, self.clock.now())

    async def change(self, table: int, request: TableRequest, decide: Decide) -> TableSnapshot:
        """Store the events that `decide` returns for the request, and return the table's snapshot."""
        return await self.snapshots.table_snapshot((await self.repository.change(table, request, decide)).table)

    async def log_entries(self, table: Table, *, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        """Return the table's log since that version; refusal: unreadable_table."""
        events_of = self.repository.records.events_of_row
        return [
            LogEntry(row.version, row.seat, row.person, events_of(table, row.payload))
            for row in await self.store.tables.actions(table.id, after=after, limit=limit)
        ]
