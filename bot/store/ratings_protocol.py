"""The part of the Store protocol that is about ratings: the log of rated matches, and what follows from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """Who is rated for a seat of a side, with which rank of the side (from 1) and for which share of the match.

    `lost` tells that the person gave up, whatever came of the side. `before` and `after` are mean and deviation;
    `before` is None until it is figured, `after` also where the person is not rated.
    """

    side: int
    seat: int
    person: int
    rank: int
    share: float
    lost: bool = False
    before: tuple[float, float] | None = None
    after: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """A row of the log: a match, or with `void` the end of what was noted of one. `seq` is 0 before it is written."""

    seq: int = 0
    tournament: int
    number: int
    family: str
    players: int
    guild: int
    at: int
    void: bool = False
    places: tuple[RatingPlace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRating:
    """A person's rating in a ladder, after so many matches, the last one at an instant (UTC milliseconds)."""

    family: str
    players: int
    person: int
    mu: float
    sigma: float
    last: int
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingWrite:
    """What is written at once: rows that are new, rows figured anew, and ratings.

    With `whole`, a ladder, its `ratings` are all there are: others of it are gone.
    """

    new: tuple[RatingRow, ...] = ()
    figured: tuple[RatingRow, ...] = ()
    ratings: tuple[StoredRating, ...] = ()
    whole: tuple[str, int] | None = None


class RatingsStore(Protocol):
    """What is kept of ratings. A match counts as its last row says."""

    async def rating_row(self, tournament: int, number: int) -> RatingRow | None:
        """What counts of a match; None where nothing does."""

    async def rating_rows(self, family: str, players: int) -> tuple[RatingRow, ...]:
        """The matches of a ladder that count, in the order of their ends."""

    async def last_rated(self, family: str, players: int) -> tuple[int, int, int]:
        """The instant, tournament and number of the ladder's last match; zeros where there is none."""

    async def rating_log(self, tournament: int) -> tuple[RatingRow, ...]:
        """Every row of a tournament's matches, as they were written."""

    async def rating_before(self, person: int, row: RatingRow) -> tuple[float, float, int] | None:
        """Mean, deviation and instant of the person's last match of the row's ladder before that row, if any."""

    async def rating_history(self, person: int, family: str, players: int) -> tuple[tuple[float, float], ...]:
        """The person's ratings (mean, deviation) after each match of a ladder, in order."""

    async def rating_ladders(self) -> tuple[tuple[str, int], ...]:
        """The ladders of the log, those with the most rows first."""

    async def ratings(self, family: str, players: int, *, guild: int | None = None) -> tuple[StoredRating, ...]:
        """The ratings of a ladder, by person; with `guild` of those who have played a rated match in that server."""

    async def ratings_of(self, persons: Collection[int]) -> tuple[StoredRating, ...]:
        """The ratings of these persons in all ladders."""

    async def write_ratings(self, write: RatingWrite) -> None:
        """Write all of it or nothing."""

    async def forget_ratings(self, person: int) -> None:
        """Let nothing tell who a person was in the log, and keep no ratings of the person."""

    async def ratings_due(self, limit: int) -> tuple[tuple[int, int], ...]:
        """Finished games of rated tables that wait to be rated, each with the instant of its end; at most so many."""

    async def rating_done(self, table: int) -> None:
        """A finished game waits no longer to be rated."""
