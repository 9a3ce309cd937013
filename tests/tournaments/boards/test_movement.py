"""Movements of a duplicate: opponents, sit-outs, directions, and balance (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt

import pytest

from bot.tournaments.boards.board import dealer_of_board, minimum_of_board
from bot.tournaments.boards.movement import (
    MOST_PAIRS,
    Movement,
    MovementName,
    fitting_boards_a_round,
    howell_rounds,
    make_movement,
    mitchell_rounds,
    most_rounds_without_rematch,
    rounds_for_boards,
    seatings_of_round_robin,
)
from bot.tournaments.boards.movement_balance import FAIR, Seating, choose_directions, imbalance_of_movement
from bot.tournaments.event.plan import MOST_BOARDS
from tests.support.seeds import SEARCHING

COMPUTED = [(pairs, rounds) for pairs in range(4, 17) for rounds in range(3, pairs + pairs % 2)]
LARGER = [
    (pairs, rounds)
    for pairs in range(17, MOST_PAIRS + 1)
    for rounds in (range(3, min(pairs + pairs % 2, MOST_BOARDS + 1), 4) if SEARCHING else (3 + pairs % 8,))
]


def balance_by_formula(pairs: int, rounds: Sequence[Seating]) -> float:
    """Return the balance of a movement by the formula of the rules, in exact fractions; 0 is perfect."""
    tables = len(rounds[0])
    ways = [{pair: way for table in seating for way, pair in enumerate(table)} for seating in rounds]
    total = Fraction(0)
    for one in range(1, pairs + 1):
        played = [
            (way, next(table for table in seating if one in table))
            for seating, way in zip(rounds, ways, strict=True)
            if one in way
        ]
        even = Fraction(len(played) * (tables - 1), pairs - 1)
        squares = 0  # in units of 1 / (pairs - 1)², because sums of whole numbers are quick
        for other in range(1, pairs + 1):
            if other == one:
                continue
            compared = 0
            for way, table in played:
                if other in table:
                    compared += tables - 1
                elif other in way:
                    compared += 1 if way[other] == way[one] else -1
            squares += (compared * (pairs - 1) - len(played) * (tables - 1)) ** 2
        total += Fraction(squares, (pairs - 1) ** 2) / (len(played) * (tables - 1) + even) ** 2
    return sqrt(total / pairs)


def check_meetings(pairs: Iterable[int], rounds: Sequence[Seating]) -> None:
    """Check that no two pairs meet twice, and that in each round all pairs play.

    If their number is odd, a different pair sits out each round.
    """
    numbers = sorted(pairs)
    met = Counter(frozenset(table) for seating in rounds for table in seating)
    assert {1} == set(met.values())
    free = []
    for seating in rounds:
        seated = sorted(pair for table in seating for pair in table)
        free += sorted(set(numbers) - set(seated))
        assert seated == [one for one in numbers if one in seated]
    assert len(free) == len(set(free)) == len(numbers) % 2 * len(rounds)


# --- Howell ----------------------------------------------------------------------------------------------------------


def test_there_are_97_computed_howell_movements() -> None:
    assert 97 == len(COMPUTED)


@pytest.mark.parametrize(("pairs", "rounds"), COMPUTED)
def test_a_computed_howell_is_fair_and_no_two_meet_twice(pairs: int, rounds: int) -> None:
    seatings = howell_rounds(pairs, rounds)
    assert rounds == len(seatings)
    check_meetings(range(1, pairs + 1), seatings)
    by_formula = balance_by_formula(pairs, seatings)
    assert imbalance_of_movement(seatings) == pytest.approx(by_formula)
    assert by_formula <= FAIR
    if pairs % 2 == 0:
        assert {pairs} == {seating[0][0] for seating in seatings}  # the last pair stays North–South at table 1


@pytest.mark.parametrize("pairs", [4, 7, 8, 11, 12])
def test_a_computed_howell_with_all_rounds_is_perfectly_balanced(pairs: int) -> None:
    assert 0 == balance_by_formula(pairs, howell_rounds(pairs, most_rounds_without_rematch(pairs, two_winners=False)))


@pytest.mark.parametrize(("rounds", "most"), [(3, 0.54), (4, 0.40), (5, 0.30), (6, 0.25)])
def test_the_imbalance_of_howells_is_below_the_printed_bound(rounds: int, most: float) -> None:
    """The bounds are those of `docs/tournaments.md` 3, with 0.51 for five pairs in five rounds."""
    found = {
        pairs: balance_by_formula(pairs, howell_rounds(pairs, rounds)) for pairs, count in COMPUTED if count == rounds
    }
    if rounds == 5:
        assert 0.51 == pytest.approx(found.pop(5), abs=0.005)
    assert max(found.values()) < most + 0.005


@pytest.mark.parametrize(("pairs", "rounds"), LARGER)
def test_a_larger_howell_is_fair_and_no_two_meet_twice(pairs: int, rounds: int) -> None:
    seatings = howell_rounds(pairs, rounds)
    assert rounds == len(seatings)
    check_meetings(range(1, pairs + 1), seatings)
    by_formula = balance_by_formula(pairs, seatings)
    assert imbalance_of_movement(seatings) == pytest.approx(by_formula)
    assert by_formula <= FAIR


def test_choosing_directions_is_repeatable_and_keeps_every_table_together() -> None:
    plain = [tuple((ns + 1, ew + 1) for ns, ew in seating) for seating in seatings_of_round_robin(18)[:5]]
    chosen = choose_directions(plain)
    assert chosen == choose_directions(plain)
    assert [[frozenset(table) for table in one] for one in plain] == [
        [frozenset(table) for table in one] for one in chosen
    ]
    assert balance_by_formula(18, chosen) < balance_by_formula(18, plain)


# --- Mitchell --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairs", range(6, MOST_PAIRS + 1))
def test_in_a_mitchell_north_south_stay_and_east_west_move_on(pairs: int) -> None:
    tables = (pairs + 1) // 2
    seatings = mitchell_rounds(pairs, tables)
    assert tables == len(seatings) == most_rounds_without_rematch(pairs, two_winners=True)
    check_meetings(range(1, pairs + 1), seatings)
    ways: dict[int, set[int]] = {}
    for seating in seatings:
        for table in seating:
            for way, pair in enumerate(table):
                ways.setdefault(pair, set()).add(way)
    assert set(range(1, pairs + 1)) == set(ways)
    assert all(len(one) == 1 for one in ways.values())
    north = [pair for pair, way in ways.items() if way == {0}]
    assert tables == len(north)
    partnered = set(range(1, pairs + 1 - pairs % 2))  # with an odd number the last pair has no counterpart
    assert abs(sum(partnered & set(north)) - sum(partnered - set(north))) <= 1  # both lines are about equally strong


@pytest.mark.parametrize("pairs", [4, 5])
def test_four_and_five_pairs_play_a_howell_even_if_two_winners_were_wanted(pairs: int) -> None:
    assert MovementName.HOWELL is make_movement(range(1, pairs + 1), 9, two_winners=True).name


# --- movements for the pairs of a tournament -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "rounds", "wanted", "name", "count", "winners"),
    [
        (8, 7, 1, MovementName.HOWELL, 7, 1),
        (8, 3, 1, MovementName.SHORT_HOWELL, 3, 1),
        (7, 7, 1, MovementName.HOWELL, 7, 1),
        (5, 9, 1, MovementName.HOWELL, 5, 1),
        (20, 4, 1, MovementName.SHORT_HOWELL, 4, 1),
        (8, 3, 2, MovementName.MITCHELL, 3, 2),
        (8, 7, 2, MovementName.MITCHELL, 4, 2),
    ],
)
def test_a_movement_is_limited_to_the_possible_number_of_rounds(
    pairs: int, rounds: int, wanted: int, name: MovementName, count: int, winners: int
) -> None:
    entries = [10 * one for one in range(1, pairs + 1)]
    made = make_movement(entries, rounds, two_winners=wanted == 2)
    assert (name, count, winners) == (made.name, len(made.rounds), made.winners)
    assert tuple(entries) == made.entries
    check_meetings(entries, made.rounds)


@pytest.mark.parametrize("shape", [(3, 6), (8, 0)])
def test_too_few_pairs_or_rounds_are_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="cannot play"):
        make_movement(range(1, shape[0] + 1), shape[1], two_winners=False)


@pytest.mark.parametrize(
    ("boards", "pairs", "wanted", "fitting"),
    [
        (6, 4, 1, (2,)),
        (6, 8, 1, (1, 2)),
        (14, 8, 1, (2, 3, 4, 5, 6)),
        (6, 8, 2, (2,)),
        (4, 4, 1, ()),
        (2, 8, 1, ()),
    ],
)
def test_only_fitting_numbers_of_boards_a_round_are_offered(
    boards: int, pairs: int, wanted: int, fitting: tuple[int, ...]
) -> None:
    assert fitting == fitting_boards_a_round(boards, pairs, two_winners=wanted == 2)
    for one in fitting:
        assert 3 <= rounds_for_boards(boards, one) <= most_rounds_without_rematch(pairs, two_winners=wanted == 2)


def test_a_movement_lists_its_entries() -> None:
    assert (1, 2, 3) == Movement(name=MovementName.HOWELL, rounds=(((1, 2),), ((3, 1),))).entries


@pytest.mark.parametrize("count", range(2, 14))
def test_in_a_circle_movement_all_pairs_meet_once(count: int) -> None:
    rounds = seatings_of_round_robin(count)
    assert count - 1 + count % 2 == len(rounds)
    met = Counter(frozenset(table) for seating in rounds for table in seating)
    assert dict.fromkeys(map(frozenset, combinations(range(count), 2)), 1) == met


def test_dealers_and_minimums_of_boards_take_turns() -> None:
    assert [1, 0, 1] == [dealer_of_board(number, 2) for number in (1, 2, 3)]
    assert [50, 90, 50] == [minimum_of_board(number, (50, 90)) for number in (1, 2, 3)]
