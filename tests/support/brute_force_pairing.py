"""Tournament courses for tests of pairing, and an independent brute-force pairing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from bot.tournaments.counted_results import (
    Course,
    Entry,
    EntryWithoutMatch,
    Match,
    ResultKind,
    Round,
    Side,
    UnpairedReason,
)
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.pairing.drawn_round import DrawnRound
from bot.tournaments.pairing.standing_order import EntryStanding, OrderedEntry, standing_order


def new_course(entries: int, *, kind: FormatKind = FormatKind.SWISS, sides: int = 2) -> Course:
    """Return a tournament course before its first round; entries with higher numbers have lower person ids."""
    return Course(
        kind=kind,
        sides=sides,
        entries=tuple(Entry(number=number, people=(9000 - number,), rank=number) for number in range(1, entries + 1)),
    )


def match_of(
    sides: Sequence[tuple[tuple[int, ...], int]], *, match_number: int = 1, kind: ResultKind = ResultKind.PLAYED
) -> Match:
    """Return a match from its sides, each given as its entries and match points."""
    return Match(
        id=match_number,
        table=match_number,
        kind=kind,
        sides=tuple(Side(entries=entries, points=points) for entries, points in sides),
    )


def play_round(course: Course, drawn_round: DrawnRound, random: Random) -> Course:
    """Return the course with one more round, its drawn pairings played at random: wins, ties, some forfeits."""
    matches: list[Match] = []
    for number, pairing in enumerate(drawn_round.matches, 1):
        kind = random.choices((ResultKind.PLAYED, ResultKind.FORFEIT, ResultKind.DOUBLE_FORFEIT), (12, 2, 1))[0]
        points = [4, 2, 0] if len(pairing.sides) == 3 else [2, 0]
        if kind is ResultKind.DOUBLE_FORFEIT:
            points = [0] * len(pairing.sides)
        elif kind is ResultKind.PLAYED and len(points) == 2 and random.random() < 0.1:
            points = [1, 1]
        random.shuffle(points)
        matches.append(match_of(list(zip(pairing.sides, points, strict=True)), match_number=number, kind=kind))
    return with_round(course, matches, drawn_round.unpaired)


def with_round(course: Course, matches: Sequence[Match], unpaired: Sequence[EntryWithoutMatch] = ()) -> Course:
    """Return the course with one more round, which consists of these matches."""
    one = Round(number=len(course.rounds) + 1, matches=tuple(matches), unpaired=tuple(unpaired))
    return replace(course, rounds=(*course.rounds, one))


def points_by_entry(course: Course) -> dict[int, int]:
    """Return the match points of every entry."""
    points = {entry.number: 0 for entry in course.entries}
    for one in course.rounds:
        for match in one.matches:
            for side in match.sides:
                for entry in side.entries:
                    points[entry] += side.points
        for out in one.unpaired:
            points[out.entry] += out.points
    return points


def standings_by_points(course: Course, entries_without_place: Sequence[int] = ()) -> tuple[OrderedEntry, ...]:
    """Return the standings by points, then rank; entries in `entries_without_place` had no earlier place."""
    points = points_by_entry(course)
    ranks = {entry.number: entry.rank for entry in course.entries}
    by_place = sorted(
        (entry for entry in points if entry not in entries_without_place),
        key=lambda entry: (-points[entry], ranks[entry]),
    )
    places = {entry: place for place, entry in enumerate(by_place, 1)}
    return standing_order(
        EntryStanding(entry=entry, points=points[entry], place=places.get(entry), rank=ranks[entry]) for entry in points
    )


@dataclass(frozen=True)
class BruteForcePairing:
    """Computes the six cost sums of pairings directly from the specification (`docs/tournaments.md`).

    `standing` are pairs of (entry, points), best first; `met` says how often two entries have met, `spared` are entries
    that have had a bye.
    """

    standing: Sequence[tuple[int, int]]
    met: Mapping[frozenset[int], int]
    spared: frozenset[int]
    _known: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)

    def least_costs(self) -> tuple[int, ...]:
        """Return the lowest cost sums over all possible pairings."""
        return min(self.cost(pairs) for pairs in all_pairings([entry for entry, _ in self.standing]))

    def cost(self, pairs: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Return the six cost sums of one pairing; a tuple with a single entry is a bye."""
        sums = [0] * 6
        for pair in pairs:
            for number, cost in enumerate(self._costs_of_pair(pair)):
                sums[number] += cost
        return tuple(sums)

    def _costs_of_pair(self, pair: tuple[int, ...]) -> tuple[int, ...]:
        """Return what a pair or bye adds to each sum; computed once, because a pair is in many pairings."""
        if pair not in self._known:
            self._known[pair] = self._compute_costs_of_pair(pair)
        return self._known[pair]

    def _compute_costs_of_pair(self, pair: tuple[int, ...]) -> tuple[int, ...]:
        points = dict(self.standing)
        order = [entry for entry, _ in self.standing]
        if len(pair) == 1:
            return pair[0] in self.spared, 0, points[pair[0]], 0, len(order) - 1 - order.index(pair[0]), 0
        upper, lower = sorted(pair, key=order.index)
        groups = [[e for e in order if points[e] == points[one]] for one in (upper, lower)]
        p, q = groups[0].index(upper), groups[1].index(lower)
        is_level = points[upper] == points[lower]
        apart = (q - p - len(groups[0]) // 2) ** 2 if is_level else len(groups[0]) - 1 - p + q
        return 0, self.met.get(frozenset(pair), 0), 0, (points[upper] - points[lower]) ** 2, 0, apart


def all_pairings(entries: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all pairings of these entries, with one bye if their number is odd."""
    if not entries:
        yield []
    elif len(entries) % 2:
        for entry in entries:
            for rest in all_pairings([other for other in entries if other != entry]):
                yield [(entry,), *rest]
    else:
        first, *others = entries
        for entry in others:
            for rest in all_pairings([other for other in others if other != entry]):
                yield [(first, entry), *rest]


def brute_force_for_next_round(
    course: Course, standing: Sequence[OrderedEntry], present: Sequence[int]
) -> BruteForcePairing:
    """Return the brute-force pairing for the next round of that course."""
    met: dict[frozenset[int], int] = {}
    spared: set[int] = set()
    for one in course.rounds:
        for match in one.matches:
            pair = frozenset(entry for side in match.sides for entry in side.entries)
            if match.kind in (ResultKind.PLAYED, ResultKind.ADJUSTED):
                met[pair] = met.get(pair, 0) + 1
            elif match.kind is ResultKind.FORFEIT:
                spared |= {side.entries[0] for side in match.sides if side.points == 2}
        spared |= {out.entry for out in one.unpaired if out.code is UnpairedReason.BYE}
    return BruteForcePairing(
        [(one.entry, one.points) for one in standing if one.entry in present], met, frozenset(spared)
    )
