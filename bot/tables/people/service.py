"""The service for a person's data: export and deletion."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from bot.clocks.clock import HOUR
from bot.logs import record_failure
from bot.store.errors import FATAL_ERRORS, UndecodableData
from bot.store.outbox import FORGET, LEAVE, Promise
from bot.store.tables import TableSummary
from bot.tables.consent.accepted_proposals import add_events_of_accepted_proposal
from bot.tables.context import TableContext
from bot.tables.lobby.opening import TableOpening
from bot.tables.people.export import PersonExport
from bot.tables.people.person_deletion import release_seats
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import TableRequest
from bot.tables.state.snapshots import OPEN, Caller

BETWEEN_EXPORTS: Final = 24 * HOUR

logger = logging.getLogger(__name__)


LONGEST_WAIT: Final = 10.0
LOOK_EVERY: Final = 0.5
"""Seconds to wait for the owners of other servers to have the person leave, and between two checks."""


class PersonalDataService:
    """A person's requests about their stored data (`docs/long-games.md`, 7; `docs/data.md`)."""

    def __init__(self, context: TableContext, opening: TableOpening) -> None:
        self._context = context
        self._opening = opening
        self._forgetting: list[Callable[[int], Awaitable[None]]] = []
        self._forgotten: list[Callable[[int], Awaitable[None]]] = []

    def subscribe_before_deletion(self, listener: Callable[[int], Awaitable[None]]) -> None:
        """Register a function that is awaited with each person before their data is deleted."""
        self._forgetting.append(listener)

    def subscribe_after_deletion(self, listener: Callable[[int], Awaitable[None]]) -> None:
        """Register a function that is awaited with each person after the deletion, to clear caches."""
        self._forgotten.append(listener)

    # --- export ------------------------------------------------------------------------------------------------------

    async def export(self, caller: Caller) -> dict[str, Any]:
        """Return all stored data of the caller, for JSON; once a day. Refusal: exported_before."""
        self._context.count_request(caller)
        now, last = self._context.clock.now(), await self._context.store.players.last_export(caller.person)
        if last is not None and last <= now < last + BETWEEN_EXPORTS:
            raise TableRefusal(TableCode.EXPORTED_BEFORE, {"from": last + BETWEEN_EXPORTS})
        kept = await self._context.store.players.personal_data(caller.person)
        known = await self._context.store.tables.tables_with_person(caller.person)
        tables = [await self._export_table(one, caller.person) for one in known]
        await self._context.store.players.note_export(caller.person, now)
        return {
            "format": "canasta-person",
            "version": 1,
            "person": caller.person,
            **{name: [dict(row) for row in rows] for name, rows in kept.items()},
            "tables": tables,
        }

    async def _export_table(self, summary: TableSummary, person: int) -> dict[str, Any]:
        """Return the table's data about the person; for an unreadable table, only the fact that it exists."""
        try:
            past = PersonExport(await self._context.repository.get(summary.id), person)
            for row in await self._context.store.tables.actions(summary.id):
                past.add_row(row)
                await asyncio.sleep(0)
            return past.export_table()
        except FATAL_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - whatever is damaged, all else is exported
            if not isinstance(error, TableRefusal | UndecodableData):
                record_failure(logger, "the export of a table", error, table=summary.id)
            return {"table": summary.id, "server": summary.guild, "status": summary.status}

    # --- deletion ----------------------------------------------------------------------------------------------------

    async def forget(self, caller: Caller) -> bool:
        """Delete everything that identifies the caller, who gives up all seats. Return whether it is done.

        Cards, moves, scores and shuffle words stay, as those of a former player, who cannot be linked to other tables.
        The deletion is stored in the outbox first, so that a process killed meanwhile finishes it at its next start. In
        a fleet the process that owns a server has the person leave its tables first. The result is False if that takes
        longer than ten seconds; the deletion then goes on in the background.
        """
        self._context.count_request(caller)
        now = self._context.clock.now()
        await self._context.store.players.note_deletion(caller.person, now)
        promise = Promise(kind=FORGET, key=str(caller.person), person=caller.person)
        store = self._context.store
        if store.shards.is_whole:
            await store.outbox.add(promise, now)
            await self.carry_out_deletion(caller.person)
            return True
        leaves = [_promise_to_leave(caller.person, guild) for guild in await store.players.guilds_of(caller.person)]
        await store.outbox.add_all((*leaves, promise), now)
        store.outbox.notify_listener()
        until = asyncio.get_running_loop().time() + LONGEST_WAIT
        while await store.outbox.is_pending(FORGET, promise.key):
            if asyncio.get_running_loop().time() > until:
                return False
            await asyncio.sleep(LOOK_EVERY)
        return True

    async def has_left_all_tables(self, person: int) -> bool:
        """Return whether a person who is being deleted has left the tables of all servers."""
        return not await self._context.store.outbox.count_servers_to_leave(person)

    async def remove_person_everywhere(self, person: int) -> None:
        """Remove a person who is being deleted from this process's tables, tournaments and series."""
        for listener in tuple(self._forgetting):
            await listener(person)
        await self._context.repository.run_shielded(self._leave_tables(person))

    async def _leave_tables(self, person: int) -> None:
        """Give up the person's seats at all open tables of this process."""
        for one in await self._context.store.tables.tables_with_person(person):
            if one.status in OPEN and self._context.store.shards.owns(one.guild):
                await self._give_up_seats(one.id, person)

    async def carry_out_deletion(self, person: int) -> None:
        """Delete a person's data, as the outbox requires.

        It is safe to repeat after an attempt that was interrupted.
        """
        for listener in tuple(self._forgetting):
            await listener(person)
        await self._context.repository.run_shielded(self._delete_person(person))
        for listener in tuple(self._forgotten):
            await listener(person)

    async def _delete_person(self, person: int) -> None:
        """Delete the person at all tables and in the store."""
        # No one may take a seat during deletion.
        async with self._opening.lock, AsyncExitStack() as stack:
            known = await self._context.store.tables.tables_with_person(person)
            await self._leave_tables(person)
            for one in known:
                await stack.enter_async_context(self._context.repository.lock(one.id))
            try:
                await self._context.store.players.forget(person)
            finally:
                self._context.repository.evict(*(one.id for one in known))

    async def _give_up_seats(self, table_number: int, person: int) -> None:
        """Remove the person from an open table."""
        now = self._context.clock.now()
        # A table that was closed meanwhile has no seats to give up, and a damaged one cannot be changed.
        async with _ignore_errors(table_number):
            record = (await self._context.repository.get(table_number)).record
            if release_seats(record, person, now=now):
                await self._context.repository.change(
                    table_number,
                    TableRequest("forget", {}, seat=record.seat_of(person)),
                    lambda table: add_events_of_accepted_proposal(
                        self._context, table, release_seats(table.record, person, now=now)
                    ),
                )


def _promise_to_leave(person: int, guild: int) -> Promise:
    """Return the outbox entry that removes a person from a server's tables in the process that owns it."""
    return Promise(kind=LEAVE, key=f"{person}:{guild}", guild=guild, person=person)


@asynccontextmanager
async def _ignore_errors(table: int) -> AsyncIterator[None]:
    """Log and ignore errors at one table, so that the person is still deleted at all others."""
    try:
        yield
    except TableRefusal:
        return
    except FATAL_ERRORS:
        raise
    except Exception as error:  # noqa: BLE001 - the person is deleted all the same
        record_failure(logger, "giving up a seat", error, table=table)
