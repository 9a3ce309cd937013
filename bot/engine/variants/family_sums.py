"""Family sums: what laying all naturals of a family comes to, as numbers that add up over the families.

For going out it only matters how many wild cards each family takes and what canastas lie then. Both are written into
one number, so that families laid together come to the sum of theirs. Where it is enough to count canastas, a set of
such numbers is one integer with a bit for each (`BitsOf`); where their kinds matter too, it is a set (`LanesOf`). Each
family's numbers depend on little and are worked out once for a rule set.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from bot.engine.bit_sums import CANASTA
from bot.engine.cards import ACE, FOUR, NATURAL_KINDS, SEVEN, Kind
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.rules import RuleSet
from bot.engine.shapes import joins
from bot.engine.unfinished import keeps_in
from bot.engine.variants.openings import Demand, is_demanded, may_open_with
from bot.engine.variants.ways import Lying, regrouped, takes_wilds, ways_of

LANE_BITS: Final = 8
"""Bits of each count in a number of `LanesOf`: wild cards, then natural, mixed and wild canastas, then of sevens the
natural and the mixed ones, then how often a demand is met."""

_CANASTAS: Final = 64
"""Above these bits of what melds are worth is how many of them are canastas."""

_WORTH: Final = (1 << _CANASTAS) - 1

Key = tuple[Family, Lying, int, int, bool, bool]
"""A family, its melds, the naturals to lay, the wild cards there are, whether the side opens in this turn, and whether
melds may be laid together before."""


def counting(rules: RuleSet, family: Family, lying: Lying) -> int:
    """How many melds of a family that is no run are canastas that count for going out."""
    size = rules.canasta_size
    if not rules.out_excludes:
        return sum([natural + wild >= size for natural, wild in lying])
    pure = sum([natural >= size and not wild for natural, wild in lying])
    mixed = sum([natural + wild >= size and wild > 0 for natural, wild in lying])
    return _counting(rules, family, pure, mixed, mixed if family == WILD_MELD else 0)


def _counting(rules: RuleSet, family: Family, pure: int, mixed: int, wild: int) -> int:
    excludes = rules.out_excludes
    if family in (WILD_MELD, DEUCE_MELD):
        all_wild = wild if family == WILD_MELD else pure + mixed
        return 0 if "wild" in excludes else all_wild
    return pure * ("natural" not in excludes) + mixed * ("mixed" not in excludes)


class FamilySums(ABC, dict[Key, tuple[int, ...]]):
    """By family and what is laid of it: its numbers, filled in as they are asked for."""

    alike: tuple[Kind, ...]
    """By rank, which one stands for it in the keys."""
    counted = True
    """Whether canastas matter at all."""
    counts_more = False
    """Whether canastas that lie there already are left out."""

    def __init__(self, rules: RuleSet, *, only_finished: bool) -> None:
        self.rules = rules
        self.alike = _alike_kinds(rules)
        self._only_finished = only_finished
        self._worth: dict[tuple[Family, int, int], int] = {}

    @abstractmethod
    def worth_of(self, family: Family, natural: int, wild: int) -> int:
        """What such a meld adds to the number of its family."""

    @abstractmethod
    def best_of(self, found: set[tuple[int, int]]) -> Iterable[int]:
        """The numbers worth keeping: `found` are pairs of wild cards and what the melds add."""

    def __missing__(self, key: Key) -> tuple[int, ...]:
        alike = _alike(self.rules, key, counted=self.counted)
        if alike == key:
            already = CANASTA * counting(self.rules, key[0], key[1]) if self.counts_more else 0
            self[key] = tuple(sorted([number - already for number in self.best_of(set(self._found(key)))]))
        else:
            self[key] = self[alike]
        return self[key]

    def _found(self, key: Key) -> Iterator[tuple[int, int]]:
        """With how many wild cards all the naturals can be laid so that nothing keeps a side from going out.

        With what the melds are worth then; only where another canasta is made, if just those are wanted.
        """
        family, lying, naturals, wilds, opening, regrouping = key
        rules = self.rules
        for spent, melds in self._regrouped(family, lying, wilds, opening=opening) if regrouping else [(0, lying)]:
            before = sum(natural + wild >= rules.canasta_size for natural, wild in melds)
            for used, worth in self._laid(family, melds, naturals, wilds - spent, opening=opening):
                if not self._only_finished or worth >> _CANASTAS > before:
                    yield spent + used, worth & _WORTH

    def _regrouped(self, family: Family, lying: Lying, wilds: int, *, opening: bool) -> Iterator[tuple[int, Lying]]:
        """Every way in which laying melds together leaves them, wild cards perhaps joining one of them before.

        That matters where wild cards do not join every finished canasta: with how many are spent so.
        """
        rules = self.rules
        yield from [(0, melds) for melds in regrouped(rules, lying)]
        late = rules.wild_on_canasta == "never" or rules.wild_reclaim != "none"
        for spent in range(1, min(wilds, rules.max_wilds) + 1 if late else 1):
            for number, meld in enumerate(lying):
                grown = _grown_of(rules)[family, meld, 0, spent, opening]
                if grown is not None:
                    joined = (*lying[:number], grown, *lying[number + 1 :])
                    yield from [(spent, melds) for melds in regrouped(rules, joined) if melds != joined]

    def _laid(
        self, family: Family, lying: Lying, naturals: int, wilds: int, *, opening: bool
    ) -> Iterable[tuple[int, int]]:
        if family == WILD_MELD:
            return self._laid_alone(lying, wilds)
        rules = self.rules
        melds = _Melds(self, family, opening=opening)
        # (naturals laid, wild cards laid, unfinished melds, what they are worth)
        reached = {(0, 0, 0, 0)}
        for meld in lying:
            reached = melds.added(reached, meld, naturals, wilds)
        if rules.same_rank_melds != "one":
            more = reached
            while more:
                more = melds.added(more, None, naturals, wilds) - reached
                reached |= more
        elif not lying:
            reached |= melds.added(reached, None, naturals, wilds)
        return [(used, worth) for laid, used, _, worth in reached if laid == naturals]

    def _laid_alone(self, lying: Lying, wilds: int) -> list[tuple[int, int]]:
        ways = ways_of(self.rules, WILD_MELD, lying, 0, wilds, opening=False)
        canasta = self.meld_worth(WILD_MELD, 0, self.rules.canasta_size)
        one = self.meld_worth(WILD_MELD, 0, self.rules.meld_min)
        return [
            (way.wilds, canasta * way.wild_canastas or one * (way.wilds > 0 or bool(lying)))
            for way in ways
            if not way.unfinished
        ]

    def meld_worth(self, family: Family, natural: int, wild: int) -> int:
        """What such a meld is worth, and a canasta more above it if it is one."""
        key = family, natural, wild
        if key not in self._worth:
            canasta = natural + wild >= self.rules.canasta_size
            self._worth[key] = self.worth_of(family, natural, wild) + (canasta << _CANASTAS)
        return self._worth[key]


_Laid = set[tuple[int, int, int, int]]


class _Melds:
    """The melds of one rank, laid one after another."""

    def __init__(self, sums: FamilySums, family: Family, *, opening: bool) -> None:
        self._sums = sums
        self._rules = sums.rules
        self._family = family
        self._opening = opening
        self._most_unfinished = 1 if sums.rules.same_rank_melds == "after_close" else 127

    def added(self, reached: _Laid, meld: tuple[int, int] | None, naturals: int, wilds: int) -> _Laid:
        """What is reached when cards have joined that meld, or a new one has been begun, in every way there is."""
        found: _Laid = set()
        before = meld or (0, 0)
        ways = [
            (more, wild, natural_and_wild)
            for more in range(naturals + 1)
            for wild in range(wilds + 1)
            if (natural_and_wild := self._grown(before, more, wild)) is not None
        ]
        size = self._rules.canasta_size
        for more, wild, (natural, wild_lies) in ways:
            unfinished = natural + wild_lies < size
            worth = self._sums.meld_worth(self._family, natural, wild_lies)
            found |= {
                (laid + more, used + wild, small + unfinished, points + worth)
                for laid, used, small, points in reached
                if laid + more <= naturals and used + wild <= wilds and small + unfinished <= self._most_unfinished
            }
        return found

    def _grown(self, before: tuple[int, int], more: int, wild: int) -> tuple[int, int] | None:
        """How the meld lies when so many cards have joined it; None where they may not, or it keeps a side in."""
        key = self._family, before, more, wild, self._opening
        return _grown_of(self._rules)[key]


class _Grown(dict[tuple[Family, tuple[int, int], int, int, bool], tuple[int, int] | None]):
    """What becomes of a meld that cards join, filled in as it is asked for."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[Family, tuple[int, int], int, int, bool]) -> tuple[int, int] | None:
        self[key] = self._of(key)
        return self[key]

    def _of(self, key: tuple[Family, tuple[int, int], int, int, bool]) -> tuple[int, int] | None:
        family, before, more, wild, opening = key
        rules = self._rules
        natural, wilds = before[0] + more, before[1] + wild
        if (more or wild or not sum(before)) and not joins(rules, before, more, wild):
            return None
        if wild and not takes_wilds(rules, family, natural, opening=opening):
            return None
        if opening and not may_open_with(rules, family, natural, wilds):
            return None
        return None if keeps_in(rules, family, natural, wilds) else (natural, wilds)


_grown_of = cache(_Grown)


def _alike(rules: RuleSet, key: Key, *, counted: bool) -> Key:
    """The key that stands for all with the same numbers."""
    family, lying, naturals, wilds, opening, regrouping = key
    if family == WILD_MELD:
        return key
    if not counted and _joins_freely(rules):
        # Naturals join any meld, and wild cards as there is room: laying melds together only takes room away.
        regrouping = False
        rooms = sorted([_room(rules, meld) for meld in lying])
        lying = tuple(
            [(rules.min_naturals, rules.max_wilds - room) for room in [one for one in rooms if one] or rooms[:1]]
        )
    else:
        lying = tuple(sorted([_smallest_alike(rules, meld) for meld in lying]))
    if rules.wild_on_canasta != "free":
        room = sum([max(0, rules.max_wilds - wild) for _, wild in lying])
        if not lying or rules.same_rank_melds != "one":
            room += rules.max_wilds * (naturals // max(1, rules.min_naturals))
        wilds = min(wilds, room)
    return family, lying, naturals, wilds, opening, regrouping and len(lying) > 1


@cache
def _joins_freely(rules: RuleSet) -> bool:
    """Whether nothing bounds a meld but how many wild cards it may have, and that a canasta may take none any more."""
    bounded = rules.meld_max is not None or rules.wild_ratio != "none" or rules.wild_gate or rules.out_clean
    bounded = bounded or rules.wild_reclaim != "none"
    matters = rules.same_rank_melds == "after_close" or rules.wild_on_canasta == "free" or rules.opening_matters
    smallest = rules.meld_min <= rules.min_naturals + 1 and rules.min_naturals + rules.max_wilds <= rules.canasta_size
    return smallest and not (bounded or matters)


def _room(rules: RuleSet, meld: tuple[int, int]) -> int:
    """How many wild cards a meld takes more where `_joins_freely`."""
    natural, wild = meld
    room = rules.max_wilds - wild
    if rules.wild_on_canasta == "never":
        room = min(room, rules.canasta_size - natural - wild)
    return max(0, room)


@cache
def _alike_kinds(rules: RuleSet) -> tuple[Kind, ...]:
    """By rank, the first one of which rules make no other exceptions."""
    needs_sevens = any(kind == "7" for kind, _ in rules.out_need)
    exceptions = rules.no_wild_ranks or rules.open_wild_ranks or rules.out_clean or needs_sevens
    apart = {SEVEN, ACE} if exceptions else set()
    return tuple([kind if kind in apart else FOUR for kind in NATURAL_KINDS])


def _smallest_alike(rules: RuleSet, meld: tuple[int, int]) -> tuple[int, int]:
    """How many naturals a canasta has does not matter beyond those that make it one, if nothing bounds it by them."""
    natural, wild = meld
    beyond = natural + wild - rules.canasta_size
    bounded = rules.meld_max is not None or rules.wild_ratio != "none" or rules.wild_reclaim != "none"
    if beyond <= 0 or bounded or rules.wild_gate:
        return meld
    return max(natural - beyond, rules.min_naturals), wild


class BitsOf(FamilySums):
    """Where canastas are counted only, if at all.

    A number is that of the wild cards, and `CANASTA` for each canasta more than lie there. Of those with as many wild
    cards only the one with most canastas is kept.
    """

    def __init__(self, rules: RuleSet, *, counted: bool, only_finished: bool) -> None:
        super().__init__(rules, only_finished=only_finished)
        self.counted = self.counts_more = counted

    def worth_of(self, family: Family, natural: int, wild: int) -> int:
        """One for a canasta that counts."""
        return counting(self.rules, family, ((natural, wild),)) if self.counts_more else 0

    def best_of(self, found: set[tuple[int, int]]) -> Iterable[int]:
        """For each number of wild cards that with most canastas."""
        most: dict[int, int] = {}
        for wilds, canastas in found:
            most[wilds] = max(canastas, most.get(wilds, 0))
        return [wilds + CANASTA * canastas for wilds, canastas in most.items()]


class LanesOf(FamilySums):
    """Where the kinds of canastas matter, or something is demanded.

    Of those with as many wild cards the ones are left out to which another is equal or better in everything.
    """

    def __init__(self, rules: RuleSet, *, demand: Demand, only_finished: bool) -> None:
        super().__init__(rules, only_finished=only_finished)
        self._demand = demand

    def worth_of(self, family: Family, natural: int, wild: int) -> int:
        """A canasta of its kind, and whether the meld is what is demanded."""
        met = is_demanded(self.rules, self._demand, family, natural, wild) if self._demand != "none" else False
        lanes = (0,) * 5
        if natural + wild >= self.rules.canasta_size:
            pure, mixed = int(not wild), int(wild > 0)
            lanes = (pure, mixed, 0, *((pure, mixed) if family == SEVEN else (0, 0)))
            if family in (DEUCE_MELD, WILD_MELD):
                lanes = (0, 0, 1, 0, 0)
        return pack_lanes((0, *lanes, int(met)))

    def best_of(self, found: set[tuple[int, int]]) -> Iterable[int]:
        """Those to which none is better."""
        every = {worth + wilds for wilds, worth in found}
        return [one for one in every if not any(_is_better(other, one) for other in every)]


def _is_better(one: int, other: int) -> bool:
    """Whether it takes as many wild cards and is nowhere less."""
    lane = (1 << LANE_BITS) - 1
    if one == other or one & lane != other & lane:
        return False
    return all(one >> LANE_BITS * at & lane >= other >> LANE_BITS * at & lane for at in range(1, 7))


def pack_lanes(counts: tuple[int, ...]) -> int:
    """Counts in one number, the first lowest."""
    return sum([count << LANE_BITS * place for place, count in enumerate(counts)])


bits_of = cache(BitsOf)
lanes_of = cache(LanesOf)
