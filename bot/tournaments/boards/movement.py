"""Movements: which pairs meet in each round of a duplicate, and in which direction.

Source: `docs/tournaments.md` 3. All tables play the same boards in the same round, each from a copy, so a movement says
nothing about boards.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from bot.tournaments.boards.movement_balance import Seating, choose_directions

LEAST_PAIRS: Final = 4
MOST_PAIRS: Final = 40
LEAST_FOR_MITCHELL: Final = 6
LEAST_ROUNDS: Final = 3

_DATA: Final = Path(__file__).with_name("howell.json")


class MovementName(StrEnum):
    """The kinds of movements of a duplicate; the value is the stable name."""

    HOWELL = "howell"  # every pair meets every other pair
    SHORT_HOWELL = "short_howell"
    MITCHELL = "mitchell"  # North–South stay, East–West move on; each direction has its own ranking
    CIRCLE = "circle"  # the only movement of early versions; kept so that their stored tournaments can be read


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """A movement with the entries at North–South and East–West of each table, round by round.

    An entry that is at no table in a round sits it out. With two `winners` each direction has its own ranking list.
    """

    name: MovementName
    rounds: tuple[Seating, ...]
    winners: int = 1

    @property
    def entries(self) -> tuple[int, ...]:
        """The entries of the movement."""
        return tuple(sorted({entry for seating in self.rounds for table in seating for entry in table}))


def most_rounds_without_rematch(pairs: int, *, two_winners: bool) -> int:
    """Return the number of rounds in which no two pairs meet twice."""
    return (pairs + 1) // 2 if is_mitchell(pairs, two_winners=two_winners) else pairs - 1 + pairs % 2


def is_mitchell(pairs: int, *, two_winners: bool) -> bool:
    """Return whether the pairs play a Mitchell (two winners, enough pairs) instead of a Howell."""
    return two_winners and pairs >= LEAST_FOR_MITCHELL


def rounds_for_boards(boards: int, boards_per_round: int) -> int:
    """Return the number of rounds needed for all boards; the last round may have fewer boards."""
    return -(-boards // boards_per_round)


def fitting_boards_a_round(boards: int, pairs: int, *, two_winners: bool) -> tuple[int, ...]:
    """Return the possible numbers of boards per round, ascending.

    With each of them the pairs can play all boards.
    """
    most = most_rounds_without_rematch(pairs, two_winners=two_winners)
    return tuple(one for one in range(1, boards + 1) if LEAST_ROUNDS <= rounds_for_boards(boards, one) <= most)


def make_movement(entries: Sequence[int], rounds: int, *, two_winners: bool) -> Movement:
    """Return a movement for the entries, best first, with `rounds` rounds or as many as possible.

    Raises `ValueError` for fewer than four entries or no round.
    """
    pairs = len(entries)
    if pairs < LEAST_PAIRS or rounds < 1:
        raise ValueError(f"{pairs} pairs cannot play {rounds} rounds")
    most = most_rounds_without_rematch(pairs, two_winners=two_winners)
    count = min(rounds, most)
    if is_mitchell(pairs, two_winners=two_winners):
        name, winners, seatings = MovementName.MITCHELL, 2, mitchell_rounds(pairs, count)
    else:
        name = MovementName.HOWELL if count == most else MovementName.SHORT_HOWELL
        winners, seatings = 1, howell_rounds(pairs, count)
    named = tuple(tuple((entries[ns - 1], entries[ew - 1]) for ns, ew in seating) for seating in seatings)
    return Movement(name=name, rounds=named, winners=winners)


@cache
def howell_rounds(pairs: int, rounds: int) -> tuple[Seating, ...]:
    """Return the rounds of a Howell; pairs are counted from 1.

    Up to 16 pairs they are computed beforehand, for more pairs by the circle method. For 40 pairs in 36 rounds that
    takes most of a second.
    """
    known = _read_howells().get((pairs, rounds))
    if known is not None:
        return known
    counted_from_one = (
        tuple((ns + 1, ew + 1) for ns, ew in seating) for seating in seatings_of_round_robin(pairs)[:rounds]
    )
    return choose_directions(tuple(counted_from_one))


@cache
def _read_howells() -> Mapping[tuple[int, int], tuple[Seating, ...]]:
    """Read the file of Howell movements, by (pairs, rounds): for 4 to 16 pairs and 3 or more rounds."""
    return {
        (one["pairs"], one["rounds"]): tuple(tuple((ns, ew) for ns, ew in seating) for seating in one["seats"])
        for one in json.loads(_DATA.read_text(encoding="utf-8"))
    }


def mitchell_rounds(pairs: int, rounds: int) -> tuple[Seating, ...]:
    """Return the rounds of a Mitchell, pairs from 1: North–South stay, East–West move to the next table.

    Of two pairs that follow each other in the start order, one sits North–South and one East–West, in alternating
    order, so that both lists are about as strong. With an odd number there is one North–South pair more, and in each
    round a different North–South pair sits out.
    """
    tables = (pairs + 1) // 2
    north, east = [], []
    for one in range(1, pairs + 1, 2):
        neighbours = [one, one + 1] if one % 4 == 1 or one == pairs else [one + 1, one]
        north.append(neighbours[0])
        east.append(neighbours[1])
    return tuple(
        tuple(
            (north[table], east[(table - number) % tables])
            for table in range(tables)
            if east[(table - number) % tables] <= pairs
        )
        for number in range(rounds)
    )


def seatings_of_round_robin(entries: int) -> tuple[Seating, ...]:
    """Return the rounds in which each of `entries` entries, numbered from 0, meets every other once.

    If their number is odd, one entry sits out each round.
    """
    size = entries + entries % 2
    ring = list(range(1, size))
    rounds = []
    for _ in range(size - 1):
        line = [0, *ring]
        tables = zip(line[: size // 2], reversed(line[size // 2 :]), strict=True)
        rounds.append(tuple(table for table in tables if max(table) < entries))
        ring = ring[-1:] + ring[:-1]
    return tuple(rounds)
