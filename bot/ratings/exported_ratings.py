"""The ratings of a tournament as data for its export (`docs/tournaments.md` 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bot.ratings.rating_law import MODEL
from bot.store.ratings import RatingPlace, RatingRow

Start = tuple[float, float, int | None]
"""Mean, deviation and the instant of the last match before the tournament; None where there was none."""


def exported(rows: Iterable[RatingRow], start: Mapping[int, Start]) -> dict[str, Any]:
    """The log of a tournament as data for JSON; persons are texts.

    A correction stands there as a row that is void, which takes back the earlier row of its match, and a new row.
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
    """Each person's first match in a tournament, with the place there."""
    found: dict[int, tuple[RatingRow, RatingPlace]] = {}
    for row in sorted(rows, key=lambda one: (one.at, one.number, one.seq)):
        for place in row.places:
            found.setdefault(place.person, (row, place))
    return found
