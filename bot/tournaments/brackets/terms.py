"""What is agreed about a bracket, and what one of its matches has come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.tournaments.course import FormatKind, Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is agreed about a bracket. A match for third place and a second chance exist in a single one only.

    Raises `ValueError` for a kind that is no elimination.
    """

    kind: FormatKind = FormatKind.SINGLE
    third_place: bool = True
    second_chance: bool = False

    def __post_init__(self) -> None:
        if self.kind not in (FormatKind.SINGLE, FormatKind.DOUBLE):
            raise ValueError(f"no elimination: {self.kind}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the match of a slot has come to, as it counts: its two entries in any order and which of them goes on.

    Without a `winner` both are out of the tournament. Raises `ValueError` for what is no result: a void match, one
    entry twice, a winner who was not in it.
    """

    sides: tuple[int, int]
    winner: int | None
    kind: Played = Played.PLAYED

    def __post_init__(self) -> None:
        first, second = self.sides
        if first == second or self.winner not in (None, first, second) or self.kind is Played.VOID:
            raise ValueError(f"no result of a match: {self}")

    @property
    def loser(self) -> int | None:
        """Who has lost to somebody who goes on; None where both are out."""
        if self.winner is None:
            return None
        first, second = self.sides
        return second if self.winner == first else first

    @property
    def met(self) -> bool:
        """Whether the two have met at a table: a forfeit is no played match."""
        return self.kind in (Played.PLAYED, Played.ADJUSTED)


Results: TypeAlias = Mapping[str, Outcome]
"""What matches have come to, by the names of their slots."""

Draw: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Puts numbers into the order of the tournament's lot; equal numbers always into the same order."""
