"""Draw a Swiss round of least cost, and explain its pairings (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from bot.tournaments.course import Course, SatOut, Unpaired
from bot.tournaments.pairing.drawn_round import DrawnRound, Pairing
from bot.tournaments.pairing.first_side import order_sides
from bot.tournaments.pairing.history import Measure, history
from bot.tournaments.pairing.matching import least_matching
from bot.tournaments.pairing.standing_order import OrderedEntry
from bot.tournaments.seeded_draw import SeededDraw


def swiss(course: Course, standing: Sequence[OrderedEntry], *, present: Collection[int], lot: SeededDraw) -> DrawnRound:
    """Draw the next round among the entries `present`, two sides at a table.

    `standing` are all entries in standing order, best first (`standing_order`). With an odd number one has a bye.
    The order of entries, matches or `present` makes no difference. Raises `ValueError` as `Measure` does.
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
    return build_round(course, standing, measure=measure, tables=tables, byes=byes, lot=lot)


def build_round(
    course: Course,
    standing: Sequence[OrderedEntry],
    *,
    measure: Measure,
    tables: Iterable[Sequence[int]],
    byes: Iterable[int],
    lot: SeededDraw,
) -> DrawnRound:
    """Return a round from tables, one entry a side, and byes: sides seated, best table first, with cost."""
    number = len(course.rounds) + 1
    tables, byes = [tuple(table) for table in tables], sorted(byes, key=measure.place)
    matches = [order_sides([(entry,) for entry in table], measure.past, number=number, lot=lot) for table in tables]
    matches.sort(key=lambda sides: sorted(measure.place(entry) for side in sides for entry in side))
    return DrawnRound(
        matches=tuple(Pairing(sides) for sides in matches),
        unpaired=tuple(SatOut(entry=entry, code=Unpaired.BYE, points=course.scoring.bye) for entry in byes),
        order=tuple(one.entry for one in standing),
        cost=measure.total(tables, byes),
    )


class PairingReasonCode(StrEnum):
    """Reasons for a pairing; the value is its stable name."""

    NEAREST = "nearest"  # no new opponent is nearer in points
    NEAR = "near"  # nearer ones meet others, so that all can be paired
    AGAIN = "again"  # they have met before: no other pairing was possible
    BYE_LAST = "bye_last"  # lowest of those without a bye so far
    BYE = "bye"  # lower ones had no bye either, but this allows a better pairing
    BYE_AGAIN = "bye_again"  # all had a bye, or no other pairing was possible
    AWAY = "away"  # not in this round


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingReason:
    """The reason for the table of `entry`, which has `points`.

    It meets `opponents` with `opponent_points`. `nearer` counts present entries it has not met that are nearer in
    points than its farthest opponent; `met` how often it has met its opponents before. `crossing` is the number of
    tables of the round where points differ.
    """

    entry: int
    code: PairingReasonCode
    points: int
    opponents: tuple[int, ...] = ()
    opponent_points: tuple[int, ...] = ()
    nearer: int = 0
    met: int = 0
    crossing: int = 0


def pairing_reason(course: Course, standing: Sequence[OrderedEntry], drawn: DrawnRound, entry: int) -> PairingReason:
    """Explain the entry's table in the round `drawn` after `course`, from the standing at that time.

    Raises `KeyError` for an entry that is not in the standing.
    """
    points = {one.entry: one.points for one in standing}
    present = {number for table in drawn.matches for number in table.entries} | {one.entry for one in drawn.unpaired}
    measure = Measure(history(course), standing, present=present)
    crossing = sum(len({points[number] for number in table.entries}) > 1 for table in drawn.matches)
    table = drawn.match_of(entry)
    if table is None:
        code = _why_bye(measure, entry) if entry in present else PairingReasonCode.AWAY
        return PairingReason(entry=entry, code=code, points=points[entry], crossing=crossing)
    opponents = table.opponents(entry)
    distance = max(abs(points[entry] - points[number]) for number in opponents)
    met = sum(measure.past.met(entry, number) for number in opponents)
    nearer = sum(
        abs(points[entry] - points[number]) < distance and not measure.past.met(entry, number)
        for number in present - {*table.entries}
    )
    return PairingReason(
        entry=entry,
        code=PairingReasonCode.AGAIN if met else PairingReasonCode.NEAR if nearer else PairingReasonCode.NEAREST,
        points=points[entry],
        opponents=opponents,
        opponent_points=tuple(points[number] for number in opponents),
        nearer=nearer,
        met=met,
        crossing=crossing,
    )


def _why_bye(measure: Measure, entry: int) -> PairingReasonCode:
    if entry in measure.past.spared:
        return PairingReasonCode.BYE_AGAIN
    last = min(measure.entries, key=measure.bye)
    return PairingReasonCode.BYE_LAST if entry == last else PairingReasonCode.BYE
