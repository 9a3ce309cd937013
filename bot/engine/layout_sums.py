"""Layout sums: the most points a hand can add where only sets of one rank lie, but no short cut tells which.

What all ranks but one come to serves every step that lays cards of that one (`bot.engine.point_sums`).
"""

from __future__ import annotations

from functools import cache

from bot.engine.actions import Meld
from bot.engine.cards import JOKER, TWO, Kind
from bot.engine.counts import KINDS_OF, RANKS, Counts, tally
from bot.engine.point_sums import NEVER, Own, PointSums, Together, own_of
from bot.engine.rules import RuleSet
from bot.engine.shapes import joins
from bot.engine.spread import Spread


class LayoutSums:
    """The sums of one hand, as the side's melds lie.

    `usable` is how many cards of the hand could be laid at all: where the others are as many as have to be kept, any
    of these may be laid together.
    """

    def __init__(self, rules: RuleSet, counts: Counts, spread: Spread) -> None:
        self._spread = spread
        self._held = held = tally(counts)
        self._sums = PointSums(rules, held[TWO], held[JOKER])
        self._table = table = _table_of(rules)
        self._found: dict[tuple[Kind, int, int], Together] = {}
        self.usable = every = held[TWO] + held[JOKER]
        by_place = spread.by_place
        for kind in KINDS_OF[(counts + spread.wild) & RANKS | spread.melded]:
            meld = by_place.get(kind)
            own = table[kind, (0, 0) if meld is None else (meld.naturals, meld.wilds), held[kind], every]
            if meld is not None or max(own.points):
                self._sums.add(kind, own)
                self.usable += held[kind]

    def most(self) -> int:
        """The most points the hand can add."""
        return self._sums.most()

    def reach_after(self, step: Meld, points: int) -> bool:
        """Whether after that step the rest of the hand can add so many points."""
        if self._sums.most_of(self._sums.but(step.place), step.twos, step.jokers) >= points:
            return True
        key = step.place, step.naturals, step.size
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._after(step.place, step.naturals, step.twos + step.jokers)
        return self._sums.most_of(found, step.twos, step.jokers) >= points

    def _after(self, kind: Kind, naturals: int, wilds: int) -> Together:
        """What the ranks come to when so many cards of one have been laid."""
        meld = self._spread.by_place.get(kind)
        lying = (naturals, wilds) if meld is None else (naturals + meld.naturals, wilds + meld.wilds)
        every = self._held[TWO] + self._held[JOKER] - wilds
        return self._sums.but(kind).joined(self._table[kind, lying, self._held[kind] - naturals, every])


class _Table(dict[tuple[Kind, tuple[int, int], int, int], Own]):
    """The points of single ranks, filled in as they are asked for.

    The key is the rank, the naturals and wild cards that lie there, and how many there are to lay.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[Kind, tuple[int, int], int, int]) -> Own:
        kind, before, naturals, wilds = key
        most = [0] + [NEVER] * wilds
        for natural in range(naturals + 1):
            for wild in range(wilds + 1):
                if natural + wild and joins(self._rules, before, natural, wild):
                    most[wild] = max(most[wild], natural * self._rules.card_values[kind])
        self[key] = own_of(tuple(most))
        return self[key]


_table_of = cache(_Table)
