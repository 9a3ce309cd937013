"""Who plays which boards at which table, and in which direction (`docs/tournaments.md` 3, Duplicate)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Final

from bot.tournaments.boards.board import Board, BoardResult, dealer_of, minimum_of

TRIED: Final = 12
"""Tables in a whole movement up to which every way to turn them is tried."""
STARTS: Final = 24
"""From how many ways, drawn alike every time, larger movements are improved table by table."""

Seating = tuple[tuple[int, int], ...]
"""The tables of a round: who sits North–South, who East–West, by position."""


def directed(pairs: int, rounds: Sequence[Seating]) -> list[Seating]:
    """The rounds, their tables turned so that `unevenness` is least, or nearly so where they are too many to try."""
    tables = sum(len(seating) for seating in rounds)
    if tables > TRIED:
        found = [_improved(pairs, _turned(rounds, way)) for way in _drawn(tables)]
    else:  # turning all tables changes nothing, so the first stays
        found = [_turned(rounds, (False, *way)) for way in product((False, True), repeat=tables - 1)]
    return min(found, key=lambda seatings: unevenness(pairs, seatings))


def unevenness(pairs: int, rounds: Sequence[Seating]) -> tuple[int, int]:
    """Σ over two pairs of (same − opposite)², then Σ over pairs of (North–South − East–West)², counted in rounds.

    Two pairs at one table sit opposite ways; a round in which one of two sits out counts neither way.
    """
    ways = _ways(pairs, rounds)
    between = sum(_same(one, other) ** 2 for one, other in combinations(ways, 2))
    return between, sum(sum(way) ** 2 for way in ways)


def _ways(pairs: int, rounds: Sequence[Seating]) -> list[list[int]]:
    """For each pair and round: 1 North–South, -1 East–West, 0 sitting out."""
    ways = [[0] * len(rounds) for _ in range(pairs)]
    for number, seating in enumerate(rounds):
        for ns, ew in seating:
            ways[ns][number], ways[ew][number] = 1, -1
    return ways


def _same(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _drawn(tables: int) -> Iterator[tuple[bool, ...]]:
    source = Random(tables)  # noqa: S311 - no card and no lot follows from it, and all have to find the same
    for _ in range(STARTS):
        yield tuple(source.random() < 0.5 for _ in range(tables))


def _turned(rounds: Sequence[Seating], turns: Sequence[bool]) -> list[Seating]:
    remaining = iter(turns)
    return [tuple((ew, ns) if next(remaining) else (ns, ew) for ns, ew in seating) for seating in rounds]


def _improved(pairs: int, rounds: list[Seating]) -> list[Seating]:
    """The rounds after turning single tables for as long as that helps."""
    ways = _ways(pairs, rounds)
    same = [[_same(one, other) for other in ways] for one in ways]
    better = True
    while better:
        better = False
        for number, seating in enumerate(rounds):
            for ns, ew in seating:
                if _change(ways, same, number, (ns, ew)) < (0, 0):
                    _turn(ways, same, number, (ns, ew))
                    better = True
    return [
        tuple((ns, ew) if ways[ns][number] > 0 else (ew, ns) for ns, ew in seating)
        for number, seating in enumerate(rounds)
    ]


def _change(ways: list[list[int]], same: list[list[int]], number: int, table: tuple[int, int]) -> tuple[int, int]:
    """By how much turning that table in that round changes the unevenness."""
    between = balance = 0
    for one in table:
        way = ways[one][number]
        for other, row in enumerate(ways):
            if other not in table:
                step = -2 * way * row[number]
                between += step * (2 * same[one][other] + step)
        balance += -2 * way * (2 * sum(ways[one]) - 2 * way)
    return between, balance


def _turn(ways: list[list[int]], same: list[list[int]], number: int, table: tuple[int, int]) -> None:
    for one in table:
        for other, row in enumerate(ways):
            if other not in table:
                same[one][other] -= 2 * ways[one][number] * row[number]
                same[other][one] = same[one][other]
    for one in table:
        ways[one][number] = -ways[one][number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A table in a round of the movement: the pairs that sit there, by position from 0, and the boards they play."""

    table: int
    ns: int
    ew: int
    boards: tuple[int, ...]


def movement(pairs: int, boards: int, boards_per_round: int) -> tuple[tuple[Place, ...], ...]:
    """The rounds: all tables play the boards of a round at once, against opponents who are new until all have met.

    Of an odd number of pairs one sits out each round. The last round has what boards are left. Directions make the
    sum over pairs of (same − opposite)² least, where the movement is small enough to try all, else nearly so; among
    equals each pair sits each way as evenly as can be. Raises `ValueError` for fewer than four pairs or no board.
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
        for seating, block in zip(directed(pairs, rounds), blocks, strict=True)
    )


def circle(entries: int) -> tuple[Seating, ...]:
    """All rounds in which each of so many entries, from 0, meets each other once; one of an odd number is free."""
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
    """The boards of a movement with no result yet; `entries` are the numbers of the pairs by their position in it."""
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
