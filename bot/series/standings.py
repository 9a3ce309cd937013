"""The standings of a season, computed from its closed nights (`docs/series.md` 2). Points are doubled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from bot.series.series import Champion, Night, NightStage, Placed, Series, SeriesStage
from bot.tournaments.event.entries import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class NightScore:
    """A person's result of a night: doubled points, and whether it was a first place.

    A `fixed` result cannot be dropped from the total: that of a person who was removed.
    """

    night: int
    points: int
    first: bool
    fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """A person in the standings of a season, sharing the places `first` to `last`.

    It has the total, the nights that count and the nights that are dropped.
    """

    person: Person
    first: int
    last: int
    total: int
    counted: tuple[NightScore, ...]
    dropped: tuple[NightScore, ...]


def points_of(placed: Placed) -> int:
    """Return the doubled points of a place: 1 point, plus 1 for each ranked entry behind it.

    Shared places get the mean.
    """
    return 0 if placed.removed else 2 + 2 * placed.ranked - placed.first - placed.last


def night_scores(night: Night) -> Iterator[tuple[Person, NightScore]]:
    """Yield each person of a night with their score."""
    for one in night.placed:
        scored = NightScore(
            night=night.number,
            points=points_of(one),
            first=one.first == 1 and not one.removed,
            fixed=one.removed,
        )
        for person in one.people:
            yield person, scored


def standings(series: Series, season: int) -> tuple[SeasonRow, ...]:
    """Return the standings of a season, best first, without guests."""
    earned: dict[Person, list[NightScore]] = defaultdict(list)
    for night in series.nights_of(season):
        if night.has_results:
            for person, scored in night_scores(night):
                if person not in series.guests:
                    earned[person].append(scored)
    cut = {person: _split_counted_results(those, series.plan.best) for person, those in earned.items()}
    ordered = sorted(cut, key=lambda person: (_rank_key(cut[person][0]), series.names.get(person, ""), person))
    rows: list[SeasonRow] = []
    for _, tied in groupby(ordered, key=lambda person: _rank_key(cut[person][0])):
        people, first = list(tied), len(rows) + 1
        for person in people:
            counted, dropped = cut[person]
            total = sum(one.points for one in counted)
            rows.append(
                SeasonRow(
                    person=person,
                    first=first,
                    last=first + len(people) - 1,
                    total=total,
                    counted=counted,
                    dropped=dropped,
                )
            )
    return tuple(rows)


def _split_counted_results(
    results: list[NightScore], best: int
) -> tuple[tuple[NightScore, ...], tuple[NightScore, ...]]:
    """Split a person's results into those that count and those that are dropped.

    The `best` results count, and all that cannot be dropped.
    """
    ordered = sorted(results, key=lambda one: (not one.fixed, -one.points, one.night))
    counted = sorted(ordered[:best], key=lambda one: (-one.points, one.night))
    return tuple(counted), tuple(ordered[best:])


def _rank_key(counted: tuple[NightScore, ...]) -> tuple[int, tuple[int, ...], int]:
    """Return the sort key of a person in the standings.

    It has the total, then the counted nights from the best on, then the number of first places.
    """
    points = tuple(-one.points for one in counted)
    return sum(points), points, -sum(one.first for one in counted)


def is_season_complete(series: Series, season: int) -> bool:
    """Return whether a season is over: no night or final is pending or in play."""
    nights = series.nights_of(season)
    if any(one.stage is NightStage.MADE for one in series.nights if one.season == season):
        return False
    if series.plan.divisions is not None:
        return any(one.has_results for one in nights)
    if series.stage is SeriesStage.ENDED:
        return any(one.has_results for one in nights)
    return season < series.season


def champions(series: Series) -> tuple[Champion, ...]:
    """Return the champions of all finished seasons, by season.

    The champion is the winner of the final or, without a final, the leader of the standings.
    """
    found = []
    for season in range(1, series.season + 1):
        if is_season_complete(series, season):
            people = _champions_of(series, season)
            if people:
                found.append(Champion(season=season, people=people))
    return tuple(found)


def _champions_of(series: Series, season: int) -> tuple[Person, ...]:
    """Return the champions of one finished season."""
    if series.plan.divisions is not None:
        return winners_of(series.divisions_of(season)[0])
    final = series.final_of(season)
    if final is not None and final.has_results:
        return winners_of(final)
    return tuple(row.person for row in standings(series, season) if row.first == 1)


def winners_of(night: Night) -> tuple[Person, ...]:
    """Return the persons in first place of a night, final or division."""
    return tuple(person for one in night.placed if one.first == 1 and not one.removed for person in one.people)


def season_to_show(series: Series) -> int:
    """Return the number of the season to show: the newest with a played night, else the first."""
    if series.plan.divisions is not None:
        return max((one.season for one in series.nights if one.number > 0), default=1)
    return max((one.season for one in series.nights if one.has_results), default=1)
