"""Finishing: whether a hand can go out where more than sets of one rank is in the game.

Every card has to be laid but for one that may be left to be discarded, and the canastas that going out takes have to
lie there then. What runs take is tried plan by plan; what is left of each rank is laid as sets, which is a sum over
the ranks of wild cards and canastas (`bot.engine.variants.sums`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from operator import mul
from typing import Any, Final

from bot.engine.canastas import enough
from bot.engine.canastas import tally as canastas_by_kind
from bot.engine.cards import JOKER, TWO, Card, Kind
from bot.engine.counts import Counts, pack, tally
from bot.engine.rules import RuleSet
from bot.engine.variants import themed_finishing
from bot.engine.variants.bounds import is_far_from_out, too_few_canastas
from bot.engine.variants.evident import goes_out_evidently, runs_lying
from bot.engine.variants.laying_out import Laying
from bot.engine.variants.leaving import may_be_left
from bot.engine.variants.openings import Goal
from bot.engine.variants.regrouping import regroupings
from bot.engine.variants.run_plans import leaves_lonely, may_lay_runs, plans_for_going_out
from bot.engine.variants.standing import Standing
from bot.engine.variants.sums import Bits, Lanes, Sums

FREE: Final = (Goal(0),)
"""What a side has to reach that has opened: nothing."""


def can_finish(
    standing: Standing,
    hand: tuple[Card, ...],
    goals: Sequence[Goal] = FREE,
    *,
    spare: int = 1,
    regrouping: bool = False,
) -> bool:
    """Whether the hand can be laid down but for at most `spare` cards, with the canastas going out needs.

    Where the last card has to be discarded and one may be left, exactly one has to be. One of the goals is reached.
    With `regrouping` melds may be laid together before.
    """
    counts = pack(hand)
    if is_far_from_out(standing.rules, standing.spread, hand, counts):
        return False
    return lays_down(standing, hand, counts, goals, spare=spare, regrouping=regrouping)


def lays_down(
    standing: Standing,
    hand: tuple[Card, ...],
    counts: Counts,
    goals: Sequence[Goal],
    *,
    spare: int,
    regrouping: bool,
) -> bool:
    """The same of a hand, and its `counts`, that is not evidently far from it."""
    themed = standing.limits is not None or any(goal.groups for goal in goals)
    free = not themed and _waits_for_nothing(goals)
    if free and goes_out_evidently(standing, counts, spare=spare):
        return True
    lonely = not themed and leaves_lonely(standing, counts, spare=spare)
    if (lonely and not may_lay_runs(standing, hand)) or too_few_canastas(standing, hand, counts):
        return False
    if themed:
        ways = regroupings(standing) if regrouping else (standing,)
        return any(themed_finishing.can_finish(one, hand, goals, spare=spare) for one in ways)
    asked: list[tuple[list[Kind | None], Sums[Any]]] | None = None
    for plan in plans_for_going_out(standing, hand):
        left = counts - plan.used
        if leaves_lonely(standing, left, spare=spare) if plan.used else lonely:
            continue
        if free and plan.used:
            runs = plan.canastas - runs_lying(standing)
            if goes_out_evidently(standing, left, spare=spare, runs=runs):
                return True
        if asked is None:
            asked = _asked(standing, tally(counts), goals, spare=spare)
            if not asked:
                return False
        for kinds, sums in asked:
            laying = Laying(standing, tally(left), kinds, sums, runs=plan.canastas, regrouping=regrouping)
            if laying.succeeds():
                return True
    return False


def _asked(
    standing: Standing, held: Sequence[int], goals: Sequence[Goal], *, spare: int
) -> list[tuple[list[Kind | None], Sums[Any]]]:
    """For each goal that can be reached, of which kinds a card may be left, and how to count what families come to."""
    left = may_be_left(standing, held, spare=spare)
    worth = sum(map(mul, held, standing.rules.card_values)) if goals is not FREE else 0
    asked = []
    for goal in goals if left else ():
        kinds = _leaving(standing.rules, held, left, goal, worth) if goal.points or not goal.wilds else left
        if kinds:
            asked.append((kinds, sums_for(standing, held, goal)))
    return asked


def _waits_for_nothing(goals: Sequence[Goal]) -> bool:
    """Whether the side may go out whatever it lays, as far as its initial meld is concerned."""
    return goals is FREE or any(not goal.points and goal.demand == "none" and goal.wilds for goal in goals)


def _leaving(
    rules: RuleSet, held: Sequence[int], left: Collection[Kind | None], goal: Goal, worth: int
) -> list[Kind | None]:
    """Those of the kinds that may be left so that the rest counts enough, and holds no wild card where none may be."""
    values = rules.card_values
    kinds = [kind for kind in left if worth - (0 if kind is None else values[kind]) >= goal.points]
    if goal.wilds:
        return kinds
    wilds = held[TWO] + held[JOKER]
    return [kind for kind in kinds if wilds == (kind in (TWO, JOKER))]


def sums_for(standing: Standing, held: Sequence[int], goal: Goal) -> Sums[Any]:
    """How to count what the families of these cards come to: by as little as decides whether the side may go out."""
    rules = standing.rules
    wilds = held[TWO] + held[JOKER]
    if goal.demand != "none":
        return Lanes(rules, wilds, demand=goal.demand)
    if counts_canastas(rules):
        needed = dict(rules.out_need).get("seq", 0)
        runs = runs_lying(standing) if "seq" in rules.meld_kinds else 0
        return Bits(rules, wilds, lacking=_lacking(standing), seq=needed, runs=runs)
    settled = (not wilds or not may_spoil(rules)) and standing.spread.canastas >= rules.out_canastas
    if settled and enough(rules, standing.melds.values()):  # so it does not matter what becomes a canasta
        return Bits(rules, wilds, lacking=0, seq=0, runs=0)
    return Lanes(rules, wilds, demand="none")


@cache
def counts_canastas(rules: RuleSet) -> bool:
    """Whether nothing but the number of canastas, and of runs among them, decides about going out."""
    return not may_spoil(rules) and all(kind == "seq" for kind, _ in rules.out_need)


@cache
def may_spoil(rules: RuleSet) -> bool:
    """Whether a wild card can take a canasta away that going out needs; else those that lie there stay enough."""
    return "mixed" in rules.out_excludes or any(kind == "natural" for kind, _ in rules.out_need)


def _lacking(standing: Standing) -> int:
    """How many canastas that count are still to be made."""
    rules = standing.rules
    held = standing.spread.canastas
    if rules.out_excludes:
        held = canastas_by_kind(rules, standing.melds.values()).counting
    return max(0, rules.out_canastas - held)
