"""A board: one deal that several tables play, with the result of each (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NOBODYS_FAULT: Final = (50, 50)
FAULT_OF_EAST_WEST: Final = (60, 40)
FAULT_OF_NORTH_SOUTH: Final = (40, 60)
FAULT_OF_BOTH: Final = (40, 40)
"""Percentages of North–South and East–West if both are at fault for a board that cannot be played."""

ADJUSTED_IMPS: Final = {40: -3, 50: 0, 60: 3}
"""IMPs by the percentage that a director awards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult:
    """A table's result of a board: its two pairs, by entry number, and their scores.

    `scores` are the card points of North–South and East–West in that deal; `adjusted` are the per cent given to each
    instead of a comparison. Both are None while the board is still to be played.
    """

    table: int
    ns: int
    ew: int
    scores: tuple[int, int] | None = None
    adjusted: tuple[int, int] | None = None

    @property
    def is_over(self) -> bool:
        """Whether this table's result is final."""
        return self.scores is not None or self.adjusted is not None

    @property
    def net(self) -> int | None:
        """Net score of North–South; None if not played or adjusted."""
        if self.scores is None or self.adjusted is not None:
            return None
        return self.scores[0] - self.scores[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A deal, numbered from 1: the initial minimum for all, the dealer's seat, and the results by table.

    `results` names from the start all tables that are to play it.
    """

    number: int
    minimum: int
    dealer: int
    results: tuple[BoardResult, ...]

    @property
    def is_open(self) -> bool:
        """Whether all its tables are done; before that, no table sees the results of the others."""
        return all(result.is_over for result in self.results)

    @property
    def is_comparable(self) -> bool:
        """Whether the board counts: it has several tables, and at least one of them has played it."""
        return len(self.results) > 1 and any(result.net is not None for result in self.results)


def dealer_of_board(board_number: int, seats: int) -> int:
    """Return the seat that deals the board of that number."""
    return board_number % seats


def minimum_of_board(board_number: int, minimums: Sequence[int]) -> int:
    """Return the initial minimum of the board of that number; boards get the `minimums` in turn."""
    return minimums[(board_number - 1) % len(minimums)]
