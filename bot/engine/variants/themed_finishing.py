"""Finishing where a theme asks something of it: what themes count is carried along, and each way to lay is tried.

It answers as `bot.engine.variants.finishing` does, which asks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Final

from bot.engine.canastas import Tally, meets
from bot.engine.cards import JOKER, NATURAL_KINDS, SEVEN, TWO, Card, Kind, counts_of
from bot.engine.counts import tally
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.variants.freeing import freed
from bot.engine.variants.leaving import may_be_left
from bot.engine.variants.openings import Goal
from bot.engine.variants.parting import (
    WildDeal,
    families_for,
    free_wilds,
    meets_demand,
    sought_of,
    ways_to_lay,
    wild_deals,
)
from bot.engine.variants.run_plans import RunPlan, left_by, run_plans
from bot.engine.variants.sought import MET, Sought, demand_met
from bot.engine.variants.standing import Standing
from bot.engine.variants.ways import Way


def can_finish(standing: Standing, hand: Sequence[Card], goals: Sequence[Goal] = (Goal(0),), *, spare: int = 1) -> bool:
    """Whether the hand can be laid down but for at most `spare` cards, with the canastas going out needs.

    Where the last card has to be discarded and one may be left, exactly one has to be. One of the goals is reached.
    """
    held = counts_of(hand)
    left = may_be_left(standing, held, spare=spare)
    if any(_all_laid(standing, hand, held, kind, goals) for kind in left):
        return True
    return any(
        can_finish(after, rest, [goal.less(points) for goal in goals], spare=spare)
        for after, rest, points in freed(standing, tuple(hand))
    )


def _all_laid(
    standing: Standing,
    hand: Sequence[Card],
    held: Sequence[int],
    left: Kind | None,
    goals: Sequence[Goal],
) -> bool:
    """Whether every card but one of that kind can be laid, one of the goals being reached, with enough canastas.

    It does not matter which of the kind is left: whatever plan of runs leaves one is a plan without it.
    """
    laid = list(held)
    if left is not None:
        laid[left] -= 1
    worth = sum(map(mul, laid, standing.rules.card_values))
    wilds = laid[TWO] + laid[JOKER]
    open_goals = [goal for goal in goals if worth >= goal.points and (goal.wilds or not wilds)]
    return bool(open_goals) and any(
        _laid_with(standing, laid, plan, goal)
        for plan in run_plans(standing, hand, going_out=True)
        if left is None or tally(plan.used)[left] <= laid[left]
        for goal in open_goals
    )


def _laid_with(standing: Standing, laid: Sequence[int], plan: RunPlan, goal: Goal) -> bool:
    held = left_by(plan, laid)
    sought = sought_of(standing, goal)
    if sought is not None and not sought.may_make(plan):
        return False
    met = demand_met(goal.demand, plan)
    if goal.demand == "wild" and standing.of_family(WILD_MELD):
        met = MET
    met |= 0 if sought is None else sought.begun(plan)
    every = held[TWO] + held[JOKER]
    for deal in wild_deals(standing, *free_wilds(standing, held)):
        if deal.deuces + deal.most < every:
            continue
        # (wild cards laid, whether the demand is met, canastas by kind)
        reached: set[tuple[int, int, _Counted]] = {(deal.deuces, met, _NO_CANASTAS)}
        for family in _all_families(standing, held, deal):
            ways = [
                way
                for way in ways_to_lay(standing, family, held, deal)
                if not way.unfinished and _lays_all(family, way, held, deal)
            ]
            reached = {
                (used + way.wilds, now, _counted(counted, family, way))
                for used, done, counted in reached
                for way in ways
                if used + way.wilds <= every
                and (now := _joined(sought, done, family, way, met=meets_demand(goal.demand, family, way))) is not None
            }
            if not reached:
                break
        if any(
            used == every
            and (done if sought is None else sought.accepts(done, out=True))
            and meets(standing.rules, _tally(standing, plan, counted))
            for used, done, counted in reached
        ):
            return True
    return False


def _joined(sought: Sought | None, done: int, family: Family, way: Way, *, met: bool) -> int | None:
    return done | met if sought is None else sought.join(done, family, way, met=met)


_Counted = tuple[int, int, int, int, int]
"""Natural, mixed and wild canastas, and of sevens the natural and the mixed ones."""

_NO_CANASTAS: Final[_Counted] = (0, 0, 0, 0, 0)


def _lays_all(family: Family, way: Way, held: Sequence[int], deal: WildDeal) -> bool:
    if family == WILD_MELD:
        return True
    return way.naturals == (deal.deuces if family == DEUCE_MELD else held[family])


def _all_families(standing: Standing, held: Sequence[int], deal: WildDeal) -> list[Family]:
    """All that has to be laid or takes wild cards, and all that lies there, for its canastas."""
    found = families_for(standing, held, deal)
    for kind in NATURAL_KINDS:
        if kind not in found and (held[kind] or kind in standing.spread.families):
            found.append(kind)
    return found


def _counted(before: _Counted, family: Family, way: Way) -> _Counted:
    natural, mixed, wild, natural_sevens, mixed_sevens = before
    if family == DEUCE_MELD:
        return natural, mixed, wild + way.natural_canastas + way.mixed_canastas, natural_sevens, mixed_sevens
    of_sevens = family == SEVEN
    return (
        natural + way.natural_canastas,
        mixed + way.mixed_canastas,
        wild + way.wild_canastas,
        natural_sevens + way.natural_canastas * of_sevens,
        mixed_sevens + way.mixed_canastas * of_sevens,
    )


def _tally(standing: Standing, plan: RunPlan, counted: _Counted) -> Tally:
    natural, mixed, wild, natural_sevens, mixed_sevens = counted
    kinds = {"natural": natural, "mixed": mixed, "wild": wild, "seq": plan.canastas}
    counting = sum(count for kind, count in kinds.items() if kind not in standing.rules.out_excludes)
    return Tally(natural, mixed, wild, plan.canastas, natural_sevens, mixed_sevens, counting)
