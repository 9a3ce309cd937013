"""Opening sums: the most points that the families of a hand come to together (`bot.engine.point_sums`).

What all families but one come to serves every step that lays cards of that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import add
from typing import TypeAlias

from bot.engine.actions import Meld
from bot.engine.cards import ACE, NATURAL_KINDS
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family, Place
from bot.engine.point_sums import NEVER, Points, joined, nothing, worth_of_wilds
from bot.engine.rules import RuleSet
from bot.engine.variants.openings import Demand, Goal
from bot.engine.variants.parting import free_wilds, lying_of, meets_demand
from bot.engine.variants.standing import Standing
from bot.engine.variants.ways import Lying, ways_of

Sums: TypeAlias = tuple[Points, ...]
"""Those of whatever is laid, and where something is demanded, those with what is demanded among it."""


def tells(standing: Standing, goal: Goal) -> bool:
    """Whether sums tell what the goal takes: nothing but points, one meld demanded and free wild cards.

    Where some wild cards are bound, or twos are naturals at one place and wild at another, they have to be parted
    first (`bot.engine.variants.parting`).
    """
    if goal.groups or standing.limits is not None:
        return False
    kinds = standing.rules.meld_kinds
    return not goal.wilds or ("deuce" not in kinds and (standing.rules.wild_lock == "none" or not standing.locked()))


class OpeningSums:
    """The sums of one hand, as the side's melds lie, for one demand, with or without wild cards.

    `usable` is how many cards of the hand could be laid at all: where the others are as many as have to be kept, any
    of these may be laid together.
    """

    def __init__(self, standing: Standing, held: Sequence[int], demand: Demand, *, wilds: bool) -> None:
        rules = standing.rules
        self._standing = standing
        self._held = held
        self._twos, self._jokers = free_wilds(standing, held) if wilds else (0, 0)
        every = self._twos + self._jokers
        self._table = table = _table_of(rules, demand, opening=standing.opening)
        self._own: dict[Family, Sums] = {}
        self._but_one: dict[Family | None, Sums] = {}
        self._found: dict[tuple[Place, int, int, int], Points] = {}
        self._nothing: Sums = (nothing(every),) if demand == "none" else (nothing(every), (NEVER,) * (every + 1))
        self.usable = every
        families = standing.spread.families
        least = rules.min_naturals if every else max(rules.meld_min, rules.min_naturals)
        for kind in NATURAL_KINDS:
            count = held[kind]
            if kind in families or kind in standing.closed:
                if kind not in standing.closed:
                    self._own[kind] = table[kind, lying_of(standing, kind), count, every]
                    self.usable += count
                elif kind in families:
                    self._own[kind] = self._closed(kind, lying_of(standing, kind), every)
            elif count >= least:
                own = table[kind, (), count, every]
                if max(own[0]):
                    self._own[kind] = own
                    self.usable += count
        if WILD_MELD in families or (every and "wild" in rules.meld_kinds):
            self._own[WILD_MELD] = table[WILD_MELD, lying_of(standing, WILD_MELD), 0, every]
        if not wilds and "deuce" in rules.meld_kinds:
            count = free_wilds(standing, held)[0]
            self._own[DEUCE_MELD] = table[DEUCE_MELD, lying_of(standing, DEUCE_MELD), count, 0]
            self.usable += count

    def most(self) -> int:
        """The most points the hand can add; below zero where what is demanded cannot be among them."""
        return self._worth(self._others(None)[-1], self._twos, self._jokers)

    def reach_after(self, step: Meld, points: int) -> bool:
        """Whether after that step the rest of the hand can add so many points.

        Of a step that leaves wild cards bound (`tells`) it does not tell.
        """
        found = self._points_after(step, 0)
        if len(found) == 1:
            return found[0] >= points
        return self._worth(found, self._twos - step.twos, self._jokers - step.jokers) >= points

    def reach_keeping(self, step: Meld, points: int, spare: int) -> bool:
        """The same while so many cards less are laid than could be, which are wild cards or of the same family.

        Where this says no, others may be kept.
        """
        for wild in range(spare + 1):
            found = self._points_after(step, spare - wild)
            used = len(found) - wild
            if used > 0:
                worth = self._worth(found[:used], self._twos - step.twos, self._jokers - step.jokers)
                if worth >= points:
                    return True
        return False

    def _points_after(self, step: Meld, kept: int) -> Points:
        """What follows the step with what is demanded, so many naturals of its family being kept."""
        key = step.place, step.naturals, step.twos + step.jokers, kept
        found = self._found.get(key)
        if found is None:
            found = self._demanded_after(step, kept)
            self._found[key] = found
        return found

    def _demanded_after(self, step: Meld, kept: int) -> Points:
        family = step.kind
        every = self._twos + self._jokers
        if every:
            every -= step.twos + step.jokers
        count = 0 if family == WILD_MELD else self._held[family] - kept
        count -= step.twos if family == DEUCE_MELD else step.naturals
        lying, closes = self._after(family, step)
        if count < 0:
            return (NEVER,)
        own = self._closed(family, lying, every) if closes else self._table[family, lying, count, every]
        return _demanded(own, self._others(family))

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

    def _others(self, family: Family | None) -> Sums:
        """What all families but that one come to."""
        found = self._but_one.get(family)
        if found is None:
            found = self._nothing
            for other, own in self._own.items():
                if other != family:
                    found = _joined(own, found)
            self._but_one[family] = found
        return found

    def _closed(self, family: Family, lying: Lying, every: int) -> Sums:
        """Those of a family of which nothing may be laid any more: what lies there may still be what is demanded."""
        return tuple([(points[0], *(NEVER,) * every) for points in self._table[family, lying, 0, 0]])

    def _worth(self, points: Points, twos: int, jokers: int) -> int:
        """The most points with those of the wild cards, of so many twos and jokers the dearest."""
        most: int = max(map(add, points, worth_of_wilds(self._standing.rules, twos, jokers)))
        return most


def _joined(own: Sums, others: Sums) -> Sums:
    """What a family and others come to together; at most as many wild cards are there as that family tells of."""
    whatever = joined(own[0], others[0])
    if len(own) == 1:
        return (whatever,)
    return whatever, tuple(map(max, joined(own[1], others[0]), joined(own[0], others[1])))


def _demanded(own: Sums, others: Sums) -> Points:
    """The same, only with what is demanded among it."""
    if len(own) == 1:
        return joined(own[0], others[0])
    return tuple(map(max, joined(own[1], others[0]), joined(own[0], others[1])))


class _Table(dict[tuple[Family, Lying, int, int], Sums]):
    """The sums of single families, filled in as they are asked for.

    The key is the family, its melds that lie there, and how many naturals and wild cards there are to lay.
    """

    def __init__(self, rules: RuleSet, demand: Demand, *, opening: bool) -> None:
        self._rules = rules
        self._demand = demand
        self._opening = opening

    def __missing__(self, key: tuple[Family, Lying, int, int]) -> Sums:
        family, lying, naturals, wilds = key
        whatever, demanded = [NEVER] * (wilds + 1), [NEVER] * (wilds + 1)
        worth = 0 if family == WILD_MELD else self._rules.card_values[family]
        met = self._demand == "wild" and family == WILD_MELD and bool(lying)
        for way in ways_of(self._rules, family, lying, naturals, wilds, opening=self._opening):
            points = way.naturals * worth
            whatever[way.wilds] = max(whatever[way.wilds], points)
            if met or meets_demand(self._demand, family, way):
                demanded[way.wilds] = max(demanded[way.wilds], points)
        self[key] = (tuple(whatever),) if self._demand == "none" else (tuple(whatever), tuple(demanded))
        return self[key]


_table_of = cache(_Table)
