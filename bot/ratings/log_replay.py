"""Replay of the ratings' log: computes all ratings from the matches, in the order of their ends.

The functions are pure. A deleted player, whose number is negative, occurs in one match only. The rating for that match
stays in the log, so that recomputing gives the same ratings for all others. The module also exports a tournament's
ratings as data (`docs/tournaments.md` 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, TypeAlias

from bot.ratings.rating_rules import (
    LAW,
    LEAST_SHARE,
    MODEL,
    PARAMETERS,
    START,
    Player,
    Rating,
    rate_match,
    rating_after_absence,
    score_by_margin,
)
from bot.store.ratings import RatingPair, RatingPlace, RatingRow

RatedOwner: TypeAlias = tuple[int, ...]
"""The person, or in ascending order the two persons of a pair, that a rating belongs to."""

Figures: TypeAlias = tuple[float, float]
"""Mean and deviation."""


@dataclass(frozen=True, slots=True)
class RatingState:
    """The rating of a person or pair, the number of rated matches, and the instant of the last one."""

    rating: Rating
    last: int
    matches: int

    def rating_at(self, instant: int) -> Rating:
        """Return the rating at that instant; it becomes less certain while no matches are played."""
        return rating_after_absence(self.rating, self.last, instant)


def is_valid_rating(figures: Figures | None) -> bool:
    """Return whether this mean and deviation, if any, can be a rating; a damaged row may hold others."""
    return figures is None or (isfinite(figures[0]) and isfinite(figures[1]) and figures[1] > 0)


def match_sort_key(row: RatingRow) -> tuple[int, int, int]:
    """Return the sort key of matches: the instant of the end, then the match."""
    return row.at, row.tournament, row.number


def sides_of(row: RatingRow) -> list[list[RatingPlace]]:
    """Return the places of a match, one list for each side."""
    return [
        [place for place in row.places if place.side == side] for side in sorted({place.side for place in row.places})
    ]


def pairs_in(row: RatingRow) -> tuple[RatedOwner, ...]:
    """Return the pair of each side; empty unless every side has two persons who are both rated."""
    sides = sides_of(row)
    if any(len(side) != 2 or any(one.share < LEAST_SHARE for one in side) for side in sides):
        return ()
    return tuple(_owner_of_persons(*(one.person for one in side)) for side in sides)


def _owner_of_persons(*persons: int) -> RatedOwner:
    """Return the owner of a rating: one person, or the two of a pair in ascending order."""
    return tuple(sorted(persons))


def rate_row(
    row: RatingRow, standings: Mapping[RatedOwner, RatingState]
) -> tuple[RatingRow, dict[RatedOwner, RatingState]]:
    """Return a match with its ratings before and after, and the new standings of its persons and pairs."""
    sides, pairs = sides_of(row), pairs_in(row)
    stored = {pair.side: pair.before for pair in row.pairs}
    ranks = [side[0].rank for side in sides]
    score = None if row.margin is None else score_by_margin(row.margin.points, row.margin.deals, row.margin.unit)
    before = [[_rating_before((one.person,), one.before, standings, row.at) for one in side] for side in sides]
    after = rate_match(
        [
            [Player(rating, one.share, one.lost) for rating, one in zip(ratings, side, strict=True)]
            for ratings, side in zip(before, sides, strict=True)
        ],
        ranks,
        score,
    )
    places: list[RatingPlace] = []
    changed: dict[RatedOwner, RatingState] = {}
    for side, olds, news in zip(sides, before, after, strict=True):
        for place, old, new in zip(side, olds, news, strict=True):
            places.append(
                replace(place, before=_mean_and_deviation(old), after=None if new is None else _mean_and_deviation(new))
            )
            _add_standing(changed, standings, (place.person,), new, row.at)
    done = []
    if pairs:
        together = [
            _rating_before(who, stored.get(side[0].side), standings, row.at)
            for who, side in zip(pairs, sides, strict=True)
        ]
        ones = rate_match(
            [[_pair_as_player(old, side)] for old, side in zip(together, sides, strict=True)], ranks, score
        )
        for who, side, old, (new,) in zip(pairs, sides, together, ones, strict=True):
            done.append(
                RatingPair(side[0].side, _mean_and_deviation(old), None if new is None else _mean_and_deviation(new))
            )
            _add_standing(changed, standings, who, new, row.at)
    return replace(row, places=tuple(places), pairs=tuple(done)), changed


def _pair_as_player(rating: Rating, side: Sequence[RatingPlace]) -> Player:
    """Return a pair as one player, to rate it like a person.

    It has played the lesser share of its two persons, and gave up if one of them did.
    """
    return Player(rating, min(one.share for one in side), any(one.lost for one in side))


def _rating_before(
    owner: RatedOwner, stored: Figures | None, standings: Mapping[RatedOwner, RatingState], at: int
) -> Rating:
    """Return a person's or pair's rating before a match; a former player's is stored with the match."""
    if owner[0] < 0:
        return START if stored is None else Rating(*stored)
    known = standings.get(owner)
    return START if known is None else known.rating_at(at)


def _add_standing(
    new_standings: MutableMapping[RatedOwner, RatingState],
    standings: Mapping[RatedOwner, RatingState],
    owner: RatedOwner,
    new: Rating | None,
    at: int,
) -> None:
    """Add the new standing of a person or pair to `new_standings`, if it is rated and has no former player."""
    if new is not None and owner[0] > 0:
        new_standings[owner] = RatingState(new, at, standings[owner].matches + 1 if owner in standings else 1)


def rate_all_matches(rows: Iterable[RatingRow]) -> tuple[tuple[RatingRow, ...], dict[RatedOwner, RatingState]]:
    """Return all matches of a ladder in order, with ratings filled in, and the final standings."""
    return rate_further_matches(rows, {})


def rate_further_matches(
    rows: Iterable[RatingRow], standings: Mapping[RatedOwner, RatingState]
) -> tuple[tuple[RatingRow, ...], dict[RatedOwner, RatingState]]:
    """Return these matches of a ladder in order, with ratings filled in, and the standings after them.

    A stored match that cannot be rated, because its rows are damaged, is left out of both.
    """
    known = dict(standings)
    found = []
    for row in sorted(rows, key=match_sort_key):
        try:
            done, changed = rate_row(row, known)
            _require_valid_ratings(done, changed)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            if not row.seq:
                raise
            continue
        known.update(changed)
        found.append(done)
    return tuple(found), known


def _require_valid_ratings(row: RatingRow, standings: Mapping[RatedOwner, RatingState]) -> None:
    """Raise `ValueError` if the match or the standings hold figures that cannot be ratings."""
    figures = [one for place in row.places for one in (place.before, place.after)]
    figures += [one for pair in row.pairs for one in (pair.before, pair.after)]
    figures += [_mean_and_deviation(one.rating) for one in standings.values()]
    if len(sides_of(row)) < 2 or not all(is_valid_rating(one) for one in figures):
        raise ValueError("no match")


def _mean_and_deviation(rating: Rating) -> Figures:
    """Return a rating as its mean and deviation."""
    return rating.mu, rating.sigma


Start: TypeAlias = tuple[float, float, int | None]
"""Mean, deviation and the instant of the last match before the tournament; None where there was none."""


def export_rows(rows: Iterable[RatingRow], start: Mapping[RatedOwner, Start]) -> dict[str, Any]:
    """Return the log of a tournament as data for JSON; persons are texts.

    A correction consists of a void row, which cancels the earlier row of its match, and a new row.
    """
    return {
        "law": LAW,
        "model": MODEL,
        "parameters": PARAMETERS,
        "start": {str(who[0]): list(figures) for who, figures in start.items() if len(who) == 1},
        "pairs": [
            {"people": [str(one) for one in who], "start": list(figures)}
            for who, figures in start.items()
            if len(who) == 2
        ],
        "log": [_exported_row(row) for row in rows],
    }


def _exported_row(row: RatingRow) -> dict[str, Any]:
    """Return a row of the log as data for JSON."""
    sides = sides_of(row)
    return {
        "seq": row.seq,
        "match": row.number,
        "at": row.at,
        "sides": [[str(place.person) for place in side] for side in sides],
        "ranks": [side[0].rank for side in sides],
        "margin": None if row.margin is None else row.margin.points,
        "deals": None if row.margin is None else row.margin.deals,
        "shares": {str(place.person): place.share for place in row.places},
        "before": {str(place.person): list(place.before or ()) for place in row.places},
        "after": {str(place.person): list(place.after or place.before or ()) for place in row.places},
        "pairs": [{"before": list(one.before), "after": list(one.after or one.before)} for one in row.pairs],
        "void": row.void,
    }


def first_matches(rows: Iterable[RatingRow]) -> dict[RatedOwner, tuple[RatingRow, Figures | None]]:
    """Return the first match of each person and pair in a tournament, with their rating before it."""
    found: dict[RatedOwner, tuple[RatingRow, Figures | None]] = {}
    for row in sorted(rows, key=lambda one: (one.at, one.number, one.seq)):
        for place in row.places:
            found.setdefault((place.person,), (row, place.before))
        for who, pair in zip(pairs_in(row), row.pairs, strict=bool(row.pairs)):
            found.setdefault(who, (row, pair.before))
    return found
