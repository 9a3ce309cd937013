"""A round that is drawn: who meets whom, and who has no match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bot.tournaments.course import SatOut

Cost: TypeAlias = tuple[int, int, int, int, int, int]
"""The six sums of `docs/tournaments.md` 3, the weightiest first."""

NOTHING: Cost = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Sides that meet, each with its entries (two and more where partners change), the one that sits first first."""

    sides: tuple[tuple[int, ...], ...]

    @property
    def entries(self) -> tuple[int, ...]:
        """Everybody at the table, side after side."""
        return tuple(entry for side in self.sides for entry in side)

    def partners(self, entry: int) -> tuple[int, ...]:
        """The others on the entry's side."""
        return tuple(other for side in self.sides if entry in side for other in side if other != entry)

    def opponents(self, entry: int) -> tuple[int, ...]:
        """All on other sides than the entry's, side after side."""
        return tuple(other for side in self.sides if entry not in side for other in side)


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round as drawn. Table 1 comes first; `order` are the entries as they stood, best first.

    `cost` are the six sums that a Swiss pairing makes least; empty in formats that do not pair by standing.
    """

    matches: tuple[Pairing, ...]
    unpaired: tuple[SatOut, ...] = ()
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()

    def match_of(self, entry: int) -> Pairing | None:
        """The match in which the entry plays; None where it has none."""
        return next((match for match in self.matches if entry in match.entries), None)
