"""Packs: every card of a game, in the published order that the shuffle starts from."""

from __future__ import annotations

from functools import cache

from bot.engine.cards.cards import ACE, BLACK_THREE, CLUBS, FOUR, JOKER_CARD, RED_THREE, SPADES, TWO, Card, card_of


@cache
def full_pack(decks: int, jokers_per_deck: int) -> tuple[Card, ...]:
    """All cards of a game in the published order: deck after deck, suit after suit from ace to two, jokers last.

    The suits are in the order spades, hearts, diamonds, clubs. Two decks with two jokers each are the 108 cards of the
    classic game (`docs/law/classic.md 1.1`). The order is part of the shuffle's published specification and must never
    change.
    """
    one_deck = tuple(
        card_of(kind, suit)
        for suit in range(SPADES, CLUBS + 1)
        for kind in (*range(ACE, FOUR - 1, -1), three_of(suit), TWO)
    )
    return one_deck * decks + (JOKER_CARD,) * (decks * jokers_per_deck)


def three_of(suit: int) -> int:
    """The kind of the three of a suit: black of spades and clubs, red of hearts and diamonds."""
    return BLACK_THREE if suit in (SPADES, CLUBS) else RED_THREE


@cache
def sorted_pack(decks: int, jokers_per_deck: int) -> tuple[Card, ...]:
    """All cards of a game in ascending order."""
    return tuple(sorted(full_pack(decks, jokers_per_deck)))
