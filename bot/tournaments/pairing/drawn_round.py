"""A drawn round: its pairings, and the entries without a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bot.tournaments.counted_results import EntryWithoutMatch

Cost: TypeAlias = tuple[int, int, int, int, int, int]
"""The six sums of `docs/tournaments.md` 3, the most important first."""

NOTHING: Cost = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Pairing:
    """The sides that meet at a table, the leading side first; each is a tuple of entries.

    A side has several entries in a format with changing partners.
    """

    sides: tuple[tuple[int, ...], ...]

    @property
    def entries(self) -> tuple[int, ...]:
        """The entries at the table, side by side."""
        return tuple(entry for side in self.sides for entry in side)

    def partners(self, entry: int) -> tuple[int, ...]:
        """Return the others on the entry's side."""
        return tuple(other for side in self.sides if entry in side for other in side if other != entry)

    def opponents(self, entry: int) -> tuple[int, ...]:
        """Return the entries of all other sides, side by side."""
        return tuple(other for side in self.sides if entry not in side for other in side)


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round as drawn, table 1 first; `order` are the entries by standing, best first.

    `cost` are the six sums that a Swiss pairing minimises; empty in formats that do not pair by standing.
    """

    matches: tuple[Pairing, ...]
    unpaired: tuple[EntryWithoutMatch, ...] = ()
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()

    def match_of(self, entry: int) -> Pairing | None:
        """Return the match of the entry, or None."""
        return next((match for match in self.matches if entry in match.entries), None)
