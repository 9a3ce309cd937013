"""Tables, their logs and seats, their people, and the seeds of their deals.

A table is one aggregate with a version. Its log (`actions`) has one row per version, from 1 without a gap, so that the
log alone replays the whole table; the snapshot is the table at the latest version. One `commit` is one transaction: log
row, snapshot, timers, deal secrets and seats become durable together or not at all.

All instants are UTC milliseconds; guild, channel, message, person and request ids are Discord's and fit 63 bits.
Payloads and snapshots are JSON text that the store never reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.store.database import EVERY_ROW, Database, pad_alternatives
from bot.store.engines.seam import OWNED, Parameters, Row, Session
from bot.store.errors import AlreadyServed, InvalidWrite, StaleVersion, StoreError, Undecodable, UnknownTable
from bot.store.guilds import AuditEntry, audit_statement
from bot.store.outbox import Promise, promise_statement
from bot.store.players import Result, lapse_statements, result_statements
from bot.store.timers_and_uptime import PersonTimes, times_statement
from bot.store.tournaments import ContestKey, contest_statements, unseal_statement
from bot.store.upkeep.archives import Place
from bot.store.upkeep.set_back import note_set_back
from bot.store.upkeep.table_archives import (
    ARCHIVE,
    ARCHIVE_PEOPLE,
    DUE_TABLES,
    people_of,
    unpack,
    unpack_table,
)
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class TimerChange:
    """The new instant of a table's timer of that kind, or None to clear it."""

    kind: str
    due_at: int | None


@dataclass(frozen=True, slots=True)
class DealSecret:
    """The seed of a deal, its published commitment (hexadecimal), and when the seed became public."""

    deal: int
    seed: bytes = field(repr=False)
    commitment: str
    revealed_at: int | None = None


@dataclass(frozen=True, slots=True)
class StoredHolder:
    """A person at a table under one name; logs and snapshots contain the number instead of the person.

    `first` is the lowest number of the same person at the table. The person of a former player is below zero.
    """

    number: int
    first: int
    person: int
    name: str = field(repr=False)
    account: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """A table with the first row of its log. `person` opened it; `seated` are the people seated.

    `holders` are the people that its texts have numbers for. `contest` is its place in a tournament, if it has one;
    `sealed` means that its play is hidden from others for now.
    """

    guild: int
    channel: int
    thread: int | None
    request: int | None
    person: int
    kind: str
    payload: str = field(repr=False)
    status: str
    snapshot: str = field(repr=False)
    at: int
    timers: tuple[TimerChange, ...] = ()
    seated: tuple[int, ...] = ()
    holders: tuple[StoredHolder, ...] = ()
    contest: ContestKey | None = None
    sealed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The data written for one accepted action.

    `request` is the id that identifies a repetition, None for computer players and timers. `payload` is the action and
    its events, `snapshot` the whole table after them. `seated` is None if no seat changed. A secret for a deal that has
    one already replaces it, unless that one is public. `revealed` are deals whose seed is public from now on.
    `computer_to_act` means that a computer player is to act next. `holders` are the persons newly numbered in the
    texts. `results` are those of a game that ends with this change, `promises` its effects that are carried out later;
    `lapsed` are the persons who ran out of time, `times` the persons whose vacation changes with the table. `audit` is
    a game master's action, None if there was none. `unsealed` means that a sealed table may be viewed from now on.
    `waits_since` is since when the table waits for the seat that is to act.
    """

    table: int
    expected_version: int
    request: int | None
    person: int | None
    seat: int | None
    kind: str
    payload: str = field(repr=False)
    status: str
    snapshot: str = field(repr=False)
    at: int
    timers: tuple[TimerChange, ...] = ()
    seated: tuple[int, ...] | None = None
    secrets: tuple[DealSecret, ...] = ()
    revealed: tuple[int, ...] = ()
    computer_to_act: bool = False
    holders: tuple[StoredHolder, ...] = ()
    results: tuple[Result, ...] = ()
    promises: tuple[Promise, ...] = ()
    lapsed: tuple[int, ...] = ()
    times: tuple[PersonTimes, ...] = ()
    audit: AuditEntry | None = None
    unsealed: bool = False
    waits_since: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """A table as it was last written. `opened_by` is the person who opened it."""

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


_NEW_TABLE: Final = """
INSERT INTO tables (guild_id, channel_id, thread_id, status, version, opened_by, created_at, updated_at, snapshot)
VALUES (:guild, :channel, :thread, :status, 1, :person, :at, :at, :snapshot)
RETURNING id
"""

_NEW_ACTION: Final = """
INSERT INTO actions (table_id, version, request_id, person_id, seat, kind, payload, at)
VALUES (:table, :version, :request, :person, :seat, :kind, :payload, :at)
"""

_NEW_VERSION: Final = """
UPDATE tables SET version = :version, status = :status, snapshot = :snapshot, updated_at = :at,
    waits_since = :waits_since, computer_to_act = :computer_to_act
WHERE id = :table AND version = :expected
"""

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

_CLEAR_SEATED: Final = "DELETE FROM seated WHERE table_id = :table"

_NEW_SEATED: Final = "INSERT INTO seated (table_id, person_id) VALUES (:table, :person)"

_SET_TIMER: Final = """
INSERT INTO timers (table_id, kind, guild_id, due_at, version)
SELECT id, CAST(:kind AS TEXT), guild_id, CAST(:due_at AS BIGINT), CAST(:version AS BIGINT)
FROM tables WHERE id = :table
ON CONFLICT (table_id, kind) DO UPDATE SET due_at = excluded.due_at, version = excluded.version
"""

_CLEAR_TIMER: Final = "DELETE FROM timers WHERE table_id = :table AND kind = :kind"

_SET_SEED: Final = """
INSERT INTO deal_secrets (table_id, deal, seed, commitment) VALUES (:table, :deal, :seed, :commitment)
ON CONFLICT (table_id, deal) DO UPDATE SET seed = excluded.seed, commitment = excluded.commitment
WHERE deal_secrets.revealed_at IS NULL
"""

_REVEAL_SEED: Final = """
UPDATE deal_secrets SET revealed_at = COALESCE(revealed_at, :at) WHERE table_id = :table AND deal = :deal
"""

_SEED: Final = """
SELECT deal, seed, commitment, revealed_at FROM deal_secrets WHERE table_id = :table AND deal = :deal
"""

HOLDERS: Final = """
SELECT number, first, person_id AS person, name, account FROM holders WHERE table_id = :table ORDER BY number
"""

_NEW_HOLDER: Final = """
INSERT INTO holders (table_id, number, first, person_id, name, account)
VALUES (:table, :number, :first, :person, :name, :account)
"""

_TABLES_HOLDING: Final = f"""
SELECT {_SUMMARY} FROM tables WHERE id IN (SELECT table_id FROM holders WHERE person_id = :person) ORDER BY id
"""  # noqa: S608 - no value in it

_MOVE_TABLE: Final = "UPDATE tables SET channel_id = :channel, thread_id = :thread WHERE id = :table"

_LEAVE_MESSAGE_BEHIND: Final = "UPDATE messages SET behind = 1 WHERE table_id = :table AND behind = 0"

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
"""The number of statuses in a statement, which is the number that exist."""


class TableStore:
    """Tables and their logs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, new: NewTable) -> int:
        """Write a table at version 1 and return its number, which is never reused.

        Raises `AlreadyServed`.
        """
        try:
            return await self._database.run(partial(_insert_table, new))
        except InvalidWrite:
            await self._raise_if_served(new.request)
            raise

    async def commit(self, change: Change) -> int:
        """Write one action and return the table's new version; it is durable on return.

        Raises `AlreadyServed` (checked first), `StaleVersion`, `UnknownTable`, `InvalidWrite`.
        """
        try:
            await self._database.write(change.table, *_change_statements(change))
        except InvalidWrite as refusal:
            if await self._database.run(partial(_unpack_if_sound, table=change.table)):
                return await self.commit(change)
            raise await self._find_refusal(change, refusal) from None
        return change.expected_version + 1

    async def note_set_back(self, known: Mapping[int, int], now: int) -> tuple[int, ...]:
        """Return the tables stored at an earlier version than `known`; their boards are shown anew and say so."""
        return await self._database.run(partial(note_set_back, known, now))

    async def pack_due(self, before: int, limit: int, after: Place) -> tuple[int, Place]:
        """Pack tables that are over, and return how many and the place reached (`DueSubjects.pack`)."""
        shards = self._database.shards
        return await self._database.run(
            partial(DUE_TABLES.pack, before=before, limit=limit, after=after, shards=shards)
        )

    async def _find_refusal(self, change: Change, refusal: InvalidWrite) -> StoreError:
        """Return why a change was refused.

        Called after the refusal, which works because requests and versions are never deleted.
        """
        await self._raise_if_served(change.request)
        version = await self._database.value(_TABLE_VERSION, {"table": change.table})
        if version is None:
            return UnknownTable(change.table)
        if version != change.expected_version:
            return StaleVersion(table=change.table, expected=change.expected_version, version=version)
        return refusal

    async def _raise_if_served(self, request: int | None) -> None:
        """Raise `AlreadyServed` if the request was written before."""
        action = None if request is None else await self.served(request)
        if request is not None and action is not None:
            raise AlreadyServed(request=request, table=action.table, version=action.version)

    async def load(self, table: int) -> StoredTable | None:
        """Return the table, or None if there is none of that number. Raises `Undecodable` for a damaged archive."""
        rows = await self._database.fetch(TABLE, {"table": table})
        return stored_table(rows[0]) if rows else None

    async def served(self, request: int) -> StoredAction | None:
        """Return the action that a request led to, or None if it was never written."""
        return await self._database.one(StoredAction, _ACTION_OF_REQUEST, {"request": request})

    async def actions(self, table: int, *, after: int = 0, limit: int | None = None) -> tuple[StoredAction, ...]:
        """Return the table's log in order, from the version after `after`; at most `limit` rows.

        A packed log is read like any other, but without requests. Raises `Undecodable` for a damaged archive.
        """
        rows = {"table": table, "after": after, "limit": EVERY_ROW if limit is None else limit}
        found = await self._database.all(StoredAction, ACTIONS, rows)
        archives = () if found else await self._database.fetch(ARCHIVE, {"table": table})
        if not archives:
            return found
        people = await self._database.fetch(ARCHIVE_PEOPLE, {"table": table})
        return packed_actions(table, archives[0], people, after=after)[: rows["limit"]]

    async def in_guild(self, guild: int, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        """Return a guild's tables of these statuses, oldest first."""
        return await self._tables(_TABLES_OF_GUILD, {"guild": guild}, statuses)

    async def seating(
        self, person: int, statuses: Collection[str], *, guild: int | None = None
    ) -> tuple[TableSummary, ...]:
        """Return tables of these statuses where the person is seated, oldest first.

        With `guild`, only that guild's.
        """
        found = await self._tables(_TABLES_OF_PERSON, {"person": person}, statuses)
        return tuple(table for table in found if guild in (None, table.guild))

    async def opened_by(
        self, person: int, statuses: Collection[str], *, guild: int | None = None
    ) -> tuple[TableSummary, ...]:
        """Return tables of these statuses that the person opened, oldest first.

        With `guild`, only that guild's.
        """
        found = await self._tables(_TABLES_OPENED_BY, {"person": person}, statuses)
        return tuple(table for table in found if guild in (None, table.guild))

    async def with_status(self, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        """Return all tables of these statuses that this process owns, oldest first."""
        return await self._tables(_TABLES, self._database.owned, statuses)

    async def for_computers(self) -> tuple[int, ...]:
        """Return the running games where a computer player is to act, oldest first."""
        return await self._database.values(_TABLES_FOR_COMPUTERS, self._database.owned)

    async def played_since(self, guild: int, since: int) -> tuple[int, ...]:
        """Return a guild's open tables where a person acted since that instant, oldest first.

        Tables of tournaments are left out.
        """
        return await self._database.values(_PLAYED_SINCE, {"guild": guild, "since": since})

    async def touched_at(self, table: int) -> int | None:
        """Return the instant of the last change by a person; None if there was none."""
        return await self._database.value(_TOUCHED_AT, {"table": table})

    async def move(
        self, table: int, *, channel: int, thread: int | None, promises: Sequence[Promise] = (), at: int = 0
    ) -> None:
        """Store the table's new channel and thread, with promises for the outbox. Raises `UnknownTable`."""
        place = {"table": table, "channel": channel, "thread": thread}
        promised = [promise_statement(one, at) for one in promises]
        await write_for_table(self._database, table, Statement(_MOVE_TABLE, place), *promised)

    async def holders(self, table: int) -> tuple[StoredHolder, ...]:
        """Return the people of a table by their numbers, which run from 1 without a gap."""
        return await self._database.all(StoredHolder, HOLDERS, {"table": table})

    async def knowing(self, person: int) -> tuple[TableSummary, ...]:
        """Return the tables of every status whose people include that person, oldest first."""
        return await self._database.all(TableSummary, _TABLES_HOLDING, {"person": person})

    async def secret(self, table: int, deal: int) -> DealSecret | None:
        """Return the seed of a deal. Use it only to deal, and to publish it with the score."""
        return await self._database.one(DealSecret, _SEED, {"table": table, "deal": deal})

    async def _tables(self, query: str, parameters: Parameters, statuses: Collection[str]) -> tuple[TableSummary, ...]:
        """Return the tables that a query with statuses selects."""
        asked = pad_alternatives("status", statuses, _STATUSES)
        return await self._database.all(TableSummary, query, {**parameters, **asked})


def _unpack_if_sound(session: Session, table: int) -> bool:
    """Unpack a table; return False if it is not packed, or its archive is damaged."""
    try:
        return unpack_table(session, table)
    except Undecodable:
        return False


def stored_table(row: Row) -> StoredTable:
    """Return the table in a row of `TABLE`. Raises `Undecodable` for a damaged archive."""
    values = dict(row)
    packed, sha256 = values.pop("packed"), values.pop("sha256")
    if packed is not None:
        values["snapshot"] = unpack(packed, sha256).snapshot
    return StoredTable(**values)


def packed_actions(table: int, archive: Row, people: Sequence[Row], *, after: int = 0) -> tuple[StoredAction, ...]:
    """Return the log in a row of `ARCHIVE`, from the version after `after`. Raises `Undecodable`."""
    persons = people_of(people)
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
        for row in unpack(archive["packed"], archive["sha256"]).rows
        if row.version > after
    )


async def write_for_table(database: Database, table: int, *statements: Statement) -> None:
    """Write statements that belong to a table. Raises `UnknownTable`, `InvalidWrite`."""
    try:
        await database.write(table, *statements)
    except InvalidWrite:
        if await database.value(_TABLE_VERSION, {"table": table}) is None:
            raise UnknownTable(table) from None
        raise


def _insert_table(new: NewTable, session: Session) -> int:
    """Write a new table and return its number, which is known only after its first row is inserted."""
    opened = {"guild": new.guild, "channel": new.channel, "thread": new.thread, "status": new.status}
    written = {**opened, "person": new.person, "at": new.at, "snapshot": new.snapshot}
    first = Change(
        table=session.execute(_NEW_TABLE, written).rows[0][0],
        expected_version=0,
        request=new.request,
        person=None if new.contest is not None else new.person,  # a tournament's tables are not opened by a person
        seat=None,
        kind=new.kind,
        payload=new.payload,
        status=new.status,
        snapshot=new.snapshot,
        at=new.at,
    )
    seated, holders = _seat_statements(first.table, new.seated), _holder_statements(first.table, new.holders)
    contest = contest_statements(first.table, new.contest, sealed=new.sealed)
    for statement in (_action_statement(first), *seated, *_timer_statements(first, new.timers), *holders, *contest):
        session.execute(statement.sql, statement.parameters)
    return first.table


def _change_statements(change: Change) -> Iterator[Statement]:
    """Yield the statements that write a change."""
    yield _action_statement(change)
    table = {"table": change.table, "version": change.expected_version + 1, "expected": change.expected_version}
    after = {"status": change.status, "snapshot": change.snapshot, "at": change.at}
    yield Statement(_NEW_VERSION, {**table, **after, **_waiting_values(change)})
    yield Statement(_LEAVE_MESSAGE_BEHIND, {"table": change.table}, rows=None)
    yield from _timer_statements(change, change.timers)
    if change.seated is not None:
        yield Statement(_CLEAR_SEATED, {"table": change.table}, rows=None)
        yield from _seat_statements(change.table, change.seated)
    yield from _secret_statements(change)
    yield from _holder_statements(change.table, change.holders)
    if change.unsealed:
        yield unseal_statement(change.table)
    yield from result_statements(change.results)
    for promise in change.promises:
        yield promise_statement(promise, change.at)
    yield from lapse_statements(change.table, change.lapsed, change.at)
    yield from map(times_statement, change.times)
    if change.audit is not None:
        yield audit_statement(change.audit)


def _waiting_values(change: Change) -> dict[str, int | None]:
    """Return statement values: since when the table waits for a move, and whether for a computer player."""
    return {"waits_since": change.waits_since, "computer_to_act": int(change.computer_to_act)}


def _action_statement(change: Change) -> Statement:
    """Return the statement that adds the action to the log."""
    return Statement(
        _NEW_ACTION,
        {
            "table": change.table,
            "version": change.expected_version + 1,
            "request": change.request,
            "person": change.person,
            "seat": change.seat,
            "kind": change.kind,
            "payload": change.payload,
            "at": change.at,
        },
    )


def _seat_statements(table: int, persons: tuple[int, ...]) -> Iterator[Statement]:
    """Yield the statements that store the people seated."""
    for person in persons:
        yield Statement(_NEW_SEATED, {"table": table, "person": person})


def _timer_statements(change: Change, timers: tuple[TimerChange, ...]) -> Iterator[Statement]:
    """Yield the statements that set and clear timers."""
    for timer in timers:
        which = {"table": change.table, "kind": timer.kind}
        if timer.due_at is None:
            yield Statement(_CLEAR_TIMER, which, rows=None)
        else:
            yield Statement(_SET_TIMER, {**which, "due_at": timer.due_at, "version": change.expected_version + 1})


def _secret_statements(change: Change) -> Iterator[Statement]:
    """Yield the statements that store and reveal seeds."""
    for secret in change.secrets:
        values = {"deal": secret.deal, "seed": secret.seed, "commitment": secret.commitment}
        yield Statement(_SET_SEED, {"table": change.table, **values})
    for deal in change.revealed:
        yield Statement(_REVEAL_SEED, {"table": change.table, "deal": deal, "at": change.at})


def _holder_statements(table: int, holders: tuple[StoredHolder, ...]) -> Iterator[Statement]:
    """Yield the statements that number people new to the table."""
    for one in holders:
        called = {"person": one.person, "name": one.name, "account": one.account}
        yield Statement(_NEW_HOLDER, {"table": table, "number": one.number, "first": one.first, **called})
