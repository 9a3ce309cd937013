"""Counts: how many cards of each held kind, packed into one integer, a byte a kind (a lane).

A card comes or goes by one addition, and all kinds are asked at once whether there are enough of them: adding ``128 -
n`` to a lane sets its highest bit when the lane counts `n` or more. A lane holds at most 127 cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from bot.engine.cards.cards import (
    ACE,
    BLACK_THREE,
    FIRST_RED_THREE,
    HELD_KINDS,
    LAST_ACE,
    NATURAL_KINDS,
    TWO,
    Card,
    Kind,
)

Counts: TypeAlias = int
"""Fifteen lanes, four to red three; the last is empty where red threes do not stay in a hand."""

Lanes: TypeAlias = int
"""A set of kinds: the highest bits of their lanes."""

ONE: Final[tuple[Counts, ...]] = tuple(1 << 8 * (card >> 2) for card in range(FIRST_RED_THREE + 4))
"""What a card adds, by card."""

LANE: Final[tuple[Lanes, ...]] = tuple(128 << 8 * kind for kind in range(HELD_KINDS))
"""The set of one kind."""

RANKS: Final[Lanes] = sum(LANE[: ACE + 1])
"""The set of the kinds that make melds."""

ANY: Final[Counts] = sum(127 << 8 * kind for kind in NATURAL_KINDS)
"""Added to counts, it sets the highest bits of the ranks of which a card is held."""

ALL_KINDS: Final[Lanes] = sum(LANE)
"""The set of all held kinds; `LOW_KINDS` and `HIGH_KINDS` are its halves."""

LOW_KINDS: Final[Lanes] = sum(LANE[: HELD_KINDS // 2])
HIGH_KINDS: Final[Lanes] = ALL_KINDS - LOW_KINDS

ANY_HELD: Final[Counts] = sum(127 << 8 * kind for kind in range(HELD_KINDS))
"""Added to counts, it sets the highest bits of all kinds of which a card is held."""

WILD_SHIFT: Final = 8 * TWO
"""Above it are the lanes of twos, jokers and red threes.

Where red threes do not stay in a hand, counts shifted down by it are zero when no wild card is held.
"""

WILDS: Final = 127 | 127 << 8
"""The lanes of twos and jokers in counts that are shifted down by `WILD_SHIFT`."""

BLACK_SHIFT: Final = 8 * BLACK_THREE
"""From there on is the lane of black threes."""


def pack(cards: Iterable[Card]) -> Counts:
    """Return the counts of these cards."""
    return sum([ONE[card] for card in cards])


def pack_hand(hand: Sequence[Card], *, red_threes: bool) -> Counts:
    """Return the counts of a hand.

    Red threes that wait to be laid out at its first turn are left out, unless `red_threes`.
    """
    return pack(hand if red_threes else [card for card in hand if card < FIRST_RED_THREE])


def tally(counts: Counts) -> bytes:
    """Return how many cards of each held kind, to be read by kind."""
    return counts.to_bytes(HELD_KINDS, "little")


def black_threes(counts: Counts) -> int:
    """Return how many black threes."""
    return counts >> BLACK_SHIFT & 127


class _KindsOf(dict[Lanes, tuple[Kind, ...]]):
    """The ranks of a set in ascending order, filled in as they are asked for; there are 2,048 sets."""

    def __missing__(self, lanes: Lanes) -> tuple[Kind, ...]:
        self[lanes] = tuple(kind for kind in NATURAL_KINDS if lanes & LANE[kind])
        return self[lanes]


KINDS_OF: Final = _KindsOf()
"""The ranks of a set, ascending."""


class _LanesOf(dict[frozenset[Kind], Lanes]):
    """The set of kinds that a frozen set holds, filled in as they are asked for."""

    def __missing__(self, kinds: frozenset[Kind]) -> Lanes:
        self[kinds] = sum([LANE[kind] for kind in kinds])
        return self[kinds]


LANES_OF: Final = _LanesOf()
"""The set of lanes of a set of kinds."""


# --- suits, for runs: the natural cards of a hand, a bit each and four a rank -----------------------------------------

OF_ONE_SUIT: Final = sum([1 << 4 * kind for kind in NATURAL_KINDS])
"""The bits of the first suit in what `each_once` tells; the other suits follow by one bit each."""

_BIT: Final = tuple([1 << card if card <= LAST_ACE else 0 for card in range(64)])


def each_once(hand: tuple[Card, ...]) -> int:
    """Return the cards from four to ace that are held, a bit each, however many of a card there are.

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
    """Return the cards of one suit from one card to another, a bit each."""
    return (2 << high) - (1 << low) & OF_ONE_SUIT << (low & 3)
