"""Sizes of divisions, promotion and relegation: the printed examples, and random seasons."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from bot.series.divisions import division_sizes, next_divisions, promote_and_relegate, split_into_divisions

A = [f"A{number}" for number in range(1, 7)]
B = [f"B{number}" for number in range(1, 7)]


@pytest.mark.parametrize(
    ("entries", "size", "expected"),
    [(9, 6, (4, 5)), (13, 6, (6, 7)), (20, 6, (6, 7, 7)), (4, 6, (4,)), (7, 4, (7,)), (27, 6, (5, 5, 5, 6, 6))],
)
def test_sizes_of_divisions_differ_by_one_and_lower_ones_are_larger(
    entries: int, size: int, expected: tuple[int, ...]
) -> None:
    assert expected == division_sizes(entries, size)


def test_two_entries_of_a_division_move_up_and_two_down() -> None:
    first, second = split_into_divisions(promote_and_relegate([A, B]), 6)
    assert ["B1", "B2", "A1", "A2", "A3", "A4"] == list(first)
    assert ["A5", "A6", "B3", "B4", "B5", "B6"] == list(second)


def test_new_divisions_leave_out_those_who_stop_and_add_newcomers_below() -> None:
    playing = {*A, *B} - {"A2"}
    first, second = next_divisions([A, B], playing, ["N1", "N2"], 6)
    assert ["B1", "B2", "A1", "A3", "A4", "A5"] == list(first)
    assert ["A6", "B3", "B4", "B5", "B6", "N1", "N2"] == list(second)


def test_one_entry_moves_if_a_division_has_under_six() -> None:
    assert ("B1", *A[:5], "A6", *B[1:5]) == promote_and_relegate([A, B[:5]])


def test_a_middle_division_gives_and_takes_on_both_sides() -> None:
    c = [f"C{number}" for number in range(1, 7)]
    middle = promote_and_relegate([A, B, c])[6:12]
    assert ("A5", "A6", "C1", "C2", "B3", "B4") == middle


def test_any_number_of_entries_is_divided_evenly() -> None:
    for entries, size in product(range(4, 60), range(4, 11)):
        found = division_sizes(entries, size)
        assert entries == sum(found)
        assert sorted(found) == list(found)
        assert found[-1] - found[0] <= 1
        assert found[0] >= 4


def test_no_player_is_lost_when_others_join_or_leave_the_series() -> None:
    random = Random(10)
    everybody, divisions = list(range(27)), split_into_divisions(range(27), 6)
    for _ in range(60):
        stop = set(random.sample(everybody, random.randint(0, 4)))
        new = [max(everybody) + 1 + number for number in range(random.randint(0, 4))]
        placed = [random.sample(one, len(one)) for one in divisions]
        everybody = [one for one in everybody if one not in stop] + new
        divisions = next_divisions(placed, set(everybody), new, 6)
        assert sorted(everybody) == sorted(one for those in divisions for one in those)
        assert division_sizes(len(everybody), 6) == tuple(map(len, divisions))
