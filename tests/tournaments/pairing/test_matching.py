"""Matchings have the least cost, where costs are lists compared number by number."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from bot.tournaments.pairing.matching import cheapest_perfect_matching
from tests.support.brute_force_pairing import all_pairings


@pytest.mark.parametrize("vertices", [2, 4, 6, 8])
@pytest.mark.parametrize("sizes", [(3, 3, 3), (2, 10**9, 10**15), (10**30, 2, 5)], ids=["small", "rising", "vast"])
def test_a_matching_has_the_least_cost_even_with_huge_numbers(vertices: int, sizes: tuple[int, ...]) -> None:
    for seed in range(20):
        random = Random(seed)
        costs = {
            pair: tuple(random.randint(-size, size) for size in sizes) for pair in combinations(range(vertices), 2)
        }
        found = cheapest_perfect_matching(costs)
        assert list(range(vertices)) == sorted(vertex for pair in found for vertex in pair)
        totals = [
            [sum(column) for column in zip(*(costs[pair[0], pair[1]] for pair in way), strict=True)]
            for way in all_pairings(range(vertices))
        ]
        assert min(totals) == [sum(column) for column in zip(*(costs[pair] for pair in found), strict=True)]


def test_uncoverable_vertices_are_reported() -> None:
    with pytest.raises(ValueError, match="covers"):
        cheapest_perfect_matching({(0, 1): (1,), (0, 2): (1,), (0, 3): (1,)})


def test_without_vertices_there_are_no_pairs() -> None:
    assert [] == cheapest_perfect_matching({})
