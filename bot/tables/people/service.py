"""The part of the table service that is about what is kept of a person: giving it away, and forgetting it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any, Final

from bot.clocks.clock import HOUR
from bot.store.errors import Undecodable
from bot.store.tables import TableSummary
from bot.tables.core.limits import Limits, RateLimiter
from bot.tables.core.repository import TableRepository
from bot.tables.lobby.service import LobbyService
from bot.tables.people.export import PersonExport
from bot.tables.people.forgetting import release_seats
from bot.tables.seating.admission import EVERYBODY, Admission
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import OPEN, Caller
from bot.tables.state.table import Table

BETWEEN_EXPORTS: Final = 24 * HOUR


class DataService(LobbyService):
    """What a person can ask about what is kept of it (`docs/long-games.md`, 7; `docs/data.md`)."""

    def __init__(
        self, ledger: TableRepository, pace: RateLimiter, limits: Limits, *, hosts: Admission = EVERYBODY
    ) -> None:
        super().__init__(ledger, pace, limits, hosts=hosts)
        self._forgetting: list[Callable[[int], Awaitable[None]]] = []
        self._forgotten: list[Callable[[int], Awaitable[None]]] = []

    def before_forgetting(self, listener: Callable[[int], Awaitable[None]]) -> None:
        """Have `listener` awaited with every person who is to be forgotten, while the person is known."""
        self._forgetting.append(listener)

    def when_forgotten(self, listener: Callable[[int], Awaitable[None]]) -> None:
        """Have `listener` awaited with every person who was forgotten, so that nothing of it is remembered either."""
        self._forgotten.append(listener)

    # --- giving away -------------------------------------------------------------------------------------------------

    async def export(self, caller: Caller) -> dict[str, Any]:
        """All that is kept of the caller, as data for JSON; once a day. Refusal: exported_before."""
        self._admit(caller)
        now, last = self._ledger.clock.now(), await self._ledger.store.players.last_export(caller.person)
        if last is not None and last <= now < last + BETWEEN_EXPORTS:
            raise TableRefusal(TableCode.EXPORTED_BEFORE, {"from": last + BETWEEN_EXPORTS})
        kept = await self._ledger.store.players.stored(caller.person)
        known = await self._ledger.store.tables.knowing(caller.person)
        tables = [await self._exported(one, caller.person) for one in known]
        await self._ledger.store.players.note_export(caller.person, now)
        return {
            "format": "canasta-person",
            "version": 1,
            "person": caller.person,
            **{name: [dict(row) for row in rows] for name, rows in kept.items()},
            "tables": tables,
        }

    async def _exported(self, summary: TableSummary, person: int) -> dict[str, Any]:
        """What a table knows of the person; of one that cannot be read only that there is one."""
        try:
            past = PersonExport(await self._ledger.table(summary.id), person)
            for row in await self._ledger.store.tables.actions(summary.id):
                past.read(row)
                await asyncio.sleep(0)
            return past.exported()
        except (TableRefusal, Undecodable):
            return {"table": summary.id, "server": summary.guild, "status": summary.status}

    # --- forgetting --------------------------------------------------------------------------------------------------

    async def forget(self, caller: Caller) -> None:
        """Keep nothing that tells who the caller was: seats of open tables are given up, others become nobody's.

        Cards, moves, scores and words for the shuffle stay, by a former player whom nothing links with another table's.
        """
        self._admit(caller)
        for listener in tuple(self._forgetting):
            await listener(caller.person)
        await self._ledger.surely(self._forget(caller.person))
        for listener in tuple(self._forgotten):
            await listener(caller.person)

    async def _forget(self, person: int) -> None:
        # No one may take a seat during deletion.
        async with self._seating, AsyncExitStack() as stack:
            known = await self._ledger.store.tables.knowing(person)
            for one in known:
                if one.status in OPEN:
                    await self._give_up(one.id, person)
            for one in known:
                await stack.enter_async_context(self._ledger.lock(one.id))
            try:
                await self._ledger.store.players.forget(person)
            finally:
                self._ledger.evict(*(one.id for one in known))

    async def _give_up(self, number: int, person: int) -> None:
        """Leave a table."""
        now = self._ledger.clock.now()

        async def decide(found: Table) -> Decision:
            return await self._settled(found, release_seats(found.record, person, now=now))

        # Nothing is left to give up where the table has been closed meanwhile, and nothing can be where it is damaged.
        with suppress(TableRefusal):
            record = (await self._ledger.table(number)).record
            if release_seats(record, person, now=now):
                await self._ledger.change(number, TableRequest("forget", {}, seat=record.seat_of(person)), decide)
