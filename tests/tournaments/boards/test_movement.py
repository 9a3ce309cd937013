"""The movement of a duplicate: opponents, boards and directions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from bot.tournaments.boards.board import dealer_of, minimum_of
from bot.tournaments.boards.movement import (
    Place,
    Seating,
    choose_directions,
    circle,
    movement,
    planned_boards,
    unevenness,
)
from bot.tournaments.boards.scoring import ALL, lists_of

Rounds = tuple[tuple[Place, ...], ...]

SHAPES = [(4, 3, 1), (5, 5, 1), (6, 5, 1), (7, 9, 3), (8, 6, 2), (8, 7, 1), (9, 8, 2), (16, 12, 2), (24, 20, 2)]


def seatings(rounds: Rounds) -> list[Seating]:
    return [tuple((place.ns, place.ew) for place in places) for places in rounds]


def test_eight_pairs_play_six_boards_in_three_rounds_of_two() -> None:
    rounds = movement(8, 6, 2)
    assert [[(1, 2)] * 4, [(3, 4)] * 4, [(5, 6)] * 4] == [[place.boards for place in places] for places in rounds]
    assert [[1, 2, 3, 4]] * 3 == [[place.table for place in places] for places in rounds]


@pytest.mark.parametrize(("pairs", "boards", "block"), SHAPES)
def test_no_pair_plays_a_board_twice_and_opponents_are_always_new(pairs: int, boards: int, block: int) -> None:
    rounds = movement(pairs, boards, block)
    seats = Counter(
        (pair, board)
        for places in rounds
        for place in places
        for pair in (place.ns, place.ew)
        for board in place.boards
    )
    assert {1} == set(seats.values())
    met = Counter(frozenset((place.ns, place.ew)) for places in rounds for place in places)
    assert {1} == set(met.values())
    assert {pairs // 2} == {len(places) for places in rounds}


@pytest.mark.parametrize(("pairs", "boards", "block"), SHAPES)
def test_the_movement_is_deterministic(pairs: int, boards: int, block: int) -> None:
    assert movement(pairs, boards, block) == movement(pairs, boards, block)


def test_the_last_round_has_the_remaining_boards() -> None:
    assert [(1, 2, 3), (4, 5)] == [places[0].boards for places in movement(4, 5, 3)]


def test_opponents_come_again_only_when_all_have_met() -> None:
    rounds = movement(4, 4, 1)
    met = [{frozenset((place.ns, place.ew)) for place in places} for places in rounds]
    assert 6 == len(met[0] | met[1] | met[2])
    assert met[0] == met[3]


@pytest.mark.parametrize("count", range(2, 14))
def test_in_the_circle_each_pair_meets_each_other_once(count: int) -> None:
    rounds = circle(count)
    assert count - 1 + count % 2 == len(rounds)
    met = Counter(frozenset(table) for seating in rounds for table in seating)
    assert dict.fromkeys(map(frozenset, combinations(range(count), 2)), 1) == met
    assert all(len(seating) == len({entry for table in seating for entry in table}) // 2 for seating in rounds)


def least(pairs: int, rounds: list[Seating]) -> tuple[int, int]:
    """Return the least unevenness of all ways to turn the tables, by trying each."""
    found = []
    for turns in product(*(product((0, 1), repeat=len(seating)) for seating in rounds)):
        turned = [
            tuple(table[::-1] if turn else table for table, turn in zip(seating, line, strict=True))
            for seating, line in zip(rounds, turns, strict=True)
        ]
        found.append(plain_unevenness(pairs, turned))
    return min(found)


def plain_unevenness(pairs: int, rounds: list[Seating]) -> tuple[int, int]:
    def way(pair: int, seating: Seating) -> int:
        return sum((pair == ns) - (pair == ew) for ns, ew in seating)

    between = 0
    for one, other in combinations(range(pairs), 2):
        ways = [(way(one, seating), way(other, seating)) for seating in rounds]
        same = sum(a == b != 0 for a, b in ways)
        opposite = sum(a == -b != 0 for a, b in ways)
        between += (same - opposite) ** 2
    return between, sum(sum(way(pair, seating) for seating in rounds) ** 2 for pair in range(pairs))


@pytest.mark.parametrize(
    ("pairs", "boards", "block"), [(4, 3, 1), (5, 5, 1), (6, 4, 1), (6, 3, 1), (8, 6, 2), (7, 9, 3)]
)
def test_directions_are_the_most_even_of_all(pairs: int, boards: int, block: int) -> None:
    rounds = seatings(movement(pairs, boards, block))
    assert least(pairs, rounds) == plain_unevenness(pairs, rounds) == unevenness(pairs, rounds)


@pytest.mark.parametrize(("pairs", "count", "best"), [(6, 5, 55), (8, 4, 64)])
def test_larger_movements_are_as_even_as_trying_all_has_shown(pairs: int, count: int, best: int) -> None:
    assert best == plain_unevenness(pairs, choose_directions(pairs, circle(pairs)[:count]))[0]


def test_the_directions_of_six_pairs_make_one_list() -> None:
    boards = planned_boards(movement(6, 10, 2), entries=range(1, 7), minimums=(50, 90, 120), seats=4)
    assert dict.fromkeys(range(1, 7), ALL) == lists_of(boards)


def test_planned_boards_have_minimums_in_turn_dealers_by_number_and_no_result() -> None:
    boards = planned_boards(movement(4, 6, 2), entries=(11, 12, 13, 14), minimums=(50, 90, 120), seats=4)
    assert [(1, 50, 1), (2, 90, 2), (3, 120, 3), (4, 50, 0), (5, 90, 1), (6, 120, 2)] == [
        (board.number, board.minimum, board.dealer) for board in boards
    ]
    for board in boards:
        assert {11, 12, 13, 14} == {pair for result in board.results for pair in (result.ns, result.ew)}
        assert not board.opened


def test_two_seats_deal_in_turn() -> None:
    assert [1, 0, 1] == [dealer_of(number, 2) for number in (1, 2, 3)]
    assert [50, 90, 50] == [minimum_of(number, (50, 90)) for number in (1, 2, 3)]


@pytest.mark.parametrize("shape", [(3, 6, 2), (8, 0, 1), (8, 6, 0)])
def test_boards_that_cannot_be_compared_are_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="cannot compare"):
        movement(*shape)
