"""The part of the store that is about tournaments."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Final, cast

from bot.store.asking import Asking
from bot.store.errors import InvalidWrite
from bot.store.tournaments_protocol import (
    StoredTournament,
    TournamentChange,
    TournamentPerson,
    TournamentPost,
    TournamentStep,
)
from bot.store.writer import Conflict, Run, Statement, Write

_NEW: Final = """
INSERT INTO tournaments (guild_id, channel_id, stage, version, due_at, created_at, updated_at, snapshot)
VALUES (:guild, :channel, :stage, 1, :due_at, :at, :at, :snapshot)
RETURNING id
"""

_CHANGE: Final = """
UPDATE tournaments SET channel_id = :channel, stage = :stage, version = :version, due_at = :due_at, updated_at = :at,
    snapshot = :snapshot
WHERE id = :tournament AND version = :version - 1
"""

_STEP: Final = """
INSERT INTO tournament_steps (tournament_id, version, request_id, person_number, kind, detail, at)
VALUES (:tournament, :version, :request, :by, :kind, :detail, :at)
"""

_PERSON: Final = """
INSERT INTO tournament_people (tournament_id, number, person_id, name) VALUES (:tournament, :number, :person, :name)
ON CONFLICT (tournament_id, number) DO UPDATE SET name = excluded.name
"""

_SET_SEED: Final = """
INSERT INTO tournament_secrets (tournament_id, name, seed) VALUES (:tournament, :name, :seed)
ON CONFLICT (tournament_id, name) DO UPDATE SET seed = excluded.seed
"""

_TOURNAMENT: Final = """
SELECT id, guild_id AS guild, channel_id AS channel, stage, version, created_at, updated_at, snapshot
FROM tournaments WHERE id = :tournament
"""

_PEOPLE: Final = """
SELECT number, person_id AS person, name FROM tournament_people WHERE tournament_id = :tournament ORDER BY number
"""

_STEPS: Final = """
SELECT version, request_id AS request, person_number AS by, kind, detail, at FROM tournament_steps
WHERE tournament_id = :tournament AND version > :after ORDER BY version
"""

_SERVED: Final = "SELECT tournament_id FROM tournament_steps WHERE request_id = :request"

_SEED: Final = "SELECT seed FROM tournament_secrets WHERE tournament_id = :tournament AND name = :name"

_IN: Final = """
SELECT id FROM tournaments WHERE guild_id = :guild AND stage IN (SELECT value FROM json_each(:stages)) ORDER BY id
"""

_WITH: Final = "SELECT id FROM tournaments WHERE stage IN (SELECT value FROM json_each(:stages)) ORDER BY id"

_OF: Final = """
SELECT id FROM tournament_people JOIN tournaments ON id = tournament_id
WHERE person_id = :person AND stage IN (SELECT value FROM json_each(:stages)) ORDER BY id
"""

_DUE: Final = "SELECT id, due_at FROM tournaments WHERE due_at <= :now ORDER BY due_at, id LIMIT :limit"

_NEXT: Final = "SELECT min(due_at) FROM tournaments WHERE due_at IS NOT NULL"

_POSTS: Final = """
SELECT name, channel_id AS channel, message_id AS message, digest FROM tournament_posts
WHERE tournament_id = :tournament ORDER BY name
"""

_SET_POST: Final = """
INSERT INTO tournament_posts (tournament_id, name, channel_id, message_id, digest)
VALUES (:tournament, :name, :channel, :message, :digest)
ON CONFLICT (tournament_id, name) DO UPDATE SET channel_id = excluded.channel_id, message_id = excluded.message_id,
    digest = excluded.digest
"""


class TournamentTables(Asking):
    """See `bot.store.tournaments_protocol.TournamentStore`, which this keeps."""

    async def create_tournament(self, change: TournamentChange) -> int:
        def carry_out(run: Run) -> int:
            values = {
                "guild": change.guild,
                "channel": change.channel,
                "stage": change.stage,
                "due_at": change.due_at,
                "at": change.step.at,
                "snapshot": change.snapshot,
            }
            (row,) = run(_NEW, values)
            number = cast(int, row[0])
            for statement in _beside(change, number):
                run(statement.sql, statement.parameters)
            return number

        try:
            return cast(int, await self._database.write(carry_out))
        except Conflict as conflict:
            raise InvalidWrite(str(conflict)) from None

    async def commit_tournament(self, change: TournamentChange) -> bool:
        values = {
            "tournament": change.tournament,
            "channel": change.channel,
            "stage": change.stage,
            "version": change.version,
            "due_at": change.due_at,
            "at": change.step.at,
            "snapshot": change.snapshot,
        }
        statements = (Statement(_CHANGE, values), *_beside(change, change.tournament))
        try:
            await self._database.write(Write(("tournament", change.tournament), statements))
        except Conflict:
            return False
        return True

    async def tournament(self, tournament: int) -> StoredTournament | None:
        return await self._one(StoredTournament, _TOURNAMENT, {"tournament": tournament})

    async def tournament_people(self, tournament: int) -> tuple[TournamentPerson, ...]:
        return await self._all(TournamentPerson, _PEOPLE, {"tournament": tournament})

    async def tournament_steps(self, tournament: int, *, after: int = 0) -> tuple[TournamentStep, ...]:
        return await self._all(TournamentStep, _STEPS, {"tournament": tournament, "after": after})

    async def tournament_served(self, request: int) -> int | None:
        return await self._value(_SERVED, {"request": request})

    async def tournament_secret(self, tournament: int, name: str) -> bytes | None:
        rows = list(await self._database.read(_SEED, {"tournament": tournament, "name": name}))
        return cast("bytes | None", rows[0][0]) if rows else None

    async def tournaments_in(self, guild: int, stages: Collection[str]) -> tuple[int, ...]:
        return await self._values(_IN, {"guild": guild, "stages": json.dumps(list(stages))})

    async def tournaments_with(self, stages: Collection[str]) -> tuple[int, ...]:
        return await self._values(_WITH, {"stages": json.dumps(list(stages))})

    async def tournaments_of(self, person: int, stages: Collection[str]) -> tuple[int, ...]:
        return await self._values(_OF, {"person": person, "stages": json.dumps(list(stages))})

    async def tournaments_due(self, now: int, limit: int) -> tuple[tuple[int, int], ...]:
        rows = await self._database.read(_DUE, {"now": now, "limit": limit})
        return tuple((row[0], row[1]) for row in rows)

    async def next_tournament_due(self) -> int | None:
        return await self._value(_NEXT, {})

    async def tournament_posts(self, tournament: int) -> tuple[TournamentPost, ...]:
        return await self._all(TournamentPost, _POSTS, {"tournament": tournament})

    async def set_tournament_post(self, tournament: int, post: TournamentPost) -> None:
        values = {
            "tournament": tournament,
            "name": post.name,
            "channel": post.channel,
            "message": post.message,
            "digest": post.digest,
        }
        await self._database.write(Write(("tournament post", tournament), (Statement(_SET_POST, values),)))


def _beside(change: TournamentChange, number: int) -> Iterator[Statement]:
    """What is written beside the tournament's own row: persons, the step, seeds."""
    for one in change.people:
        yield Statement(_PERSON, {"tournament": number, "number": one.number, "person": one.person, "name": one.name})
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
    for secret in change.secrets:
        yield Statement(_SET_SEED, {"tournament": number, "name": secret.name, "seed": secret.seed})
