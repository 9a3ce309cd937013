"""Point sums: the most points that ranks come to together, by how many wild cards lie with them.

Ranks share nothing but the wild cards, as long as it does not matter how many cards stay in the hand. So of each the
dearest naturals for each number of wild cards are enough, and what a hand comes to is their sum, taken rank by rank.

Most ranks are even: they lay the same naturals whatever wild cards lie with them, up to so many. Of those only the
naturals and the room for wild cards add up, and where wild cards find room, the more are laid the better. Nearly all
others need help: a first wild card lets all their naturals lie, as it does of a pair. As many of those are laid as
there are wild cards, the dearest first. What is left is uneven, and tried number by number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from operator import add
from typing import Final, TypeAlias

from bot.engine.cards.cards import JOKER, TWO
from bot.engine.cards.values import value
from bot.engine.rules.rule_set import RuleSet

NEVER: Final = -(10**6)
"""Points of what cannot be laid: whatever is added, less than any minimum."""

Points: TypeAlias = tuple[int, ...]
"""By number of wild cards, the most points of the naturals that lie with exactly as many; empty where they never do."""


@value
class Own:
    """What one rank comes to, whatever is laid of it, and with what is `demanded` among it, where something is.

    `room` is for how many wild cards there is in an even one or in one that needs `help`, the first among them, and
    `demanded_room` with what is demanded; below zero where it is uneven, or never holds that. `worth` is what all its
    naturals count in an even one, `help` in one that needs it, and else both are zero.
    """

    points: Points
    demanded: Points
    room: int
    demanded_room: int
    worth: int
    help: int

    def leaves(self, after: Own, points: int) -> bool:
        """Whether an even rank still comes to the same, naturals of so many points being laid and `after` left."""
        if self.room < 0 or self.help or after.room < self.room or after.help:
            return False
        return after.worth + points == self.worth and after.demanded_room >= self.demanded_room


def own_of(points: Points, demanded: Points = ()) -> Own:
    """What a rank with these points comes to."""
    if demanded and max(demanded) <= NEVER:
        demanded = ()
    room, demanded_room = _room(points, points[0]), _room(demanded, points[0])
    if room is not None and demanded_room is not None:
        return Own(points, demanded, room, demanded_room, points[0], 0)
    if points[0] == 0 and len(points) > 1 and points[1] > 0 and not demanded:
        helped = _room(points[1:], points[1])
        if helped is not None:
            return Own(points, demanded, helped + 1, -1, 0, points[1])
    return Own(points, demanded, -1, -1, 0, 0)


def _room(points: Points, even: int) -> int | None:
    """Up to how many wild cards the points are those; None where they are others or missing between."""
    there = [worth > NEVER for worth in points]
    room = sum(there)
    even_so_far = all(there[:room]) and all(worth == even for worth in points[:room])
    return room - 1 if even_so_far and even > NEVER else None


@value
class Together:
    """What several ranks come to: the even ones by their naturals and their rooms, all others by their points.

    `demanded_room` is the room of the even ones where one of them holds what is demanded, below zero where none does.
    `helped` are what those that need help count, the dearest first, `helped_room` for how many wild cards they are.
    """

    worth: int
    room: int
    demanded_room: int
    helped: Points
    helped_room: int
    points: Points
    demanded: Points

    def joined(self, own: Own) -> Together:
        """The same with one rank more, of which at most as many wild cards are told as of these."""
        if own.room < 0:
            points, demanded = _both(self.points, self.demanded, own)
            return Together(self.worth, self.room, self.demanded_room, self.helped, self.helped_room, points, demanded)
        if own.help:
            helped = tuple(sorted((*self.helped, own.help), reverse=True))
            room = self.helped_room + own.room
            return Together(self.worth, self.room, self.demanded_room, helped, room, self.points, self.demanded)
        holding = self.demanded_room + own.room if self.demanded_room >= 0 else -1
        if own.demanded_room >= 0:
            holding = max(holding, self.room + own.demanded_room)
        return Together(
            self.worth + own.worth,
            self.room + own.room,
            holding,
            self.helped,
            self.helped_room,
            self.points,
            self.demanded,
        )

    def most(self, values: Points, *, demanding: bool) -> int:
        """The most points with wild cards of which the dearest come to these `values`, by how many are laid."""
        return self.worth + self._most(values, self.room, self.demanded_room if demanding else None)

    def most_with(self, own: Own, values: Points, *, demanding: bool) -> int:
        """The same with one rank more."""
        if own.room < 0 or own.help:
            return self.joined(own).most(values, demanding=demanding)
        room = self.room + own.room
        holding: int | None = None
        if demanding:
            holding = self.demanded_room + own.room if self.demanded_room >= 0 else -1
            if own.demanded_room >= 0 and self.room + own.demanded_room > holding:
                holding = self.room + own.demanded_room
        worth = self.worth + own.worth
        if self.points:
            return worth + self._most(values, room, holding)
        if holding == -1:
            return NEVER
        helped, every = self.helped, len(values) - 1
        most = (room if holding is None else holding) + self.helped_room
        if len(helped) >= every:
            return worth + sum(helped[:every]) + values[every]
        return worth + sum(helped) + (values[most] if most < every else values[every])

    def _most(self, values: Points, room: int, demanded_room: int | None) -> int:
        """The most points of those that are not even, where even ones have room for so many wild cards.

        What is demanded among them leaves less room, where something is.
        """
        if demanded_room is None:
            return self._best(self.points, values, room)
        best = self._best(self.points, values, demanded_room) if demanded_room >= 0 else NEVER
        return max(best, self._best(self.demanded, values, room)) if self.demanded else best

    def _best(self, points: Points, values: Points, room: int) -> int:
        """The same, as points of the uneven ones say."""
        every = len(values) - 1
        helped = self.helped
        room += self.helped_room
        if every < 0:
            return NEVER
        if not points or ((room >= every or len(helped) >= every) and max(points) == points[0]):
            # no wild card is missed in uneven ones
            even = points[0] if points else 0
            if len(helped) < every:
                return even + sum(helped) + values[min(every, room)]
            return even + sum(helped[:every]) + values[every]
        best = NEVER
        for used in range(min(len(points), every + 1)):
            left = every - used
            laid = every if len(helped) >= left else min(used + room, every)
            best = max(best, points[used] + sum(helped[:left]) + values[laid])
        return best


NO_RANK: Final = Together(0, 0, -1, (), 0, (), ())


def _both(points: Points, demanded: Points, own: Own) -> tuple[Points, Points]:
    """The points of uneven ranks with one more, and those with what is demanded."""
    if not points:
        return own.points, own.demanded
    with_demanded = _sums(own.points, demanded) if demanded else ()
    if own.demanded:
        of_own = _sums(own.demanded, points)
        with_demanded = tuple(map(max, of_own, with_demanded)) if with_demanded else of_own
    return _sums(own.points, points), with_demanded


def _sums(own: Points, others: Points) -> Points:
    """What a rank and others come to together, for as many wild cards as that rank tells of."""
    if len(own) == 1:
        return (own[0] + others[0],)
    return tuple([max(map(add, own, others[used::-1])) for used in range(len(own))])


_UNTOLD: Final = own_of((NEVER,))


class _Values(dict[tuple[int, int], Points]):
    """What the dearest of so many twos and jokers count together, by how many are laid."""

    def __init__(self, rules: RuleSet) -> None:
        self._values = rules.card_values

    def __missing__(self, key: tuple[int, int]) -> Points:
        twos, jokers = key
        dearest = sorted([self._values[TWO]] * twos + [self._values[JOKER]] * jokers, reverse=True)
        self[key] = tuple(accumulate(dearest, initial=0))
        return self[key]


_values_of = cache(_Values)


class PointSums:
    """The ranks of one hand that has so many twos and jokers, each by its name.

    What the even ranks come to but one is what all come to less that one; which of them holds what is demanded is
    the one that loses the least room by it.
    """

    def __init__(self, rules: RuleSet, twos: int, jokers: int, *, demanding: bool = False) -> None:
        self.twos = twos
        self.jokers = jokers
        self.demanding = demanding
        self._values = _values_of(rules)
        self._own: dict[int, Own] = {}
        self._worth = self._room = 0
        self._lost_room: dict[int, int] = {}
        self._helped: list[Own] = []
        self._dearest: tuple[Points, int] | None = None
        self._uneven: dict[int, Own] = {}
        self._but: dict[int | None, Together] = {}

    def add(self, rank: int, own: Own) -> None:
        """One rank more; all have to be there before anything is asked."""
        self._own[rank] = own
        if own.room < 0:
            self._uneven[rank] = own
        elif own.help:
            self._helped.append(own)
        else:
            self._worth += own.worth
            self._room += own.room
            if own.demanded_room >= 0:
                self._lost_room[rank] = own.room - own.demanded_room

    def own(self, rank: int) -> Own:
        """What that rank comes to."""
        return self._own.get(rank, _UNTOLD)

    def ranks(self) -> Iterable[int]:
        """The names of all."""
        return self._own

    def most(self) -> int:
        """The most points the hand can add; below zero where what is demanded cannot be among them."""
        return self.but(None).most(self._values[self.twos, self.jokers], demanding=self.demanding)

    def most_of(self, ranks: Together, twos: int = 0, jokers: int = 0, *, kept: int = 0) -> int:
        """The same of these ranks when so many of the twos and jokers are gone, and so many of the others are kept."""
        values = self._values[self.twos - twos, self.jokers - jokers]
        if kept:
            values = values[: max(0, len(values) - kept)]
        return ranks.most(values, demanding=self.demanding)

    def values_without(self, twos: int, jokers: int) -> Points:
        """What the dearest wild cards count when so many are gone, by how many are laid."""
        return self._values[self.twos - twos, self.jokers - jokers]

    def without_wilds(self, *, demanding: bool) -> int:
        """The most points of the naturals when no wild card is laid with them; far below zero as in `most`."""
        worth = sum([own.points[0] for own in self._own.values()])
        if not demanding:
            return worth
        return worth + max(
            [own.demanded[0] - own.points[0] for own in self._own.values() if own.demanded], default=NEVER
        )

    def surely(self, ranks: Iterable[int]) -> int:
        """What the ranks but those come to for certain, no wild card being laid with them."""
        every = self.but(None)
        left = NEVER if self.demanding and every.demanded_room < 0 else every.worth
        for rank in ranks:
            own = self._own.get(rank)
            if own is not None:
                left -= own.worth if own.demanded_room < 0 else -NEVER
        return left

    def surely_but(self, rank: int) -> int:
        """What all ranks but that one come to for certain, no wild card being laid with them."""
        others = self.but(rank)
        return NEVER if self.demanding and others.demanded_room < 0 else others.worth

    def but(self, rank: int | None) -> Together:
        """What all ranks but that one come to."""
        found = self._but.get(rank)
        if found is None:
            found = self._but[rank] = self._all_but(rank)
        return found

    def _all_but(self, rank: int | None) -> Together:
        worth, room, lost = self._worth, self._room, self._lost_room
        own = None if rank is None else self._own.get(rank)
        helped, helped_room = self._all_helped()
        if own is not None and own.help:
            place = helped.index(own.help)
            helped, helped_room = helped[:place] + helped[place + 1 :], helped_room - own.room
        elif own is not None and own.room >= 0:
            worth -= own.worth
            room -= own.room
            if rank in lost:
                lost = {other: less for other, less in lost.items() if other != rank}
        points: Points = ()
        demanded: Points = ()
        for other, one in self._uneven.items():
            if other != rank:
                points, demanded = _both(points, demanded, one)
        return Together(worth, room, room - min(lost.values()) if lost else -1, helped, helped_room, points, demanded)

    def _all_helped(self) -> tuple[Points, int]:
        """What the ranks that need help count, the dearest first, and their room."""
        if self._dearest is None:
            owns = self._helped
            self._dearest = tuple(sorted([own.help for own in owns], reverse=True)), sum([own.room for own in owns])
        return self._dearest

    def but_both(self, one: int, other: int) -> Together:
        """What all ranks but those two come to."""
        found = NO_RANK
        for rank, own in self._own.items():
            if rank not in (one, other):
                found = found.joined(own)
        return found
