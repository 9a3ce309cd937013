"""Series of tournaments: their logs, people, nights and messages.

A series is one aggregate with a version, like a tournament. Each tournament of a series is called a night. A commit may
make tournaments in the same transaction, so that no night is made without being noted in its series. Instants are UTC
milliseconds, payloads JSON text that the store never reads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

from bot.store.database import Database, padded_list_parameters
from bot.store.engines.interface import OWNED, Session
from bot.store.errors import InvalidWrite
from bot.store.outbox import Promise, promise_statement
from bot.store.tournaments import TournamentChange, TournamentPerson, TournamentPost, insert_tournament
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSeries:
    """A series as it is stored."""

    id: int
    guild: int
    channel: int
    stage: str
    version: int
    created_at: int
    updated_at: int
    snapshot: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesChange:
    """The data written for one step; `version` is the series' version after it, 1 for a new series.

    `by` is a person's number in the series, or 0. `dropped` are tournaments that no longer count as nights of the
    series.
    """

    series: int
    guild: int
    channel: int
    version: int
    stage: str
    due_at: int | None
    snapshot: str = field(repr=False)
    request: int | None
    by: int
    kind: str
    at: int
    people: tuple[TournamentPerson, ...] = ()
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesFault:
    """A fault that keeps a series from being shown: its number of tries, and when the next one is.

    It is kept until its end was reported to the hosts. `code` names it in messages and in the log, `told_at` is when it
    was last reported to the hosts.
    """

    series: int
    code: str
    tries: int
    again_at: int
    told_at: int
    mended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNight:
    """A tournament that a step makes, with its place in the series."""

    season: int
    number: int
    change: TournamentChange


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRow:
    """A tournament with its place in a series: the season, and the number of the night in it."""

    tournament: int
    series: int
    season: int
    number: int
    dropped: bool


_NEW: Final = """
INSERT INTO series (guild_id, channel_id, stage, version, due_at, created_at, updated_at, snapshot)
VALUES (:guild, :channel, :stage, 1, :due_at, :at, :at, :snapshot)
RETURNING id
"""

_CHANGE: Final = """
UPDATE series SET channel_id = :channel, stage = :stage, version = :version, due_at = :due_at, updated_at = :at,
    snapshot = :snapshot
WHERE id = :series AND version + 1 = :version
RETURNING id
"""

_STEP: Final = """
INSERT INTO series_steps (series_id, version, request_id, person_number, kind, at)
VALUES (:series, :version, :request, :by, :kind, :at)
"""

_PERSON: Final = """
INSERT INTO series_people (series_id, number, person_id, name) VALUES (:series, :number, :person, :name)
ON CONFLICT (series_id, number) DO UPDATE SET name = excluded.name
"""

_NIGHT: Final = """
INSERT INTO series_nights (tournament_id, series_id, season, number) VALUES (:tournament, :series, :season, :number)
"""

_DROP: Final = "UPDATE series_nights SET dropped = 1 WHERE tournament_id = :tournament"

_SERIES: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, stage, version, created_at, updated_at, snapshot
FROM series WHERE id = :series
"""

_PEOPLE: Final = """
SELECT number, person_id AS person, name FROM series_people WHERE series_id = :series ORDER BY number
"""

_NIGHTS: Final = """
SELECT tournament_id AS tournament, series_id AS series, season, number, dropped FROM series_nights
ORDER BY tournament_id
"""

_SERVED: Final = "SELECT series_id FROM series_steps WHERE request_id = :request"

_IN: Final = """
SELECT id FROM series WHERE guild_id = :guild AND stage IN (:stage_1, :stage_2, :stage_3) ORDER BY id
"""

_WITH: Final = f"""
SELECT id FROM series WHERE stage IN (:stage_1, :stage_2, :stage_3) AND {OWNED} ORDER BY id
"""  # noqa: S608 - no value in it

_OF: Final = "SELECT series_id FROM series_people WHERE person_id = :person ORDER BY series_id"

_DUE: Final = f"""
SELECT id, due_at FROM series WHERE due_at <= :now AND {OWNED} ORDER BY due_at, id LIMIT :limit
"""  # noqa: S608 - no value in it

_NEXT: Final = f"""
SELECT min(due_at) FROM series WHERE due_at IS NOT NULL AND {OWNED}
"""  # noqa: S608 - no value in it

_POSTS: Final = """
SELECT name, channel_id AS channel, message_id AS message, digest FROM series_posts
WHERE series_id = :series ORDER BY name
"""

_SET_POST: Final = """
INSERT INTO series_posts (series_id, name, channel_id, message_id, digest)
VALUES (:series, :name, :channel, :message, :digest)
ON CONFLICT (series_id, name) DO UPDATE SET channel_id = excluded.channel_id, message_id = excluded.message_id,
    digest = excluded.digest
"""

_FAULT: Final = """
SELECT series_id AS series, code, tries, again_at, told_at, mended FROM series_faults WHERE series_id = :series
"""

_SET_FAULT: Final = """
INSERT INTO series_faults (series_id, code, tries, again_at, told_at, mended)
VALUES (:series, :code, :tries, :again_at, :told_at, :mended)
ON CONFLICT (series_id) DO UPDATE SET code = excluded.code, tries = excluded.tries, again_at = excluded.again_at,
    told_at = excluded.told_at, mended = excluded.mended
"""

_END_FAULT: Final = "DELETE FROM series_faults WHERE series_id = :series AND mended = 1"

_STAGES: Final = 3
"""The number of parameters for stages in a statement: as many as there are stages."""


class SeriesStore:
    """The stored series and their nights."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, change: SeriesChange) -> int:
        """Write a new series at version 1 and return its number; the number in `change` is ignored.

        Raises `InvalidWrite`, also if the request was already served.
        """

        def write_in_transaction(session: Session) -> int:
            number: int = session.execute(_NEW, _row_values(change, created=True)).rows[0][0]
            _write_people_and_log(session, change, number)
            return number

        return await self._database.run(write_in_transaction)

    async def commit(
        self, write: Callable[[Sequence[int]], SeriesChange], nights: Sequence[NewNight] = ()
    ) -> SeriesChange | None:
        """Write a step with the tournaments that it makes; return None if the series was changed meanwhile.

        `write` gets the numbers of these tournaments, and returns the change of the series that names them.
        """

        def write_in_transaction(session: Session) -> SeriesChange:
            made = [insert_tournament(session, one.change) for one in nights]
            change = write(made)
            if not session.execute(_CHANGE, _row_values(change)).rows:
                raise InvalidWrite("the series has moved on")
            for tournament in change.dropped:
                session.execute(_DROP, {"tournament": tournament})
            for tournament, one in zip(made, nights, strict=True):
                key = {"series": change.series, "season": one.season, "number": one.number}
                session.execute(_NIGHT, {"tournament": tournament, **key})
            _write_people_and_log(session, change, change.series)
            return change

        try:
            return await self._database.run(write_in_transaction)
        except InvalidWrite:
            return None

    async def load(self, series: int) -> StoredSeries | None:
        """Return the series of that number, or None."""
        return await self._database.fetch_one(StoredSeries, _SERIES, {"series": series})

    async def people(self, series: int) -> tuple[TournamentPerson, ...]:
        """Return the people of a series, by their numbers."""
        return await self._database.fetch_all(TournamentPerson, _PEOPLE, {"series": series})

    async def nights(self) -> tuple[NightRow, ...]:
        """Return all tournaments that are or once were nights of a series."""
        return await self._database.fetch_all(NightRow, _NIGHTS, {})

    async def series_of_request(self, request: int) -> int | None:
        """Return the number of the series in which a request was carried out, or None."""
        return await self._database.fetch_number(_SERVED, {"request": request})

    async def series_in_guild(self, guild: int, stages: Collection[str]) -> tuple[int, ...]:
        """Return a guild's series of these stages, oldest first."""
        return await self._database.fetch_numbers(
            _IN, {"guild": guild, **padded_list_parameters("stage", stages, _STAGES)}
        )

    async def series_with_stage(self, stages: Collection[str]) -> tuple[int, ...]:
        """Return all series of these stages, oldest first."""
        alternatives = padded_list_parameters("stage", stages, _STAGES)
        return await self._database.fetch_numbers(_WITH, {**alternatives, **self._database.shard_parameters})

    async def series_of_person(self, person: int) -> tuple[int, ...]:
        """Return the series whose people include that person, oldest first."""
        return await self._database.fetch_numbers(_OF, {"person": person})

    async def due_series(self, now: int, limit: int) -> tuple[tuple[int, int], ...]:
        """Return series with an alarm that is due, each with its instant, earliest first."""
        rows = await self._database.fetch(_DUE, {"now": now, "limit": limit, **self._database.shard_parameters})
        return tuple((row[0], row[1]) for row in rows)

    async def next_due_at(self) -> int | None:
        """Return the instant of the next alarm of any series."""
        return await self._database.fetch_number(_NEXT, self._database.shard_parameters)

    async def fault(self, series: int) -> SeriesFault | None:
        """Return the fault of a series, or None."""
        rows = await self._database.fetch(_FAULT, {"series": series})
        return next((SeriesFault(**{**dict(row), "mended": bool(row["mended"])}) for row in rows), None)

    async def set_fault(self, fault: SeriesFault, promises: Sequence[Promise], at: int) -> None:
        """Store the fault of a series, and promises of messages about it, in one transaction."""
        await self._database.write(
            ("series fault", fault.series),
            Statement(_SET_FAULT, {**asdict(fault), "mended": int(fault.mended)}),
            *(promise_statement(one, at) for one in promises),
        )

    async def end_fault(self, series: int) -> None:
        """Delete a fault after its end was reported."""
        await self._database.write(("series fault", series), Statement(_END_FAULT, {"series": series}, rows=None))

    async def posts(self, series: int) -> tuple[TournamentPost, ...]:
        """Return the messages that show the series."""
        return await self._database.fetch_all(TournamentPost, _POSTS, {"series": series})

    async def set_post(self, series: int, post: TournamentPost) -> None:
        """Store a message that shows the series, replacing the one of that name."""
        values = {"series": series, **asdict(post)}
        await self._database.write(("series post", series), Statement(_SET_POST, values))


def _row_values(change: SeriesChange, *, created: bool = False) -> dict[str, object]:
    """Return the values of the series' own row for a statement."""
    values: dict[str, object] = {
        "channel": change.channel,
        "stage": change.stage,
        "due_at": change.due_at,
        "at": change.at,
        "snapshot": change.snapshot,
    }
    return (
        {**values, "guild": change.guild} if created else {**values, "series": change.series, "version": change.version}
    )


def _write_people_and_log(session: Session, change: SeriesChange, number: int) -> None:
    """Write a change's people and log row, after the series' own row."""
    for one in change.people:
        session.execute(_PERSON, {"series": number, "number": one.number, "person": one.person, "name": one.name})
    session.execute(
        _STEP,
        {
            "series": number,
            "version": change.version,
            "request": change.request,
            "by": change.by,
            "kind": change.kind,
            "at": change.at,
        },
    )
