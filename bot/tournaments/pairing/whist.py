"""Plans for individuals at tables of four, as data.

In a cyclic whist plan everybody partners everybody once and meets everybody twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from bot.tournaments.pairing.drawn import Pairing

STILL: Final = -1
"""Who keeps the place while the others move on."""

_Tables: TypeAlias = tuple[tuple[int, int, int, int], ...]
"""Tables of `a b – c d`."""

CYCLIC: Final[Mapping[int, _Tables]] = {
    5: ((1, 4, 2, 3),),
    8: ((STILL, 0, 1, 3), (2, 6, 4, 5)),
    12: ((STILL, 0, 1, 3), (2, 9, 6, 7), (4, 10, 5, 8)),
    13: ((1, 4, 2, 7), (3, 12, 6, 8), (5, 11, 9, 10)),
    16: ((STILL, 0, 1, 2), (3, 6, 9, 11), (4, 13, 8, 12), (5, 10, 7, 14)),
    17: ((1, 2, 3, 8), (4, 15, 10, 12), (5, 9, 6, 13), (7, 16, 11, 14)),
    20: ((STILL, 0, 1, 2), (3, 5, 9, 15), (4, 14, 12, 17), (6, 18, 10, 13), (7, 11, 8, 16)),
}
"""The first round for so many. Each round adds 1, modulo how many move; of an odd number, 0 begins by sitting out."""

SHORT: Final[Mapping[tuple[int, int], tuple[_Tables, ...]]] = {
    (12, 5): (
        ((5, 8, 1, 3), (7, 11, 2, 6), (10, 4, 0, 9)),
        ((5, 10, 8, 6), (11, 3, 7, 4), (2, 9, 1, 0)),
        ((6, 11, 9, 1), (3, 8, 2, 0), (10, 7, 5, 4)),
        ((7, 2, 9, 10), (4, 3, 1, 6), (8, 0, 11, 5)),
        ((9, 11, 3, 5), (1, 7, 0, 10), (8, 2, 4, 6)),
    ),
}
"""All rounds of shorter plans, by how many play and how many rounds: the best that long searches have found."""


def whist(entries: Sequence[int]) -> tuple[tuple[Pairing, ...], ...]:
    """All rounds of the cyclic plan for so many entries; of an even number, the last entry keeps its place.

    Raises `KeyError` where there is no such plan.
    """
    moving = len(entries) - 1 + len(entries) % 2

    def spot(place: int, number: int) -> int:
        return moving if place == STILL else (place + number) % moving

    return tuple(
        _at_tables(
            entries,
            [
                (spot(a, number), spot(b, number), spot(c, number), spot(d, number))
                for a, b, c, d in CYCLIC[len(entries)]
            ],
        )
        for number in range(moving)
    )


def planned(entries: Sequence[int], rounds: int) -> tuple[tuple[Pairing, ...], ...] | None:
    """So many rounds of a stored plan that cannot be bettered or is good as it is; None where there is none."""
    if (len(entries), rounds) in SHORT:
        return tuple(_at_tables(entries, tables) for tables in SHORT[len(entries), rounds])
    if len(entries) in CYCLIC and rounds >= len(entries) - 1:
        every = whist(entries)
        return every[:rounds] if rounds <= len(every) else None
    return None


def _at_tables(entries: Sequence[int], tables: Sequence[tuple[int, int, int, int]]) -> tuple[Pairing, ...]:
    return tuple(Pairing(((entries[a], entries[b]), (entries[c], entries[d]))) for a, b, c, d in tables)
