"""The formats of tournaments, with plain facts about each (`docs/tournaments.md` 3).

Behaviour of formats is in `bot.tournaments.formats`; other modules read `plan.traits` and `course.traits`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias


class FormatKind(StrEnum):
    """The formats of tournaments; the value is its stable name (`docs/tournaments.md` 3)."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    SINGLE = "single"
    DOUBLE = "double"
    INDIVIDUAL = "individual"
    LADDER = "ladder"
    DUPLICATE = "duplicate"


Late: TypeAlias = Literal["never", "first_half", "always"]
"""The times at which late entries are allowed."""

SWISS_TIES: Final = ("h2h", "bc1", "sb", "net", "wins")
PLAIN_TIES: Final = ("net", "wins")
"""Tie-breaks if partners change, or if three sides meet at a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatTraits:
    """Facts that are true of every tournament of a format.

    `has_rounds` is false if matches come from challenges; then there is no check-in. `partners_change`: persons enter
    alone and have another partner in each round. `may_sit_out`: an entry may announce to skip a round. `late` says
    whether late entries are allowed: never, in the first half, or always. `decisive` matches cannot end in a tie. With
    `forfeits_count`, forfeits count like played matches, and an entry that leaves before half of its matches has them
    annulled. `ties` are the tie-breaks in order; empty if places do not come from points. `sealed`: others may not see
    a table, so that it needs a private thread. A format that `makes_divisions` can be played in divisions of a series.
    `options` are the fields that the wizard offers only for this format.
    """

    has_rounds: bool = True
    partners_change: bool = False
    may_sit_out: bool = False
    late: Late = "never"
    decisive: bool = False
    forfeits_count: bool = False
    ties: tuple[str, ...] = SWISS_TIES
    sealed: bool = False
    makes_divisions: bool = False
    options: tuple[str, ...] = ()


TRAITS: Final[Mapping[FormatKind, FormatTraits]] = {
    FormatKind.SWISS: FormatTraits(may_sit_out=True, late="first_half", options=("rounds", "late")),
    FormatKind.ROUND_ROBIN: FormatTraits(
        forfeits_count=True, ties=("h2h", "sb", "net", "wins"), makes_divisions=True, options=("cycles",)
    ),
    FormatKind.SINGLE: FormatTraits(decisive=True, ties=(), options=("third", "second")),
    FormatKind.DOUBLE: FormatTraits(decisive=True, ties=()),
    FormatKind.INDIVIDUAL: FormatTraits(partners_change=True, may_sit_out=True, ties=PLAIN_TIES, options=("rounds",)),
    FormatKind.LADDER: FormatTraits(has_rounds=False, late="always", ties=()),
    FormatKind.DUPLICATE: FormatTraits(sealed=True, options=("boards", "each", "minimums", "scoring", "winners")),
}
"""The facts of every format."""
