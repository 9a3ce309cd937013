"""What is kept of persons beside their seats: how their games ended, lapses, and whom they would not play with."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a finished game ended for a person who sat there at its end.

    `side` is the number of the person's score, `persons` how many persons sat at the table, `against` the highest of
    the other scores. `how` is a stable name: played, agreed, resigned, forfeited, latest_end. `canastas` are those that
    lay on the person's side at the ends of `canasta_deals` deals; of other deals that is not known. `best_deal` is None
    where no deal was scored.
    """

    person: int
    table: int
    seat: int
    side: int
    rules: str
    players: int
    persons: int
    how: str
    won: bool
    score: int
    against: int
    deals: int
    best_deal: int | None
    canastas: int
    canasta_deals: int
    finished_at: int


@dataclass(frozen=True, slots=True)
class PartnerResult:
    """A finished game that two persons played for one score."""

    partner: int
    table: int
    won: bool


@dataclass(frozen=True, slots=True)
class OpposedResult:
    """A finished game that two persons played against each other; neither has won where others have, or nobody."""

    table: int
    won: bool
    lost: bool


class PeopleStore(Protocol):
    """The part of `bot.store.protocol.Store` that is about persons."""

    async def results(self, person: int, *, limit: int | None = None) -> tuple[Result, ...]:
        """The person's finished games, latest first; at most `limit`."""

    async def partner_results(self, person: int) -> tuple[PartnerResult, ...]:
        """The person's finished games with each partner, by partner and table."""

    async def opposed_results(self, person: int, other: int) -> tuple[OpposedResult, ...]:
        """The finished games that two persons played against each other, as the first of them sees it, by table."""

    async def results_missing(self, limit: int) -> tuple[int, ...]:
        """Finished tables whose results were never written, at most so many."""

    async def fill_results(self, table: int, results: Collection[Result]) -> None:
        """Write the results that were missing of a table, maybe none; it is asked about no more."""

    async def lapses(self, person: int, *, since: int) -> int:
        """How often the person's time was used up since that instant."""

    async def block(self, person: int, blocked: int, at: int) -> None:
        """Note that a person would not have another at own tables; nothing changes where that is known."""

    async def unblock(self, person: int, blocked: int) -> None:
        """Take back a block; nothing happens where there is none."""

    async def blocks(self, person: int) -> tuple[int, ...]:
        """Whom the person has blocked, in the order of their blocking."""
