"""The outbox: side effects that changes promise, each stored in the transaction of its change."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.store.database import Database
from bot.store.engines.interface import OWNED
from bot.store.writer import Statement

RATE: Final = "rate"
"""The kind of promises to rate a table, with its number after ``b`` as key, or a tournament, after ``t``."""

FORGET: Final = "forget"
"""The kind of promises to delete a person's data; the key is the person's id."""

LEAVE: Final = "leave"
"""The kind of promises to have a deleted person leave a server's tables; the key is ``<person>:<server>``."""

RETIME: Final = "retime"
"""The kind of promises to reset alarms after a person's hours changed; the key is ``<person>:<server>``."""

LETTER: Final = "letter"
"""The kind of promises to send a person a tournament's news item; the key is ``<tournament>:<news>:<person>``."""

EVENT: Final = "event"
"""The kind of promises to update a tournament's scheduled event; the key is ``t<tournament>``."""

MEMBER: Final = "member"
"""The kind of promises to add a person to a private thread; the key is ``<thread>:<person>``."""

ARCHIVE: Final = "archive"
"""The kind of promises to archive a finished table's thread; the key is the thread's id, `args` name the table."""

OLD_BOARD: Final = "old_board"
"""The kind of promises to delete a table's former message; the key is its id, `args` name table and channel."""

FAULT: Final = "fault"
"""The kind of promises to tell directors of a failure.

The key has the tournament's number, what fails, and the number of its entry, match or round.
"""


SERIES_FAULT: Final = "series_fault"
"""The kind of promises to tell hosts that a series cannot be shown, or can again; the key is the series."""

RESTORED: Final = "restored"
"""The kind of promises to say at a table that a backup was restored.

The key is ``b<table>``; ``as_of`` in `args` is the instant of the backup.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A side effect stored with a change and carried out later: its kind, and a key for its target.

    `args` are numbers that the state does not hold; names, texts and cards are never among them. Promises for one
    person, or else for one server, are kept in order.
    """

    kind: str
    key: str
    guild: int | None = None
    person: int | None = None
    args: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxRow:
    """A pending promise: when it was made and is due (UTC milliseconds), and how many attempts failed.

    `args` is JSON as stored. A promise that is made again while it is pending gets the next `generation`.
    """

    id: int
    kind: str
    key: str
    guild: int | None
    person: int | None
    args: str
    generation: int
    made_at: int
    due_at: int
    tries: int


_PROMISE: Final = """
INSERT INTO outbox (kind, key, guild_id, person_id, args, made_at, due_at)
VALUES (:kind, :key, :guild, :person, :args, :at, :at)
ON CONFLICT (kind, key) DO UPDATE SET args = excluded.args, generation = outbox.generation + 1,
    made_at = excluded.made_at, due_at = excluded.due_at, tries = 0
"""

_COLUMNS: Final = """
SELECT id, kind, key, guild_id AS guild, person_id AS person, args, generation, made_at, due_at, tries FROM outbox
"""

_OF_US: Final = f"""
(CASE WHEN guild_id IS NULL OR kind IN ('{RATE}', '{FORGET}') THEN :first = 0 ELSE {OWNED} END)
"""
"""The owner of its server keeps a promise; shard 0's owner keeps those without a server, or for all servers."""

_DUE: Final = f"""
{_COLUMNS} WHERE id IN (
    SELECT min(id) FROM outbox WHERE due_at <= :now AND {_OF_US}
    GROUP BY kind, person_id IS NULL, coalesce(person_id, guild_id)
) ORDER BY id
"""  # noqa: S608 - no value in it

_LEAVES: Final = f"SELECT count(*) FROM outbox WHERE kind = '{LEAVE}' AND person_id = :person"  # noqa: S608

_PENDING: Final = "SELECT count(*) FROM outbox WHERE kind = :kind AND key = :key"

_ALL: Final = f"{_COLUMNS} ORDER BY id"

_NEXT: Final = f"SELECT min(due_at) FROM outbox WHERE due_at > :now AND {_OF_US}"  # noqa: S608 - no value in it

_DONE: Final = "DELETE FROM outbox WHERE id = :id AND generation = :generation"

_PUT_OFF: Final = """
UPDATE outbox SET due_at = :due_at, tries = tries + 1 WHERE id = :id AND generation = :generation
"""


class OutboxStore:
    """The pending promises: side effects that are stored and not yet carried out."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.set_aside = database.set_aside
        self._listener: Callable[[], None] = lambda: None

    def on_promise(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever promises have been stored."""
        self._listener = listener

    def notify_listener(self) -> None:
        """Notify the listener that a change has stored promises."""
        self._listener()

    async def add(self, promise: Promise, at: int) -> None:
        """Store a promise without another change."""
        await self.add_all((promise,), at)

    async def add_all(self, promises: Sequence[Promise], at: int) -> None:
        """Store promises together, without another change, and notify the processes that must keep them."""
        key = ("outbox", *((one.kind, one.key) for one in promises))
        await self._database.write(key, *(promise_statement(one, at) for one in promises), notify="outbox")

    async def count_servers_to_leave(self, person: int) -> int:
        """Return the number of servers in which a person who is being deleted has yet to leave the tables."""
        return await self._database.fetch_number(_LEAVES, {"person": person}) or 0

    async def is_pending(self, kind: str, key: str) -> bool:
        """Return whether there is a promise of that kind and key."""
        return bool(await self._database.fetch_number(_PENDING, {"kind": kind, "key": key}))

    async def due_promises(self, now: int) -> tuple[OutboxRow, ...]:
        """Return the promises due by `now`, oldest first.

        Of each kind only the oldest is returned for a person, or else for a server.
        """
        return await self._database.fetch_all(OutboxRow, _DUE, {"now": now, **self._database.shard_parameters})

    async def all_promises(self) -> tuple[OutboxRow, ...]:
        """Return all promises, oldest first."""
        return await self._database.fetch_all(OutboxRow, _ALL, {})

    async def count_promises_by_kind(self) -> Mapping[str, int]:
        """Return the number of pending promises by kind."""
        rows = await self._database.fetch("SELECT kind, count(*) FROM outbox GROUP BY kind", {})
        return {row[0]: row[1] for row in rows}

    async def next_due_at(self, now: int) -> int | None:
        """Return the instant at which the next promise after `now` is due; None without one."""
        return await self._database.fetch_number(_NEXT, {"now": now, **self._database.shard_parameters})

    async def delete_promise(self, row: OutboxRow) -> None:
        """Delete a promise that was kept or given up, unless it was made again meanwhile."""
        which = {"id": row.id, "generation": row.generation}
        await self._database.write(("outbox", row.id), Statement(_DONE, which, rows=None))

    async def postpone(self, row: OutboxRow, until: int) -> None:
        """Record a failed attempt and postpone the promise to `until`, unless it was made again meanwhile."""
        which = {"id": row.id, "generation": row.generation, "due_at": until}
        await self._database.write(("outbox", row.id), Statement(_PUT_OFF, which, rows=None))


def promise_statement(promise: Promise, at: int) -> Statement:
    """Return the statement that stores a promise, or renews the pending one of the same kind and key."""
    return Statement(
        _PROMISE,
        {
            "kind": promise.kind,
            "key": promise.key,
            "guild": promise.guild,
            "person": promise.person,
            "args": json.dumps(dict(promise.args), separators=(",", ":")),
            "at": at,
        },
    )
