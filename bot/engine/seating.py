"""Seating: who plays in a deal, in which order and with whom.

Every person of a game has one seat, numbered from 0, for the whole of it, and shares one score with its side. Which
seats take part is settled deal by deal: where a trio has only two places, one rests (`rules/classic.md 2.3, 2.4`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from bot.engine.values import value

Teams = Literal["solo", "2x2", "3x2", "2x3", "2v3", "3v3"]
"""Each alone, two pairs, three pairs, two trios that all play; a pair against a trio and two trios, of which each time
two of the trio play and one rests."""

_SIDES: Final[dict[str, int]] = {"2x2": 2, "3x2": 3, "2x3": 2, "2v3": 2, "3v3": 2}

_ROTATING: Final = frozenset({"2v3", "3v3"})


def sides_of(teams: str, players: int) -> int:
    """How many sides play; each has a score of its own."""
    return _SIDES.get(teams, players)


@value
class Seating:
    """Who plays for whom in one deal.

    `seats` are those that play, in playing order. By seat: `side_by_seat`, `partner_by_seat` (in a trio the next of
    them to play, None where one plays alone) and `next_seat` in playing order.
    """

    seats: tuple[int, ...]
    side_by_seat: tuple[int, ...]
    partner_by_seat: tuple[int | None, ...]
    next_seat: tuple[int, ...]

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats that play for a side, in playing order."""
        return tuple([seat for seat in self.seats if self.side_by_seat[seat] == side])

    def from_left_of(self, seat: int) -> tuple[int, ...]:
        """Those who play in playing order, beginning with the next after that seat, who comes last."""
        place = self.seats.index(seat) + 1
        return self.seats[place:] + self.seats[:place]


@lru_cache(maxsize=256)
def seating_of(teams: str, players: int, deal: int) -> Seating:
    """The seating a deal begins with; equal questions get one shared object.

    The sides sit in turn, so that pairs are seats 0 and 2 against 1 and 3.
    """
    sides = sides_of(teams, players)
    side_by_seat = tuple([seat % sides for seat in range(players)])
    playing = [_playing(teams, list(range(side, players, sides)), deal) for side in range(sides)]
    seats = tuple([seats[place] for place in range(max(map(len, playing))) for seats in playing])
    following = dict(zip(seats, seats[1:] + seats[:1], strict=True))
    partners = {
        seat: partner
        for side in playing
        for seat, partner in zip(side, side[1:] + side[:1], strict=True)
        if seat != partner
    }
    return Seating(
        seats=seats,
        side_by_seat=side_by_seat,
        partner_by_seat=tuple([partners.get(seat) for seat in range(players)]),
        next_seat=tuple([following.get(seat, seats[0]) for seat in range(players)]),
    )


def _playing(teams: str, seats: list[int], deal: int) -> list[int]:
    """Those of a side who play: of a trio that takes turns the last rests first, then the middle, then the first."""
    if teams not in _ROTATING or len(seats) < 3:
        return seats
    resting = seats[2 - (deal - 1) % 3]
    return [seat for seat in seats if seat != resting]
