"""Layout sums: the most points a hand can add where only sets of one rank lie, but no short cut tells which.

What all ranks but one come to serves every step that lays cards of that one (`bot.engine.point_sums`).
"""

from __future__ import annotations

from functools import cache
from operator import add

from bot.engine.actions import Meld
from bot.engine.cards import JOKER, TWO, Kind
from bot.engine.counts import KINDS_OF, RANKS, Counts, tally
from bot.engine.point_sums import NEVER, Points, joined, nothing, worth_of_wilds
from bot.engine.rules import RuleSet
from bot.engine.shapes import joins
from bot.engine.spread import Spread


class LayoutSums:
    """The sums of one hand, as the side's melds lie.

    `usable` is how many cards of the hand could be laid at all: where the others are as many as have to be kept, any
    of these may be laid together.
    """

    def __init__(self, rules: RuleSet, counts: Counts, spread: Spread) -> None:
        self._rules = rules
        self._spread = spread
        self._held = held = tally(counts)
        self._every = every = held[TWO] + held[JOKER]
        self._table = table = _table_of(rules)
        self._own: dict[Kind, Points] = {}
        self._but_one: dict[Kind | None, Points] = {}
        self.usable = every
        by_place = spread.by_place
        for kind in KINDS_OF[(counts + spread.wild) & RANKS | spread.melded]:
            meld = by_place.get(kind)
            own = table[kind, (0, 0) if meld is None else (meld.naturals, meld.wilds), held[kind], every]
            if meld is not None or max(own):
                self._own[kind] = own
                self.usable += held[kind]

    def most(self) -> int:
        """The most points the hand can add."""
        return self._worth(self._others(None), self._held[TWO], self._held[JOKER])

    def reach_after(self, step: Meld, points: int) -> bool:
        """Whether after that step the rest of the hand can add so many points."""
        others = self._others(step.kind)
        if others[0] >= points:
            return True
        kind = step.kind
        meld = self._spread.by_place.get(kind)
        natural, wild = step.naturals, step.twos + step.jokers
        if meld is not None:
            natural, wild = natural + meld.naturals, wild + meld.wilds
        held = self._held
        every = self._every - step.twos - step.jokers
        own = self._table[kind, (natural, wild), held[kind] - step.naturals, every]
        return self._worth(joined(own, others), held[TWO] - step.twos, held[JOKER] - step.jokers) >= points

    def _others(self, kind: Kind | None) -> Points:
        """What all ranks but that one come to."""
        found = self._but_one.get(kind)
        if found is None:
            found = nothing(self._every)
            for other, own in self._own.items():
                if other != kind:
                    found = joined(own, found)
            self._but_one[kind] = found
        return found

    def _worth(self, sums: Points, twos: int, jokers: int) -> int:
        """The most points with those of so many twos and jokers, the dearest."""
        most: int = max(map(add, sums, worth_of_wilds(self._rules, twos, jokers)))
        return most


class _Table(dict[tuple[Kind, tuple[int, int], int, int], Points]):
    """The points of single ranks, filled in as they are asked for.

    The key is the rank, the naturals and wild cards that lie there, and how many there are to lay.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[Kind, tuple[int, int], int, int]) -> Points:
        kind, before, naturals, wilds = key
        most = [0] + [NEVER] * wilds
        for natural in range(naturals + 1):
            for wild in range(wilds + 1):
                if natural + wild and joins(self._rules, before, natural, wild):
                    most[wild] = max(most[wild], natural * self._rules.card_values[kind])
        self[key] = tuple(most)
        return self[key]


_table_of = cache(_Table)
