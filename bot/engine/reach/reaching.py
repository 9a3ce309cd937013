"""Reaching: the points that a hand can still add where more than sets of one rank is in the game.

A step is legal only when some line of play after it ends the turn lawfully (`docs/law/classic.md 1.23`). Runs are tried
first, since they take cards of several ranks; what is left is laid family by family, and of what comes to the same
only the best is kept. Whether the hand can go out is asked of `bot.engine.reach.finishing`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from bot.engine.cards.cards import JOKER, NATURAL_KINDS, TWO, Card, Kind, counts_of
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD
from bot.engine.melds.melds import without
from bot.engine.reach.freeing import freed
from bot.engine.reach.opening_sums import OpeningSums, adds_up, tells
from bot.engine.reach.openings import Goal
from bot.engine.reach.parting import (
    WildDeal,
    families_for,
    free_wilds,
    meets_demand,
    sought_of,
    ways_to_lay,
    wild_deals,
)
from bot.engine.reach.run_plans import RunPlan, left_by, run_plans
from bot.engine.reach.sought import demand_met
from bot.engine.reach.standing import Standing


def most_points(standing: Standing, hand: Sequence[Card], goal: Goal, *, keep: int) -> int:
    """The most points the hand can add while meeting the demand and keeping so many cards; -1 where it cannot."""
    if len(hand) < keep:
        return -1
    best = -1
    summed = not keep and tells(standing, goal)  # every card may be laid, so that sums say it at once
    for plan in run_plans(standing, hand):
        if summed:
            best = max(best, _summed_points(standing, counts_of(hand), plan, goal))
        else:
            best = max(best, _most_points(standing, hand, plan, goal, len(hand) - keep - plan.cards))
        if best >= goal.points:
            return best
    for after, rest, points in freed(standing, tuple(hand)):
        more = most_points(after, rest, goal.less(points), keep=keep)
        best = max(best, more + points if more >= 0 else -1)
    return best


def reaches(standing: Standing, hand: Sequence[Card], goal: Goal, *, keep: int) -> bool:
    """Whether the hand can add the goal's points while meeting its demand and keeping so many cards.

    That is what `most_points` says; but where it does not matter how many cards stay, sums say it at once.
    """
    if not tells(standing, goal):
        reached = _reaches_bound(standing, counts_of(hand), goal, len(hand) - keep)
        if reached is not None:
            return reached
        return most_points(standing, hand, goal, keep=keep) >= goal.points
    held: Sequence[int] = counts_of(hand)
    values = standing.rules.card_values
    for plan in run_plans(standing, hand):
        most_cards = len(hand) - keep - plan.cards
        if most_cards < 0:
            continue
        sums = _sums_of(standing, held, plan, goal)
        if sums.most() + plan.points(values) < goal.points:
            continue
        if sums.usable <= most_cards or _most_points(standing, hand, plan, goal, most_cards) >= goal.points:
            return True
    return False


def reaches_without(standing: Standing, hand: tuple[Card, ...], goal: Goal, banned: Container[Kind]) -> bool:
    """Whether the hand can do that without some card that is of none of the banned kinds."""
    free = [card for card in dict.fromkeys(hand) if card >> 2 not in banned]
    return any(reaches(standing, without(hand, (card,)), goal, keep=0) for card in free)


def _reaches_bound(standing: Standing, held: Sequence[int], goal: Goal, most_cards: int) -> bool | None:
    """The same of so many cards where a meld of wild cards that they cannot finish binds all of them.

    Naturals alone lie in ranks then, and the dearest wild cards in that meld. None where that is not so, or where it
    matters how many cards stay.
    """
    rules = standing.rules
    if not goal.wilds or rules.wild_lock != "all" or "seq" in rules.meld_kinds or not adds_up(standing, goal):
        return None
    size = rules.canasta_size
    lying = sum([meld.size for meld in standing.of_family(WILD_MELD) if meld.size < size])
    twos, jokers = free_wilds(standing, held)
    if not lying or lying + twos + jokers >= size:
        return None
    sums = OpeningSums(standing, held, "none" if goal.demand == "wild" else goal.demand, wilds=False)
    most = sums.most()
    if most < 0 or most + twos * rules.card_values[TWO] + jokers * rules.card_values[JOKER] < goal.points:
        return False
    return True if sums.usable + twos + jokers <= most_cards else None


def _sums_of(standing: Standing, held: Sequence[int], plan: RunPlan, goal: Goal) -> OpeningSums:
    """The sums of what a plan of runs leaves of a hand."""
    demand = "none" if demand_met(goal.demand, plan) else goal.demand
    return OpeningSums(standing, left_by(plan, held), demand, wilds=goal.wilds)


def _summed_points(standing: Standing, held: Sequence[int], plan: RunPlan, goal: Goal) -> int:
    """The most points with the runs of a plan, however few cards stay; -1 where the demand cannot be met."""
    most = _sums_of(standing, held, plan, goal).most()
    return most + plan.points(standing.rules.card_values) if most >= 0 else -1


def _most_points(standing: Standing, hand: Sequence[Card], plan: RunPlan, goal: Goal, most_cards: int) -> int:
    if most_cards < 0:
        return -1
    values = standing.rules.card_values
    in_runs = plan.points(values)
    met = bool(demand_met(goal.demand, plan))
    best = -1
    held = left_by(plan, counts_of(hand))
    for deal in wild_deals(standing, *free_wilds(standing, held), wilds=goal.wilds):
        points = _dearest(standing, held, plan, goal, deal, met=met, most_cards=most_cards)
        best = max(best, points if points < 0 else points + in_runs)
    return best


def _dearest(
    standing: Standing,
    held: Sequence[int],
    plan: RunPlan,
    goal: Goal,
    deal: WildDeal,
    *,
    met: bool,
    most_cards: int,
) -> int:
    """The most points of sets and wild cards that at most so many cards make; -1 where the demand is not met."""
    values = standing.rules.card_values
    met = met or (goal.demand == "wild" and any(standing.of_family(WILD_MELD)))
    sought = sought_of(standing, goal)
    if sought is not None and not sought.may_make(plan):
        return -1
    # (naturals laid, wild cards laid, what is reached) → points of the naturals
    best = {(0, 0, int(met) if sought is None else int(met) | sought.begun(plan)): 0}
    families = families_for(standing, held, deal)
    if not met:  # what lies there may be what is demanded, as long as nothing spoils it
        families += [kind for kind in NATURAL_KINDS if kind not in families and kind in standing.spread.families]
    for family in families:
        worth_of_one = values[TWO if family == DEUCE_MELD else family] if family != WILD_MELD else 0
        grown: dict[tuple[int, int, int], int] = {}
        for way in ways_to_lay(standing, family, held, deal):
            meets_now = meets_demand(goal.demand, family, way)
            for (laid, used, done), points in best.items():
                reached = done | meets_now if sought is None else sought.join(done, family, way, met=meets_now)
                if reached is None:
                    continue
                key = (laid + way.naturals, used + way.wilds, reached)
                if key[1] > deal.most or key[0] + key[1] > most_cards:
                    continue
                grown[key] = max(grown.get(key, 0), points + way.naturals * worth_of_one)
        best = grown
    twos, jokers = free_wilds(standing, held)
    dearest_first = [values[JOKER]] * jokers + [values[TWO]] * (twos - deal.deuces)
    return max(
        (
            points + sum(dearest_first[:used])
            for (_, used, done), points in best.items()
            if (done if sought is None else sought.accepts(done, out=False))
        ),
        default=-1,
    )
