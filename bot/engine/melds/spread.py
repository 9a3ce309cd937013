"""Spreads: a side's melds, arranged for the questions that every list of steps asks.

A spread follows from the melds. The state carries it along, because melds change far less often than they are asked
about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from bot.engine.cards.cards import ACE, NATURAL_KINDS, Kind, value
from bot.engine.cards.counts import LANE, Counts, Lanes, cards_between
from bot.engine.cards.places import FAMILIES, RUN, Family, Place
from bot.engine.melds.melds import TableMeld
from bot.engine.rules.rule_set import RuleSet

_NONE: Final[Mapping[Family, tuple[TableMeld, ...]]] = {}
_NO_RANKS: Final[frozenset[Kind]] = frozenset()


@value
class Spread:
    """The melds of a side by place, in the order in which they were begun.

    - `melded`: the set of their ranks; `families`: the melds by their family.
    - `canastas`: how many of them are canastas; `finished`: the ranks of which one is.
    - `plain` and `wild`: added to a hand's counts, they mark the ranks of which the hand could lay something, with
      naturals alone or with the help of a wild card.
    - `in_runs`: the cards of the runs, a bit each (`bot.engine.cards.counts`).
    - `unfinished`: how many cards of each rank lie in melds that are no canastas, wild cards with them.
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

    def joined(self, rules: RuleSet, meld: TableMeld) -> Spread:
        """Return the spread when that meld has been begun, or has taken the place of a smaller one."""
        place = meld.place
        family = place & FAMILIES - 1
        before = self.by_place.get(place)
        by_place = {**self.by_place, place: meld}
        canastas, melded, plain, wild = self.canastas, self.melded, self.plain, self.wild
        finished, in_runs, unfinished = self.finished, self.in_runs, self.unfinished
        if family >= RUN:
            in_runs |= cards_between(meld.cards[0], meld.cards[-1])
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
                others = ~(255 << 8 * family)  # one natural can be added there, and none is needed to add a wild card
                plain, wild = plain & others | 127 << 8 * family, wild & others | 128 << 8 * family
                melded |= LANE[family]
        elif before is None:
            lying = (*lying, meld)
        else:
            lying = (meld,) if len(lying) == 1 else tuple([meld if one is before else one for one in lying])
        families = {**self.families, family: lying}
        return Spread(by_place, melded, canastas, plain, wild, families, finished, in_runs, unfinished)


@cache
def _bare(meld_min: int, min_naturals: int) -> Spread:
    plain, wild = 128 - min(128, max(meld_min, min_naturals)), 128 - min(128, min_naturals)
    every = sum(1 << 8 * kind for kind in NATURAL_KINDS)
    return Spread({}, 0, 0, every * plain, every * wild, _NONE, _NO_RANKS, 0, 0)


def spread_of(rules: RuleSet, melds: Iterable[TableMeld]) -> Spread:
    """Return the spread of these melds."""
    spread = _bare(rules.meld_min, rules.min_naturals)
    for meld in melds:
        spread = spread.joined(rules, meld)
    return spread
