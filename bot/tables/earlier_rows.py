"""Rows of before, which have names in them: written anew with the numbers of holders, once, while the bot serves.

A few rows of one table at a time, each time under the table's lock and in one transaction with the holders they name,
so that the file can be read whenever the program ends. What nobody can read stays as it is.
"""

from __future__ import annotations

import asyncio
from typing import Final

from bot.store.errors import Undecodable
from bot.store.protocol import NamedLog, Rewriting
from bot.store.store import Store
from bot.store.tables import StoredAction
from bot.tables import table_codec
from bot.tables.holders import Holders
from bot.tables.ledger import Ledger

BATCH: Final = 100
"""Rows of a log that are written anew at a time."""


class EarlierRows:
    """Takes the names out of what earlier releases stored."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._store: Store = ledger.store
        self._working = asyncio.Lock()

    async def rewrite(self) -> None:
        """Return when no row has a name any more; where a former run ended, this one goes on."""
        async with self._working:
            while logs := await self._store.named_logs():
                for log in logs:
                    await self._batch(log)

    async def _batch(self, log: NamedLog) -> None:
        """Write the next rows of a log anew, or at its end the snapshot."""
        async with self._ledger.lock(log.table):
            holders = Holders(await self._store.tables.holders(log.table))
            rows = await self._rows(log)
            last = rows[-1].version if rows else log.version
            snapshot = None if rows else await self._snapshot(log.table, holders)
            payloads = _payloads(rows, holders)
            await self._store.rewrite(
                Rewriting(
                    table=log.table,
                    version=last,
                    payloads=payloads,
                    holders=holders.new,
                    snapshot=snapshot,
                    is_last=not rows,
                )
            )
            self._ledger.records.forget(log.table)

    async def _rows(self, log: NamedLog) -> tuple[StoredAction, ...]:
        """The next rows that can be read."""
        try:
            return await self._store.tables.actions(log.table, after=log.version, limit=BATCH)
        except Undecodable:
            return await self._one_by_one(log)

    async def _one_by_one(self, log: NamedLog) -> tuple[StoredAction, ...]:
        """The next row that can be read; a table's log is dense up to its version."""
        summaries = await self._store.tables.with_status(("lobby", "playing", "finished", "closed"))
        end = next(summary.version for summary in summaries if summary.id == log.table)
        for version in range(log.version, end):
            try:
                return await self._store.tables.actions(log.table, after=version, limit=1)
            except Undecodable:
                continue
        return ()

    async def _snapshot(self, table: int, holders: Holders) -> str | None:
        try:
            stored = await self._store.tables.load(table)
            if stored is None:
                return None
            holders.number(stored.opened_by)
            return table_codec.rewritten_record(stored.snapshot, holders)
        except Undecodable:
            return None


def _payloads(rows: tuple[StoredAction, ...], holders: Holders) -> dict[int, str]:
    """The rows to be written anew, by version; whoever asked for one is among the holders from then on."""
    payloads = {}
    for row in rows:
        if row.person is not None:
            holders.number(row.person)
        try:
            payload = table_codec.rewritten_payload(row.payload, holders)
        except Undecodable:
            continue
        if payload is not None:
            payloads[row.version] = payload
    return payloads
