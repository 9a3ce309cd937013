"""The answer of a computer player: a step, the reason for it, and the other steps that it considered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.moves.actions import DiscardCard, Step

MOST_RIVALS: Final = 12
"""Maximum number of rivals listed in a choice."""


class Reason(StrEnum):
    """All reasons for a step: stable names of their sentences in the catalogues, with the values of these."""

    ONLY = "only"
    DRAW_ONLY = "draw_only"
    DRAW_SMALL = "draw_small"  # values: "count", "cards"
    TAKE_LARGE = "take_large"  # values: "count"
    TAKE_FREE = "take_free"  # values: "kind"
    TAKE_OPENS = "take_opens"  # values: "points"
    TAKE_CANASTA = "take_canasta"
    OPEN_NOW = "open_now"  # values: "points", "minimum"
    OPEN_WAIT = "open_wait"  # values: "wilds", "cards"
    LAY_CANASTA = "lay_canasta"  # values: "points"
    LAY_TOWARDS = "lay_towards"  # values: "size"
    LAY_COUNTS = "lay_counts"  # values: "points"
    LAY_HURRY = "lay_hurry"  # values: "seat", "cards"
    HOLD_BACK = "hold_back"  # values: "kind"
    WILD_FINISH = "wild_finish"
    WILD_KEEP = "wild_keep"
    NATURAL_KEEP = "natural_keep"  # values: "points"
    RISK = "risk"  # values: "points"
    SINGLE = "single"
    SEEN = "seen"  # values: "count", "all", "kind"
    BLOCK = "block"
    FEEDS = "feeds"  # values: "seat", "count"
    PAIR_KEEP = "pair_keep"
    FREEZE = "freeze"  # values: "count"
    ASK = "ask"  # values: "seat", "cards"
    OUT_NOW = "out_now"  # values: "points"
    OUT_WAIT = "out_wait"
    ANSWER_YES = "answer_yes"
    ANSWER_NO = "answer_no"


Numbers = Mapping[str, int]
"""Values for a reason's sentence: numbers; `seat` stands for its holder's name, `kind` for a rank's name."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A step that was considered but not chosen, with the reason against it.

    `behind` is by how many points of judgement it is worse than the chosen step; never below zero.
    """

    step: Step
    reason: Reason
    numbers: Numbers
    behind: float


@dataclass(frozen=True, slots=True)
class Choice:
    """A computer player's choice: a legal step and the reason for it; `rivals` are sorted, nearest first.

    Steps that were not weighed against the chosen one are not among the rivals. `card` is the card that a discard
    means, where its suit matters; else None.
    """

    step: Step
    reason: Reason = Reason.ONLY
    numbers: Numbers = field(default_factory=dict)
    rivals: tuple[Rival, ...] = ()
    card: Card | None = None

    @property
    def action(self) -> Step | DiscardCard:
        """The step as an action of the seat, which names the card where one is meant."""
        return self.step if self.card is None else DiscardCard(self.card)


def nearest_rivals(rivals: Iterable[Rival]) -> tuple[Rival, ...]:
    """Return at most `MOST_RIVALS` of the rivals, nearest first."""
    return tuple(sorted(rivals, key=lambda rival: rival.behind)[:MOST_RIVALS])
