"""Draw Swiss rounds with three sides at a table (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from bot.tournaments.counted_results import Course
from bot.tournaments.pairing.drawn_round import NOTHING, Cost, DrawnRound
from bot.tournaments.pairing.past_meetings import PairingCosts, count_past_meetings, sum_costs
from bot.tournaments.pairing.standing_order import OrderedEntry
from bot.tournaments.pairing.swiss import build_round
from bot.tournaments.seeded_draw import SeededDraw

EXACT: Final = 15
"""Most entries for which all possible rounds are compared.

Larger rounds are improved two or three tables at a time.
"""
NEAR: Final = 8
"""Three tables are improved together if they are within this distance."""

_Tables: TypeAlias = tuple[tuple[int, ...], ...]
_TableCostFunction: TypeAlias = Callable[[tuple[int, ...]], Cost]
_Place: TypeAlias = Callable[[int], int]


def draw_three_sided_round(
    course: Course, standing: Sequence[OrderedEntry], *, present: Collection[int], draws: SeededDraw, two_sides: bool
) -> DrawnRound:
    """Return the next round with three sides at a table: fewest rematches, then least differences.

    If the number of entries is no multiple of three, `two_sides` adds tables of two (two tables if one entry is left
    over, one table if two are); without it the entries left over have byes. A single entry always has a bye. Costs are
    the sums of a Swiss round over all who meet at a table, without slide. Raises `ValueError` as `PairingCosts` does.
    """
    measure = PairingCosts(count_past_meetings(course), standing, present=present)
    sizes = _table_sizes(len(measure.entries), two_sides=two_sides)
    weigh = _table_cost_function(measure)
    if len(measure.entries) <= EXACT:
        tables = _best_tables(measure.entries, sizes, weigh)[1]
    else:
        found = [_improve_tables(start, weigh, measure.place) for start in _starting_tables(measure, sizes)]
        tables = min(found, key=lambda tables: sum_costs(map(weigh, tables)))
    drawn_round = build_round(
        course,
        standing,
        costs=measure,
        tables=[table for table in tables if len(table) > 1],
        byes=[table[0] for table in tables if len(table) == 1],
        draws=draws,
    )
    return DrawnRound(drawn_round.matches, drawn_round.unpaired, drawn_round.order, (*drawn_round.cost[:5], 0))


def _table_sizes(entries: int, *, two_sides: bool) -> tuple[int, ...]:
    """Return the number of entries at each table, the largest first; a table of one is a bye."""
    over = entries % 3
    if over == 0 or entries == 1:
        return (3,) * (entries // 3) + (1,) * over
    if not two_sides:
        return (3,) * (entries // 3) + (1,) * over
    small = 2 if over == 1 else 1
    return (3,) * ((entries - 2 * small) // 3) + (2,) * small


def _table_cost_function(costs: PairingCosts) -> _TableCostFunction:
    """Return a function that returns the cost of a table; a table of one is a bye. Slide is not counted."""

    @cache
    def table_cost(table: tuple[int, ...]) -> Cost:
        if len(table) == 1:
            return costs.cost_of_bye(table[0])
        return (*sum_costs(costs.cost_of_meeting(one, other) for one, other in combinations(table, 2))[:5], 0)

    return table_cost


def _best_tables(
    entries: tuple[int, ...], sizes: tuple[int, ...], cost_of_table: _TableCostFunction
) -> tuple[Cost, _Tables]:
    """Return the cheapest division of the entries into tables of those sizes, with its cost."""

    @cache
    def cheapest_arrangement(remaining_entries: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[Cost, _Tables]:
        if not remaining_entries:
            return NOTHING, ()
        found: list[tuple[Cost, _Tables]] = []
        for size in sorted(set(sizes), reverse=True):
            others = list(sizes)
            others.remove(size)
            for mates in combinations(remaining_entries[1:], size - 1):
                rest = tuple(entry for entry in remaining_entries[1:] if entry not in mates)
                table = (remaining_entries[0], *mates)
                cost, tables = cheapest_arrangement(rest, tuple(others))
                found.append((sum_costs((cost_of_table(table), cost)), (table, *tables)))
        return min(found, key=lambda one: one[0])

    return cheapest_arrangement(entries, sizes)


def _starting_tables(costs: PairingCosts, sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield two divisions into tables, from which better ones are searched.

    In one, neighbours in the standings sit together; in the other, tables are spread over the standings. The byes go
    where they cost least.
    """
    byes = sorted(costs.entries, key=costs.cost_of_bye)[: sizes.count(1)]
    left = [entry for entry in costs.entries if entry not in byes]
    tables = [size for size in sizes if size > 1]
    neighbours: list[tuple[int, ...]] = []
    begin = 0
    for size in tables:
        neighbours.append(tuple(left[begin : begin + size]))
        begin += size
    spread = [tuple(left[number :: len(tables)]) for number in range(len(tables))]
    for start in (neighbours, spread):
        yield [*start, *((entry,) for entry in byes)]


def _improve_tables(tables: list[tuple[int, ...]], cost_of_table: _TableCostFunction, place: _Place) -> _Tables:
    """Reseat tables, two or three at a time, as long as that lowers the cost; return the tables.

    All pairs of tables are tried; three only if they are near each other in standing order or one has a rematch.
    """
    better = True
    while better:
        better = (
            sum(_reseat_tables(tables, group, cost_of_table, place) for group in combinations(range(len(tables)), 2))
            > 0
        )
        if not better:
            tables.sort(key=lambda table: sorted(map(place, table)))
            better = any(
                _reseat_tables(tables, group, cost_of_table, place) for group in _groups_of_three(tables, cost_of_table)
            )
    return tuple(tables)


def _groups_of_three(tables: Sequence[tuple[int, ...]], cost_of_table: _TableCostFunction) -> Iterator[tuple[int, ...]]:
    """Yield groups of three tables to reseat together, by their numbers, near ones first."""
    every = range(len(tables))
    yield from (group for group in combinations(every, 3) if group[2] - group[0] < NEAR)
    again = [number for number in every if cost_of_table(tables[number])[1]]
    for number in again:
        yield from ((number, *others) for others in combinations(every, 2) if number not in others)


def _reseat_tables(
    tables: list[tuple[int, ...]], group: tuple[int, ...], cost_of_table: _TableCostFunction, place: _Place
) -> bool:
    """Reseat the entries of these tables if that lowers the cost; return whether it did."""
    together = [tables[number] for number in group]
    now = sum_costs(map(cost_of_table, together))
    if now == NOTHING and all(len(table) > 1 for table in together):
        return False
    entries = tuple(sorted((entry for table in together for entry in table), key=place))
    cost, best = _best_tables(entries, tuple(sorted(map(len, together), reverse=True)), cost_of_table)
    if cost >= now:
        return False
    for number, table in zip(group, best, strict=True):
        tables[number] = table
    return True
