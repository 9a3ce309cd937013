"""Past meetings, byes and first sides, and the cost of a pairing (`docs/tournaments.md` 3).

A cost is six sums. They count: 1 byes of entries that had a bye or won by forfeit, 2 rematches, 3 points of the entries
with a bye, 4 squared differences of points, 5 how far from the bottom the bye is, 6 how far pairs of equal points are
from the ideal pairing (slide).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from bot.tournaments.counted_results import Course, Match, ResultKind, UnpairedReason
from bot.tournaments.pairing.drawn_round import NOTHING, Cost
from bot.tournaments.pairing.standing_order import OrderedEntry


@dataclass(frozen=True, slots=True)
class PastMeetings:
    """Counts from earlier rounds; zero counts are missing from the mappings.

    `meetings` and `partners` count by pairs of entries, the lower number first: matches at one table as opponents, and
    as partners. Forfeits are not meetings. `spared` entries had a bye or won by forfeit. `first` counts matches as the
    first side, `sat_out` rounds sat out as a bye or by half points. `tokens` identify entries in draws: the sorted
    people, or the number of an entry without any.
    """

    meetings: Mapping[tuple[int, int], int]
    partners: Mapping[tuple[int, int], int]
    spared: frozenset[int]
    first: Mapping[int, int]
    sat_out: Mapping[int, int]
    tokens: Mapping[int, tuple[int, ...]]

    def times_met(self, entry: int, other_entry: int) -> int:
        """Return how often the two have been opponents."""
        return self.meetings.get((min(entry, other_entry), max(entry, other_entry)), 0)

    def identity_in_draws(self, entry: int) -> tuple[int, ...]:
        """Return the numbers that identify the entry in draws."""
        return self.tokens.get(entry, (entry,))


def count_past_meetings(course: Course) -> PastMeetings:
    """Return the meetings, byes and first sides in the rounds of a course."""
    meetings: Counter[tuple[int, int]] = Counter()
    partners: Counter[tuple[int, int]] = Counter()
    first: Counter[int] = Counter()
    sat_out: Counter[int] = Counter()
    spared: set[int] = set()
    for one in course.rounds:
        for match in one.matches:
            spared |= _winners_by_forfeit(match)
            if match.is_played:
                meetings.update(_pairs_of_opponents(match))
                partners.update(_pairs_of_partners(match))
                first.update(match.sides[0].entries)
        sat_out.update(out.entry for out in one.unpaired if out.code in (UnpairedReason.BYE, UnpairedReason.HALF))
        spared |= {out.entry for out in one.unpaired if out.code is UnpairedReason.BYE}
    tokens = {entry.number: tuple(sorted(entry.people)) or (entry.number,) for entry in course.entries}
    return PastMeetings(meetings, partners, frozenset(spared), first, sat_out, tokens)


def _winners_by_forfeit(match: Match) -> set[int]:
    """Return the entries that won the match by forfeit."""
    if match.kind is not ResultKind.FORFEIT:
        return set()
    most = max(side.points for side in match.sides)
    return {entry for side in match.sides if side.points == most > 0 for entry in side.entries}


def _pairs_of_opponents(match: Match) -> Iterator[tuple[int, int]]:
    """Yield each pair of entries on different sides, the lower number first."""
    for one, other in combinations(match.sides, 2):
        yield from ((min(a, b), max(a, b)) for a in one.entries for b in other.entries)


def _pairs_of_partners(match: Match) -> Iterator[tuple[int, int]]:
    """Yield each pair of entries on the same side, the lower number first."""
    for side in match.sides:
        yield from combinations(sorted(side.entries), 2)


@dataclass(frozen=True, slots=True)
class _PlaceInGroup:
    """The place of an entry, from 0, among all and `within` the `size` entries with equal points."""

    points: int
    place: int
    within: int
    size: int


class PairingCosts:
    """The costs of pairings in one round among the entries `present`, in the order of `standing`.

    Raises `ValueError` if points rise along the order, if an entry is in it twice, or if a present one is missing.
    """

    def __init__(self, past: PastMeetings, standing: Sequence[OrderedEntry], *, present: Collection[int]) -> None:
        here = [one for one in standing if one.entry in present]
        if len(here) != len(set(present)) or len({one.entry for one in here}) != len(here):
            raise ValueError("everybody present stands once")
        if any(upper.points < lower.points for upper, lower in pairwise(here)):
            raise ValueError("points fall from the first to the last")
        self.past = past
        self.entries = tuple(one.entry for one in here)
        self._spots = _places_in_groups(here)

    def points(self, entry: int) -> int:
        """Return the points of an entry."""
        return self._spots[entry].points

    def place(self, entry: int) -> int:
        """Return the place of an entry among those present, from 0."""
        return self._spots[entry].place

    def group(self, entry: int) -> range:
        """Return the range of places of all present entries with as many points as this one."""
        spot = self._spots[entry]
        return range(spot.place - spot.within, spot.place - spot.within + spot.size)

    def cost_of_meeting(self, entry: int, other_entry: int) -> Cost:
        """Return the six numbers by which a match of these two entries is avoided; higher is worse."""
        upper, lower = self._spots[entry], self._spots[other_entry]
        if upper.place > lower.place:
            upper, lower = lower, upper
        return (
            0,
            self.past.times_met(entry, other_entry),
            0,
            (upper.points - lower.points) ** 2,
            0,
            _distance_from_ideal_pairing(upper, lower),
        )

    def cost_of_bye(self, entry: int) -> Cost:
        """Return the six numbers by which a bye for this entry is avoided; higher is worse."""
        spot = self._spots[entry]
        return (int(entry in self.past.spared), 0, spot.points, 0, len(self.entries) - 1 - spot.place, 0)

    def total_cost(self, tables: Iterable[Sequence[int]], byes: Iterable[int]) -> Cost:
        """Return the cost of a whole round: tables with one entry a side, and byes."""
        costs = [self.cost_of_meeting(one, other) for table in tables for one, other in combinations(table, 2)]
        return sum_costs([*costs, *(self.cost_of_bye(entry) for entry in byes)])


def sum_costs(costs: Iterable[Cost]) -> Cost:
    """Return the sum of several costs, number by number."""
    total = NOTHING
    for cost in costs:
        a, b, c, d, e, f = (one + other for one, other in zip(total, cost, strict=True))
        total = (a, b, c, d, e, f)
    return total


def _places_in_groups(here: Sequence[OrderedEntry]) -> dict[int, _PlaceInGroup]:
    sizes: dict[int, int] = {}
    for one in here:
        sizes[one.points] = sizes.get(one.points, 0) + 1
    start = {points: sum(size for more, size in sizes.items() if more > points) for points in sizes}
    return {
        one.entry: _PlaceInGroup(one.points, place, place - start[one.points], sizes[one.points])
        for place, one in enumerate(here)
    }


def _distance_from_ideal_pairing(upper: _PlaceInGroup, lower: _PlaceInGroup) -> int:
    """Return how far the pairing of these two entries is from the ideal one.

    Ideally the upper half of a group of equal points meets its lower half. For entries of different groups, it is the
    distance of the upper entry from the bottom of its group, plus that of the lower entry from the top of its own.
    """
    if upper.points == lower.points:
        return (lower.within - upper.within - upper.size // 2) ** 2
    return upper.size - 1 - upper.within + lower.within
