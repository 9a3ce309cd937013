"""Point sums: the most points that ranks come to together, by how many wild cards lie with them.

Ranks share nothing but the wild cards, as long as it does not matter how many cards stay in the hand. So of each the
dearest naturals for each number of wild cards are enough, and what a hand comes to is their sum, taken rank by rank.
Most ranks are even: they lay the same naturals whatever wild cards lie with them, up to so many. Of those only the
naturals and the room for wild cards add up, and where wild cards find room, the more are laid the better.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from operator import add
from typing import Final, TypeAlias

from bot.engine.cards import JOKER, TWO
from bot.engine.rules import RuleSet
from bot.engine.values import value

NEVER: Final = -(10**6)
"""Points of what cannot be laid: whatever is added, less than any minimum."""

Points: TypeAlias = tuple[int, ...]
"""By number of wild cards, the most points of the naturals that lie with exactly as many; empty where none is told."""


@value
class Own:
    """What one rank comes to, whatever is laid of it, and with what is `demanded` among it, where something is.

    `room` is for how many wild cards there is in an even one, and `demanded_room` with what is demanded; below zero
    where it is not even, or never holds that.
    """

    points: Points
    demanded: Points
    room: int
    demanded_room: int


def own_of(points: Points, demanded: Points = ()) -> Own:
    """What a rank with these points comes to."""
    room, demanded_room = _room(points, points[0]), _room(demanded, points[0])
    if room is None or demanded_room is None:
        return Own(points, demanded, -1, -1)
    return Own(points, demanded, room, demanded_room)


def _room(points: Points, even: int) -> int | None:
    """Up to how many wild cards the points are those; None where they are others or missing between."""
    there = [worth > NEVER for worth in points]
    room = sum(there)
    even_so_far = all(there[:room]) and all(worth == even for worth in points[:room])
    return room - 1 if even_so_far and even > NEVER else None


@value
class Together:
    """What several ranks come to: the even ones by their naturals and their rooms, all others by their points."""

    worth: int
    room: int
    demanded_room: int
    points: Points
    demanded: Points

    def joined(self, own: Own) -> Together:
        """The same with one rank more, of which at most as many wild cards are told as of these."""
        if own.room < 0:
            return self._with_uneven(own)
        holding = self.demanded_room + own.room if self.demanded_room >= 0 else -1
        if own.demanded_room >= 0:
            holding = max(holding, self.room + own.demanded_room)
        return Together(self.worth + own.points[0], self.room + own.room, holding, self.points, self.demanded)

    def _with_uneven(self, own: Own) -> Together:
        points, demanded = own.points, own.demanded
        if self.points:
            if demanded:
                demanded = tuple(map(max, _sums(demanded, self.points), _sums(points, self.demanded)))
            points = _sums(points, self.points)
        return Together(self.worth, self.room, self.demanded_room, points, demanded)

    def surely(self, *, demanding: bool) -> int:
        """The points of the even ones alone, which need no wild card; far below zero where what is demanded lacks."""
        return NEVER if demanding and self.demanded_room < 0 else self.worth

    def most(self, rules: RuleSet, twos: int, jokers: int, *, kept: int = 0, demanding: bool = False) -> int:
        """The most points with those of so many twos and jokers, of which at least so many are kept."""
        if not demanding:
            return self.worth + self._best(self.points, _values(rules, twos, jokers, self.room, kept))
        best = NEVER
        if self.demanded:
            best = self._best(self.demanded, _values(rules, twos, jokers, self.room, kept))
        if self.demanded_room >= 0:
            best = max(best, self._best(self.points, _values(rules, twos, jokers, self.demanded_room, kept)))
        return self.worth + best

    @staticmethod
    def _best(points: Points, values: Points) -> int:
        if not points or not values:
            return values[0] if values else NEVER
        best: int = max(map(add, points, values))
        return best


NO_RANK: Final = Together(0, 0, -1, (), ())


def _sums(own: Points, others: Points) -> Points:
    """What a rank and others come to together, for as many wild cards as that rank tells of."""
    if len(own) == 1:
        return (own[0] + others[0],)
    return tuple([max(map(add, own, others[used::-1])) for used in range(len(own))])


@cache
def _values(rules: RuleSet, twos: int, jokers: int, room: int, kept: int) -> Points:
    """By how many wild cards lie in other ranks, what all count that lie then: in even ones as many as find room.

    The dearest are laid first, and of all so many are kept.
    """
    values = rules.card_values
    dearest = sorted([values[TWO]] * twos + [values[JOKER]] * jokers, reverse=True)
    worth = [*accumulate(dearest, initial=0)]
    most = len(worth) - kept
    return tuple([worth[min(used + room, most - 1)] for used in range(most)])


class PointSums:
    """The ranks of one hand that has so many twos and jokers, each by its name."""

    def __init__(self, rules: RuleSet, twos: int, jokers: int, *, demanding: bool = False) -> None:
        self.twos = twos
        self.jokers = jokers
        self._rules = rules
        self._demanding = demanding
        self._own: dict[int, Own] = {}
        self._but: dict[int | None, Together] = {}
        self._uneven: dict[int | None, Together] = {}

    def add(self, rank: int, own: Own) -> None:
        """One rank more; all have to be there before anything is asked."""
        self._own[rank] = own

    def ranks(self) -> Iterable[int]:
        """The names of all."""
        return self._own

    def most(self) -> int:
        """The most points the hand can add; below zero where what is demanded cannot be among them."""
        return self.most_of(self.but(None))

    def most_of(self, ranks: Together, twos: int = 0, jokers: int = 0, *, kept: int = 0) -> int:
        """The same of these ranks when so many of the twos and jokers are gone, and so many of the others are kept."""
        left = self.twos - twos, self.jokers - jokers
        return ranks.most(self._rules, *left, kept=kept, demanding=self._demanding)

    def surely(self, ranks: Iterable[int]) -> int:
        """What the ranks but those come to for certain, no wild card being laid with them."""
        left = self.but(None).surely(demanding=self._demanding)
        for rank in ranks:
            own = self._own.get(rank)
            if own is not None and own.room >= 0:
                left -= own.points[0] if own.demanded_room < 0 else -NEVER
        return left

    def surely_but(self, rank: int) -> int:
        """What all ranks but that one come to for certain, no wild card being laid with them."""
        return self.but(rank).surely(demanding=self._demanding)

    def but(self, rank: int | None) -> Together:
        """What all ranks but that one come to."""
        found = self._but.get(rank)
        if found is None:
            found = self._uneven_but(rank)
            for other, own in self._own.items():
                if other != rank and own.room >= 0:
                    found = found.joined(own)
            self._but[rank] = found
        return found

    def but_both(self, one: int, other: int) -> Together:
        """What all ranks but those two come to."""
        found = NO_RANK
        for rank, own in self._own.items():
            if rank not in (one, other):
                found = found.joined(own)
        return found

    def _uneven_but(self, rank: int | None) -> Together:
        """What the ranks that are not even come to but that one, if it is one of them."""
        if rank is not None and (rank not in self._own or self._own[rank].room >= 0):
            return self._uneven_but(None)
        found = self._uneven.get(rank)
        if found is None:
            found = NO_RANK
            for other, own in self._own.items():
                if other != rank and own.room < 0:
                    found = found.joined(own)
            self._uneven[rank] = found
        return found
