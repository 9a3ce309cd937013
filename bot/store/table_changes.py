"""The data written for a new table, or for an accepted action with all that follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.store.contest_tables import ContestKey, contest_statements, unsealing_statement
from bot.store.engines.interface import Session
from bot.store.guilds import AuditEntry, audit_entry_statement
from bot.store.outbox import Promise, promise_statement
from bot.store.people.players import GameResult, lapse_statements, result_statements
from bot.store.timers_and_uptime import PersonTimes, personal_times_statement
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
    """A person at a table under one name; logs and snapshots contain `number` instead of the person.

    `first` is the lowest number of the same person at the table. The person of a former player is below zero.
    """

    number: int
    first: int
    person: int
    name: str = field(repr=False)
    account: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """A table with the first row of its log.

    `person` opened it; `seated` are the people in its seats. `holders` are the people whose numbers its texts contain.
    `contest` is its place in a tournament, if it has one; `sealed` means that its play is hidden from others for now.
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
class TableChange:
    """The data written for one accepted action.

    `request` is the id that identifies a repetition, None for computer players and timers. `payload` is the action and
    its events, `snapshot` the whole table after them. `seated` is None if no seat changed. A secret for a deal that has
    one already replaces it, unless that one is public. `revealed` are deals whose seed is public from now on.
    `computer_to_act` means that a computer player is to act next. `holders` are the persons newly numbered in the
    texts. `results` are those of a game that ends with this change, `promises` its side effects that are carried out
    later; `lapsed` are the persons who ran out of time, `times` the persons whose vacation changes with the table.
    `audit` is a game master's action, None if there was none. `unsealed` means that a sealed table may be viewed from
    now on. `waits_since` is since when the table waits for the seat that is to act.
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
    results: tuple[GameResult, ...] = ()
    promises: tuple[Promise, ...] = ()
    lapsed: tuple[int, ...] = ()
    times: tuple[PersonTimes, ...] = ()
    audit: AuditEntry | None = None
    unsealed: bool = False
    waits_since: int | None = None


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

_NEW_HOLDER: Final = """
INSERT INTO holders (table_id, number, first, person_id, name, account)
VALUES (:table, :number, :first, :person, :name, :account)
"""

_LEAVE_MESSAGE_BEHIND: Final = "UPDATE messages SET behind = 1 WHERE table_id = :table AND behind = 0"


def insert_table(new: NewTable, session: Session) -> int:
    """Write a new table and return its number, which the database assigns."""
    opened = {"guild": new.guild, "channel": new.channel, "thread": new.thread, "status": new.status}
    written = {**opened, "person": new.person, "at": new.at, "snapshot": new.snapshot}
    first = TableChange(
        table=session.execute(_NEW_TABLE, written).rows[0][0],
        expected_version=0,
        request=new.request,
        person=None if new.contest is not None else new.person,  # the tables of tournaments are opened by no person
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


def table_change_statements(change: TableChange) -> Iterator[Statement]:
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
        yield unsealing_statement(change.table)
    yield from result_statements(change.results)
    for promise in change.promises:
        yield promise_statement(promise, change.at)
    yield from lapse_statements(change.table, change.lapsed, change.at)
    yield from map(personal_times_statement, change.times)
    if change.audit is not None:
        yield audit_entry_statement(change.audit)


def _waiting_values(change: TableChange) -> dict[str, int | None]:
    """Return values for a statement: since when the table waits for a move, and whether for a computer."""
    return {"waits_since": change.waits_since, "computer_to_act": int(change.computer_to_act)}


def _action_statement(change: TableChange) -> Statement:
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


def _timer_statements(change: TableChange, timers: tuple[TimerChange, ...]) -> Iterator[Statement]:
    """Yield the statements that set and clear timers."""
    for timer in timers:
        which = {"table": change.table, "kind": timer.kind}
        if timer.due_at is None:
            yield Statement(_CLEAR_TIMER, which, rows=None)
        else:
            yield Statement(_SET_TIMER, {**which, "due_at": timer.due_at, "version": change.expected_version + 1})


def _secret_statements(change: TableChange) -> Iterator[Statement]:
    """Yield the statements that store and reveal seeds."""
    for secret in change.secrets:
        values = {"deal": secret.deal, "seed": secret.seed, "commitment": secret.commitment}
        yield Statement(_SET_SEED, {"table": change.table, **values})
    for deal in change.revealed:
        yield Statement(_REVEAL_SEED, {"table": change.table, "deal": deal, "at": change.at})


def _holder_statements(table: int, holders: tuple[StoredHolder, ...]) -> Iterator[Statement]:
    """Yield the statements that store the numbers of people who are new at the table."""
    for one in holders:
        called = {"person": one.person, "name": one.name, "account": one.account}
        yield Statement(_NEW_HOLDER, {"table": table, "number": one.number, "first": one.first, **called})
