"""Round robins by the circle method."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from bot.tournaments.counted_results import Entry
from bot.tournaments.pairing.round_robin import round_robin_rounds
from bot.tournaments.seeded_draw import SeededDraw

LOT = SeededDraw(b"round robin")


def ranked_entries(count: int) -> list[Entry]:
    """Return entries whose ranks fall as their numbers rise."""
    return [Entry(number=number, people=(number,), rank=count + 1 - number) for number in range(1, count + 1)]


@pytest.mark.parametrize("count", range(2, 18))
@pytest.mark.parametrize("cycles", [1, 2])
def test_all_meet_once_a_cycle_and_sit_first_in_half_of_their_matches(count: int, cycles: int) -> None:
    rounds = round_robin_rounds(ranked_entries(count), cycles=cycles, draws=LOT)
    assert cycles * (count - 1 + count % 2) == len(rounds)
    for tables in rounds:
        at_tables = [entry for table in tables for entry in table.entries]
        assert len(set(at_tables)) == len(at_tables) == count - count % 2
    met = Counter(frozenset(table.entries) for tables in rounds for table in tables)
    assert dict.fromkeys((frozenset(pair) for pair in combinations(range(1, count + 1), 2)), cycles) == met
    first = Counter(table.sides[0][0] for tables in rounds for table in tables)
    balance = {2 * first[entry] - cycles * (count - 1) for entry in range(1, count + 1)}
    assert balance <= ({-1, 1} if cycles == 1 and not count % 2 else {0})


def test_with_an_odd_number_each_entry_is_free_once_a_cycle() -> None:
    rounds = round_robin_rounds(ranked_entries(7), cycles=2, draws=LOT)
    free = [set(range(1, 8)) - {entry for table in tables for entry in table.entries} for tables in rounds]
    assert [{entry} for entry in range(1, 8) for _ in range(2)] == sorted(free, key=min)


def test_the_rounds_depend_on_ranks_and_not_on_the_order_of_entries() -> None:
    assert round_robin_rounds(ranked_entries(6), cycles=1, draws=LOT) == round_robin_rounds(
        ranked_entries(6)[::-1], cycles=1, draws=LOT
    )
