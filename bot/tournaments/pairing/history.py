"""Who has met whom, sat out and sat first, and what a pairing costs by that (`docs/tournaments.md` 3).

The costs are six sums: 1 byes for who had a bye or won by forfeit, 2 earlier meetings, 3 points of the bye, 4 squared
differences of points, 5 the bye's distance from the bottom, 6 slide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from bot.tournaments.course import Course, Match, Played, Unpaired
from bot.tournaments.pairing.drawn import NOTHING, Cost
from bot.tournaments.pairing.order import OrderedEntry


@dataclass(frozen=True, slots=True)
class History:
    """What has happened so far; what did not happen is missing from a mapping.

    `meetings` and `partners` count by pairs of entries, the lower number first: how often the two sat at a table as
    opponents, and as partners. Forfeits are no meetings. `spared` had a bye or won by forfeit. `first` counts matches
    as the first side, `sat_out` rounds without an opponent for want of one. `tokens` stand for entries where lots are
    drawn: the sorted persons, or the number of an entry without any.
    """

    meetings: Mapping[tuple[int, int], int]
    partners: Mapping[tuple[int, int], int]
    spared: frozenset[int]
    first: Mapping[int, int]
    sat_out: Mapping[int, int]
    tokens: Mapping[int, tuple[int, ...]]

    def met(self, one: int, other: int) -> int:
        """How often the two have been opponents."""
        return self.meetings.get((min(one, other), max(one, other)), 0)

    def token(self, entry: int) -> tuple[int, ...]:
        """What stands for the entry where lots are drawn."""
        return self.tokens.get(entry, (entry,))


def history(course: Course) -> History:
    """What the course tells about its entries."""
    meetings: Counter[tuple[int, int]] = Counter()
    partners: Counter[tuple[int, int]] = Counter()
    first: Counter[int] = Counter()
    sat_out: Counter[int] = Counter()
    spared: set[int] = set()
    for one in course.rounds:
        for match in one.matches:
            spared |= _spared(match)
            if match.met:
                meetings.update(_opponents(match))
                partners.update(_partners(match))
                first.update(match.sides[0].entries)
        sat_out.update(out.entry for out in one.unpaired if out.code in (Unpaired.BYE, Unpaired.HALF))
        spared |= {out.entry for out in one.unpaired if out.code is Unpaired.BYE}
    tokens = {entry.number: tuple(sorted(entry.people)) or (entry.number,) for entry in course.entries}
    return History(meetings, partners, frozenset(spared), first, sat_out, tokens)


def _spared(match: Match) -> set[int]:
    """Who has won that match because others did not play."""
    if match.kind is not Played.FORFEIT:
        return set()
    most = max(side.points for side in match.sides)
    return {entry for side in match.sides if side.points == most > 0 for entry in side.entries}


def _opponents(match: Match) -> Iterator[tuple[int, int]]:
    for one, other in combinations(match.sides, 2):
        yield from ((min(a, b), max(a, b)) for a in one.entries for b in other.entries)


def _partners(match: Match) -> Iterator[tuple[int, int]]:
    for side in match.sides:
        yield from combinations(sorted(side.entries), 2)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where an entry stands: its place from 0 among all, and in the group of `size` entries with equal points."""

    points: int
    place: int
    within: int
    size: int


class Measure:
    """Costs in one round among the entries `present`, which stand in the order of `standing`.

    Raises `ValueError` where points rise from one entry to the next, where an entry stands twice, or where somebody
    present does not stand at all.
    """

    def __init__(self, past: History, standing: Sequence[OrderedEntry], *, present: Collection[int]) -> None:
        here = [one for one in standing if one.entry in present]
        if len(here) != len(set(present)) or len({one.entry for one in here}) != len(here):
            raise ValueError("everybody present stands once")
        if any(upper.points < lower.points for upper, lower in pairwise(here)):
            raise ValueError("points fall from the first to the last")
        self.past = past
        self.entries = tuple(one.entry for one in here)
        self._spots = _spots(here)

    def points(self, entry: int) -> int:
        """The points of an entry."""
        return self._spots[entry].points

    def place(self, entry: int) -> int:
        """The place of an entry among those present, from 0."""
        return self._spots[entry].place

    def pair(self, one: int, other: int) -> Cost:
        """What it costs that these two meet."""
        upper, lower = self._spots[one], self._spots[other]
        if upper.place > lower.place:
            upper, lower = lower, upper
        return (0, self.past.met(one, other), 0, (upper.points - lower.points) ** 2, 0, _slide(upper, lower))

    def bye(self, entry: int) -> Cost:
        """What it costs that this one is left without an opponent."""
        spot = self._spots[entry]
        return (int(entry in self.past.spared), 0, spot.points, 0, len(self.entries) - 1 - spot.place, 0)

    def total(self, tables: Iterable[Sequence[int]], byes: Iterable[int]) -> Cost:
        """What a whole round costs: tables with one entry a side, and who is left without one."""
        costs = [self.pair(one, other) for table in tables for one, other in combinations(table, 2)]
        return sum_of([*costs, *(self.bye(entry) for entry in byes)])


def sum_of(costs: Iterable[Cost]) -> Cost:
    """The six sums of several costs."""
    total = NOTHING
    for cost in costs:
        a, b, c, d, e, f = (one + other for one, other in zip(total, cost, strict=True))
        total = (a, b, c, d, e, f)
    return total


def _spots(here: Sequence[OrderedEntry]) -> dict[int, _Spot]:
    sizes: dict[int, int] = {}
    for one in here:
        sizes[one.points] = sizes.get(one.points, 0) + 1
    start = {points: sum(size for more, size in sizes.items() if more > points) for points in sizes}
    return {
        one.entry: _Spot(one.points, place, place - start[one.points], sizes[one.points])
        for place, one in enumerate(here)
    }


def _slide(upper: _Spot, lower: _Spot) -> int:
    """How far the two are from where a round would put them: the upper half of a group against its lower half."""
    if upper.points == lower.points:
        return (lower.within - upper.within - upper.size // 2) ** 2
    return upper.size - 1 - upper.within + lower.within
