"""The part of the Store protocol that is about tournaments.

A tournament is one aggregate with a version, like a table: one `commit_tournament` is one transaction of its snapshot,
a row of its log, persons it had no numbers for, and seeds. Instants are UTC milliseconds, payloads JSON text that the
store never looks into.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TournamentPerson:
    """A person by the number that stands for it in the tournament's texts; below zero once it was forgotten."""

    number: int
    person: int
    name: str


@dataclass(frozen=True, slots=True)
class TournamentSecret:
    """A seed by what it is for: ``lot``, or ``board:`` and a number."""

    name: str
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStep:
    """One row of a tournament's log; it led to that version. `by` is the number of a person, 0 of nobody."""

    version: int
    request: int | None
    by: int
    kind: str
    detail: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTournament:
    """A tournament as it was last written."""

    id: int
    guild: int
    channel: int
    stage: str
    version: int
    created_at: int
    updated_at: int
    snapshot: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentChange:
    """What one step writes. `version` is the one that it leads to, 1 for a new tournament."""

    tournament: int
    guild: int
    channel: int
    version: int
    stage: str
    due_at: int | None
    snapshot: str = field(repr=False)
    step: TournamentStep
    people: tuple[TournamentPerson, ...] = ()
    secrets: tuple[TournamentSecret, ...] = ()


@dataclass(frozen=True, slots=True)
class TournamentPost:
    """A message that shows something of a tournament, and a digest of what it shows.

    Without `message` it was begun, and perhaps never sent.
    """

    name: str
    channel: int
    message: int | None
    digest: str


class TournamentStore(Protocol):
    """What is kept of tournaments."""

    async def create_tournament(self, change: TournamentChange) -> int:
        """Write a new tournament at version 1 and return its number; the change's own is not looked at.

        Raises `InvalidWrite`, also where the request was served.
        """

    async def commit_tournament(self, change: TournamentChange) -> bool:
        """Write a step; False where the tournament is not at the version before, or the request was served."""

    async def tournament(self, tournament: int) -> StoredTournament | None:
        """The tournament as it stands, or None when there is none of that number."""

    async def tournament_people(self, tournament: int) -> tuple[TournamentPerson, ...]:
        """The persons of a tournament, by their numbers."""

    async def tournament_steps(self, tournament: int, *, after: int = 0) -> tuple[TournamentStep, ...]:
        """Its log in order, from the version after `after`."""

    async def tournament_served(self, request: int) -> int | None:
        """The tournament that a request was served at, or None."""

    async def tournament_secret(self, tournament: int, name: str) -> bytes | None:
        """A seed; for draws and deals, and for its publication."""

    async def tournaments_in(self, guild: int, stages: Collection[str]) -> tuple[int, ...]:
        """A server's tournaments of these stages, oldest first."""

    async def tournaments_with(self, stages: Collection[str]) -> tuple[int, ...]:
        """Every tournament of these stages, oldest first."""

    async def tournaments_of(self, person: int, stages: Collection[str]) -> tuple[int, ...]:
        """The tournaments of these stages that know the person, oldest first."""

    async def tournaments_due(self, now: int, limit: int) -> tuple[tuple[int, int], ...]:
        """Tournaments of which the clock asks something by now, with when, earliest first."""

    async def next_tournament_due(self) -> int | None:
        """When the clock asks something of any tournament next."""

    async def tournament_posts(self, tournament: int) -> tuple[TournamentPost, ...]:
        """The messages that show the tournament."""

    async def set_tournament_post(self, tournament: int, post: TournamentPost) -> None:
        """Note a message, in place of the one of that name."""
