"""Plan rounds of individuals with changing partners (`docs/tournaments.md` 3).

In a cyclic whist plan each player partners every other once and opposes every other twice. Some plans are stored, the
others are searched for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final, TypeAlias

from bot.tournaments.counted_results import Course, EntryWithoutMatch, UnpairedReason
from bot.tournaments.pairing.drawn_round import DrawnRound, Pairing
from bot.tournaments.pairing.first_side import order_sides
from bot.tournaments.pairing.individual_search import SeatingPlan, Sides, improve_by_best_swaps, improve_by_random_swaps
from bot.tournaments.pairing.past_meetings import PastMeetings, count_past_meetings
from bot.tournaments.seeded_draw import SeededDraw

STILL: Final = -1
"""Marks the player who keeps the same place in every round."""

_Tables: TypeAlias = tuple[tuple[int, int, int, int], ...]
"""Tables of `a b – c d`."""

CYCLIC: Final[Mapping[int, _Tables]] = {
    5: ((1, 4, 2, 3),),
    8: ((STILL, 0, 1, 3), (2, 6, 4, 5)),
    12: ((STILL, 0, 1, 3), (2, 9, 6, 7), (4, 10, 5, 8)),
    13: ((1, 4, 2, 7), (3, 12, 6, 8), (5, 11, 9, 10)),
    16: ((STILL, 0, 1, 2), (3, 6, 9, 11), (4, 13, 8, 12), (5, 10, 7, 14)),
    17: ((1, 2, 3, 8), (4, 15, 10, 12), (5, 9, 6, 13), (7, 16, 11, 14)),
    20: ((STILL, 0, 1, 2), (3, 5, 9, 15), (4, 14, 12, 17), (6, 18, 10, 13), (7, 11, 8, 16)),
}
"""First rounds by number of players, from which the others follow.

Each round adds 1 modulo the moving ones; if odd, 0 sits out first.
"""

SHORT: Final[Mapping[tuple[int, int], tuple[_Tables, ...]]] = {
    (12, 5): (
        ((5, 8, 1, 3), (7, 11, 2, 6), (10, 4, 0, 9)),
        ((5, 10, 8, 6), (11, 3, 7, 4), (2, 9, 1, 0)),
        ((6, 11, 9, 1), (3, 8, 2, 0), (10, 7, 5, 4)),
        ((7, 2, 9, 10), (4, 3, 1, 6), (8, 0, 11, 5)),
        ((9, 11, 3, 5), (1, 7, 0, 10), (8, 2, 4, 6)),
    ),
}
"""Complete rounds of shorter plans, by players and rounds: the best that long searches have found."""


def whist_plan(entries: Sequence[int]) -> tuple[tuple[Pairing, ...], ...]:
    """Return all rounds of the cyclic whist plan for these entries.

    With an even number, the last entry keeps its place. Raises `KeyError` if there is no plan for that many entries.
    """
    moving = len(entries) - 1 + len(entries) % 2

    def entry_at_place(place: int, round_number: int) -> int:
        """Return the index of the entry that sits at a place of the plan in that round."""
        return moving if place == STILL else (place + round_number) % moving

    return tuple(
        _pairings_at_tables(
            entries,
            [
                (
                    entry_at_place(a, number),
                    entry_at_place(b, number),
                    entry_at_place(c, number),
                    entry_at_place(d, number),
                )
                for a, b, c, d in CYCLIC[len(entries)]
            ],
        )
        for number in range(moving)
    )


def stored_seating_plan(entries: Sequence[int], rounds: int) -> tuple[tuple[Pairing, ...], ...] | None:
    """Return a stored plan of that many rounds for these entries, or None."""
    if (len(entries), rounds) in SHORT:
        return tuple(_pairings_at_tables(entries, tables) for tables in SHORT[len(entries), rounds])
    if len(entries) in CYCLIC and rounds >= len(entries) - 1:
        every = whist_plan(entries)
        return every[:rounds] if rounds <= len(every) else None
    return None


def _pairings_at_tables(entries: Sequence[int], tables: Sequence[tuple[int, int, int, int]]) -> tuple[Pairing, ...]:
    """Return the pairings of these tables, whose numbers are indexes of `entries`."""
    return tuple(Pairing(((entries[a], entries[b]), (entries[c], entries[d]))) for a, b, c, d in tables)


ATTEMPTS: Final = 4
"""Number of searches for one plan."""
PATIENCE: Final = 5_000
"""A search ends after this many tries in a row without improvement."""


def plan_individual_rounds(
    course: Course,
    present: Collection[int],
    *,
    rounds: int,
    seats: int,
    draws: SeededDraw,
    before: Sequence[DrawnRound] = (),
    away: Sequence[Collection[int]] = (),
) -> tuple[DrawnRound, ...]:
    """Return a plan of the next `rounds` rounds for the entries `present`.

    A table has `seats` seats and `course.sides` sides. Surplus entries sit out, none twice before all once; with fewer
    entries than seats, all do. A full schedule of 8, 12, 13, 16, 17 or 20 at tables of four is a whist plan; others are
    searched for, avoiding repeats of earlier rounds. `before` is an earlier plan of these rounds, which changes as
    little as possible without repeating partners. `away` lists the entries missing from each of these rounds. Raises
    `ValueError` if sides are single people or not equally large.
    """
    if seats % course.sides or seats == course.sides:
        raise ValueError("individuals need partners")
    past = count_past_meetings(course)
    tokens = {past.identity_in_draws(entry): entry for entry in present}
    entries = [tokens[token] for token in draws.draw_order(tokens, "individuals")]
    gone = [set(one) for one in away[:rounds]] + [set[int]()] * (rounds - len(away))
    here = [[entry for entry in entries if entry not in missing] for missing in gone]
    fresh = not course.rounds and not before and not any(gone) and (seats, course.sides) == (4, 2)
    stored = stored_seating_plan(entries, rounds) if fresh else None
    if stored is not None:
        return _drawn_rounds(
            course, here, [[match.sides for match in one] for one in stored], past_meetings=past, draws=draws
        )
    purpose = f"individuals after {len(course.rounds)} rounds"
    playing = _choose_playing_entries(here, past, seats=seats, before=before)
    start = [
        _starting_seats(seated, drawn, seats=seats, numbers=draws.draw_numbers(f"{purpose}, start {number}"))
        for number, (seated, drawn) in enumerate(zip_longest(playing, before[:rounds]))
    ]
    if fresh and len(entries) in CYCLIC:  # start from a whist plan, in which no two are opponents three times
        start = [[entry for match in one for entry in match.entries] for one in whist_plan(entries)[:rounds]]
    kept = [_table_by_entry(drawn) for drawn in before[:rounds]]
    plan = SeatingPlan(start, past, seats=seats, sides=course.sides, kept=kept)
    if before:
        improve_by_best_swaps(plan)
    if not before or plan.repeated_partnerships:
        plan = _search_best_plan(plan, draws, purpose)
    tables = [list(plan.tables(number)) for number in range(rounds)]
    return _drawn_rounds(course, here, tables, past_meetings=past, draws=draws, before=before)


def changed_entries(before: Sequence[DrawnRound], after: Sequence[DrawnRound]) -> dict[int, tuple[int, ...]]:
    """Return the entries whose table differs between two plans, each with the rounds, counted from 0.

    A table differs for an entry if its partners or opponents do, or if it plays in only one of the plans. Entries that
    are not in the new plan are left out.
    """
    entries = sorted({entry for drawn_round in after for entry in _all_entries(drawn_round)})
    found = {
        entry: tuple(
            number
            for number, (old, new) in enumerate(zip(before, after, strict=False))
            if _table_by_entry(old).get(entry) != _table_by_entry(new).get(entry)
        )
        for entry in entries
    }
    return {entry: numbers for entry, numbers in found.items() if numbers}


def _all_entries(drawn_round: DrawnRound) -> set[int]:
    return {entry for match in drawn_round.matches for entry in match.entries} | {
        out.entry for out in drawn_round.unpaired
    }


def _table_by_entry(drawn_round: DrawnRound) -> dict[int, Sides]:
    """Return the table of every entry that plays in a round, as a set of sides."""
    return {
        entry: frozenset(frozenset(side) for side in match.sides)
        for match in drawn_round.matches
        for entry in match.entries
    }


def _choose_playing_entries(
    present_by_round: Sequence[Sequence[int]], past_meetings: PastMeetings, *, seats: int, before: Sequence[DrawnRound]
) -> list[list[int]]:
    """Return the entries that play in each round; surplus entries sit out.

    The entries that have sat out least often sit out; of equal ones, first those that sit out in this round by the
    earlier plan, then those that do not sit out later by that plan.
    """
    times = Counter(past_meetings.sat_out)
    planned = [{out.entry for out in drawn_round.unpaired} for drawn_round in before]
    rows: list[list[int]] = []
    for number, entries in enumerate(present_by_round):
        now = planned[number] if number < len(planned) else set()
        later = set().union(*planned[number + 1 :])

        def sit_out_key(entry: int, now: set[int] = now, later: set[int] = later) -> tuple[int, bool, bool]:
            return times[entry], entry not in now, entry in later

        out = sorted(entries, key=sit_out_key)[: len(entries) % seats]
        times.update(out)
        rows.append([entry for entry in entries if entry not in out])
    return rows


def _starting_seats(
    playing: Sequence[int], before: DrawnRound | None, *, seats: int, numbers: Iterator[int]
) -> list[int]:
    """Return the entries of one round, seat by seat, from which the search for a plan begins.

    They sit as in the earlier plan where possible; the other seats are drawn.
    """
    tables = [] if before is None else [list(match.entries) for match in before.matches]
    holes = [[entry if entry in playing else None for entry in table] for table in tables]
    needed = len(playing) // seats
    # Dissolve the tables that lost most players; the others keep their numbers.
    for _ in range(len(holes) - needed):
        holes.remove(max(reversed(holes), key=lambda table: table.count(None)))
    holes += [[None] * seats for _ in range(needed - len(holes))]
    placed = {entry for table in holes for entry in table}
    # `playing` is in the same drawn order for every round; a second draw makes rounds differ.
    free = iter(sorted((entry for entry in playing if entry not in placed), key=lambda _: next(numbers)))
    return [next(free) if entry is None else entry for table in holes for entry in table]


def _search_best_plan(plan: SeatingPlan, draws: SeededDraw, purpose: str) -> SeatingPlan:
    """Return the cheapest plan: the given one, or one found by a search that begins with it."""
    plans = [plan]
    for attempt in range(ATTEMPTS):
        one = plan.copy()
        improve_by_random_swaps(one, draws.draw_numbers(f"{purpose}, attempt {attempt}"), patience=PATIENCE)
        plans.append(one)
    return min(plans, key=lambda one: one.cost)


def _drawn_rounds(
    course: Course,
    present_by_round: Sequence[Sequence[int]],
    plan: Sequence[Sequence[tuple[tuple[int, ...], ...]]],
    *,
    past_meetings: PastMeetings,
    draws: SeededDraw,
    before: Sequence[DrawnRound] = (),
) -> tuple[DrawnRound, ...]:
    """Return the plan as drawn rounds.

    Tables that the earlier plan had too stay as they are; at the others, first sides are balanced over all rounds.
    """
    first = Counter(past_meetings.first)
    rounds: list[DrawnRound] = []
    for index, tables in enumerate(plan):
        kept = _matches_by_sides(before[index]) if index < len(before) else {}
        number = len(course.rounds) + index + 1
        matches: list[Pairing] = []
        for sides in tables:
            earlier = kept.get(frozenset(frozenset(side) for side in sides))
            match = earlier or Pairing(
                order_sides(sides, replace(past_meetings, first=first), round_number=number, draws=draws)
            )
            first.update(match.sides[0])
            matches.append(match)
        out = set(present_by_round[index]) - {entry for match in matches for entry in match.entries}
        waiting = [
            EntryWithoutMatch(entry=entry, code=UnpairedReason.HALF, points=course.scoring.half)
            for entry in sorted(out)
        ]
        rounds.append(DrawnRound(tuple(matches), tuple(waiting)))
    return tuple(rounds)


def _matches_by_sides(drawn_round: DrawnRound) -> Mapping[Sides, Pairing]:
    """Return the matches of a round by their sides, as sets."""
    return {frozenset(frozenset(side) for side in match.sides): match for match in drawn_round.matches}
