"""Draw a Swiss round of least cost, and explain its pairings (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final

from bot.tournaments.counted_results import Course, EntryWithoutMatch, UnpairedReason
from bot.tournaments.pairing.drawn_round import DrawnRound, Pairing
from bot.tournaments.pairing.first_side import order_sides
from bot.tournaments.pairing.matching import cheapest_perfect_matching
from bot.tournaments.pairing.past_meetings import PairingCosts, count_past_meetings
from bot.tournaments.pairing.standing_order import OrderedEntry
from bot.tournaments.seeded_draw import SeededDraw

EXACT: Final = 200
"""Maximum of entries for which all pairings are compared; the time grows with the cube of their number."""

OPPONENTS: Final = (20, 12)
"""With more entries: candidates per entry nearest to its ideal opponent in its group, and in the standings."""

BYES: Final = 32
"""With more entries: number of cheapest byes considered."""


def draw_swiss_round(
    course: Course,
    standing: Sequence[OrderedEntry],
    *,
    present: Collection[int],
    draws: SeededDraw,
    exact: int = EXACT,
) -> DrawnRound:
    """Return the next round of least cost among the entries `present`, two sides at a table.

    `standing` are all entries in standing order, best first (`standing_order`). With an odd number one has a bye. The
    order of entries, matches or `present` makes no difference. Up to `exact` present no round has a lower cost; above,
    only likely pairs are compared. Raises `ValueError` as `PairingCosts` does.
    """
    measure = PairingCosts(count_past_meetings(course), standing, present=present)
    entries = measure.entries
    tables: list[tuple[int, ...]] = []
    byes: list[int] = []
    for place, other in _cheapest_pairs(measure, exact):
        if other == len(entries):
            byes.append(entries[place])
        else:
            tables.append((entries[place], entries[other]))
    return build_round(course, standing, costs=measure, tables=tables, byes=byes, draws=draws)


def _cheapest_pairs(pairing_costs: PairingCosts, exact: int) -> list[tuple[int, int]]:
    """Return pairs of places, from 0, with the least total cost; the place after the last means a bye."""
    count = len(pairing_costs.entries)
    fewer = 1
    while count > exact and OPPONENTS[0] * fewer < count:
        try:
            return cheapest_perfect_matching(_costs_of_candidates(pairing_costs, fewer))
        except ValueError:  # some entry is in no pair of these candidates; try more
            fewer *= 2
    costs: dict[tuple[int, int], Sequence[int]] = {
        (place, other): pairing_costs.cost_of_meeting(pairing_costs.entries[place], pairing_costs.entries[other])
        for place, other in combinations(range(count), 2)
    }
    if count % 2:
        costs |= {(place, count): pairing_costs.cost_of_bye(entry) for place, entry in enumerate(pairing_costs.entries)}
    return cheapest_perfect_matching(costs)


def _costs_of_candidates(pairing_costs: PairingCosts, times: int) -> dict[tuple[int, int], Sequence[int]]:
    """Return the costs of the likeliest pairs that have not met, by their places.

    There are `times` as many pairs as usual. Raises `ValueError` if an entry is in none of them.
    """
    entries, costs = pairing_costs.entries, dict[tuple[int, int], Sequence[int]]()
    by_slide, by_place = (number * times for number in OPPONENTS)
    for place, entry in enumerate(entries):
        group = pairing_costs.group(entry)
        half = len(group) // 2
        within = place - group.start
        ideal = group.start + (within + half if within + half < len(group) else within - half)
        chosen = {
            other
            for at, wanted, among in ((ideal, by_slide, group), (place, by_place, range(len(entries))))
            for other in _nearest_unmet_places(pairing_costs, place, at, limit=wanted, among=among)
        }
        for other in chosen:
            edge = (min(place, other), max(place, other))
            if edge not in costs:
                costs[edge] = pairing_costs.cost_of_meeting(entry, entries[other])
    if len(entries) % 2:
        cheapest = sorted(range(len(entries)), key=lambda place: pairing_costs.cost_of_bye(entries[place]))
        costs |= {
            (place, len(entries)): pairing_costs.cost_of_bye(entries[place]) for place in cheapest[: BYES * times]
        }
    if len({place for edge in costs for place in edge}) < len(entries):
        raise ValueError("an entry has no candidate")
    return dict(sorted(costs.items()))


def _nearest_unmet_places(costs: PairingCosts, place: int, at: int, *, limit: int, among: range) -> Iterator[int]:
    """Yield at most `limit` places nearest to `at` whose entries have not met the entry at `place`."""
    entry, found = costs.entries[place], 0
    for distance in range(len(among)):
        for other in sorted({at - distance, at + distance}):
            free = other in among and other != place and not costs.past.times_met(entry, costs.entries[other])
            if free and found < limit:
                found += 1
                yield other
        if found >= limit:
            return


def build_round(
    course: Course,
    standing: Sequence[OrderedEntry],
    *,
    costs: PairingCosts,
    tables: Iterable[Sequence[int]],
    byes: Iterable[int],
    draws: SeededDraw,
) -> DrawnRound:
    """Return a drawn round from tables, with one entry a side, and byes.

    It has the sides in seating order, the best table first, and its cost.
    """
    number = len(course.rounds) + 1
    tables, byes = [tuple(table) for table in tables], sorted(byes, key=costs.place)
    matches = [
        order_sides([(entry,) for entry in table], costs.past, round_number=number, draws=draws) for table in tables
    ]
    matches.sort(key=lambda sides: sorted(costs.place(entry) for side in sides for entry in side))
    return DrawnRound(
        matches=tuple(Pairing(sides) for sides in matches),
        unpaired=tuple(
            EntryWithoutMatch(entry=entry, code=UnpairedReason.BYE, points=course.scoring.bye) for entry in byes
        ),
        order=tuple(one.entry for one in standing),
        cost=costs.total_cost(tables, byes),
    )


class PairingReasonCode(StrEnum):
    """Reasons for a pairing; the value is its stable name."""

    NEAREST = "nearest"  # no new opponent is nearer in points
    NEAR = "near"  # nearer opponents are needed elsewhere, so that all can be paired
    AGAIN = "again"  # they have met before: no other pairing was possible
    BYE_LAST = "bye_last"  # the lowest entry without a bye so far
    BYE = "bye"  # lower entries had no bye either, but this bye allows a better pairing
    BYE_AGAIN = "bye_again"  # all entries have had a bye, or no other pairing was possible
    AWAY = "away"  # the entry does not play in this round


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingReason:
    """The reason why `entry`, which has `points`, got its opponents or a bye.

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


def pairing_reason(
    course: Course, standing: Sequence[OrderedEntry], drawn_round: DrawnRound, entry: int
) -> PairingReason:
    """Return why the entry got its table or its bye in the round `drawn_round`, which follows `course`.

    `standing` is the standing at that time. Raises `KeyError` for an entry that is not in the standing.
    """
    points = {one.entry: one.points for one in standing}
    present = {number for table in drawn_round.matches for number in table.entries} | {
        one.entry for one in drawn_round.unpaired
    }
    measure = PairingCosts(count_past_meetings(course), standing, present=present)
    crossing = sum(len({points[number] for number in table.entries}) > 1 for table in drawn_round.matches)
    table = drawn_round.match_of(entry)
    if table is None:
        code = _bye_reason(measure, entry) if entry in present else PairingReasonCode.AWAY
        return PairingReason(entry=entry, code=code, points=points[entry], crossing=crossing)
    opponents = table.opponents(entry)
    distance = max(abs(points[entry] - points[number]) for number in opponents)
    met = sum(measure.past.times_met(entry, number) for number in opponents)
    nearer = sum(
        abs(points[entry] - points[number]) < distance and not measure.past.times_met(entry, number)
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


def _bye_reason(costs: PairingCosts, entry: int) -> PairingReasonCode:
    """Return the reason why the entry and no other got the bye."""
    if entry in costs.past.spared:
        return PairingReasonCode.BYE_AGAIN
    last = min(costs.entries, key=costs.cost_of_bye)
    return PairingReasonCode.BYE_LAST if entry == last else PairingReasonCode.BYE
