"""The standings after a round: places, points and tie-breaks. Equal entries share a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from bot.tournaments.counted_results import Course
from bot.tournaments.format_traits import PLAIN_TIES
from bot.tournaments.standings.points_by_round import RoundsByEntry, rounds_by_entry
from bot.tournaments.standings.tie_breaks import (
    TieBreaks,
    buchholz_cut,
    count_wins_at_tables,
    mean_net_per_deal,
    points_of,
    sonneborn_berger,
    strengths,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """An entry in the standings. If two entries share place 1, the next has place 3.

    `points` are match points minus penalties; `list_name` is empty if there is only one list.
    """

    place: int
    entry: int
    points: int
    list_name: str = ""
    figures: TieBreaks


def tiebreaks(course: Course) -> tuple[str, ...]:
    """Return the names of the tie-breaks in order. Raises `ValueError` if places come from a bracket."""
    if not course.traits.ties:
        raise ValueError(f"a tournament of the kind {course.kind.value} has no standings by points")
    return PLAIN_TIES if course.sides > 2 else course.traits.ties


def standings(course: Course, after_round: int | None = None) -> tuple[StandingsRow, ...]:
    """Return the rows of all entries after that round, best first; None means after all rounds.

    Entries that have left keep the place of their results; annulled entries of a round robin share the last place.
    Raises `ValueError` for a tournament without standings by points.
    """
    order = tiebreaks(course)
    last = len(course.rounds) if after_round is None else after_round
    turns = rounds_by_entry(course, last)
    points = points_of(course, turns, last)
    figures = _tie_breaks_by_entry(course, turns, order)
    listed = [entry for entry in course.entries if entry.from_round <= max(last, 1)]
    groups = _split_by_figure((entry.number for entry in listed if not entry.annulled), lambda number: points[number])
    if "h2h" in order:
        between = _points_by_opponents(course, turns)
        for group in groups:
            for number, figure in _head_to_head_points(group, between).items():
                figures[number] = replace(figures[number], h2h=figure)
        groups = [part for group in groups for part in _split_by_head_to_head(group, between)]
    for name in order:
        if name != "h2h":
            groups = [part for group in groups for part in _split_by_figure(group, _tie_break_getter(figures, name))]
    groups.append([entry.number for entry in listed if entry.annulled])
    return _rows_of_groups(groups, points, figures)


def _tie_breaks_by_entry(course: Course, rounds: RoundsByEntry, order: Sequence[str]) -> dict[int, TieBreaks]:
    """Return the tie-breaks of each entry."""
    worth = strengths(course, rounds)
    forfeits = course.traits.forfeits_count
    return {
        entry: TieBreaks(
            bc1=buchholz_cut(entry, listed, worth) if "bc1" in order else None,
            sb=sonneborn_berger(listed, worth, forfeits=forfeits) if "sb" in order else None,
            net=mean_net_per_deal(listed, course.scoring.net_cap),
            wins=count_wins_at_tables(listed),
        )
        for entry, listed in rounds.items()
    }


def _tie_break_getter(figures: Mapping[int, TieBreaks], name: str) -> Callable[[int], int | Fraction]:
    """Return a function that returns the tie-break of that name for an entry."""
    found: dict[int, int | Fraction] = {entry: getattr(listed, name) for entry, listed in figures.items()}
    return found.__getitem__


def _rows_of_groups(
    groups: Iterable[Sequence[int]], points: Mapping[int, int], figures: Mapping[int, TieBreaks]
) -> tuple[StandingsRow, ...]:
    """Return the rows of the standings from ordered groups of entries; those of a group share a place."""
    rows: list[StandingsRow] = []
    for group in groups:
        place = len(rows) + 1
        rows += [
            StandingsRow(place=place, entry=entry, points=points[entry], figures=figures[entry])
            for entry in sorted(group)
        ]
    return tuple(rows)


def _split_by_figure(group: Iterable[int], figure: Callable[[int], int | Fraction]) -> list[list[int]]:
    """Split the group into parts with equal values of `figure`, the highest first."""
    parts: dict[int | Fraction, list[int]] = {}
    for entry in group:
        parts.setdefault(figure(entry), []).append(entry)
    return [parts[value] for value in sorted(parts, reverse=True)]


# --- head to head ----------------------------------------------------------------------------------------------------

PointsAgainst = Mapping[tuple[int, int], int]
"""Match points that one entry got against another, for those that met."""


def _points_by_opponents(course: Course, rounds: RoundsByEntry) -> PointsAgainst:
    """Return the match points that each entry got against each other entry."""
    forfeits = course.traits.forfeits_count
    found: dict[tuple[int, int], int] = {}
    for entry, listed in rounds.items():
        for turn in listed:
            if turn.is_at_table or forfeits:
                for other in turn.opponents:
                    found[entry, other] = found.get((entry, other), 0) + turn.points
    return found


def _head_to_head_points(group: Sequence[int], points_by_opponents: PointsAgainst) -> dict[int, int]:
    """Return each entry's points from matches within the group.

    Empty for a group of one, or if not all have met.
    """
    if len(group) < 2 or any(pair not in points_by_opponents for pair in combinations(group, 2)):
        return {}
    return {entry: sum(points_by_opponents[entry, other] for other in group if other != entry) for entry in group}


def _split_by_head_to_head(group: list[int], points_by_opponents: PointsAgainst) -> list[list[int]]:
    """Split the group by the points from matches within it, then each part in the same way."""
    figures = _head_to_head_points(group, points_by_opponents)
    parts = _split_by_figure(group, figures.__getitem__) if figures else [group]
    if len(parts) == 1:
        return parts
    return [smaller for part in parts for smaller in _split_by_head_to_head(part, points_by_opponents)]
