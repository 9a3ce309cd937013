"""Suits: the natural cards of a hand, suit by suit, for runs. A card is a bit, four a rank."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import LAST_ACE, NATURAL_KINDS, Card

OF_ONE_SUIT: Final = sum([1 << 4 * kind for kind in NATURAL_KINDS])
"""The bits of the first suit in what `each_once` tells; the other suits follow by one bit each."""

_BIT: Final = tuple([1 << card if card <= LAST_ACE else 0 for card in range(64)])


def each_once(hand: tuple[Card, ...]) -> int:
    """The cards from four to ace that are held, a bit each, however many of a card there are.

    The last hand is remembered, since one listing asks several questions about it.
    """
    known, once = _LAST[0]
    if hand is known:
        return once
    once = 0
    for card in hand:
        once |= _BIT[card]
    _LAST[0] = hand, once
    return once


_LAST: Final[list[tuple[tuple[Card, ...], int]]] = [((), 0)]
"""The last hand asked about, and what was told of it."""


def cards_between(low: Card, high: Card) -> int:
    """The cards of one suit from one card to another, a bit each."""
    return (2 << high) - (1 << low) & OF_ONE_SUIT << (low & 3)
