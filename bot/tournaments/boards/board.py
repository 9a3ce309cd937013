"""A board: one deal played at several tables, with what is known of each (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NOBODYS_FAULT: Final = (50, 50)
FAULT_OF_EAST_WEST: Final = (60, 40)
FAULT_OF_NORTH_SOUTH: Final = (40, 60)
FAULT_OF_BOTH: Final = (40, 40)
"""What a director gives, in per cent for North–South and East–West, where a board cannot be played."""

ADJUSTED_IMPS: Final = {40: -3, 50: 0, 60: 3}
"""Such a share in IMPs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult:
    """One table of a board: the two pairs, by the numbers of their entries, and how they came out.

    `scores` are the card points of North–South and East–West in that deal; `adjusted` are the per cent that each is
    given where there are none to compare. Neither is there while the board is still to be played.
    """

    table: int
    ns: int
    ew: int
    scores: tuple[int, int] | None = None
    adjusted: tuple[int, int] | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more is to come."""
        return self.scores is not None or self.adjusted is not None

    @property
    def net(self) -> int | None:
        """What North–South has above East–West; None unless it is to be compared."""
        if self.scores is None or self.adjusted is not None:
            return None
        return self.scores[0] - self.scores[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One deal, numbered from 1: the initial minimum that holds for all, the seat that deals, and its tables.

    `results` names all tables that are to play it, from the start.
    """

    number: int
    minimum: int
    dealer: int
    results: tuple[BoardResult, ...]

    @property
    def opened(self) -> bool:
        """Whether its last table is done; until then no table is told another's result."""
        return all(result.over for result in self.results)

    @property
    def counts(self) -> bool:
        """Whether there is a result to compare with; a board that was played nowhere is out for all."""
        return len(self.results) > 1 and any(result.net is not None for result in self.results)


def dealer_of(number: int, seats: int) -> int:
    """The seat that deals a board of that number."""
    return number % seats


def minimum_of(number: int, minimums: Sequence[int]) -> int:
    """The initial minimum of a board of that number; the list is gone through again and again."""
    return minimums[(number - 1) % len(minimums)]
