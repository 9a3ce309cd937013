"""Cards in ascending order, as hands and melds hold them: parted, put together, made a meld of, counted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from bot.engine.cards import FIRST_WILD_CARD, JOKER_CARD, Card
from bot.engine.melds import TableMeld
from bot.engine.places import DEUCE_MELD, FAMILIES, Place
from bot.engine.rules import RuleSet


def without(cards: tuple[Card, ...], removed: Iterable[Card]) -> tuple[Card, ...]:
    """The cards left, in ascending order, when each of `removed` has been taken out once."""
    left = list(cards)
    for card in removed:
        del left[bisect_left(left, card)]
    return tuple(left)


def together(cards: tuple[Card, ...], added: tuple[Card, ...]) -> tuple[Card, ...]:
    """All the cards in ascending order."""
    return tuple(sorted(cards + added))


def meld_of(place: Place, cards: tuple[Card, ...]) -> TableMeld:
    """The meld of these cards, given in ascending order."""
    naturals = bisect_left(cards, JOKER_CARD if place & FAMILIES - 1 == DEUCE_MELD else FIRST_WILD_CARD)
    return TableMeld(place, naturals, len(cards) - naturals, cards)


def points_of(rules: RuleSet, cards: Iterable[Card]) -> int:
    """What the cards count, red threes apart."""
    values = rules.card_values
    return sum([values[card >> 2] for card in cards])
