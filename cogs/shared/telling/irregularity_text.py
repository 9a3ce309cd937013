"""Irregularities in words: what one is called, and what it costs."""

from __future__ import annotations

from bot.engine.moves.events import Penalized
from bot.engine.rules.irregularities import Penalty
from bot.i18n import Words
from bot.i18n.penalty_text import cost_sentence
from cogs.shared.reading import card_text


def irregularity_words(words: Words, paid: Penalized | Penalty) -> dict[str, str]:
    """What an irregularity is called and what it costs, for the sentences that say so."""
    cost = cost_sentence(words, paid, card_name=card_text.card)
    return {"irregularity": words(f"irregularity.{paid.irregularity.value}"), "cost": cost}
