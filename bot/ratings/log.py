"""The log of ratings: computes everybody's rating from matches in the order of their ends. Pure.

A deleted player, whose number is negative, occurs in one match only. The rating for that match stays in the log, so
that recomputing gives the same ratings for all others. The module also exports a tournament's ratings as data
(`docs/tournaments.md` 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any

from bot.ratings.ratings import MODEL, START, Player, Rating, decay, rate_match
from bot.store.ratings import RatingPlace, RatingRow


@dataclass(frozen=True, slots=True)
class RatingState:
    """A person's rating, the number of rated matches, and the instant of the last one."""

    rating: Rating
    last: int
    matches: int

    def at(self, instant: int) -> Rating:
        """Return the rating at that instant; it becomes less certain with absence."""
        return decay(self.rating, self.last, instant)


def order_of(row: RatingRow) -> tuple[int, int, int]:
    """Return the sort key of matches: the instant of the end, then the match."""
    return row.at, row.tournament, row.number


def rate_row(row: RatingRow, standings: Mapping[int, RatingState]) -> tuple[RatingRow, dict[int, RatingState]]:
    """Return a match with its ratings before and after, and its players' new rating states."""
    before = {place.person: _before(place, standings, row.at) for place in row.places}
    sides = [
        [place for place in row.places if place.side == side] for side in sorted({place.side for place in row.places})
    ]
    players = [[Player(before[one.person], one.share, one.lost) for one in side] for side in sides]
    after = rate_match(players, [side[0].rank for side in sides])
    places, changed = [], {}
    for side, ratings in zip(sides, after, strict=True):
        for place, rating in zip(side, ratings, strict=True):
            was = before[place.person]
            now = None if rating is None else (rating.mu, rating.sigma)
            places.append(replace(place, before=(was.mu, was.sigma), after=now))
            if rating is not None and place.person > 0:
                matches = standings[place.person].matches + 1 if place.person in standings else 1
                changed[place.person] = RatingState(rating, row.at, matches)
    return replace(row, places=tuple(places)), changed


def _before(place: RatingPlace, standings: Mapping[int, RatingState], at: int) -> Rating:
    if place.person < 0:
        return START if place.before is None else Rating(*place.before)
    known = standings.get(place.person)
    return START if known is None else known.at(at)


def rate_all(rows: Iterable[RatingRow]) -> tuple[tuple[RatingRow, ...], dict[int, RatingState]]:
    """Return all matches of a ladder in order, with ratings, and the final rating states."""
    standings: MutableMapping[int, RatingState] = {}
    found = []
    for row in sorted(rows, key=order_of):
        done, changed = rate_row(row, standings)
        standings.update(changed)
        found.append(done)
    return tuple(found), dict(standings)


Start = tuple[float, float, int | None]
"""Mean, deviation and the instant of the last match before the tournament; None where there was none."""


def export_rows(rows: Iterable[RatingRow], start: Mapping[int, Start]) -> dict[str, Any]:
    """Return the log of a tournament as data for JSON; people are strings.

    A correction consists of a void row, which cancels the earlier row of its match, and a new row.
    """
    return {
        "model": MODEL,
        "start": {str(person): list(figures) for person, figures in start.items()},
        "log": [_row(row) for row in rows],
    }


def _row(row: RatingRow) -> dict[str, Any]:
    sides = [
        [place for place in row.places if place.side == side] for side in sorted({place.side for place in row.places})
    ]
    return {
        "seq": row.seq,
        "match": row.number,
        "at": row.at,
        "sides": [[str(place.person) for place in side] for side in sides],
        "ranks": [side[0].rank for side in sides],
        "shares": {str(place.person): place.share for place in row.places},
        "before": {str(place.person): _pair(place.before) for place in row.places},
        "after": {str(place.person): _pair(place.after or place.before) for place in row.places},
        "void": row.void,
    }


def _pair(figures: tuple[float, float] | None) -> list[float]:
    return [] if figures is None else list(figures)


def first_places(rows: Iterable[RatingRow]) -> dict[int, tuple[RatingRow, RatingPlace]]:
    """Return each person's first match in a tournament, with the place there."""
    found: dict[int, tuple[RatingRow, RatingPlace]] = {}
    for row in sorted(rows, key=lambda one: (one.at, one.number, one.seq)):
        for place in row.places:
            found.setdefault(place.person, (row, place))
    return found
