"""The suits of a deal's cards and each side's runs, in forms that have runs.

They are kept beside the counts by kind.
"""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.form import RANKS

CARDS: Final = RANKS * 4
"""The cards from four to ace, which make runs; a card's number is its rank times four plus its suit."""

RUN: Final = 16
"""The kind of a laying that is a run of spades; the other suits follow."""

NONE: Final = -1
"""Stands for the ends of a run that the side does not have."""


class Suits:
    """The suits of hands, stock and pile, and the runs and closed melds of the sides.

    - `hands`, `known`: the number of each card, `CARDS` numbers a seat.
    - `stock`, `pile`: the suits of the world's cards in the same order.
    - `lows`, `highs`: the ends of each side's unfinished run of a suit, four numbers a side; a side has at most one of
      each suit.
    - `finished`: the number of each side's finished runs.
    - `closed`: the points of these, and of sets beside which another of their rank has begun.
    """

    hands: list[int]
    known: list[int]
    stock: list[int]
    pile: list[int]
    lows: list[int]
    highs: list[int]
    finished: list[int]
    closed: list[int]

    def __init__(self, seats: int, sides: int) -> None:
        self.hands = [0] * (seats * CARDS)
        self.known = [0] * (seats * CARDS)
        self.stock = []
        self.pile = []
        self.lows = [NONE] * (sides * 4)
        self.highs = [NONE] * (sides * 4)
        self.finished = [0] * sides
        self.closed = [0] * sides


def copy_suits(suits: Suits) -> Suits:
    """Return an independent copy of the suits; only the stock's suits are shared."""
    other = Suits(0, 0)
    other.hands = suits.hands[:]
    other.known = suits.known[:]
    other.stock = suits.stock
    other.pile = suits.pile[:]
    other.lows = suits.lows[:]
    other.highs = suits.highs[:]
    other.finished = suits.finished[:]
    other.closed = suits.closed[:]
    return other


def points_of_runs(suits: Suits, side: int, values: list[int]) -> int:
    """Return the points of a side's unfinished runs and closed melds, given the values of the kinds."""
    points = suits.closed[side]
    for place in range(side * 4, side * 4 + 4):
        low = suits.lows[place]
        if low != NONE:
            for kind in range(low, suits.highs[place] + 1):
                points += values[kind]
    return points


def has_runs_on_table(suits: Suits, side: int) -> bool:
    """Return whether a side has a run, or a closed meld."""
    return suits.closed[side] > 0 or any(suits.lows[place] != NONE for place in range(side * 4, side * 4 + 4))
