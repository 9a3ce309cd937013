"""Opening sums: the most points that the families of a hand come to together (`bot.engine.reach.point_sums`).

What all families but one come to serves every step that lays cards of that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Final, TypeAlias

from bot.engine.cards.cards import ACE, FOUR, JOKER, RANK_LETTERS, TWO, Kind
from bot.engine.cards.counts import KINDS_OF, RANKS
from bot.engine.cards.places import DEUCE_MELD, FAMILIES, WILD_MELD, Family, Place
from bot.engine.moves.actions import Meld
from bot.engine.reach.openings import Demand, Goal
from bot.engine.reach.parting import free_wilds, lying_of, meets_demand
from bot.engine.reach.point_sums import NEVER, Own, PointSums, Together, own_of
from bot.engine.reach.shortcuts import SWITCHED_OFF
from bot.engine.reach.standing import Standing
from bot.engine.reach.ways import Lying, ways_of
from bot.engine.rules.rule_set import RuleSet


def tells(standing: Standing, goal: Goal) -> bool:
    """Whether sums tell what the goal takes: nothing but points, one meld demanded and free wild cards.

    Where some wild cards are bound, they tell the most that it could be if they were free.
    """
    return adds_up(standing, goal) and (not goal.wilds or standing.rules.wild_lock == "none" or not standing.locked())


def adds_up(standing: Standing, goal: Goal) -> bool:
    """Whether the goal takes nothing but points and one meld demanded, and twos are the same wherever they lie.

    Otherwise what may lie has to be parted first (`bot.engine.reach.parting`).
    """
    if "sums" in SWITCHED_OFF or goal.groups or standing.limits is not None:
        return False
    return not goal.wilds or "deuce" not in standing.rules.meld_kinds


class OpeningSums:
    """The sums of one hand, as the side's melds lie, for one demand, with or without wild cards.

    `usable` is how many cards of the hand could be laid at all: where the others are as many as have to be kept, any
    of these may be laid together.
    """

    def __init__(self, standing: Standing, held: Sequence[int], demand: Demand, *, wilds: bool) -> None:
        rules = standing.rules
        self._standing = standing
        self._held = held
        twos, jokers = free_wilds(standing, held) if wilds else (0, 0)
        self._sums = PointSums(rules, twos, jokers, demanding=demand != "none")
        self._table = _table_of(rules, demand, opening=standing.opening)
        self._found: dict[tuple[Place, int, int, int], Together] = {}
        self._asked: dict[Family, _Asked] = {}
        self._every = self.usable = twos + jokers
        self._add_ranks()
        families = standing.spread.families
        if WILD_MELD in families or (self._every >= rules.meld_min and "wild" in rules.meld_kinds):
            asked = self._asked[WILD_MELD] = WILD_MELD, lying_of(standing, WILD_MELD), 0, self._every
            self._sums.add(WILD_MELD, self._table[asked])
        if not wilds and "deuce" in rules.meld_kinds:
            count = free_wilds(standing, held)[0]
            self._sums.add(DEUCE_MELD, self._table[DEUCE_MELD, lying_of(standing, DEUCE_MELD), count, 0])
            self.usable += count

    def _add_ranks(self) -> None:
        held, every, table, closed = self._held, self._every, self._table, self._standing.closed
        spread = self._standing.spread
        families = spread.families
        counts = int.from_bytes(held, "little")
        for kind in KINDS_OF[(counts + (spread.wild if every else spread.plain)) & RANKS | spread.melded]:
            melds = families.get(kind)
            if kind in closed:
                if melds is not None:
                    self._sums.add(kind, self._closed(kind, lying_of(self._standing, kind), every))
                continue
            count = held[kind]
            lying = () if melds is None else tuple([(meld.naturals, meld.wilds) for meld in melds])
            asked = kind, lying, count, every
            own = table[asked]
            if lying or own.worth or own.help or max(own.points):
                self._sums.add(kind, own)
                self.usable += count
                self._asked[kind] = asked

    def most(self) -> int:
        """The most points the hand can add; below zero where what is demanded cannot be among them."""
        return self._sums.most()

    def without_wilds(self, *, demanding: bool) -> int:
        """The same of the naturals alone; what is demanded does not matter where one is not `demanding`."""
        return self._sums.without_wilds(demanding=demanding)

    def reach_after(self, step: Meld, points: int) -> bool:
        """Whether after that step the rest of the hand can add so many points.

        Of a step that leaves wild cards bound (`tells`) it does not tell.
        """
        sums = self._sums
        if sums.most_of(sums.but(step.kind), step.twos, step.jokers) >= points:
            return True
        return sums.most_of(self._ranks_after(step, 0), step.twos, step.jokers) >= points

    def reach_after_each(self, steps: Iterable[Meld], points: int, *, kept: int = 0) -> list[bool]:
        """For each of the steps whether they and the rest of the hand can add so many points, told as `reach_after`.

        As it is, the hand can. Of the wild cards so many are `kept`.
        """
        answers: list[bool] = []
        for place, some in groupby(steps, _place_of):
            answers += self._reach_after_each(place, some, points, kept)
        return answers

    def _reach_after_each(self, place: Place, steps: Iterable[Meld], points: int, kept: int) -> list[bool]:
        """The same of steps that lay cards at one place."""
        sums, values = self._sums, self._standing.rules.card_values
        family = place & FAMILIES - 1
        worth, two, joker = values[family] if family <= ACE else 0, values[TWO], values[JOKER]
        surely, others, owns = sums.surely_but(family), sums.but(family), self._owns_after(place)
        whole = sums.own(family)
        answers: list[bool] = []
        for step in steps:
            naturals, twos, jokers = step.naturals, step.twos, step.jokers
            lacking = points - naturals * worth - twos * two - jokers * joker
            if surely >= lacking and not kept:
                answers.append(True)
                continue
            taken = naturals << 16 | twos << 8 | jokers
            own = owns.get(taken)
            if own is None:
                own = owns[taken] = self._own_after(step, 0)
            if not (twos or jokers or kept) and whole.leaves(own, naturals * worth):
                answers.append(True)
                continue
            left = sums.values_without(twos, jokers)
            if kept:
                left = left[: max(0, len(left) - kept)]
            answers.append(bool(left) and others.most_with(own, left, demanding=sums.demanding) >= lacking)
        return answers

    def _owns_after(self, place: Place) -> dict[int, Own]:
        """What the family of that place comes to by what a step takes of it, as far as that has been asked before."""
        family = place & FAMILIES - 1
        asked = self._asked.get(family)
        lying = self._standing.spread.families.get(family, ())
        if asked is None or len(lying) > 1 or (lying and lying[0].place != place):
            return {}
        return self._table.after(asked)

    def surely_reach_without(self, kinds: Iterable[Kind], points: int) -> bool:
        """Whether the ranks but those come to so many points for certain."""
        return self._sums.surely(kinds) >= points

    def reach_keeping(self, step: Meld, points: int, spare: int) -> bool:
        """The same while so many cards less are laid than could be, which are wild cards or of the same family.

        Where this says no, others may be kept.
        """
        return any(
            self._sums.most_of(self._ranks_after(step, spare - wild), step.twos, step.jokers, kept=wild) >= points
            for wild in range(spare + 1)
        )

    def reach_dropping(self, step: Meld, points: int, spare: int) -> bool:
        """The same while the naturals of another rank are kept that could be laid, which are so many or more."""
        own = self._own_after(step, 0)
        closed = self._standing.closed
        return any(
            self._sums.most_of(self._sums.but_both(step.kind, other).joined(own), step.twos, step.jokers) >= points
            for other in self._sums.ranks()
            if other <= ACE and other != step.kind and other not in closed and self._held[other] >= spare
        )

    def _ranks_after(self, step: Meld, kept: int) -> Together:
        """What the families come to when the step has been taken, so many naturals of its own being kept."""
        key = step.place, step.twos if step.place & FAMILIES - 1 == DEUCE_MELD else step.naturals, step.size, kept
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._sums.but(step.kind).joined(self._own_after(step, kept))
        return found

    def _own_after(self, step: Meld, kept: int) -> Own:
        family = step.kind
        if family == WILD_MELD and kept:
            return _NONE  # it has no naturals to keep
        every = self._every - step.twos - step.jokers if self._every else 0
        count = 0 if family == WILD_MELD else self._held[family] - kept
        count -= step.twos if family == DEUCE_MELD else step.naturals
        if count < 0:
            return _NONE
        lying, closes = self._after(family, step)
        return self._closed(family, lying, every) if closes else self._table[family, lying, count, every]

    def _after(self, family: Family, step: Meld) -> tuple[Lying, bool]:
        """The melds of the family when the step has been taken, and whether nothing may be laid of it any more."""
        rules = self._standing.rules
        size = step.size
        natural = step.twos if family == DEUCE_MELD else step.naturals
        lying = self._standing.spread.families.get(family)
        if lying is None:
            melds: Lying = ((natural, size - natural),)
        else:
            joined = [meld.place == step.place for meld in lying]
            melds = tuple(
                [
                    (meld.naturals + natural, meld.wilds + size - natural) if here else (meld.naturals, meld.wilds)
                    for meld, here in zip(lying, joined, strict=True)
                ]
            )
            if True not in joined:
                melds = (*melds, (natural, size - natural))
            else:
                size += lying[joined.index(True)].size
        return melds, rules.dead_ranks and family <= ACE and size >= rules.canasta_size

    def _closed(self, family: Family, lying: Lying, every: int) -> Own:
        """What a family comes to of which nothing may be laid: what lies there may still be what is demanded."""
        own = self._table[family, lying, 0, 0]
        more = (NEVER,) * every
        return own_of(own.points + more, own.demanded + more if own.demanded else ())


_NONE: Final = own_of((NEVER,))

_place_of: Final = attrgetter("place")


_Asked: TypeAlias = tuple[Family, Lying, int, int]
"""A family, its melds that lie there, and how many naturals and wild cards there are to lay."""


class _Table(dict[_Asked, Own]):
    """What single families come to, filled in as they are asked for."""

    def __init__(self, rules: RuleSet, demand: Demand, *, opening: bool) -> None:
        self._rules = rules
        self._demand = demand
        self._opening = opening
        self._after: dict[_Asked, dict[int, Own]] = {}

    def after(self, asked: _Asked) -> dict[int, Own]:
        """The same once a step has joined its only meld, or begun one: by naturals, twos and jokers, a byte each."""
        found = self._after.get(asked)
        if found is None:
            found = self._after[asked] = {}
        return found

    def __missing__(self, key: _Asked) -> Own:
        family, lying, naturals, wilds = key
        whatever, demanded = [NEVER] * (wilds + 1), [NEVER] * (wilds + 1)
        worth = 0 if family == WILD_MELD else self._rules.card_values[family]
        met = self._demand == "wild" and family == WILD_MELD and bool(lying)
        for way in ways_of(self._rules, _alike(self._rules, family), lying, naturals, wilds, opening=self._opening):
            points = way.naturals * worth
            whatever[way.wilds] = max(whatever[way.wilds], points)
            if met or meets_demand(self._demand, family, way):
                demanded[way.wilds] = max(demanded[way.wilds], points)
        self[key] = own_of(tuple(whatever), () if self._demand == "none" else tuple(demanded))
        return self[key]


def _alike(rules: RuleSet, family: Family) -> Family:
    """A family that is laid in the same ways: ranks differ only where wild cards are kept from some."""
    if family > ACE or RANK_LETTERS[family] in rules.no_wild_ranks | rules.open_wild_ranks:
        return family
    return FOUR


_table_of = cache(_Table)
