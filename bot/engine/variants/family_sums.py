"""Family sums: what laying all naturals of a family comes to, as numbers that add up over the families.

For going out it only matters how many wild cards each family takes and what canastas lie then. Both are written into
one number, so that families laid together come to the sum of theirs. Where it is enough to count canastas, a set of
such numbers is one integer with a bit for each (`BitsOf`); where their kinds matter too, it is a set (`LanesOf`). Each
family's numbers depend on little and are worked out once for a rule set.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Final

from bot.engine.cards import SEVEN
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.rules import RuleSet
from bot.engine.variants.openings import Demand
from bot.engine.variants.parting import meets_demand
from bot.engine.variants.regrouping import fit_together
from bot.engine.variants.ways import Lying, Way, ways_of

ROW: Final = 256
"""Bits from one number of canastas to the next: more wild cards than two hands hold."""

LANE_BITS: Final = 8
"""Bits of each count in a number of `LanesOf`: wild cards, then natural, mixed and wild canastas, then of sevens the
natural and the mixed ones, then how often a demand is met."""

Key = tuple[Family, Lying, int, int, bool, bool]
"""A family, its melds, the naturals to lay, the wild cards there are, whether the side opens in this turn, and whether
melds may be laid together before."""


def regrouped(rules: RuleSet, lying: Lying) -> Iterator[Lying]:
    """The melds of a rank as they lie, then every way in which laying unfinished ones together leaves them."""
    yield lying
    size = rules.canasta_size
    if rules.same_rank_melds != "many" or len(lying) < 2:
        return
    unfinished = [number for number, meld in enumerate(lying) if sum(meld) < size]
    for onto, moved in combinations(unfinished, 2):
        one, other = lying[onto], lying[moved]
        if fit_together(rules, one, other):
            both = one[0] + other[0], one[1] + other[1]
            yield from regrouped(rules, (*lying[:onto], both, *lying[onto + 1 : moved], *lying[moved + 1 :]))


def _finishing_ways(rules: RuleSet, key: Key, *, only_finished: bool = False) -> Iterator[Way]:
    """The ways that lay all the naturals and leave nothing that keeps a side from going out.

    With `only_finished` those alone that make another canasta of the family.
    """
    family, lying, naturals, wilds, opening, regrouping = key
    for melds in regrouped(rules, lying) if regrouping and family != WILD_MELD else (lying,):
        before = sum(1 for natural, wild in melds if natural + wild >= rules.canasta_size)
        for way in ways_of(rules, family, melds, naturals, wilds, opening=opening):
            if way.naturals != naturals or way.unfinished:
                continue
            if not only_finished or way.natural_canastas + way.mixed_canastas + way.wild_canastas > before:
                yield way


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


class BitsOf(dict[Key, tuple[int, ...]]):
    """By family and what is laid of it: the numbers, filled in as they are asked for.

    A number is that of the wild cards, and `ROW` for each canasta more than lie there, if they are counted at all. Of
    those with as many wild cards only the one with most canastas is kept.
    """

    def __init__(self, rules: RuleSet, *, counted: bool, only_finished: bool) -> None:
        self._rules = rules
        self._counted = counted
        self._only_finished = only_finished

    def __missing__(self, key: Key) -> tuple[int, ...]:
        rules = self._rules
        family = key[0]
        before = counting(rules, family, key[1])
        most: dict[int, int] = {}
        for way in _finishing_ways(rules, key, only_finished=self._only_finished):
            more = 0
            if self._counted:
                more = _counting(rules, family, way.natural_canastas, way.mixed_canastas, way.wild_canastas) - before
            most[way.wilds] = max(more, most.get(way.wilds, more))
        self[key] = tuple([wilds + ROW * more for wilds, more in sorted(most.items())])
        return self[key]


class LanesOf(dict[Key, tuple[int, ...]]):
    """The same with all canastas of the family by their kind, and whether a demand is met.

    Of those with as many wild cards the ones are left out to which another is equal or better in everything.
    """

    def __init__(self, rules: RuleSet, *, demand: Demand, only_finished: bool) -> None:
        self._rules = rules
        self._demand = demand
        self._only_finished = only_finished

    def __missing__(self, key: Key) -> tuple[int, ...]:
        family = key[0]
        found = {
            (way.wilds, *_lanes(family, way), int(meets_demand(self._demand, family, way)))
            for way in _finishing_ways(self._rules, key, only_finished=self._only_finished)
        }
        best = [one for one in found if not any(_is_better(other, one) for other in found)]
        self[key] = tuple(sorted([pack_lanes(one) for one in best]))
        return self[key]


def _lanes(family: Family, way: Way) -> tuple[int, int, int, int, int]:
    if family == DEUCE_MELD:
        return 0, 0, way.natural_canastas + way.mixed_canastas, 0, 0
    pure, mixed = way.natural_canastas, way.mixed_canastas
    return (pure, mixed, way.wild_canastas, *((pure, mixed) if family == SEVEN else (0, 0)))


def _is_better(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether it takes as many wild cards and is nowhere less."""
    return one != other and one[0] == other[0] and all(mine >= its for mine, its in zip(one, other, strict=True))


def pack_lanes(counts: tuple[int, ...]) -> int:
    """Counts in one number, the first lowest."""
    return sum([count << LANE_BITS * place for place, count in enumerate(counts)])


bits_of = cache(BitsOf)
lanes_of = cache(LanesOf)
