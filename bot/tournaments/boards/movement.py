"""Movements: which pairs play which boards, where and in which direction (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Final

from bot.tournaments.boards.board import Board, BoardResult, dealer_of, minimum_of

TRIED: Final = 12
"""Most tables in all rounds for which every combination of directions is tried."""
STARTS: Final = 24
"""Number of starting points from which larger movements are improved, always the same ones."""

Seating = tuple[tuple[int, int], ...]
"""The tables of a round: the positions of the pairs at North–South and East–West."""


def choose_directions(pairs: int, rounds: Sequence[Seating]) -> list[Seating]:
    """Return the rounds, directions chosen for the least `unevenness` (nearly the least if large)."""
    tables = sum(len(seating) for seating in rounds)
    if tables > TRIED:
        found = [_improve(pairs, _turn_tables(rounds, way)) for way in _starting_turns(tables)]
    else:  # turning all tables changes nothing, so the first stays
        found = [_turn_tables(rounds, (False, *way)) for way in product((False, True), repeat=tables - 1)]
    return min(found, key=lambda seatings: unevenness(pairs, seatings))


def unevenness(pairs: int, rounds: Sequence[Seating]) -> tuple[int, int]:
    """Return Σ over two pairs of (same − opposite)² and Σ over pairs of (North–South − East–West)².

    Counted in rounds. Two pairs at one table sit opposite ways; a round in which either sits out counts as neither.
    """
    ways = _ways(pairs, rounds)
    between = sum(_count_same_direction(one, other) ** 2 for one, other in combinations(ways, 2))
    return between, sum(sum(way) ** 2 for way in ways)


def _ways(pairs: int, rounds: Sequence[Seating]) -> list[list[int]]:
    """Return for each pair and round: 1 North–South, -1 East–West, 0 sitting out."""
    ways = [[0] * len(rounds) for _ in range(pairs)]
    for number, seating in enumerate(rounds):
        for ns, ew in seating:
            ways[ns][number], ways[ew][number] = 1, -1
    return ways


def _count_same_direction(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _starting_turns(tables: int) -> Iterator[tuple[bool, ...]]:
    source = Random(tables)  # noqa: S311 - no secret depends on it, and every run has to find the same
    for _ in range(STARTS):
        yield tuple(source.random() < 0.5 for _ in range(tables))


def _turn_tables(rounds: Sequence[Seating], turns: Sequence[bool]) -> list[Seating]:
    remaining = iter(turns)
    return [tuple((ew, ns) if next(remaining) else (ns, ew) for ns, ew in seating) for seating in rounds]


def _improve(pairs: int, rounds: list[Seating]) -> list[Seating]:
    """Return the rounds after turning single tables for as long as that lowers the unevenness."""
    ways = _ways(pairs, rounds)
    same = [[_count_same_direction(one, other) for other in ways] for one in ways]
    better = True
    while better:
        better = False
        for number, seating in enumerate(rounds):
            for ns, ew in seating:
                if _change_of_unevenness(ways, same, number, (ns, ew)) < (0, 0):
                    _turn_table(ways, same, number, (ns, ew))
                    better = True
    return [
        tuple((ns, ew) if ways[ns][number] > 0 else (ew, ns) for ns, ew in seating)
        for number, seating in enumerate(rounds)
    ]


def _change_of_unevenness(
    ways: list[list[int]], same: list[list[int]], number: int, table: tuple[int, int]
) -> tuple[int, int]:
    """Return by how much turning that table in that round changes the unevenness."""
    between = balance = 0
    for one in table:
        way = ways[one][number]
        for other, row in enumerate(ways):
            if other not in table:
                step = -2 * way * row[number]
                between += step * (2 * same[one][other] + step)
        balance += -2 * way * (2 * sum(ways[one]) - 2 * way)
    return between, balance


def _turn_table(ways: list[list[int]], same: list[list[int]], number: int, table: tuple[int, int]) -> None:
    for one in table:
        for other, row in enumerate(ways):
            if other not in table:
                same[one][other] -= 2 * ways[one][number] * row[number]
                same[other][one] = same[one][other]
    for one in table:
        ways[one][number] = -ways[one][number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A table in a round of the movement: its pairs, by position from 0, and the boards they play."""

    table: int
    ns: int
    ew: int
    boards: tuple[int, ...]


def movement(pairs: int, boards: int, boards_per_round: int) -> tuple[tuple[Place, ...], ...]:
    """Return the tables of every round; opponents are new until all have met.

    All tables play the boards of a round at the same time. With an odd number of pairs one sits out each round. The
    last round may have fewer boards. Directions minimise `unevenness`, or nearly so where the movement is too large
    to try all. Raises `ValueError` for fewer than four pairs or no board.
    """
    if pairs < 4 or boards < 1 or boards_per_round < 1:
        raise ValueError(f"{pairs} pairs cannot compare {boards} boards, {boards_per_round} a round")
    blocks = [
        tuple(range(first, min(first + boards_per_round, boards + 1)))
        for first in range(1, boards + 1, boards_per_round)
    ]
    cycle = circle(pairs)
    rounds = [cycle[number % len(cycle)] for number in range(len(blocks))]
    return tuple(
        tuple(Place(table=table, ns=ns, ew=ew, boards=block) for table, (ns, ew) in enumerate(seating, start=1))
        for seating, block in zip(choose_directions(pairs, rounds), blocks, strict=True)
    )


def circle(entries: int) -> tuple[Seating, ...]:
    """Return rounds in which each entry, from 0, meets every other once; of an odd number one sits out."""
    size = entries + entries % 2
    ring = list(range(1, size))
    rounds = []
    for _ in range(size - 1):
        line = [0, *ring]
        tables = zip(line[: size // 2], reversed(line[size // 2 :]), strict=True)
        rounds.append(tuple(table for table in tables if max(table) < entries))
        ring = ring[-1:] + ring[:-1]
    return tuple(rounds)


def planned_boards(
    rounds: Sequence[Sequence[Place]], *, entries: Sequence[int], minimums: Sequence[int], seats: int
) -> tuple[Board, ...]:
    """Return the boards of a movement without results; `entries` maps positions to entry numbers."""
    return tuple(
        Board(
            number=number,
            minimum=minimum_of(number, minimums),
            dealer=dealer_of(number, seats),
            results=tuple(
                BoardResult(table=place.table, ns=entries[place.ns], ew=entries[place.ew]) for place in places
            ),
        )
        for places in rounds
        for number in places[0].boards
    )
