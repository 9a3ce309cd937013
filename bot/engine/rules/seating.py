"""Seating: the seats that play in a deal, their order, and their partners.

Every person in a game has one seat for the whole game, numbered from 0. Seats share a score if their numbers have the
same remainder when divided by the number of scores. The seats that play are decided deal by deal, since one of some
trios rests. In cut-throat the deal itself decides who plays with whom.

Decides `docs/law/classic.md 1.2, 2.2, 2.3, 2.4`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final, Literal

from bot.engine.cards.cards import value_class

Teams = Literal["solo", "2x2", "3x2", "2x3", "2v3", "3v3", "cut-throat"]
"""The ways to divide the players of a table into sides.

In `solo` each plays alone. `2x2` is two pairs, `3x2` three pairs, `2x3` two trios that all play. `2v3` is a pair and a
trio, `3v3` two trios; one of each trio rests in every deal. In `cut-throat` the first of three players to pick up the
pile plays alone against the others.
"""

CUT_THROAT: Final = "cut-throat"

_SCORES_BY_TEAMS: Final[dict[str, int]] = {"2x2": 2, "3x2": 3, "2x3": 2, "2v3": 2, "3v3": 2}
_ROTATING: Final = frozenset({"2v3", "3v3"})
_PLAYING_IN_TRIO: Final = 2
"""The number of players of a side in a deal in which one of each trio rests."""


PLAYERS_BY_TEAMS: Final[dict[Teams, Sequence[int]]] = {
    "solo": range(2, 7),
    "2x2": (4,),
    "3x2": (6,),
    "2x3": (6,),
    "2v3": (5,),
    "3v3": (6,),
    "cut-throat": (3,),
}
"""The numbers of players for each division into sides."""


def number_of_scores(teams: str, players: int) -> int:
    """Return the number of scores: one per side, but in cut-throat one per player."""
    return _SCORES_BY_TEAMS.get(teams, players)


@value_class
class Seating:
    """The seats that play in one deal, and the sides they play for.

    `seats` holds the seats that play, in playing order; `sides` is the number of sides. Indexed by seat:
    `side_by_seat`, including seats that rest; `partner_by_seat`, in a trio its next player, None for a player alone;
    `next_seat` in playing order.
    """

    seats: tuple[int, ...]
    sides: int
    side_by_seat: tuple[int, ...]
    partner_by_seat: tuple[int | None, ...]
    next_seat: tuple[int, ...]

    def seats_of(self, side: int) -> tuple[int, ...]:
        """Return the seats that play for a side, in playing order."""
        return tuple([seat for seat in self.seats if self.side_by_seat[seat] == side])

    def place_of(self, seat: int) -> int:
        """Return the index of the seat in the playing order. Raises `ValueError` for a seat that rests."""
        return self.seats.index(seat)

    def seats_after(self, seat: int) -> tuple[int, ...]:
        """Return the seats that play, in playing order after `seat`, which comes last."""
        place = self.place_of(seat) + 1
        return self.seats[place:] + self.seats[:place]


@lru_cache(maxsize=256)
def seating_of(teams: str, players: int, deal: int, alone: int | None = None) -> Seating:
    """Return the seating of a deal, a shared object for equal arguments.

    The sides sit alternately, so that pairs are seats 0 and 2 against 1 and 3. `alone` is the seat that plays alone in
    cut-throat, once known; then the sides are numbered in the order of their first seats.
    """
    scores = number_of_scores(teams, players)
    sides = [list(range(score, players, scores)) for score in range(scores)]
    if alone is not None:
        sides = sorted([[alone], [seat for seat in range(players) if seat != alone]])
    playing = [_playing_seats(teams, side, deal) for side in sides]
    seats = tuple(range(players)) if alone is not None else _alternate_sides(playing)
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    following = dict(zip(seats, seats[1:] + seats[:1], strict=True))
    partners = {
        seat: partner
        for side in playing
        for seat, partner in zip(side, side[1:] + side[:1], strict=True)
        if seat != partner
    }
    return Seating(
        seats=seats,
        sides=len(sides),
        side_by_seat=tuple([side_of[seat] for seat in range(players)]),
        partner_by_seat=tuple([partners.get(seat) for seat in range(players)]),
        next_seat=tuple([following.get(seat, seats[0]) for seat in range(players)]),
    )


def _playing_seats(teams: str, side: list[int], deal: int) -> list[int]:
    """Return the seats of a side that play.

    In a trio that takes turns the last seat rests first, then the middle one, then the first.
    """
    if teams not in _ROTATING or len(side) <= _PLAYING_IN_TRIO:
        return side
    resting = side[-1 - (deal - 1) % len(side)]
    return [seat for seat in side if seat != resting]


def _alternate_sides(sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the seats in playing order, such that the sides alternate.

    Sides of different size, which no table plays, run out at different times.
    """
    return tuple([seat for seats in zip_longest(*sides) for seat in seats if seat is not None])
