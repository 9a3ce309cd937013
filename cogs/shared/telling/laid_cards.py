"""Cards that were laid, as text: in a run suits matter, else only ranks, and the meld that they joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bot.engine.cards.cards import ACE, JOKER, TWO, Card
from bot.engine.cards.places import Family
from bot.i18n import Words
from cogs.shared.reading import card_text
from cogs.shared.telling.voices import MARKED, Voice
from render.shown_melds import FIRST_RUN

SHORTEST_RUN: Final = 3
"""Fewer cards have joined a run that lay there, and so have cards with a gap between them."""


def meld(words: Words, family: Family, cards: tuple[Card, ...], *, voice: Voice = MARKED) -> str:
    """Cards that were laid: ``10 10 10 +JK``, ``JK on kings``, ``7♠ 8♠ 9♠``; in words for who listens."""
    if voice.in_words or family >= FIRST_RUN:
        return _laid(words, family, cards)
    if not _is_of_rank(family, cards):
        return _laid(words, family, cards, lambda those: signs(those, voice))
    wild = [card for card in cards if family < TWO and card >> 2 in (TWO, JOKER)]
    natural = [card for card in cards if card not in wild]
    wilds = (f"+{card_text.sign(card)}" for card in wild)
    return " ".join([*filter(None, [signs(natural, voice)]), *wilds])


def signs(cards: Iterable[Card], voice: Voice) -> str:
    """Cards by rank in the fewest letters; close together only where each is one letter."""
    signs = [card_text.sign(card) for card in cards]
    return ("" if voice.tight and all(len(sign) == 1 for sign in signs) else " ").join(signs)


def _laid(
    words: Words, family: Family, cards: tuple[Card, ...], ranks: Callable[[tuple[Card, ...]], str] | None = None
) -> str:
    """Cards that were laid: in a run suits matter, else only ranks; with the meld they joined where they do not say."""
    if family >= FIRST_RUN:
        told = card_text.cards(cards)
        low, high = cards[0] >> 2, cards[-1] >> 2
        joined = len(cards) < SHORTEST_RUN or high - low >= len(cards)
        return words("happened.laid_on", cards=told, kinds=card_text.meld_word(words, family)) if joined else told
    told = card_text.in_words(words, cards) if ranks is None else ranks(cards)
    if _is_of_rank(family, cards):
        return told
    return words("happened.laid_on", cards=told, kinds=card_text.kind_word(words, family, 2))


def _is_of_rank(family: Family, cards: Iterable[Card]) -> bool:
    """Whether the cards say by themselves which meld they are of."""
    return family > ACE or any(card >> 2 == family for card in cards)
