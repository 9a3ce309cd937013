"""A Swiss round: the pairing whose six sums are least (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from bot.tournaments.course import Course, SatOut, Unpaired
from bot.tournaments.lot import SeededDraw
from bot.tournaments.pairing.drawn import DrawnRound, Pairing
from bot.tournaments.pairing.first_side import seated
from bot.tournaments.pairing.matching import least_matching
from bot.tournaments.pairing.measure import Measure
from bot.tournaments.pairing.meetings import history
from bot.tournaments.pairing.pairing_order import OrderedEntry


def swiss(course: Course, standing: Sequence[OrderedEntry], *, present: Collection[int], lot: SeededDraw) -> DrawnRound:
    """The next round among the entries `present`, two sides at a table.

    `standing` is everybody as they stand, best first (`standing_order`). Whoever is left over has a bye. The order in
    which entries, rounds' matches or `present` come makes no difference. Raises `ValueError` as `Measure` does.
    """
    measure = Measure(history(course), standing, present=present)
    entries = measure.entries
    costs: dict[tuple[int, int], Sequence[int]] = {
        (place, other): measure.pair(entries[place], entries[other])
        for place, other in combinations(range(len(entries)), 2)
    }
    if len(entries) % 2:
        costs |= {(place, len(entries)): measure.bye(entry) for place, entry in enumerate(entries)}
    tables: list[tuple[int, ...]] = []
    byes: list[int] = []
    for place, other in least_matching(costs):
        if other == len(entries):
            byes.append(entries[place])
        else:
            tables.append((entries[place], entries[other]))
    return as_drawn(course, standing, measure=measure, tables=tables, byes=byes, lot=lot)


def as_drawn(
    course: Course,
    standing: Sequence[OrderedEntry],
    *,
    measure: Measure,
    tables: Iterable[Sequence[int]],
    byes: Iterable[int],
    lot: SeededDraw,
) -> DrawnRound:
    """A round with these tables, one entry a side, and these byes: sides seated, best table first, cost told."""
    number = len(course.rounds) + 1
    tables, byes = [tuple(table) for table in tables], sorted(byes, key=measure.place)
    matches = [seated([(entry,) for entry in table], measure.past, number=number, lot=lot) for table in tables]
    matches.sort(key=lambda sides: sorted(measure.place(entry) for side in sides for entry in side))
    return DrawnRound(
        matches=tuple(Pairing(sides) for sides in matches),
        unpaired=tuple(SatOut(entry=entry, code=Unpaired.BYE, points=course.scoring.bye) for entry in byes),
        order=tuple(one.entry for one in standing),
        cost=measure.total(tables, byes),
    )
