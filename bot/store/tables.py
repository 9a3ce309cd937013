"""Tables, their logs and seats, their people, and the seeds of their deals.

A table is one aggregate with a version. Its log (`actions`) has one row per version, from 1 without a gap, so that the
log alone replays the whole table; the snapshot is the table at the latest version. One `commit` is one transaction: log
row, snapshot, timers, deal secrets and seats become durable together or not at all (`bot.store.table_changes`).

All instants are UTC milliseconds; guild, channel, message, person and request ids are Discord's and fit 63 bits.
Payloads and snapshots are JSON text that the store never reads.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.store.database import EVERY_ROW, Database, padded_list_parameters
from bot.store.engines.interface import OWNED, Parameters, Row, Session
from bot.store.errors import InvalidWrite, RequestAlreadyServed, StaleVersion, StoreError, UndecodableData, UnknownTable
from bot.store.outbox import Promise, promise_statement
from bot.store.table_changes import (
    DealSecret,
    NewTable,
    StoredHolder,
    TableChange,
    insert_table,
    table_change_statements,
)
from bot.store.upkeep.archives import PackingPlace
from bot.store.upkeep.table_archives import (
    ARCHIVE,
    ARCHIVE_PEOPLE,
    ARCHIVES,
    DUE_TABLES,
    persons_in_log,
    unpack_table,
)
from bot.store.upkeep.tables_set_back import note_tables_set_back
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """A table as it is stored. `opened_by` is the person who opened it."""

    id: int
    guild: int
    channel: int
    thread: int | None
    status: str
    version: int
    opened_by: int
    created_at: int
    updated_at: int
    waits_since: int | None
    snapshot: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """A table without its snapshot."""

    id: int
    guild: int
    channel: int
    thread: int | None
    status: str
    version: int
    opened_by: int
    created_at: int
    updated_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAction:
    """A row of a table's log, which led to that version."""

    table: int
    version: int
    request: int | None
    person: int | None
    seat: int | None
    kind: str
    payload: str = field(repr=False)
    at: int


TABLE: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, thread_id AS thread, status, version, opened_by, created_at,
    updated_at, waits_since, snapshot, packed, sha256
FROM tables LEFT JOIN archives ON archives.table_id = id WHERE id = :table
"""

_TABLE_VERSION: Final = "SELECT version FROM tables WHERE id = :table"

_SUMMARY: Final = """
id, guild_id AS guild, channel_id AS channel, thread_id AS thread, status, version, opened_by, created_at, updated_at
"""

_TABLES: Final = f"""
SELECT {_SUMMARY} FROM tables WHERE status IN (:status_1, :status_2, :status_3, :status_4) AND {OWNED} ORDER BY id
"""  # noqa: S608 - no value in it

_TABLES_OF_GUILD: Final = f"""
SELECT {_SUMMARY} FROM tables WHERE guild_id = :guild AND status IN (:status_1, :status_2, :status_3, :status_4)
ORDER BY id
"""  # noqa: S608 - no value in it

_TABLES_OF_PERSON: Final = f"""
SELECT {_SUMMARY} FROM seated JOIN tables ON id = table_id
WHERE person_id = :person AND status IN (:status_1, :status_2, :status_3, :status_4)
ORDER BY id
"""  # noqa: S608 - no value in it

_TABLES_OPENED_BY: Final = f"""
SELECT {_SUMMARY} FROM tables WHERE opened_by = :person AND status IN (:status_1, :status_2, :status_3, :status_4)
ORDER BY id
"""  # noqa: S608 - no value in it

_TABLES_FOR_COMPUTERS: Final = f"""
SELECT id FROM tables WHERE status = 'playing' AND computer_to_act = 1 AND {OWNED} ORDER BY id
"""  # noqa: S608 - no value in it

ACTIONS: Final = """
SELECT table_id AS "table", version, request_id AS request, person_id AS person, seat, kind, payload, at
FROM actions WHERE table_id = :table AND version > :after
ORDER BY version LIMIT :limit
"""

_ACTION_OF_REQUEST: Final = """
SELECT table_id AS "table", version, request_id AS request, person_id AS person, seat, kind, payload, at
FROM actions WHERE request_id = :request
"""

_SEED: Final = """
SELECT deal, seed, commitment, revealed_at FROM deal_secrets WHERE table_id = :table AND deal = :deal
"""

HOLDERS: Final = """
SELECT number, first, person_id AS person, name, account FROM holders WHERE table_id = :table ORDER BY number
"""

_TABLES_HOLDING: Final = f"""
SELECT {_SUMMARY} FROM tables WHERE id IN (SELECT table_id FROM holders WHERE person_id = :person) ORDER BY id
"""  # noqa: S608 - no value in it

_MOVE_TABLE: Final = "UPDATE tables SET channel_id = :channel, thread_id = :thread WHERE id = :table"

_TOUCHED_AT: Final = """
SELECT at FROM actions WHERE table_id = :table AND request_id IS NOT NULL ORDER BY version DESC LIMIT 1
"""

_PLAYED_SINCE: Final = """
SELECT id FROM tables
WHERE guild_id = :guild AND NOT EXISTS (SELECT 1 FROM contest_tables WHERE contest_tables.table_id = tables.id)
    AND status IN ('lobby', 'playing') AND updated_at >= :since AND (
    SELECT at FROM actions WHERE table_id = tables.id AND person_id IS NOT NULL ORDER BY version DESC LIMIT 1
) >= :since
ORDER BY id
"""

_STATUSES: Final = 4
"""The number of parameters for statuses in a statement: as many as there are statuses."""


class TableStore:
    """The stored tables and their logs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, new: NewTable) -> int:
        """Write a table at version 1 and return its number, which is never used again.

        Raises `RequestAlreadyServed`.
        """
        try:
            return await self._database.run(partial(insert_table, new))
        except InvalidWrite:
            await self._raise_if_served(new.request)
            raise

    async def commit(self, change: TableChange) -> int:
        """Write one action durably and return the table's new version.

        Raises `RequestAlreadyServed` (checked first), `StaleVersion`, `UnknownTable`, `InvalidWrite`.
        """
        try:
            await self._database.write(change.table, *table_change_statements(change))
        except InvalidWrite as refusal:
            if await self._database.run(partial(_unpack_if_sound, table=change.table)):
                return await self.commit(change)
            raise await self._find_refusal(change, refusal) from None
        return change.expected_version + 1

    async def note_tables_set_back(self, known: Mapping[int, int], now: int) -> tuple[int, ...]:
        """Return the tables stored at an earlier version than in `known`.

        A message at each of them is promised in the outbox.
        """
        return await self._database.run(partial(note_tables_set_back, known, now))

    async def archive_due_tables(self, before: int, limit: int, after: PackingPlace) -> tuple[int, PackingPlace]:
        """Compress tables that are over into archives, at most `limit`.

        Return how many, and the place from which to go on (`DueArchives.pack`).
        """
        shards = self._database.shards
        return await self._database.run(
            partial(DUE_TABLES.pack, before=before, limit=limit, after=after, shards=shards)
        )

    async def _find_refusal(self, change: TableChange, refusal: InvalidWrite) -> StoreError:
        """Return the error that explains why a change was refused.

        The reason can still be found afterwards, because requests and versions are never deleted.
        """
        await self._raise_if_served(change.request)
        version = await self._database.fetch_number(_TABLE_VERSION, {"table": change.table})
        if version is None:
            return UnknownTable(change.table)
        if version != change.expected_version:
            return StaleVersion(table=change.table, expected=change.expected_version, version=version)
        return refusal

    async def _raise_if_served(self, request: int | None) -> None:
        """Raise `RequestAlreadyServed` if the request was written before."""
        action = None if request is None else await self.action_of_request(request)
        if request is not None and action is not None:
            raise RequestAlreadyServed(request=request, table=action.table, version=action.version)

    async def load(self, table: int) -> StoredTable | None:
        """Return the table of that number, or None. Raises `UndecodableData` for a damaged archive."""
        rows = await self._database.fetch(TABLE, {"table": table})
        return stored_table(rows[0]) if rows else None

    async def action_of_request(self, request: int) -> StoredAction | None:
        """Return the action that was written for a request; None if none was."""
        return await self._database.fetch_one(StoredAction, _ACTION_OF_REQUEST, {"request": request})

    async def actions(self, table: int, *, after: int = 0, limit: int | None = None) -> tuple[StoredAction, ...]:
        """Return the table's log in order, from the version after `after`; at most `limit` rows.

        The log of an archived table is read like any other, but has no requests. Raises `UndecodableData` for a damaged
        archive.
        """
        rows = {"table": table, "after": after, "limit": EVERY_ROW if limit is None else limit}
        found = await self._database.fetch_all(StoredAction, ACTIONS, rows)
        archives = () if found else await self._database.fetch(ARCHIVE, {"table": table})
        if not archives:
            return found
        people = await self._database.fetch(ARCHIVE_PEOPLE, {"table": table})
        return actions_in_archive(table, archives[0], people, after=after)[: rows["limit"]]

    async def tables_in_guild(self, guild: int, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        """Return a guild's tables of these statuses, oldest first."""
        return await self._select_tables(_TABLES_OF_GUILD, {"guild": guild}, statuses)

    async def tables_of_player(
        self, person: int, statuses: Collection[str], *, guild: int | None = None
    ) -> tuple[TableSummary, ...]:
        """Return tables of these statuses where the person is seated, oldest first.

        With `guild`, only that guild's.
        """
        found = await self._select_tables(_TABLES_OF_PERSON, {"person": person}, statuses)
        return tuple(table for table in found if guild in (None, table.guild))

    async def tables_opened_by(
        self, person: int, statuses: Collection[str], *, guild: int | None = None
    ) -> tuple[TableSummary, ...]:
        """Return tables of these statuses that the person opened, oldest first.

        With `guild`, only that guild's.
        """
        found = await self._select_tables(_TABLES_OPENED_BY, {"person": person}, statuses)
        return tuple(table for table in found if guild in (None, table.guild))

    async def tables_with_status(self, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        """Return all tables of these statuses that this process owns, oldest first."""
        return await self._select_tables(_TABLES, self._database.shard_parameters, statuses)

    async def tables_awaiting_computers(self) -> tuple[int, ...]:
        """Return the running games in which a computer player is to act next, oldest first."""
        return await self._database.fetch_numbers(_TABLES_FOR_COMPUTERS, self._database.shard_parameters)

    async def tables_played_since(self, guild: int, since: int) -> tuple[int, ...]:
        """Return a guild's open tables where a person acted since that instant, oldest first.

        Tables of tournaments are left out.
        """
        return await self._database.fetch_numbers(_PLAYED_SINCE, {"guild": guild, "since": since})

    async def last_change_by_person(self, table: int) -> int | None:
        """Return the instant of the last change by a person; None if there was none."""
        return await self._database.fetch_number(_TOUCHED_AT, {"table": table})

    async def move(
        self, table: int, *, channel: int, thread: int | None, promises: Sequence[Promise] = (), at: int = 0
    ) -> None:
        """Store the table's new channel and thread, with promises for the outbox. Raises `UnknownTable`."""
        place = {"table": table, "channel": channel, "thread": thread}
        promised = [promise_statement(one, at) for one in promises]
        await write_for_table(self._database, table, Statement(_MOVE_TABLE, place), *promised)

    async def holders(self, table: int) -> tuple[StoredHolder, ...]:
        """Return the people of a table by their numbers, which run from 1 without a gap."""
        return await self._database.fetch_all(StoredHolder, HOLDERS, {"table": table})

    async def tables_with_person(self, person: int) -> tuple[TableSummary, ...]:
        """Return the tables of every status whose people include that person, oldest first."""
        return await self._database.fetch_all(TableSummary, _TABLES_HOLDING, {"person": person})

    async def secret(self, table: int, deal: int) -> DealSecret | None:
        """Return the seed of a deal. Callers may only deal with it, and publish it with the score."""
        return await self._database.fetch_one(DealSecret, _SEED, {"table": table, "deal": deal})

    async def _select_tables(
        self, query: str, parameters: Parameters, statuses: Collection[str]
    ) -> tuple[TableSummary, ...]:
        """Return the tables that a query for these statuses selects."""
        asked = padded_list_parameters("status", statuses, _STATUSES)
        return await self._database.fetch_all(TableSummary, query, {**parameters, **asked})


def _unpack_if_sound(session: Session, table: int) -> bool:
    """Restore an archived table; return False if it is not archived, or its archive is damaged."""
    try:
        return unpack_table(session, table)
    except UndecodableData:
        return False


def stored_table(row: Row) -> StoredTable:
    """Return the table in a row of `TABLE`. Raises `UndecodableData` for a damaged archive."""
    values = dict(row)
    packed, sha256 = values.pop("packed"), values.pop("sha256")
    if packed is not None:
        values["snapshot"] = ARCHIVES.unpack(packed, sha256).snapshot
    return StoredTable(**values)


def actions_in_archive(table: int, archive: Row, people: Sequence[Row], *, after: int = 0) -> tuple[StoredAction, ...]:
    """Return the log that an archive holds, from the version after `after`. Raises `UndecodableData`."""
    persons = persons_in_log(people)
    return tuple(
        StoredAction(
            table=table,
            version=row.version,
            request=None,
            person=persons.get(row.person),
            seat=row.seat,
            kind=row.kind,
            payload=row.payload,
            at=row.at,
        )
        for row in ARCHIVES.unpack(archive["packed"], archive["sha256"]).rows
        if row.version > after
    )


async def write_for_table(database: Database, table: int, *statements: Statement) -> None:
    """Write statements that belong to a table. Raises `UnknownTable`, `InvalidWrite`."""
    try:
        await database.write(table, *statements)
    except InvalidWrite:
        if await database.fetch_number(_TABLE_VERSION, {"table": table}) is None:
            raise UnknownTable(table) from None
        raise
