"""The formats of tournaments by name, with one row of plain facts each (`docs/tournaments.md` 3).

What a format decides with code stands in `bot.tournaments.formats`; others read `plan.traits` and `course.traits`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias


class FormatKind(StrEnum):
    """The format of a tournament; the value is its stable name (`docs/tournaments.md` 3)."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    SINGLE = "single"
    DOUBLE = "double"
    INDIVIDUAL = "individual"
    LADDER = "ladder"
    DUPLICATE = "duplicate"


Late: TypeAlias = Literal["never", "first_half", "always"]
"""When people may still enter once rounds are played."""

SWISS_TIES: Final = ("h2h", "bc1", "sb", "net", "wins")
PLAIN_TIES: Final = ("net", "wins")
"""The figures that part equal points where partners change, or three sides meet at a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What is true of every tournament of a format.

    `has_rounds` is false where matches come from challenges, and then nobody checks in. `partners_change` tells that
    persons enter alone and have another partner in each round. `may_sit_out` tells that an entry may announce to miss
    a round. `late` is when people may still enter. `decisive` matches cannot end in a tie. Where `forfeits_count` they
    count like matches that were played, and the matches of an entry that leaves before its half count for nobody.
    `ties` are the figures that part equal points, in their order; empty where places do not come from points.
    `options` are the fields that the wizard offers for this format alone.
    """

    has_rounds: bool = True
    partners_change: bool = False
    may_sit_out: bool = False
    late: Late = "never"
    decisive: bool = False
    forfeits_count: bool = False
    ties: tuple[str, ...] = SWISS_TIES
    options: tuple[str, ...] = ()


TRAITS: Final[Mapping[FormatKind, Traits]] = {
    FormatKind.SWISS: Traits(may_sit_out=True, late="first_half", options=("rounds", "late")),
    FormatKind.ROUND_ROBIN: Traits(forfeits_count=True, ties=("h2h", "sb", "net", "wins"), options=("cycles",)),
    FormatKind.SINGLE: Traits(decisive=True, ties=(), options=("third", "second")),
    FormatKind.DOUBLE: Traits(decisive=True, ties=()),
    FormatKind.INDIVIDUAL: Traits(partners_change=True, may_sit_out=True, ties=PLAIN_TIES, options=("rounds",)),
    FormatKind.LADDER: Traits(has_rounds=False, late="always", ties=()),
    FormatKind.DUPLICATE: Traits(options=("boards", "each", "minimums", "scoring")),
}
"""The row of every format."""
