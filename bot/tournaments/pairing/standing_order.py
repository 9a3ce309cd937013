"""The order of entries by standing when a round is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OrderedEntry:
    """An entry with its match points, penalties subtracted. Sequences of them are in standing order."""

    entry: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryStanding:
    """An entry before a draw: match points minus penalties, place in the standings, start rank.

    `place` is None for an entry that joins in this round.
    """

    entry: int
    points: int
    place: int | None
    rank: int


def standing_order(entries: Iterable[EntryStanding]) -> tuple[OrderedEntry, ...]:
    """Return the entries sorted by place, then by start rank.

    Late entries follow all that have at least as many points.
    """
    every = tuple(entries)
    stood = sorted((one for one in every if one.place is not None), key=lambda one: (one.place or 0, one.rank))
    for late in sorted((one for one in every if one.place is None), key=lambda one: (-one.points, one.rank)):
        stood.insert(sum(1 for one in stood if one.points >= late.points), late)
    return tuple(OrderedEntry(one.entry, one.points) for one in stood)
