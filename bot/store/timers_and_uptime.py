"""Timers of tables, the bot's uptime, and players' quiet hours and vacations."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from bot.store.database import Database
from bot.store.engines.interface import OWNED, Session
from bot.store.errors import DAMAGED
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class DueTimer:
    """A timer of a table; `version` is the table's version that set it."""

    table: int
    guild: int
    kind: str
    due_at: int
    version: int


@dataclass(frozen=True, slots=True)
class Outage:
    """A time during which the bot did not run or was not connected, between two instants."""

    start_at: int
    end_at: int


_NEXT_DUE: Final = f"SELECT min(due_at) AS due_at FROM timers WHERE {OWNED}"  # noqa: S608 - no value in it

_DUE: Final = f"""
SELECT table_id AS "table", guild_id AS guild, kind, due_at, version
FROM timers WHERE due_at <= :now AND {OWNED}
ORDER BY due_at, table_id, kind LIMIT :limit
"""  # noqa: S608 - no value in it

_HEARTBEAT: Final = """
INSERT INTO heartbeat (shard, count, at, first_at) VALUES (:shard, :count, :at, :at)
ON CONFLICT (shard, count) DO UPDATE SET at = excluded.at
"""

_LAST_HEARTBEAT: Final = """
SELECT min(at) FROM heartbeat WHERE count = :count AND shard BETWEEN :first AND :last
"""

_FIRST_HEARTBEAT: Final = """
SELECT min(first) FROM (
    SELECT first_at AS first FROM heartbeat UNION ALL SELECT at AS first FROM told WHERE name = 'first ready'
) AS found
"""

# An outage recorded with another number of shards counts for every server: no clock may run during an outage.
_OUTAGES: Final = """
SELECT DISTINCT start_at, end_at FROM outages WHERE count <> :count OR shard BETWEEN :first AND :last
ORDER BY start_at, end_at
"""

_NEW_OUTAGE: Final = """
INSERT INTO outages (shard, count, start_at, end_at) VALUES (:shard, :count, :start_at, :end_at)
ON CONFLICT (shard, count, start_at) DO UPDATE
SET end_at = CASE WHEN excluded.end_at > outages.end_at THEN excluded.end_at ELSE outages.end_at END
"""

_TIMER: Final = """
SELECT table_id AS "table", guild_id AS guild, kind, due_at, version FROM timers
WHERE table_id = :table AND kind = :kind
"""

_TIMES: Final = "SELECT times FROM personal_times WHERE person_id = :person"

_FIRST_TIMES: Final = """
INSERT INTO personal_times (person_id, times) VALUES (:person, :times) ON CONFLICT (person_id) DO NOTHING
"""

_REPLACE_TIMES: Final = "UPDATE personal_times SET times = :times WHERE person_id = :person"

_SET_TIMES: Final = "UPDATE personal_times SET times = :times WHERE person_id = :person AND times = :before"

_CLEAR_TIMES: Final = "DELETE FROM personal_times WHERE person_id = :person AND times = :before"

_FORGET_TIMES: Final = "DELETE FROM personal_times WHERE person_id = :person"

_CLOCKED: Final = f"""
SELECT table_id FROM timers WHERE kind = 'clock' AND {OWNED} ORDER BY table_id
"""  # noqa: S608 - no value in it


_BAD_STARTS: Final = """
SELECT count(*) FROM starts WHERE at > :since AND ready_at IS NULL AND shard BETWEEN :first AND :last
"""

_NEW_START: Final = "INSERT INTO starts (at, shard) VALUES (:at, :shard) RETURNING id"

_FORGET_STARTS: Final = "DELETE FROM starts WHERE at <= :before"

_NOTE_IDENTIFY: Final = "UPDATE starts SET identifies = identifies + 1 WHERE id = :start"

_NOTE_GOOD_START: Final = "UPDATE starts SET ready_at = :at, ready_for = :ready_for WHERE id = :start"


class TimeStore:
    """The timers, heartbeats and outages, quiet hours and vacations.

    Timers are changed by `TableStore.commit`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.set_aside = database.set_aside

    async def count_failed_starts(self, since: int) -> int:
        """Return how many starts of this process's shards since then failed: they were never marked as good."""
        shards = self._database.shards
        values = {"since": since, "first": shards.first, "last": shards.last}
        return await self._database.fetch_number(_BAD_STARTS, values) or 0

    async def store_start(self, at: int, *, forget_before: int) -> int:
        """Store a start and return its number; delete starts before `forget_before`."""

        def write_in_transaction(session: Session) -> int:
            session.execute(_FORGET_STARTS, {"before": forget_before})
            return int(session.execute(_NEW_START, {"at": at, "shard": self._database.shards.first}).rows[0][0])

        return await self._database.run(write_in_transaction)

    async def count_login(self, start: int) -> None:
        """Count one more identify (a login to Discord) for a start."""
        await self._database.write(("start", start), Statement(_NOTE_IDENTIFY, {"start": start}))

    async def note_good_start(self, start: int, at: int, *, ready_for: int) -> None:
        """Mark a start as good: the bot has been ready since `at` for `ready_for` milliseconds."""
        values = {"start": start, "at": at, "ready_for": ready_for}
        await self._database.write(("start", start), Statement(_NOTE_GOOD_START, values))

    async def next_due_at(self) -> int | None:
        """Return the instant of the earliest timer; None without one."""
        return await self._database.fetch_number(_NEXT_DUE, self._database.shard_parameters)

    async def due_timers(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Return timers that are due, earliest first; a timer stays until a `commit` changes it."""
        return await self._database.fetch_all(
            DueTimer, _DUE, {"now": now, "limit": limit, **self._database.shard_parameters}
        )

    async def timer(self, table: int, kind: str) -> DueTimer | None:
        """Return the table's timer of that kind, if it has one."""
        return await self._database.fetch_one(DueTimer, _TIMER, {"table": table, "kind": kind})

    async def tables_with_clock(self) -> tuple[int, ...]:
        """Return the tables where a clock runs."""
        return await self._database.fetch_numbers(_CLOCKED, self._database.shard_parameters)

    async def note_heartbeat(self, at: int, outage: Outage | None = None) -> None:
        """Store that this process was ready on all its shards at `at`, and the `outage` before that, if any."""
        shards, statements = self._database.shards, []
        for shard in range(shards.first, shards.last + 1):
            of_shard = {"shard": shard, "count": shards.count}
            statements.append(Statement(_HEARTBEAT, {**of_shard, "at": at}))
            if outage is not None:
                statements.append(Statement(_NEW_OUTAGE, {**of_shard, **asdict(outage)}))
        await self._database.write("heartbeat", *statements)

    async def last_heartbeat(self) -> int | None:
        """Return the latest instant at which the bot was ready on all shards of this process."""
        return await self._database.fetch_number(_LAST_HEARTBEAT, self._database.shard_parameters)

    async def first_heartbeat(self) -> int | None:
        """Return the first instant at which the bot was ready."""
        return await self._database.fetch_number(_FIRST_HEARTBEAT, {})

    async def outages(self) -> tuple[Outage, ...]:
        """Return the outages of the bot, earliest first."""
        return await self._database.fetch_all(Outage, _OUTAGES, self._database.shard_parameters)

    async def personal_hours(self, person: int) -> str | None:
        """Return a person's quiet hours and vacation, as text; None if there are none."""
        return await self._database.fetch_text(_TIMES, {"person": person})

    async def set_personal_times(self, row: PersonTimes) -> None:
        """Store a person's quiet hours and vacation.

        Raises `InvalidWrite` if the stored ones are no longer those in `row.before`.
        """
        await self._database.write(("times", row.person), personal_times_statement(row), notify=f"person {row.person}")

    async def forget_personal_times(self, person: int) -> None:
        """Delete a person's quiet hours and vacation."""
        statement = Statement(_FORGET_TIMES, {"person": person}, rows=None)
        await self._database.write(("times", person), statement, notify=f"person {person}")


@dataclass(frozen=True, slots=True)
class PersonTimes:
    """A person's quiet hours and vacation as text, and in `before` the stored text that they replace.

    Each is None if there are none.
    """

    person: int
    times: str | None
    before: str | None


def personal_times_statement(row: PersonTimes) -> Statement:
    """Return the statement that stores a person's quiet hours and vacation.

    It fails if another process has changed them.
    """
    which = {"person": row.person}
    if row.times is None:
        if row.before == DAMAGED:
            return Statement(_FORGET_TIMES, which)
        return Statement(_CLEAR_TIMES, {**which, "before": row.before}, rows=None if row.before is None else 1)
    if row.before == DAMAGED:
        return Statement(_REPLACE_TIMES, {**which, "times": row.times})
    if row.before is None:
        return Statement(_FIRST_TIMES, {**which, "times": row.times})
    return Statement(_SET_TIMES, {**which, "times": row.times, "before": row.before})
