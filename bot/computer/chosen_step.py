"""The answer of a computer player: a step, the reason for it, and the other steps that it considered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.moves.actions import DiscardCard, Step

MOST_REJECTED_STEPS: Final = 12
"""Maximum number of rejected steps listed in a choice."""


class Reason(StrEnum):
    """All reasons for or against a step; each value is the key of a sentence in the catalogues.

    The comments say when the reason applies, and name the values that its sentence needs.
    """

    ONLY = "only"  # no other step is legal
    DRAW_ONLY = "draw_only"  # the pile cannot be taken
    DRAW_SMALL = "draw_small"  # the pile is too small for the cards that take it; values: "count", "cards"
    DRAW_BETTER = "draw_better"  # taking the pile costs no card, but drawing is better; values: "count"
    TAKE_LARGE = "take_large"  # many cards come with the pile; values: "count"
    TAKE_FREE = "take_free"  # taking the pile costs no card; values: "kind"
    TAKE_OPENS = "take_opens"  # taking the pile opens the side
    TAKE_CANASTA = "take_canasta"  # taking the pile makes a canasta
    OPEN_NOW = "open_now"  # the initial meld lets the side meld from now on; values: "points", "minimum"
    OPEN_WAIT = "open_wait"  # opening would cost too many cards; values: "wilds", "cards"
    LAY_CANASTA = "lay_canasta"  # the meld makes a canasta; values: "points"
    LAY_TOWARDS = "lay_towards"  # the meld comes nearer to a canasta; values: "size", "all"
    LAY_COUNTS = "lay_counts"  # the cards count for the side once they are melded; values: "points"
    LAY_HURRY = "lay_hurry"  # an opponent holds few cards; values: "seat", "cards"
    HOLD_BACK = "hold_back"  # the cards can still take the pile; values: "kind"
    WILD_FINISH = "wild_finish"  # a wild card finishes the canasta
    WILD_KEEP = "wild_keep"  # a wild card is worth more on a canasta
    NATURAL_KEEP = "natural_keep"  # a wild card would make the canasta mixed; values: "points"
    RISK = "risk"  # the meld costs points until it is a canasta; values: "points"
    SINGLE = "single"  # the card is the only one of its rank
    SPARE = "spare"  # the card is one of several of its rank, and all other discards are worse
    SEEN = "seen"  # most cards of the rank have been seen; values: "count", "all", "kind"
    BLOCK = "block"  # a black three blocks the pile for the next player
    FEEDS = "feeds"  # the discard would give the next player the pile; values: "seat", "count"
    FEEDS_LEAST = "feeds_least"  # the next player may take the pile, but all other discards are worse; values: "seat"
    PAIR_KEEP = "pair_keep"  # the pair can take the pile
    FREEZE = "freeze"  # the discard freezes the pile; values: "count"
    ASK = "ask"  # the partner's cards would count against the side; values: "seat", "cards"
    OUT_NOW = "out_now"  # waiting would give the opponents time; values: "points"
    OUT_WAIT = "out_wait"  # the opponents would win the game if the deal ended now
    ANSWER_YES = "answer_yes"  # ending the deal now is good for the side
    ANSWER_NO = "answer_no"  # the side can meld more before the deal ends


Numbers = Mapping[str, int]
"""Values for a reason's sentence: numbers; `seat` stands for its holder's name, `kind` for a rank's name."""


@dataclass(frozen=True, slots=True)
class RejectedStep:
    """A step that was considered but not chosen, with the reason against it.

    `behind` is the number of points of judgement by which it is worse than the chosen step; never below zero.
    """

    step: Step
    reason: Reason
    numbers: Numbers
    behind: float


@dataclass(frozen=True, slots=True)
class Choice:
    """A computer player's choice: a legal step, the reason for it, and the rejected steps, the best first.

    Steps that were not weighed against the chosen one are not among the rejected ones. For a discard, `card` is the
    exact card if its suit matters; else None.
    """

    step: Step
    reason: Reason = Reason.ONLY
    numbers: Numbers = field(default_factory=dict)
    rivals: tuple[RejectedStep, ...] = ()
    card: Card | None = None

    @property
    def action(self) -> Step | DiscardCard:
        """The step as an action of the seat; it names the exact card of a discard whose suit matters."""
        return self.step if self.card is None else DiscardCard(self.card)


def nearest_rejected_steps(rejected: Iterable[RejectedStep]) -> tuple[RejectedStep, ...]:
    """Return at most `MOST_REJECTED_STEPS` of these rejected steps, the best first."""
    return tuple(sorted(rejected, key=lambda step: step.behind)[:MOST_REJECTED_STEPS])
