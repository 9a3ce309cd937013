"""Who plays which boards at which table, and in which direction (`docs/tournaments.md` 3, Duplicate)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.tournaments.boards.board import Board, BoardResult, dealer_of, minimum_of
from bot.tournaments.boards.directions import Seating, directed


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
