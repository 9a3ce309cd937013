"""Notes on a rule set: where it comes from, how sure that is, and what is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

FOUR_ALONE_NAMED: Final = (
    "Only four play it here: no source says how many cards and canastas two, three, five or six would have"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSetNotes:
    """What somebody should know who chooses a rule set.

    `sure` says how well its facts are founded. `open_points` are those of every form, `points_of_forms` those that
    concern some numbers of players only.
    """

    source: str
    sure: Literal["high", "medium", "low"]
    open_points: tuple[str, ...] = ()
    points_of_forms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def all_points(self) -> tuple[str, ...]:
        """The open points of every form."""
        return (*self.open_points, *self.points_of_forms)

    def points_for(self, players: int) -> tuple[str, ...]:
        """The open points that concern so many players."""
        return (*self.open_points, *(point for point, those in self.points_of_forms.items() if players in those))
