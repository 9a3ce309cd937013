"""Counts: the number of cards of each kind, packed into one integer, one byte (a lane) per kind.

Adding or removing a card is one addition. All kinds can be tested at once: adding ``128 - n`` to a lane sets its
highest bit if the lane counts `n` or more. A lane holds at most 127 cards.
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
"""Fifteen lanes, from four to red three. The last is always zero where red threes do not stay in a hand."""

Lanes: TypeAlias = int
"""A set of kinds: the highest bits of their lanes."""

ONE: Final[tuple[Counts, ...]] = tuple(1 << 8 * (card >> 2) for card in range(FIRST_RED_THREE + 4))
"""The counts of a single card, indexed by card."""

LANE: Final[tuple[Lanes, ...]] = tuple(128 << 8 * kind for kind in range(HELD_KINDS))
"""The set that holds only this kind, indexed by kind."""

RANKS: Final[Lanes] = sum(LANE[: ACE + 1])
"""The set of the kinds that make melds."""

ANY_RANK: Final[Counts] = sum(127 << 8 * kind for kind in NATURAL_KINDS)
"""Added to counts, it sets the highest bit of each rank of which at least one card is held."""

ALL_KINDS: Final[Lanes] = sum(LANE)
"""The set of all kinds in a hand; `LOW_KINDS` and `HIGH_KINDS` are its halves."""

LOW_KINDS: Final[Lanes] = sum(LANE[: HELD_KINDS // 2])
HIGH_KINDS: Final[Lanes] = ALL_KINDS - LOW_KINDS

ANY_HELD: Final[Counts] = sum(127 << 8 * kind for kind in range(HELD_KINDS))
"""Added to counts, it sets the highest bit of each kind of which at least one card is held."""

WILD_SHIFT: Final = 8 * TWO
"""The bit at which the lanes of twos, jokers and red threes begin.

Where red threes do not stay in a hand, counts shifted right by it are zero if no wild card is held.
"""

WILDS: Final = 127 | 127 << 8
"""The lanes of twos and jokers in counts that are shifted down by `WILD_SHIFT`."""

BLACK_SHIFT: Final = 8 * BLACK_THREE
"""The bit at which the lane of black threes begins."""


def pack_counts(cards: Iterable[Card]) -> Counts:
    """Return the number of these cards of each kind, packed into one integer."""
    return sum([ONE[card] for card in cards])


def pack_hand(hand: Sequence[Card], *, red_threes: bool) -> Counts:
    """Return the packed counts of a hand; red threes are left out unless `red_threes`.

    Red threes that will be laid out at the seat's first turn are in the hand but do not count.
    """
    return pack_counts(hand if red_threes else [card for card in hand if card < FIRST_RED_THREE])


def numbers_by_kind(counts: Counts) -> bytes:
    """Return the number of cards of each kind, indexed by kind."""
    return counts.to_bytes(HELD_KINDS, "little")


def count_black_threes(counts: Counts) -> int:
    """Return the number of black threes in packed counts."""
    return counts >> BLACK_SHIFT & 127


class _KindsCache(dict[Lanes, tuple[Kind, ...]]):
    """Cache that maps a set of ranks, given as lanes, to these ranks in ascending order.

    There are 2,048 such sets.
    """

    def __missing__(self, lanes: Lanes) -> tuple[Kind, ...]:
        self[lanes] = tuple(kind for kind in NATURAL_KINDS if lanes & LANE[kind])
        return self[lanes]


KINDS_OF: Final = _KindsCache()
"""The ranks in a set, ascending, indexed by the set."""


class _LanesCache(dict[frozenset[Kind], Lanes]):
    """Cache that maps a set of kinds to an integer with 1 in the lane of each of them."""

    def __missing__(self, kinds: frozenset[Kind]) -> Lanes:
        self[kinds] = sum([LANE[kind] for kind in kinds])
        return self[kinds]


LANES_OF: Final = _LanesCache()
"""The lane set for a frozen set of kinds."""


# --- suits, for runs: one bit for each natural card, four bits for each rank ------------------------------------------

OF_ONE_SUIT: Final = sum([1 << 4 * kind for kind in NATURAL_KINDS])
"""The bits of the first suit in a result of `distinct_card_bits`; the others follow by one bit each."""

_BIT: Final = tuple([1 << card if card <= LAST_ACE else 0 for card in range(64)])


def distinct_card_bits(hand: tuple[Card, ...]) -> int:
    """Return the cards from four to ace in the hand, one bit each; copies of a card count once.

    The last hand is cached, since one list of legal actions asks about it several times.
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
"""The last hand and its result of `distinct_card_bits`."""


def card_bits_between(low: Card, high: Card) -> int:
    """Return the cards of one suit from `low` to `high`, one bit each."""
    return (2 << high) - (1 << low) & OF_ONE_SUIT << (low & 3)
