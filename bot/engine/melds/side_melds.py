"""Spreads: a side's melds, with precomputed answers for the questions of every list of steps.

A spread follows from the melds. The state carries it, because melds change far less often than they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from bot.engine.cards.cards import ACE, NATURAL_KINDS, Kind, value_class
from bot.engine.cards.meld_places import FAMILIES, RUN, Family, Place
from bot.engine.cards.packed_counts import LANE, Counts, Lanes, card_bits_between
from bot.engine.melds.table_meld import TableMeld
from bot.engine.rules.rule_set import RuleSet

_NONE: Final[Mapping[Family, tuple[TableMeld, ...]]] = {}
_NO_RANKS: Final[frozenset[Kind]] = frozenset()


@value_class
class Spread:
    """The melds of a side by place, in the order in which they began.

    - `melded`: the set of their ranks; `families`: the melds by family.
    - `canastas`: the number of canastas; `finished`: the ranks that have a canasta.
    - `plain` and `wild`: added to a hand's counts, they mark the ranks that the hand could lay, with naturals alone or
      with the help of a wild card.
    - `in_runs`: the cards of the runs, one bit each (`bot.engine.cards.packed_counts`).
    - `unfinished`: the number of cards, wild cards included, of each rank in melds that are not canastas.
    """

    by_place: Mapping[Place, TableMeld]
    melded: Lanes
    canastas: int
    plain: Counts
    wild: Counts
    families: Mapping[Family, tuple[TableMeld, ...]]
    finished: frozenset[Kind]
    in_runs: int
    unfinished: Counts

    def with_meld(self, rules: RuleSet, meld: TableMeld) -> Spread:
        """Return the spread after `meld` has begun or has replaced a smaller meld at its place."""
        place = meld.place
        family = place & FAMILIES - 1
        before = self.by_place.get(place)
        by_place = {**self.by_place, place: meld}
        canastas, melded, plain, wild = self.canastas, self.melded, self.plain, self.wild
        finished, in_runs, unfinished = self.finished, self.in_runs, self.unfinished
        if family >= RUN:
            in_runs |= card_bits_between(meld.cards[0], meld.cards[-1])
        size, smaller = len(meld.cards), 0 if before is None else len(before.cards)
        if smaller < rules.canasta_size:
            if size >= rules.canasta_size:
                canastas += 1
                size = 0
                if family <= ACE:
                    finished |= {family}
            if family <= ACE:
                unfinished += size - smaller << 8 * family
        lying = self.families.get(family)
        if lying is None:
            lying = (meld,)
            if family <= ACE:
                # the rank has a meld now: one natural can be added to it, and a wild card without any natural
                others = ~(255 << 8 * family)
                plain, wild = plain & others | 127 << 8 * family, wild & others | 128 << 8 * family
                melded |= LANE[family]
        elif before is None:
            lying = (*lying, meld)
        else:
            lying = (meld,) if len(lying) == 1 else tuple([meld if one is before else one for one in lying])
        families = {**self.families, family: lying}
        return Spread(by_place, melded, canastas, plain, wild, families, finished, in_runs, unfinished)


@cache
def _make_empty_spread(meld_min: int, min_naturals: int) -> Spread:
    plain, wild = 128 - min(128, max(meld_min, min_naturals)), 128 - min(128, min_naturals)
    every = sum(1 << 8 * kind for kind in NATURAL_KINDS)
    return Spread({}, 0, 0, every * plain, every * wild, _NONE, _NO_RANKS, 0, 0)


def spread_of(rules: RuleSet, melds: Iterable[TableMeld]) -> Spread:
    """Return these melds of a side as a spread, with its precomputed answers."""
    spread = _make_empty_spread(rules.meld_min, rules.min_naturals)
    for meld in melds:
        spread = spread.with_meld(rules, meld)
    return spread
