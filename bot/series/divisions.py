"""The sizes of divisions, and the list of the next season after promotion and relegation.

Source: `docs/series.md` 3.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, TypeAlias, TypeVar

from bot.tournaments.event.entries import Person

SIZES: Final = (4, 10)
"""Smallest and largest division size that hosts can choose."""

LEAST: Final = 4
"""Minimum of entries in a division, and so of a whole season."""

MOVE_TWO: Final = 6
"""Divisions with at least this many entries promote and relegate two entries, smaller ones one."""

Team: TypeAlias = tuple[Person, ...]
"""An entry, identified across seasons by its persons in ascending order of their numbers."""

_Entry = TypeVar("_Entry")


def division_sizes(entries: int, size: int) -> tuple[int, ...]:
    """Return the number of entries in each division, highest division first.

    They differ by at most one; lower divisions are the larger ones.
    """
    count = max(1, (2 * entries + size) // (2 * size))
    while count > 1 and entries // count < LEAST:
        count -= 1
    small, larger = divmod(entries, count)
    return (small,) * (count - larger) + (small + 1,) * larger


def split_into_divisions(order: Sequence[_Entry], size: int) -> tuple[tuple[_Entry, ...], ...]:
    """Split a list of entries, best first, into divisions."""
    found, begin = [], 0
    for length in division_sizes(len(order), size):
        found.append(tuple(order[begin : begin + length]))
        begin += length
    return tuple(found)


def promote_and_relegate(divisions: Sequence[Sequence[_Entry]]) -> tuple[_Entry, ...]:
    """Return all entries in one list, by their level after promotion and relegation, the highest first.

    Within a level, entries that were relegated come first, then promoted ones, then those that stay. `divisions` have
    their entries by place, the highest division first.
    """
    found: list[_Entry] = []
    for level, here in enumerate(divisions):
        up = 0 if level == 0 else _count_promoted_entries(divisions[level - 1], here)
        down = 0 if level + 1 == len(divisions) else _count_promoted_entries(here, divisions[level + 1])
        found += divisions[level - 1][len(divisions[level - 1]) - up :] if level else ()
        found += () if level + 1 == len(divisions) else divisions[level + 1][:down]
        found += here[up : len(here) - down]
    return tuple(found)


def _count_promoted_entries(above: Sequence[object], below: Sequence[object]) -> int:
    """Return how many entries are promoted from one division, and as many relegated from the one above."""
    return 2 if min(len(above), len(below)) >= MOVE_TWO else 1


def next_divisions(
    divisions: Sequence[Sequence[_Entry]], playing: Collection[_Entry], newcomers: Sequence[_Entry], size: int
) -> tuple[tuple[_Entry, ...], ...]:
    """Return the next season's divisions: the last ones after promotion and relegation, split again.

    Entries that stop are dropped, newcomers come last. `divisions` are the last ones by place, without those who
    withdrew or were removed; `newcomers` are by rating.
    """
    kept = [one for one in promote_and_relegate(divisions) if one in playing]
    return split_into_divisions([*kept, *newcomers], size)
