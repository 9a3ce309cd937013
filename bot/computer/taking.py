"""Whether the pile is worth taking."""

from __future__ import annotations

from bot.computer.situation import Situation
from bot.engine.actions import TAKE_ADD, TAKE_PAIR, TAKE_WITH_JOKER, TAKE_WITH_TWO, Step, Take

LEAST_PILE = {TAKE_ADD: 1, TAKE_PAIR: 1, TAKE_WITH_TWO: 3, TAKE_WITH_JOKER: 4}
"""Cards the pile should have before it is taken so."""


def best_take(situation: Situation, legal: tuple[Step, ...]) -> Take | None:
    """The best way to take the pile, or None when drawing is better."""
    for take, least in LEAST_PILE.items():
        if take in legal and situation.pile.cards >= least:
            return take
    return None
