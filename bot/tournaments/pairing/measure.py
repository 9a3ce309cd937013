"""What a pairing of a round costs: the six sums of `docs/tournaments.md` 3.

1 byes for who had a bye or won by forfeit, 2 earlier meetings, 3 points of the bye, 4 squared differences of points,
5 the bye's distance from the bottom, 6 slide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from bot.tournaments.pairing.drawn import NOTHING, Cost
from bot.tournaments.pairing.meetings import History
from bot.tournaments.pairing.pairing_order import OrderedEntry


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
