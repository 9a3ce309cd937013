"""Notation: cards as short text, the strict form of `docs/referee.md`.

Two characters per card, rank then suit: ranks ``A K Q J T 9 8 7 6 5 4 3 2``, suits ``s h d c``; a joker is ``JK``.
Reading accepts both cases; writing uses an upper-case rank and a lower-case suit. Reading written text gives the same
cards.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.cards.cards import (
    ACE,
    FOUR,
    JOKER,
    JOKER_CARD,
    RANK_LETTERS,
    SUIT_LETTERS,
    TWO,
    Card,
    Kind,
    card_of,
    three_of_suit,
)


class NotationError(ValueError):
    """Text that is not a card; `text` is the unreadable part."""

    def __init__(self, text: str) -> None:
        super().__init__(f"no card is written {text!r}")
        self.text = text


_KINDS: dict[str, Kind] = {RANK_LETTERS[kind]: kind for kind in (*range(FOUR, ACE + 1), TWO)}


def card_text(card: Card) -> str:
    """Return the card as two characters."""
    kind = card >> 2
    return "JK" if kind == JOKER else RANK_LETTERS[kind] + SUIT_LETTERS[card & 3]


def cards_text(cards: Iterable[Card]) -> str:
    """Return the cards as text, in order, separated by blanks."""
    return " ".join(map(card_text, cards))


def parse_card(text: str) -> Card:
    """Return the card written as `text`. Raises `NotationError`."""
    if text.upper() == "JK":
        return JOKER_CARD
    rank, suit = text[:1].upper(), SUIT_LETTERS.find(text[1:].lower())
    if len(text) != 2 or suit < 0:
        raise NotationError(text)
    if rank == "3":
        return card_of(three_of_suit(suit), suit)
    if rank not in _KINDS:
        raise NotationError(text)
    return card_of(_KINDS[rank], suit)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards in the text, in order. Raises `NotationError` for the first unreadable one."""
    return tuple(parse_card(word) for word in text.split())
