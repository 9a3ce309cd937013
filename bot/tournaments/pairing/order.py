"""The order in which entries stand when a round is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OrderedEntry:
    """An entry with its match points less penalties. Sequences of these are in standing order, best first."""

    entry: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryStanding:
    """An entry before a draw: its match points less penalties, its place in the standings, its rank at the start.

    `place` is None for one that enters with this round and has not stood in standings yet.
    """

    entry: int
    points: int
    place: int | None
    rank: int


def standing_order(entries: Iterable[EntryStanding]) -> tuple[OrderedEntry, ...]:
    """All entries by standings, then by seed; a late one after all with at least its points."""
    every = tuple(entries)
    stood = sorted((one for one in every if one.place is not None), key=lambda one: (one.place or 0, one.rank))
    for late in sorted((one for one in every if one.place is None), key=lambda one: (-one.points, one.rank)):
        stood.insert(sum(1 for one in stood if one.points >= late.points), late)
    return tuple(OrderedEntry(one.entry, one.points) for one in stood)
