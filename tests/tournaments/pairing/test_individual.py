"""Individuals: partners that change each round (`docs/tournaments.md` 1.4, 3, 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest

from bot.tournaments.counted_results import Course, EntryWithoutMatch, UnpairedReason
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.pairing.drawn_round import DrawnRound
from bot.tournaments.pairing.individual import (
    CYCLIC,
    SHORT,
    changed_entries,
    plan_individual_rounds,
    stored_seating_plan,
    whist_plan,
)
from bot.tournaments.pairing.individual_search import SeatingPlan
from bot.tournaments.pairing.past_meetings import count_past_meetings
from bot.tournaments.seeded_draw import SeededDraw
from tests.support.brute_force_pairing import match_of, new_course, with_round
from tests.support.seeds import SEARCHING

LOT = SeededDraw(b"individuals")
EVERY_SIZE = [(8, 4), (10, 5), (11, 5), (14, 7), (21, 4)]
"""Numbers of entries and rounds without a stored plan, which the program has to search for."""


def count_partners(plan: Sequence[DrawnRound]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair)
        for drawn_round in plan
        for match in drawn_round.matches
        for side in match.sides
        for pair in combinations(side, 2)
    )


def count_opponents(plan: Sequence[DrawnRound]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset((a, b))
        for drawn_round in plan
        for match in drawn_round.matches
        for one, other in combinations(match.sides, 2)
        for a in one
        for b in other
    )


def check_rounds(plan: Sequence[DrawnRound], present: Sequence[int], seats: int = 4) -> None:
    """Check that each person plays or sits out in each round, at full tables.

    Those who sit out get the points of half a match.
    """
    for drawn_round in plan:
        at_tables = [entry for match in drawn_round.matches for entry in match.entries]
        assert sorted(present) == sorted([*at_tables, *(out.entry for out in drawn_round.unpaired)])
        assert {seats} >= {len(match.entries) for match in drawn_round.matches}
        assert len(present) % seats == len(drawn_round.unpaired)
        assert all((UnpairedReason.HALF, 1) == (out.code, out.points) for out in drawn_round.unpaired)


def course_without_rounds(count: int, sides: int = 2) -> Course:
    return new_course(count, kind=FormatKind.INDIVIDUAL, sides=sides)


@cache
def plan_of_thirteen() -> tuple[DrawnRound, ...]:
    """Return a plan of five rounds for thirteen people; cached for several tests."""
    return plan_individual_rounds(course_without_rounds(13), range(1, 14), rounds=5, seats=4, draws=LOT)


def course_after_round(course: Course, drawn_round: DrawnRound) -> Course:
    """Return the course after that round, in which the first sides win."""
    matches = [
        match_of([(side, 0 if number else 2) for number, side in enumerate(match.sides)])
        for match in drawn_round.matches
    ]
    return with_round(course, matches, drawn_round.unpaired)


@pytest.mark.parametrize("count", sorted(CYCLIC))
def test_in_a_whist_plan_all_are_partners_once_and_opponents_twice(count: int) -> None:
    plan = [DrawnRound(tables) for tables in whist_plan(range(count))]
    assert count - 1 + count % 2 == len(plan)
    every = [frozenset(pair) for pair in combinations(range(count), 2)]
    assert dict.fromkeys(every, 1) == count_partners(plan)
    assert dict.fromkeys(every, 2) == count_opponents(plan)
    for drawn_round in plan:
        assert count - count % 2 == len({entry for match in drawn_round.matches for entry in match.entries})


@pytest.mark.parametrize(("count", "rounds"), sorted(SHORT))
def test_a_stored_short_plan_repeats_no_partner(count: int, rounds: int) -> None:
    tables = stored_seating_plan(range(count), rounds)
    assert tables is not None
    plan = [DrawnRound(one) for one in tables]
    check_rounds(plan, range(count))
    assert {1} == set(count_partners(plan).values())


@pytest.mark.parametrize("count", [8, 12, 16, 20])
def test_a_full_schedule_is_a_randomly_drawn_whist_plan(count: int) -> None:
    course = course_without_rounds(count)
    plan = plan_individual_rounds(course, range(1, count + 1), rounds=count - 1, seats=4, draws=LOT)
    check_rounds(plan, range(1, count + 1))
    assert {1} == set(count_partners(plan).values())
    assert {2} == set(count_opponents(plan).values())
    assert plan == plan_individual_rounds(course, range(count, 0, -1), rounds=count - 1, seats=4, draws=LOT)
    assert plan != plan_individual_rounds(
        course, range(1, count + 1), rounds=count - 1, seats=4, draws=SeededDraw(b"another")
    )
    first = Counter(entry for drawn_round in plan for match in drawn_round.matches for entry in match.sides[0])
    assert all(abs(2 * first[entry] - (count - 1)) <= 5 for entry in range(1, count + 1))


@pytest.mark.parametrize("seed", [b"1", b"2", b"3"])
def test_twelve_in_five_rounds_repeat_no_partner_and_few_opponents(seed: bytes) -> None:
    plan = plan_individual_rounds(course_without_rounds(12), range(1, 13), rounds=5, seats=4, draws=SeededDraw(seed))
    check_rounds(plan, range(1, 13))
    assert {1} == set(count_partners(plan).values())
    assert sum(times**2 for times in count_opponents(plan).values()) <= 66


@pytest.mark.parametrize(("count", "rounds"), EVERY_SIZE if SEARCHING else EVERY_SIZE[::2])
def test_a_searched_plan_repeats_no_partner_and_lets_all_sit_out_in_turn(count: int, rounds: int) -> None:
    plan = plan_individual_rounds(course_without_rounds(count), range(1, count + 1), rounds=rounds, seats=4, draws=LOT)
    check_rounds(plan, range(1, count + 1))
    assert {1} == set(count_partners(plan).values())
    out = Counter(out.entry for drawn_round in plan for out in drawn_round.unpaired)
    assert max(out.values(), default=0) - min((out[entry] for entry in range(1, count + 1)), default=0) <= 1


@pytest.mark.parametrize(("count", "rounds"), [(12, 10), (13, 11), (16, 14), (17, 15)])
def test_in_nearly_a_full_schedule_nobody_meets_an_opponent_three_times(count: int, rounds: int) -> None:
    plan = plan_individual_rounds(course_without_rounds(count), range(1, count + 1), rounds=rounds, seats=4, draws=LOT)
    check_rounds(plan, range(1, count + 1))
    assert {1} == set(count_partners(plan).values())
    assert max(count_opponents(plan).values()) == 2
    assert {1} >= set(Counter(out.entry for drawn_round in plan for out in drawn_round.unpaired).values())


def test_thirteen_play_a_whist_plan_in_which_each_sits_out_once() -> None:
    plan = plan_individual_rounds(course_without_rounds(13), range(1, 14), rounds=13, seats=4, draws=LOT)
    check_rounds(plan, range(1, 14))
    assert list(range(1, 14)) == sorted(out.entry for drawn_round in plan for out in drawn_round.unpaired)


def test_a_departure_of_thirteen_changes_few_tables() -> None:
    course, present = course_without_rounds(13), list(range(1, 14))
    plan = plan_of_thirteen()
    for drawn_round in plan[:2]:
        course = course_after_round(course, drawn_round)
    gone = plan[2].matches[0].entries[0]
    present.remove(gone)
    remade = plan_individual_rounds(course, present, rounds=3, seats=4, draws=LOT, before=plan[2:])
    check_rounds(remade, present)
    assert {1} == set(count_partners([*plan[:2], *remade]).values())
    concerned = changed_entries(plan[2:], remade)
    assert gone not in concerned
    with_gone = [drawn_round.match_of(gone) for drawn_round in plan[2:]]
    for number, match in enumerate(with_gone):
        for entry in match.entries if match else ():
            assert entry == gone or number in concerned[entry]
    # A departure changes one table, or two where partners would otherwise be repeated.
    assert sum(map(len, concerned.values())) <= sum(8 for match in with_gone if match)
    assert remade == plan_individual_rounds(course, present[::-1], rounds=3, seats=4, draws=LOT, before=plan[2:])


def test_a_late_player_sits_out_in_turn() -> None:
    course = course_without_rounds(13)
    plan = plan_individual_rounds(course, range(1, 13), rounds=5, seats=4, draws=LOT)
    course = course_after_round(course, plan[0])
    remade = plan_individual_rounds(course, range(1, 14), rounds=4, seats=4, draws=LOT, before=plan[1:])
    check_rounds(remade, range(1, 14))
    assert {1} == set(count_partners([plan[0], *remade]).values())
    assert 4 == len({out.entry for drawn_round in remade for out in drawn_round.unpaired})
    assert any(set(match.entries) == set(kept.entries) for match in remade[0].matches for kept in plan[1].matches)


def test_without_departures_a_plan_stays_as_it_is() -> None:
    plan = plan_of_thirteen()
    again = plan_individual_rounds(course_without_rounds(13), range(1, 14), rounds=5, seats=4, draws=LOT, before=plan)
    assert plan == again
    assert {} == changed_entries(plan, again)


def test_a_player_sits_out_again_only_after_all_others() -> None:
    course = with_round(
        course_without_rounds(5),
        [],
        [EntryWithoutMatch(entry=entry, code=UnpairedReason.HALF, points=1) for entry in (1, 3, 4, 5)],
    )
    plan = plan_individual_rounds(course, range(1, 6), rounds=1, seats=4, draws=LOT)
    assert [2] == [out.entry for out in plan[0].unpaired]


@pytest.mark.parametrize("sides", [2, 3])
def test_a_rotating_individual_can_have_tables_of_six(sides: int) -> None:
    plan = plan_individual_rounds(course_without_rounds(13, sides), range(1, 14), rounds=3, seats=6, draws=LOT)
    check_rounds(plan, range(1, 14), seats=6)
    assert {sides} == {len(match.sides) for drawn_round in plan for match in drawn_round.matches}
    assert {1} == set(count_partners(plan).values())


@pytest.mark.parametrize(("seats", "sides"), [(4, 2), (6, 2), (6, 3)])
def test_the_predicted_cost_of_a_swap_equals_the_cost_of_the_changed_plan(seats: int, sides: int) -> None:
    random, course = Random(seats + sides), course_without_rounds(2 * seats, sides)
    present = range(1, 2 * seats + 1)
    (played, *kept) = plan_individual_rounds(course, present, rounds=3, seats=seats, draws=LOT)
    past = count_past_meetings(course_after_round(course, played))
    earlier = [
        {entry: frozenset(map(frozenset, match.sides)) for match in drawn_round.matches for entry in match.entries}
        for drawn_round in kept
    ]
    rounds = [random.sample(present, 2 * seats) for _ in range(3)]
    seating = SeatingPlan(rounds, past, seats=seats, sides=sides, kept=earlier)
    for _ in range(100):
        number, one, other = random.randrange(3), random.randrange(2 * seats), random.randrange(2 * seats)
        if seating.changes_meetings(one, other):
            known = seating.cost_after_swap(number, one, other)
            seating.swap_seats(number, one, other)
            assert known == seating.cost == seating.copy().cost


@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (3, 3), (4, 3)])
def test_sides_of_one_person_have_no_partners(seats: int, sides: int) -> None:
    with pytest.raises(ValueError, match="partners"):
        plan_individual_rounds(course_without_rounds(12, sides), range(1, 13), rounds=3, seats=seats, draws=LOT)


def test_people_too_few_for_a_table_all_sit_out() -> None:
    (drawn_round,) = plan_individual_rounds(course_without_rounds(3), [1, 2, 3], rounds=1, seats=4, draws=LOT)
    assert ((), [1, 2, 3]) == (drawn_round.matches, [out.entry for out in drawn_round.unpaired])


def test_a_player_away_for_a_round_is_left_out_and_few_pairings_change() -> None:
    plan = plan_of_thirteen()
    absent = plan[1].matches[0].entries[0]
    remade = plan_individual_rounds(
        course_without_rounds(13), range(1, 14), rounds=5, seats=4, draws=LOT, before=plan, away=[[], [absent]]
    )
    check_rounds(remade[1:2], [entry for entry in range(1, 14) if entry != absent])
    check_rounds([remade[0], *remade[2:]], range(1, 14))
    assert {1} == set(count_partners(remade).values())
    assert sum(map(len, changed_entries(plan, remade).values())) <= 5 + 8


def test_a_round_with_too_few_people_has_no_table() -> None:
    plan = plan_individual_rounds(
        course_without_rounds(5), range(1, 6), rounds=2, seats=4, draws=LOT, away=[[1, 2], []]
    )
    assert [0, 1] == [len(drawn_round.matches) for drawn_round in plan]
    assert [3, 4, 5] == [out.entry for out in plan[0].unpaired]
