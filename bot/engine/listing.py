"""Listing by trial: the steps in play where the rules allow no short cut (`RuleSet.plain`).

Every step that the cards held allow is named, in the fixed order of `bot.engine.legal`, and asked about where it
could leave too few cards or the side has not opened.
"""

from __future__ import annotations

from functools import cache

from bot.engine.actions import Meld, Step, meld
from bot.engine.cards import BLACK_THREE, Kind
from bot.engine.counts import KINDS_OF, RANKS, WILD_SHIFT, black_threes
from bot.engine.layout_plan import LayoutPlan
from bot.engine.rules import RuleSet
from bot.engine.shapes import joins
from bot.engine.state import State
from bot.engine.verify import why_not_meld


def tried_melds(state: State) -> list[Step]:
    """The melds and additions that are legal, black threes last."""
    rules = state.rules
    side = state.side
    counts = state.packed[state.turn]
    spread = state.spreads[side]
    by_place = spread.by_place
    wilds = counts >> WILD_SHIFT << 8
    free = len(state.hands[state.turn]) - 2 if state.opened[side] and state.permission is None else 0
    ways_of = _ways_of(rules)
    steps: list[Step] = []
    plan = None if state.opened[side] or state.permission is True else LayoutPlan(state)
    kinds = KINDS_OF[(counts + spread.wild) & RANKS | spread.melded]
    for kind in () if plan is not None and plan.hopeless else kinds:
        lying = by_place.get(kind)
        there = 0 if lying is None else lying.wilds << 8 | lying.naturals
        largest, ways = ways_of[kind, there, wilds | counts >> 8 * kind & 127]
        if largest <= free:
            steps += ways
        elif plan is not None:
            told = [(step, plan.allows(step)) for step in ways]
            steps += [step for step, legal in told if (why_not_meld(state, step) is None if legal is None else legal)]
        else:
            steps += [step for step in ways if step.size <= free or why_not_meld(state, step) is None]
    blacks = black_threes(counts)
    if blacks > 2:
        laid = [meld(BLACK_THREE, count) for count in (3, 4) if blacks >= count]
        steps += [step for step in laid if why_not_meld(state, step) is None]
    return steps


class _Ways(dict[tuple[Kind, int, int], tuple[int, tuple[Meld, ...]]]):
    """The steps that lay cards of one rank, and the size of the largest, filled in as they are asked for.

    The key is the rank, how many naturals and wild cards of it lie there, and how many naturals, twos and jokers there
    are to lay, a byte each.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[Kind, int, int]) -> tuple[int, tuple[Meld, ...]]:
        kind, there, held = key
        before = there & 255, there >> 8
        shapes = _joining(self._rules, before, held & 255, (held >> 8 & 255) + (held >> 16))
        steps = tuple(
            [
                meld(kind, naturals, twos, jokers)
                for naturals in range((held & 255) + 1)
                for twos in range((held >> 8 & 255) + 1)
                for jokers in range((held >> 16) + 1)
                if (naturals, twos + jokers) in shapes
            ]
        )
        self[key] = max([step.size for step in steps], default=0), steps
        return self[key]


_ways_of = cache(_Ways)


@cache
def _joining(rules: RuleSet, before: tuple[int, int], naturals: int, wilds: int) -> frozenset[tuple[int, int]]:
    """How many naturals and wild cards of so many may be laid where `before` lie already."""
    return frozenset(
        [
            (natural, wild)
            for natural in range(naturals + 1)
            for wild in range(wilds + 1)
            if natural + wild and joins(rules, before, natural, wild)
        ]
    )
