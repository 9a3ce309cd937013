"""The part of the table service that is about what is kept of a person: giving it away, and forgetting it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any, Final

from bot.clocks.clock import HOUR
from bot.store.errors import Undecodable
from bot.store.tables import TableSummary
from bot.tables.consent.settle import settled
from bot.tables.context import TableContext
from bot.tables.lobby.opening import TableOpening
from bot.tables.people.export import PersonExport
from bot.tables.people.forgetting import release_seats
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import TableRequest
from bot.tables.state.snapshots import OPEN, Caller

BETWEEN_EXPORTS: Final = 24 * HOUR


class DataService:
    """What a person can ask about what is kept of it (`docs/long-games.md`, 7; `docs/data.md`)."""

    def __init__(self, context: TableContext, opening: TableOpening) -> None:
        self._context = context
        self._opening = opening
        self._forgetting: list[Callable[[int], Awaitable[None]]] = []
        self._forgotten: list[Callable[[int], Awaitable[None]]] = []

    def on_forget(self, listener: Callable[[int], Awaitable[None]]) -> None:
        """Have `listener` awaited with every person who is to be forgotten, while the person is known."""
        self._forgetting.append(listener)

    def on_forgotten(self, listener: Callable[[int], Awaitable[None]]) -> None:
        """Have `listener` awaited with every person who was forgotten, so that nothing of it is remembered either."""
        self._forgotten.append(listener)

    # --- giving away -------------------------------------------------------------------------------------------------

    async def export(self, caller: Caller) -> dict[str, Any]:
        """All that is kept of the caller, as data for JSON; once a day. Refusal: exported_before."""
        self._context.spend(caller)
        now, last = self._context.clock.now(), await self._context.store.players.last_export(caller.person)
        if last is not None and last <= now < last + BETWEEN_EXPORTS:
            raise TableRefusal(TableCode.EXPORTED_BEFORE, {"from": last + BETWEEN_EXPORTS})
        kept = await self._context.store.players.stored(caller.person)
        known = await self._context.store.tables.knowing(caller.person)
        tables = [await self._exported(one, caller.person) for one in known]
        await self._context.store.players.note_export(caller.person, now)
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
            past = PersonExport(await self._context.repository.get(summary.id), person)
            for row in await self._context.store.tables.actions(summary.id):
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
        self._context.spend(caller)
        for listener in tuple(self._forgetting):
            await listener(caller.person)
        await self._context.repository.shielded(self._forget(caller.person))
        for listener in tuple(self._forgotten):
            await listener(caller.person)

    async def _forget(self, person: int) -> None:
        # No one may take a seat during deletion.
        async with self._opening.lock, AsyncExitStack() as stack:
            known = await self._context.store.tables.knowing(person)
            for one in known:
                if one.status in OPEN:
                    await self._give_up(one.id, person)
            for one in known:
                await stack.enter_async_context(self._context.repository.lock(one.id))
            try:
                await self._context.store.players.forget(person)
            finally:
                self._context.repository.evict(*(one.id for one in known))

    async def _give_up(self, number: int, person: int) -> None:
        """Leave a table."""
        now = self._context.clock.now()
        # Nothing is left to give up where the table has been closed meanwhile, and nothing can be where it is damaged.
        with suppress(TableRefusal):
            record = (await self._context.repository.get(number)).record
            if release_seats(record, person, now=now):
                await self._context.repository.change(
                    number,
                    TableRequest("forget", {}, seat=record.seat_of(person)),
                    lambda found: settled(self._context, found, release_seats(found.record, person, now=now)),
                )
