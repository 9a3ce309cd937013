"""Cards: the number of each card, their order, and the packs of a game.

A card is a small number, ``kind * 4 + suit``, so that sorting a hand groups it by kind and ``card >> 2`` is the kind.
Identical cards of different decks have the same number: the game never distinguishes them (`docs/referee.md`, Cards).

The fifteen kinds are the eleven natural ranks from four to ace, then black three, two, joker and red three. Red threes
stay in a hand only where they are not bonus cards. Elsewhere they are laid out at once or at a seat's first turn, and
are not counted with a hand.

Decides `docs/law/classic.md 1.1`.

`value_class` is the decorator for the immutable records of the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Final, TypeAlias, TypeVar, dataclass_transform

Card: TypeAlias = Annotated[int, "card"]
"""A card: ``kind * 4 + suit``; a joker has suit 0."""

Kind: TypeAlias = Annotated[int, "kind"]
"""A card apart from its suit: one of fifteen small numbers, from `FOUR` to `RED_THREE`."""

Suit: TypeAlias = int

FOUR: Final = 0
FIVE: Final = 1
SIX: Final = 2
SEVEN: Final = 3
EIGHT: Final = 4
NINE: Final = 5
TEN: Final = 6
JACK: Final = 7
QUEEN: Final = 8
KING: Final = 9
ACE: Final = 10
BLACK_THREE: Final = 11
TWO: Final = 12
JOKER: Final = 13
RED_THREE: Final = 14

SPADES: Final = 0
HEARTS: Final = 1
DIAMONDS: Final = 2
CLUBS: Final = 3

NATURAL_KINDS: Final = range(FOUR, ACE + 1)
"""The kinds that make melds: four to ace."""

HELD_KINDS: Final = 15
"""The number of kinds that a hand can hold, red threes last. The length of the tuples by kind."""

RANK_LETTERS: Final = "456789TJQKA3203"
"""One letter per kind. The joker is written ``JK`` in cards; ``0`` only fills its position here."""

SUIT_LETTERS: Final = "shdc"

JOKER_CARD: Final[Card] = JOKER << 2

LAST_ACE: Final[Card] = (ACE << 2) | CLUBS
"""The last ace: ranks from four to ace are below it; black threes, wild cards and red threes above."""

FIRST_WILD_CARD: Final[Card] = TWO << 2
"""The lowest wild card: every natural card and black three is below it."""

FIRST_RED_THREE: Final[Card] = RED_THREE << 2
"""The lowest red three: every other card is below it."""


def card_of(kind: Kind, suit: Suit = SPADES) -> Card:
    """Return the card of that kind and suit. For a joker the suit is ignored."""
    return JOKER_CARD if kind == JOKER else (kind << 2) | suit


def three_of_suit(suit: int) -> int:
    """Return the kind of the three of a suit: black of spades and clubs, red of hearts and diamonds."""
    return BLACK_THREE if suit in (SPADES, CLUBS) else RED_THREE


def kind_of(card: Card) -> Kind:
    """Return the kind of a card: its rank, black three, joker or red three."""
    return card >> 2


def suit_of(card: Card) -> Suit:
    """Return the suit of a card; meaningless for a joker."""
    return card & 3


def is_red(card: Card) -> bool:
    """Return whether a card is of hearts or diamonds; meaningless for a joker."""
    return card & 3 in (HEARTS, DIAMONDS)


def is_wild(kind: Kind) -> bool:
    """Return whether a card of that kind is wild: two or joker."""
    return kind in (TWO, JOKER)


def counts_of(cards: Iterable[Card]) -> tuple[int, ...]:
    """Return the number of cards of each kind, indexed by kind."""
    counts = [0] * HELD_KINDS
    for card in cards:
        counts[card >> 2] += 1
    return tuple(counts)


# --- packs ------------------------------------------------------------------------------------------------------------


@cache
def full_pack(decks: int, jokers_per_deck: int) -> tuple[Card, ...]:
    """Return all cards of a game in the published order: by deck, then suit from ace to two, jokers last.

    The suits are in the order spades, hearts, diamonds, clubs. Two decks with two jokers each are the 108 cards of the
    classic game (`docs/law/classic.md 1.1`). The order is part of the shuffle's published specification and must never
    change.
    """
    one_deck = tuple(
        card_of(kind, suit)
        for suit in range(SPADES, CLUBS + 1)
        for kind in (*range(ACE, FOUR - 1, -1), three_of_suit(suit), TWO)
    )
    return one_deck * decks + (JOKER_CARD,) * (decks * jokers_per_deck)


@cache
def sorted_pack(decks: int, jokers_per_deck: int) -> tuple[Card, ...]:
    """Return all cards of a game in ascending order."""
    return tuple(sorted(full_pack(decks, jokers_per_deck)))


Record = TypeVar("Record")
Item = TypeVar("Item")


@dataclass_transform(frozen_default=True)
def value_class(cls: type[Record]) -> type[Record]:
    """Make the class a dataclass with slots, equality and a hash, whose fields must not be assigned.

    Only the type checker enforces immutability. A frozen dataclass takes four times as long to create, and the engine
    creates some with every action.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


def with_item_replaced(values: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """Return a copy of the tuple in which `value` replaces the entry at `index`."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)
