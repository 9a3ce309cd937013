"""Tournaments: their parts, logs, entrants, secrets, faults and messages.

Their tables are in `contest_tables`. A tournament is one aggregate with a version, like a table: one `commit` is one
transaction of its own row, the parts that have changed, a row of its log, newly numbered people, and seeds. Instants
are UTC milliseconds, payloads JSON that the store never reads. Texts are read as bytes, so that one that is not UTF-8
is an error of its own tournament only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Final, cast

from bot.store.database import Database, padded_list_parameters
from bot.store.engines.interface import OWNED, Row, Session
from bot.store.errors import InvalidWrite
from bot.store.outbox import Promise, promise_statement
from bot.store.upkeep.archives import PackingPlace
from bot.store.upkeep.tournament_archives import ARCHIVES, DUE_TOURNAMENTS, unpack_and_write
from bot.store.writer import Statement


@dataclass(frozen=True, slots=True)
class TournamentPerson:
    """A person and the number used in the tournament's texts; the person is below zero once deleted."""

    number: int
    person: int
    name: str
    directs: bool = False


@dataclass(frozen=True, slots=True)
class TournamentPart:
    """A part of a tournament stored as its own row, such as a match: its kind, its number and its JSON."""

    part: str
    number: int
    value: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class TournamentSecret:
    """A seed with its purpose: ``lot`` (the draw), or ``board:`` and a number."""

    name: str
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStep:
    """A row of a tournament's log, which led to that version. `by` is a person's number, or 0."""

    version: int
    request: int | None
    by: int
    kind: str
    detail: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTournament:
    """A tournament as it is stored; `snapshot` holds everything outside its parts."""

    id: int
    guild: int
    channel: int
    version: int
    snapshot: bytes = field(repr=False)
    parts: tuple[TournamentPart, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOutline:
    """The facts of a tournament that stay readable if its value is not: place, name, directors (persons)."""

    id: int
    guild: int
    channel: int
    name: str
    directors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentChange:
    """The data written for one step.

    `version` is the tournament's version after it, 1 for a new tournament. `parts` are the parts that have changed,
    `gone` the kind and number of each part that was removed.
    """

    tournament: int
    guild: int
    channel: int
    version: int
    stage: str
    due_at: int | None
    name: str = ""
    snapshot: bytes = field(repr=False)
    parts: tuple[TournamentPart, ...] = field(default=(), repr=False)
    gone: tuple[tuple[str, int], ...] = ()
    step: TournamentStep
    people: tuple[TournamentPerson, ...] = ()
    secrets: tuple[TournamentSecret, ...] = ()
    promises: tuple[Promise, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFault:
    """A failed task of a tournament: its name, and its entry, match or round.

    It is kept until its end is reported. It was tried `tries` times, and is tried again at `again_at`. `code` names it
    in messages and in the log.
    """

    tournament: int
    what: str
    subject: int
    code: str
    tries: int
    again_at: int
    told_at: int | None
    mended: bool


@dataclass(frozen=True, slots=True)
class TournamentPost:
    """A message that shows a part of a tournament, and a digest of its content.

    Without `message`, sending it was begun but perhaps not completed.
    """

    name: str
    channel: int
    message: int | None
    digest: str


_NEW: Final = """
INSERT INTO tournaments (guild_id, channel_id, stage, version, due_at, created_at, updated_at, name, snapshot)
VALUES (:guild, :channel, :stage, 1, :due_at, :at, :at, :name, :snapshot)
RETURNING id
"""

_CHANGE: Final = """
UPDATE tournaments SET channel_id = :channel, stage = :stage, version = :version, due_at = :due_at, updated_at = :at,
    name = :name, snapshot = :snapshot
WHERE id = :tournament AND version + 1 = :version
"""

_STEP: Final = """
INSERT INTO tournament_steps (tournament_id, version, request_id, person_number, kind, detail, at)
VALUES (:tournament, :version, :request, :by, :kind, :detail, :at)
"""

_PART: Final = """
INSERT INTO tournament_parts (tournament_id, part, number, value)
VALUES (:tournament, :part, :number, :value)
ON CONFLICT (tournament_id, part, number) DO UPDATE SET value = excluded.value
"""

_GONE: Final = """
DELETE FROM tournament_parts WHERE tournament_id = :tournament AND part = :part AND number = :number
"""

_PERSON: Final = """
INSERT INTO tournament_people (tournament_id, number, person_id, name, directs)
VALUES (:tournament, :number, :person, :name, :directs)
ON CONFLICT (tournament_id, number) DO UPDATE SET name = excluded.name, directs = excluded.directs
"""

_SET_SEED: Final = """
INSERT INTO tournament_secrets (tournament_id, name, seed) VALUES (:tournament, :name, :seed)
ON CONFLICT (tournament_id, name) DO UPDATE SET seed = excluded.seed
"""

# One statement reads both, because the tournament could be archived between two reads.
_TOURNAMENT: Final = """
SELECT NULL AS part, 0 AS number, CAST(snapshot AS BLOB) AS value, id, guild_id AS guild, channel_id AS channel,
    version, packed, sha256
FROM tournaments LEFT JOIN tournament_archives ON tournament_id = id WHERE id = :tournament
UNION ALL
SELECT CAST(part AS BLOB), number, CAST(value AS BLOB), NULL, NULL, NULL, NULL, NULL, NULL FROM tournament_parts
WHERE tournament_id = :tournament ORDER BY part, number
"""

_OUTLINE: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, CAST(name AS BLOB) AS name FROM tournaments WHERE id = :tournament
"""

_DIRECTORS: Final = """
SELECT person_id FROM tournament_people WHERE tournament_id = :tournament AND directs = 1 AND person_id > 0
ORDER BY number
"""

_PEOPLE: Final = """
SELECT number, person_id AS person, CAST(name AS BLOB) AS name, directs FROM tournament_people
WHERE tournament_id = :tournament ORDER BY number
"""

_STEPS: Final = """
SELECT version, request_id AS request, person_number AS by, CAST(kind AS BLOB) AS kind, CAST(detail AS BLOB) AS detail,
    at, NULL AS packed, NULL AS sha256
FROM tournament_steps WHERE tournament_id = :tournament AND version > :after
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL, packed, sha256 FROM tournament_archives WHERE tournament_id = :tournament
ORDER BY version
"""

_OF_STEP: Final = ("version", "request", "by", "kind", "detail", "at")

_SERVED: Final = "SELECT tournament_id FROM tournament_steps WHERE request_id = :request"

_SEED: Final = "SELECT seed FROM tournament_secrets WHERE tournament_id = :tournament AND name = :name"

_OF_STAGES: Final = "stage IN (:stage_1, :stage_2, :stage_3, :stage_4, :stage_5, :stage_6, :stage_7)"

_IN: Final = f"""
SELECT id FROM tournaments WHERE guild_id = :guild AND {_OF_STAGES} ORDER BY id
"""  # noqa: S608 - no value in it

_WITH: Final = f"""
SELECT id FROM tournaments WHERE {_OF_STAGES} AND {OWNED} ORDER BY id
"""  # noqa: S608 - no value in it

_OVER_SINCE: Final = f"""
SELECT id FROM tournaments WHERE stage IN ('closed', 'cancelled') AND updated_at >= :since AND {OWNED} ORDER BY id
"""  # noqa: S608 - no value in it

_OF: Final = f"""
SELECT id FROM tournament_people JOIN tournaments ON id = tournament_id WHERE person_id = :person AND {_OF_STAGES}
ORDER BY id
"""  # noqa: S608 - no value in it

_DUE: Final = f"""
SELECT id, due_at FROM tournaments WHERE due_at <= :now AND {OWNED} ORDER BY due_at, id LIMIT :limit
"""  # noqa: S608 - no value in it

_NEXT: Final = f"""
SELECT min(due_at) FROM tournaments WHERE due_at IS NOT NULL AND {OWNED}
"""  # noqa: S608 - no value in it

_POSTS: Final = """
SELECT CAST(name AS BLOB) AS name, channel_id AS channel, message_id AS message, CAST(digest AS BLOB) AS digest
FROM tournament_posts
WHERE tournament_id = :tournament ORDER BY name
"""

_SET_POST: Final = """
INSERT INTO tournament_posts (tournament_id, name, channel_id, message_id, digest)
VALUES (:tournament, :name, :channel, :message, :digest)
ON CONFLICT (tournament_id, name) DO UPDATE SET channel_id = excluded.channel_id, message_id = excluded.message_id,
    digest = excluded.digest
"""

_FAULTS: Final = """
SELECT tournament_id AS tournament, what, subject, code, tries, again_at, told_at, mended FROM tournament_faults
WHERE tournament_id = coalesce(:tournament, tournament_id) ORDER BY tournament_id, what, subject
"""

_SET_FAULT: Final = """
INSERT INTO tournament_faults (tournament_id, what, subject, code, tries, again_at, told_at, mended)
VALUES (:tournament, :what, :subject, :code, :tries, :again_at, :told_at, :mended)
ON CONFLICT (tournament_id, what, subject) DO UPDATE SET code = excluded.code, tries = excluded.tries,
    again_at = excluded.again_at, told_at = excluded.told_at, mended = excluded.mended
"""

_END_FAULT: Final = """
DELETE FROM tournament_faults
WHERE tournament_id = :tournament AND what = :what AND subject = :subject AND mended = 1
"""

_RING: Final = "UPDATE tournaments SET due_at = :due_at WHERE id = :tournament"

_STAGES: Final = 7
"""The number of parameters for stages in a statement: as many as there are stages."""


class TournamentStore:
    """The stored tournaments and their logs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, change: TournamentChange) -> int:
        """Write a new tournament at version 1 and return its number; the number in `change` is ignored.

        Raises `InvalidWrite`, also if the request was already served.
        """
        return await self._database.run(lambda session: insert_tournament(session, change))

    async def commit(self, change: TournamentChange) -> bool:
        """Write a step; return False if the tournament was changed meanwhile or the request was carried out."""
        values = {
            "tournament": change.tournament,
            "channel": change.channel,
            "stage": change.stage,
            "version": change.version,
            "due_at": change.due_at,
            "at": change.step.at,
            "name": change.name,
            "snapshot": change.snapshot.decode(),
        }
        statements = (Statement(_CHANGE, values), *_statements_besides_own_row(change, change.tournament))
        with suppress(InvalidWrite):
            await self._database.write(("tournament", change.tournament), *statements)
            return True
        with suppress(InvalidWrite):  # the tournament may be archived
            unpack = partial(unpack_and_write, tournament=change.tournament, statements=statements)
            await self._database.run(unpack)
            return True
        return False

    async def archive_due_tournaments(self, before: int, limit: int, after: PackingPlace) -> tuple[int, PackingPlace]:
        """Compress closed tournaments into archives, at most `limit`.

        Return how many, and the place from which to go on.
        """
        work = partial(DUE_TOURNAMENTS.pack, before=before, limit=limit, after=after, shards=self._database.shards)
        return await self._database.run(work)

    async def load(self, tournament: int) -> StoredTournament | None:
        """Return the tournament of that number with its parts, by kind and number; None if unknown.

        Raises `UndecodableData` for a damaged archive.
        """
        rows = await self._database.fetch(_TOURNAMENT, {"tournament": tournament})
        own = next((row for row in rows if row["id"] is not None), None)
        if own is None:
            return None
        snapshot = own["value"]
        parts = [(_decode_text(row["part"]), row["number"], row["value"]) for row in rows if row["id"] is None]
        if own["packed"] is not None:
            contents = ARCHIVES.unpack(own["packed"], own["sha256"])
            snapshot = contents.snapshot.encode()
            parts = [(part, number, text.encode()) for part, number, text in contents.parts]
        columns = {name: own[name] for name in ("id", "guild", "channel", "version")}
        return StoredTournament(**columns, snapshot=snapshot, parts=tuple(TournamentPart(*one) for one in parts))

    async def outline(self, tournament: int) -> TournamentOutline | None:
        """Return the facts of a tournament that are readable even if its value is not; None if unknown."""
        which = {"tournament": tournament}
        rows = await self._database.fetch(_OUTLINE, which)
        directors = await self._database.fetch_numbers(_DIRECTORS, which)
        return TournamentOutline(**_decode_row(rows[0], "name"), directors=directors) if rows else None

    async def people(self, tournament: int) -> tuple[TournamentPerson, ...]:
        """Return the people of a tournament, by their numbers."""
        rows = await self._database.fetch(_PEOPLE, {"tournament": tournament})
        return tuple(TournamentPerson(**(_decode_row(row, "name") | {"directs": bool(row["directs"])})) for row in rows)

    async def steps(self, tournament: int, *, after: int = 0) -> tuple[TournamentStep, ...]:
        """Return a tournament's log in order, from the version after `after`.

        It may be archived. Raises `UndecodableData` for a damaged archive.
        """
        steps: list[TournamentStep] = []
        for row in await self._database.fetch(_STEPS, {"tournament": tournament, "after": after}):
            if row["packed"] is None:
                steps.append(TournamentStep(**{name: _decode_row(row, "kind", "detail")[name] for name in _OF_STEP}))
            else:
                packed: Sequence[Sequence[Any]] = ARCHIVES.unpack(row["packed"], row["sha256"]).steps
                steps += [TournamentStep(**dict(zip(_OF_STEP, one, strict=True))) for one in packed if one[0] > after]
        return tuple(steps)

    async def tournament_of_request(self, request: int) -> int | None:
        """Return the number of the tournament in which a request was carried out, or None."""
        return await self._database.fetch_number(_SERVED, {"request": request})

    async def secret(self, tournament: int, name: str) -> bytes | None:
        """Return a seed of the tournament. Callers may only draw and deal with it, and publish it."""
        rows = list(await self._database.fetch(_SEED, {"tournament": tournament, "name": name}))
        return cast("bytes | None", rows[0][0]) if rows else None

    async def tournaments_in_guild(self, guild: int, stages: Collection[str]) -> tuple[int, ...]:
        """Return a guild's tournaments of these stages, oldest first."""
        return await self._database.fetch_numbers(
            _IN, {"guild": guild, **padded_list_parameters("stage", stages, _STAGES)}
        )

    async def tournaments_with_stage(self, stages: Collection[str]) -> tuple[int, ...]:
        """Return all tournaments of these stages that this process owns, oldest first."""
        return await self._database.fetch_numbers(
            _WITH, {**padded_list_parameters("stage", stages, _STAGES), **self._database.shard_parameters}
        )

    async def ended_since(self, since: int) -> tuple[int, ...]:
        """Return the tournaments that are over and changed since that instant, oldest first."""
        return await self._database.fetch_numbers(_OVER_SINCE, {"since": since, **self._database.shard_parameters})

    async def tournaments_of_person(self, person: int, stages: Collection[str]) -> tuple[int, ...]:
        """Return tournaments of these stages whose people include that person, oldest first."""
        return await self._database.fetch_numbers(
            _OF, {"person": person, **padded_list_parameters("stage", stages, _STAGES)}
        )

    async def due_tournaments(self, now: int, limit: int) -> tuple[tuple[int, int], ...]:
        """Return tournaments with an alarm that is due, each with its instant, earliest first."""
        rows = await self._database.fetch(_DUE, {"now": now, "limit": limit, **self._database.shard_parameters})
        return tuple((row[0], row[1]) for row in rows)

    async def next_due_at(self) -> int | None:
        """Return the instant of the next alarm of any tournament."""
        return await self._database.fetch_number(_NEXT, self._database.shard_parameters)

    # --- faults ------------------------------------------------------------------------------------------------------

    async def faults(self, tournament: int | None = None) -> tuple[TournamentFault, ...]:
        """Return the faults of a tournament, or of all, by tournament."""
        rows = await self._database.fetch(_FAULTS, {"tournament": tournament})
        return tuple(TournamentFault(**{**dict(row), "mended": bool(row["mended"])}) for row in rows)

    async def set_fault(
        self, fault: TournamentFault, due_at: int | None, promises: tuple[Promise, ...], at: int
    ) -> None:
        """Store a fault, the tournament's next alarm time and promises of messages, in one transaction.

        A fault that is mended, with no message to come, is deleted.
        """
        row = {**asdict(fault), "mended": int(fault.mended)}
        which = {"tournament": fault.tournament, "what": fault.what, "subject": fault.subject}
        await self._database.write(
            ("tournament", fault.tournament),
            Statement(_SET_FAULT, row),
            Statement(_RING, {"tournament": fault.tournament, "due_at": due_at}),
            *(promise_statement(one, at) for one in promises),
            *((Statement(_END_FAULT, which, rows=None),) if fault.mended and not promises else ()),
        )

    async def end_fault(self, fault: TournamentFault) -> None:
        """Delete a fault after its end was reported."""
        which = {"tournament": fault.tournament, "what": fault.what, "subject": fault.subject}
        await self._database.write(("tournament", fault.tournament), Statement(_END_FAULT, which, rows=None))

    async def posts(self, tournament: int) -> tuple[TournamentPost, ...]:
        """Return the messages that show the tournament."""
        rows = await self._database.fetch(_POSTS, {"tournament": tournament})
        return tuple(TournamentPost(**_decode_row(row, "name", "digest")) for row in rows)

    async def set_post(self, tournament: int, post: TournamentPost) -> None:
        """Store a message that shows a part of the tournament, replacing the one of that name."""
        values = {"tournament": tournament, **asdict(post)}
        await self._database.write(("tournament post", tournament), Statement(_SET_POST, values))


def insert_tournament(session: Session, change: TournamentChange) -> int:
    """Write a new tournament at version 1 within a transaction, and return its number."""
    values = {
        "guild": change.guild,
        "channel": change.channel,
        "stage": change.stage,
        "due_at": change.due_at,
        "at": change.step.at,
        "name": change.name,
        "snapshot": change.snapshot.decode(),
    }
    number: int = session.execute(_NEW, values).rows[0][0]
    for statement in _statements_besides_own_row(change, number):
        session.execute(statement.sql, statement.parameters)
    return number


def _statements_besides_own_row(change: TournamentChange, number: int) -> Iterator[Statement]:
    """Yield the statements for everything but the tournament's own row: parts, people, log row, seeds."""
    for part in change.parts:
        row = {"tournament": number, "part": part.part, "number": part.number, "value": part.value.decode()}
        yield Statement(_PART, row)
    for kind, gone in change.gone:
        yield Statement(_GONE, {"tournament": number, "part": kind, "number": gone})
    for one in change.people:
        yield Statement(_PERSON, {"tournament": number, **asdict(one), "directs": int(one.directs)})
    step = change.step
    yield Statement(
        _STEP,
        {
            "tournament": number,
            "version": change.version,
            "request": step.request,
            "by": step.by,
            "kind": step.kind,
            "detail": step.detail,
            "at": step.at,
        },
    )
    for promise in change.promises:
        yield promise_statement(promise, step.at)
    for secret in change.secrets:
        yield Statement(_SET_SEED, {"tournament": number, "name": secret.name, "seed": secret.seed})


def _decode_text(stored: object) -> str:
    """Decode a text read as bytes; invalid UTF-8 becomes the replacement character."""
    return stored.decode("utf-8", "replace") if isinstance(stored, bytes) else ""


def _decode_row(row: Row, *names: str) -> dict[str, Any]:
    """Return a row as a dictionary, decoding the columns that were read as bytes."""
    return {**dict(row), **{name: _decode_text(row[name]) for name in names}}
