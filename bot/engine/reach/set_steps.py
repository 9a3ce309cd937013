"""Set steps: every way to put cards on a meld that is not a run, or to begin one.

Whether the turn can still end legally afterwards is checked elsewhere. The ways depend only on the place, the cards
there, the cards available, and whether the side opens in this turn. So each list is computed once, by trying every
number of cards (`bot.engine.reach.refusals_of_set_melds`), and cached.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, TypeAlias

from bot.engine.cards.cards import JOKER, TWO, Kind
from bot.engine.cards.meld_places import DEUCE_MELD, FAMILIES, Family, Place, family_of
from bot.engine.cards.packed_counts import WILD_SHIFT, Counts
from bot.engine.melds.side_melds import spread_of
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.actions import Meld, meld_step
from bot.engine.reach.refusals_of_set_melds import why_not_join
from bot.engine.reach.turn_outlook import Standing
from bot.engine.reach.ways_to_meld import family_with_same_ways
from bot.engine.rules.rule_set import RuleSet

There: TypeAlias = int
"""The numbers of naturals and wild cards in a meld, one byte each."""

Held: TypeAlias = int
"""The numbers of naturals, twos and jokers available, one byte each."""

Shapes: TypeAlias = tuple[int, ...]
"""By the number of naturals, from 0: the allowed numbers of wild cards, one bit per number."""

SetKey: TypeAlias = int
"""A place, the meld there and the cards available, in one number.

The meld begins at bit `LYING` (zero for a new one), the cards at bit `HELD`.
"""

LYING: Final = 11
HELD: Final = 27
_PLACES: Final = (1 << LYING) - 1
_LYING: Final = (1 << HELD - LYING) - 1

_TWOS: Final[Held] = 127 << 8
_JOKERS: Final[Held] = 127 << 16


def meldable_wilds_of(standing: Standing, counts: Counts) -> Held:
    """Return the twos and jokers of a hand that may be melded at all."""
    wilds = counts >> WILD_SHIFT << 8 & (_TWOS | _JOKERS)
    return _without_kinds(wilds, standing.closed) if wilds and standing.closed else wilds


def wilds_for_sets(standing: Standing, wilds: Held) -> Held:
    """Return those of the wild cards that may join melds of ranks.

    An unfinished meld may bind the others (`wild_lock`).
    """
    if not wilds or standing.rules.wild_lock == "none":
        return wilds
    return _without_kinds(wilds, standing.locked_wild_kinds())


def usable_wilds(rules: RuleSet, wilds: Held) -> Held:
    """Return the wild cards, but of each kind at most as many as a meld takes.

    Return all if canastas take any number.
    """
    most = rules.max_wilds
    if wilds >> 16 > most and rules.wild_on_canasta != "free":
        wilds = wilds & _TWOS | most << 16
    if wilds >> 8 & 127 > most and rules.wild_on_canasta != "free":
        wilds = wilds & _JOKERS | most << 8
    return wilds


def _without_kinds(wilds: Held, kinds: frozenset[Kind]) -> Held:
    if TWO in kinds:
        wilds &= ~_TWOS
    return wilds & ~_JOKERS if JOKER in kinds else wilds


class SetStepsCache(dict[SetKey, tuple[int, tuple[Meld, ...], Shapes]]):
    """Cache of the ways to put cards on a place, by the place, the cards there and the cards held.

    An entry has the size of the largest step, all the steps, and their shapes.
    """

    def __init__(self, rules: RuleSet, *, opening: bool) -> None:
        self._rules = rules
        self._opening = opening

    def __missing__(self, key: SetKey) -> tuple[int, tuple[Meld, ...], Shapes]:
        place, lying, held = key & _PLACES, key >> LYING & _LYING, key >> HELD
        family = family_of(place)
        naturals, twos, jokers = held & 255, held >> 8 & 255, held >> 16
        deuces = family == DEUCE_MELD
        most = (twos, jokers) if deuces else (naturals, twos + jokers)
        shapes = _numbers_that_may_join_meld(
            self._rules,
            family_with_same_ways(self._rules, family),
            lying,
            (most[0] | _ROUNDING_BITS, most[1] | _ROUNDING_BITS),
            opening=self._opening,
        )
        steps = tuple(
            [
                meld_step(place, natural, two, joker)
                for natural in range(naturals + 1)
                for two in range(twos + 1)
                for joker in range(jokers + 1)
                if (shapes[two] >> joker if deuces else shapes[natural] >> two + joker) & 1
            ]
        )
        self[key] = max([step.size for step in steps], default=0), steps, shapes
        return self[key]


set_steps = cache(SetStepsCache)


def is_possible_addition(standing: Standing, counts: Counts, step: Meld) -> bool:
    """Return whether a hand holds the cards of a step and they may go to its place.

    Whether the turn can still end legally afterwards is not checked.
    """
    family = step.place & FAMILIES - 1
    naturals, twos, jokers = step.naturals, step.twos, step.jokers
    wilds = 0
    if twos or jokers:
        wilds = wilds_for_sets(standing, meldable_wilds_of(standing, counts))
        if not (0 <= twos <= wilds >> 8 & 127 and 0 <= jokers <= wilds >> 16):
            return False
        wilds = usable_wilds(standing.rules, wilds)
    held = counts >> 8 * family & 127
    return 0 <= naturals <= held and _may_join_place(standing, step.place, wilds | held, naturals, twos + jokers)


def _may_join_place(standing: Standing, place: Place, held: Held, naturals: int, wilds: int) -> bool:
    """Return whether these naturals and wild cards may go to that place.

    `held` must count at least these cards.
    """
    family = place & FAMILIES - 1
    if family in standing.closed:
        return False
    lying = standing.spread.by_place.get(place)
    there = 0
    if lying is not None:
        there = lying.wilds << 8 | lying.naturals
    elif place != standing.new_place(family) or not standing.may_begin_meld(family):
        return False
    _, _, shapes = set_steps(standing.rules, opening=standing.opening)[place | there << LYING | held << HELD]
    return bool(shapes[naturals] >> wilds & 1)


_ROUNDING_BITS: Final = 7
"""The low bits that are set to round numbers of cards up, so that one cached list serves several numbers."""


@lru_cache(maxsize=1 << 14)
def _numbers_that_may_join_meld(
    rules: RuleSet, family: Family, lying: There, most: tuple[int, int], *, opening: bool
) -> Shapes:
    """Return which numbers of naturals and wild cards may join a meld, or begin one.

    `lying` is the meld, `most` the numbers of naturals and wild cards available.
    """
    lie = lying & 255, lying >> 8
    melds = [TableMeld(family, *lie, (0,) * sum(lie))] if lying else []
    standing = Standing(rules, spread_of(rules, melds), frozenset(), opening, None)
    return tuple([_bits_of_wilds_that_may_join(standing, family, natural, most[1]) for natural in range(most[0] + 1)])


def _bits_of_wilds_that_may_join(standing: Standing, family: Family, natural: int, wilds: int) -> int:
    row = 0
    for wild in range(wilds + 1):
        cards = (0, natural, wild) if family == DEUCE_MELD else (natural, wild, 0)
        if natural + wild and why_not_join(standing, family, *cards) is None:
            row |= 1 << wild
    return row
