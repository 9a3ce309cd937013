"""Places: where a meld of a side lies, which says what may join it.

A place is a family and a number. The families are the ranks four to ace and black threes, by their kind; twos melded as
a rank (`TWO`, jokers being wild there); wild cards alone (`WILD_MELD`); and a run of each suit (`RUN` + suit). Where a
side may have several melds of a family (`same_rank_melds`), they are numbered as they were begun: ``family + FAMILIES *
number``. So the only meld of a rank lies at the place that is its kind.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final, Protocol, TypeAlias

from bot.engine.cards.cards import BLACK_THREE, JOKER, TWO, Kind, Suit

Place: TypeAlias = int
"""A family and the number of the meld in it."""

Family: TypeAlias = int
"""What kind of meld may lie there."""

FAMILIES: Final = 32
"""The step from the place of one meld of a family to that of the next."""

MOST_OF_A_FAMILY: Final = 64
"""The most melds of one family that a side could ever have: with 127 cards of a kind, three to a meld."""

WILD_MELD: Final[Family] = JOKER
"""Wild cards alone, twos and jokers mixed."""

DEUCE_MELD: Final[Family] = TWO
"""Twos as a rank; jokers are the only wild cards there."""

RUN: Final[Family] = 16
"""The run of spades; those of the other suits follow."""


def family_of(place: Place) -> Family:
    """What kind of meld lies there."""
    return place & FAMILIES - 1


_FAMILY: Final = FAMILIES - 1


class _Placed(Protocol):
    @property
    def place(self) -> Place: ...


class AtPlace:
    """What lies at a `place`, or is laid there or moved from there."""

    __slots__ = ()

    @property
    def kind(self: _Placed) -> Family:
        """What kind of meld lies there: its rank, or another family."""
        return self.place & _FAMILY


def is_run(place: Place) -> bool:
    """Return whether a run lies there."""
    return bool(place & RUN)


def run_of(suit: Suit, number: int = 0) -> Place:
    """Return the place of a run of that suit."""
    return RUN + suit + FAMILIES * number


def natural_kind(place: Place) -> Kind | None:
    """Return the one kind of which a step counts its naturals at that place.

    None for runs, which hold several kinds, and for melds of wild cards and of twos, whose cards are counted as twos
    and jokers.
    """
    family = family_of(place)
    return family if family <= BLACK_THREE else None


def free_place(family: Family, taken: Container[Place]) -> Place:
    """Return the first place of a family at which nothing lies."""
    place = family
    while place in taken:
        place += FAMILIES
    return place
