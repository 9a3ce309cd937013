"""Places: the position of a meld on a side's table, which says what cards may join it.

A place is a family and a number. The families are the ranks four to ace and black threes, by their kind; twos melded as
a rank (`TWO`, where only jokers are wild); wild cards alone (`WILD_MELD`); and runs of each suit (`RUN` + suit). Where
a side may have several melds of a family (`same_rank_melds`), they are numbered in the order in which they began:
``family + FAMILIES * number``. So the place of a rank's only meld equals its kind.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Annotated, Final, Protocol, TypeAlias

from bot.engine.cards.cards import BLACK_THREE, JOKER, TWO, Kind, Suit

Place: TypeAlias = Annotated[int, "place"]
"""A family and the number of the meld in it."""

Family: TypeAlias = int
"""The sort of a meld: a rank, black threes, twos, wild cards, or runs of a suit."""

FAMILIES: Final = 32
"""The difference between the places of successive melds of a family."""

MOST_OF_A_FAMILY: Final = 64
"""The most melds of one family that a side could have: 127 cards of a kind, three per meld."""

WILD_MELD: Final[Family] = JOKER
"""Wild cards alone, twos and jokers mixed."""

DEUCE_MELD: Final[Family] = TWO
"""Twos as a rank; only jokers are wild there."""

RUN: Final[Family] = 16
"""A run of spades; the other suits follow."""


def family_of(place: Place) -> Family:
    """Return the family of the meld at a place: its rank, its sort of wild cards, or the suit of its runs."""
    return place & FAMILIES - 1


_FAMILY: Final = FAMILIES - 1


class _HasPlace(Protocol):
    @property
    def place(self) -> Place: ...


class AtPlace:
    """Base of classes with a `place`: melds, and actions and events that concern one."""

    __slots__ = ()

    @property
    def kind(self: _HasPlace) -> Family:
        """The family of the meld at the place: its rank, or another family."""
        return self.place & _FAMILY


def is_run(place: Place) -> bool:
    """Return whether the melds at this place are runs."""
    return bool(place & RUN)


def run_place(suit: Suit, number: int = 0) -> Place:
    """Return the place of a run of that suit."""
    return RUN + suit + FAMILIES * number


def natural_kind(place: Place) -> Kind | None:
    """Return the kind of the natural cards in a meld at that place; None if there is no single kind.

    Runs hold several kinds. In melds of wild cards and of twos the cards are counted as twos and jokers instead.
    """
    family = family_of(place)
    return family if family <= BLACK_THREE else None


def first_free_place(family: Family, taken: Container[Place]) -> Place:
    """Return the first place of a family that is not among the places `taken`."""
    place = family
    while place in taken:
        place += FAMILIES
    return place
