"""Rounds with three sides at a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from bot.tournaments.pairing.drawn_round import DrawnRound
from bot.tournaments.pairing.past_meetings import PastMeetings, count_past_meetings
from bot.tournaments.pairing.standing_order import OrderedEntry
from bot.tournaments.pairing.three_sided_rounds import draw_three_sided_round
from bot.tournaments.seeded_draw import SeededDraw
from tests.support.brute_force_pairing import new_course, play_round, standings_by_points
from tests.support.seeds import SEARCHING

LOT = SeededDraw(b"pods")
MANY = [(30, 0), (40, 1), (41, 2)]


def possible_tables(entries: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every arrangement of the entries at tables of these sizes; some are repeated."""
    if not sizes:
        yield []
        return
    for table in combinations(entries, sizes[0]):
        for rest in possible_tables([entry for entry in entries if entry not in table], sizes[1:]):
            yield [table, *rest]


def cost_of_tables(
    tables: Sequence[Sequence[int]], standing: Sequence[OrderedEntry], past: PastMeetings
) -> tuple[int, ...]:
    points = {one.entry: one.points for one in standing}
    order = [one.entry for one in standing]
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    byes = [table[0] for table in tables if len(table) == 1]
    return (
        sum(entry in past.spared for entry in byes),
        sum(past.times_met(*pair) for pair in pairs),
        sum(points[entry] for entry in byes),
        sum((points[one] - points[other]) ** 2 for one, other in pairs),
        sum(len(order) - 1 - order.index(entry) for entry in byes),
        0,
    )


def tables_and_byes(drawn_round: DrawnRound) -> list[tuple[int, ...]]:
    return [match.entries for match in drawn_round.matches] + [(out.entry,) for out in drawn_round.unpaired]


@pytest.mark.parametrize(
    ("entries", "two_sides", "sizes"),
    [
        (1, True, [1]),
        (2, True, [2]),
        (2, False, [1, 1]),
        (4, True, [2, 2]),
        (4, False, [3, 1]),
        (5, True, [3, 2]),
        (5, False, [3, 1, 1]),
        (6, True, [3, 3]),
        (7, True, [3, 2, 2]),
        (7, False, [3, 3, 1]),
        (8, True, [3, 3, 2]),
    ],
)
def test_rounds_are_drawn_as_brute_force_would(entries: int, two_sides: bool, sizes: list[int]) -> None:  # noqa: FBT001 - a parameter of the case
    course, random, present = new_course(entries, sides=3), Random(entries), list(range(1, entries + 1))
    for _ in range(4):
        standing = standings_by_points(course)
        drawn_round = draw_three_sided_round(course, standing, present=present, draws=LOT, two_sides=two_sides)
        assert sizes == sorted(map(len, tables_and_byes(drawn_round)), reverse=True)
        past = count_past_meetings(course)
        assert cost_of_tables(tables_and_byes(drawn_round), standing, past) == drawn_round.cost
        assert (
            min(cost_of_tables(tables, standing, past) for tables in possible_tables(present, sizes))
            == drawn_round.cost
        )
        random.shuffle(present)
        assert drawn_round == draw_three_sided_round(course, standing, present=present, draws=LOT, two_sides=two_sides)
        course = play_round(course, drawn_round, random)


@pytest.mark.parametrize(("entries", "over"), MANY if SEARCHING else [(21, 0), (22, 1), (23, 2)])
def test_many_players_have_one_table_a_round_and_never_meet_twice(entries: int, over: int) -> None:
    course, random = new_course(entries, sides=3), Random(entries)
    for _ in range(4):
        drawn_round = draw_three_sided_round(
            course, standings_by_points(course), present=range(1, entries + 1), draws=LOT, two_sides=False
        )
        assert list(range(1, entries + 1)) == sorted(entry for table in tables_and_byes(drawn_round) for entry in table)
        assert (over, 0, 0) == (len(drawn_round.unpaired), *drawn_round.cost[:2])
        course = play_round(course, drawn_round, random)
