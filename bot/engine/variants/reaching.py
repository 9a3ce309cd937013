"""Reaching: what a hand can still come to where more than sets of one rank is in the game.

A step is legal only when some line of play after it ends the turn lawfully (`rules/classic.md 1.23`). Runs are tried
first, since they take cards of several ranks; what is left is laid family by family, and of what comes to the same
only the best is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import mul
from typing import Final

from bot.engine.canastas import Tally, enough, meets
from bot.engine.cards import JOKER, NATURAL_KINDS, SEVEN, TWO, Card, Kind, counts_of
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family
from bot.engine.values import value
from bot.engine.variants.bounds import misfits, too_few_canastas
from bot.engine.variants.discards import never_last
from bot.engine.variants.lying_down import is_simple, lies_down, may_all_lie, may_spoil
from bot.engine.variants.openings import Demand, Goal
from bot.engine.variants.run_plans import RunPlan, left_by, run_plans
from bot.engine.variants.sought import Sought, demand_met
from bot.engine.variants.standing import Standing
from bot.engine.variants.ways import Lying, Way, ways_of


def most_points(standing: Standing, hand: Sequence[Card], goal: Goal, *, keep: int) -> int:
    """The most points the hand can add while meeting the demand and keeping so many cards; -1 where it cannot."""
    if len(hand) < keep:
        return -1
    best = -1
    for plan in run_plans(standing, hand):
        best = max(best, _most_points(standing, hand, plan, goal, len(hand) - keep - plan.cards))
        if best >= goal.points:
            break
    return best


def _most_points(standing: Standing, hand: Sequence[Card], plan: RunPlan, goal: Goal, most_cards: int) -> int:
    if most_cards < 0:
        return -1
    values = standing.rules.card_values
    in_runs = sum(count * values[kind] for kind, count in enumerate(plan.used))
    met = bool(demand_met(goal.demand, plan))
    best = -1
    held = left_by(plan, counts_of(hand))
    for deal in _wild_deals(standing, *_free_wilds(standing, held), wilds=goal.wilds):
        points = _dearest(standing, held, plan, goal, deal, met=met, most_cards=most_cards)
        best = max(best, points if points < 0 else points + in_runs)
    return best


@value
class WildDeal:
    """Which wild cards may go where: `deuces` twos are melded as a rank.

    Of the others `most` may be laid at all and `spare` with naturals. `alone` tells that some may lie among themselves,
    `finish` is the family that has to be a canasta first, if
    any.
    """

    deuces: int
    spare: int
    most: int
    alone: bool
    finish: Family | None


def _wild_deals(standing: Standing, twos: int, jokers: int, *, wilds: bool = True) -> Iterator[WildDeal]:
    """The ways to part the wild cards of a hand that have to be told apart (`rules/variants.md A.1`, `wild_lock`)."""
    rules = standing.rules
    if not wilds:  # twos as a rank are natural there (`rules/variants.md 3.6`)
        for deuces in range(twos + 1) if "deuce" in rules.meld_kinds else (0,):
            yield WildDeal(deuces, 0, 0, alone=False, finish=None)
        return
    alone = "wild" in rules.meld_kinds
    locked = standing.locked()
    for deuces in range(twos + 1) if "deuce" in rules.meld_kinds else (0,):
        others = twos - deuces + jokers
        if not locked:
            yield WildDeal(deuces, others, others, alone, None)
            continue
        spare = jokers if locked == {TWO} else 0
        yield WildDeal(deuces, spare, others if alone else jokers, alone, None)
        yield WildDeal(deuces, others, others, alone, standing.locking())


def _free_wilds(standing: Standing, held: Sequence[int]) -> tuple[int, int]:
    """The twos and jokers held that may be laid at all."""
    closed = standing.closed
    return 0 if TWO in closed else held[TWO], 0 if JOKER in closed else held[JOKER]


def _lying(standing: Standing, family: Family) -> Lying:
    return tuple([(meld.naturals, meld.wilds) for meld in standing.of_family(family)])


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
    sought = _sought(standing, goal)
    if sought is not None and not sought.may_make(plan):
        return -1
    # (naturals laid, wild cards laid, what is reached) → points of the naturals
    best = {(0, 0, int(met) if sought is None else int(met) | sought.begun(plan)): 0}
    families = _families(standing, held, deal)
    if not met:  # what lies there may be what is demanded, as long as nothing spoils it
        families += [kind for kind in NATURAL_KINDS if kind not in families and kind in standing.spread.families]
    for family in families:
        worth_of_one = values[TWO if family == DEUCE_MELD else family] if family != WILD_MELD else 0
        grown: dict[tuple[int, int, int], int] = {}
        for way in _ways(standing, family, held, deal):
            meets_now = _meets(goal.demand, family, way)
            for (laid, used, done), points in best.items():
                reached = done | meets_now if sought is None else sought.join(done, family, way, met=meets_now)
                if reached is None:
                    continue
                key = (laid + way.naturals, used + way.wilds, reached)
                if key[1] > deal.most or key[0] + key[1] > most_cards:
                    continue
                grown[key] = max(grown.get(key, 0), points + way.naturals * worth_of_one)
        best = grown
    twos, jokers = _free_wilds(standing, held)
    dearest_first = [values[JOKER]] * jokers + [values[TWO]] * (twos - deal.deuces)
    return max(
        (
            points + sum(dearest_first[:used])
            for (_, used, done), points in best.items()
            if (done if sought is None else sought.accepts(done, out=False))
        ),
        default=-1,
    )


def _sought(standing: Standing, goal: Goal) -> Sought | None:
    """What themes ask, if they ask anything."""
    return Sought(standing, goal) if goal.groups or standing.limits is not None else None


def _families(standing: Standing, held: Sequence[int], deal: WildDeal) -> list[Family]:
    found: list[Family] = [WILD_MELD] if deal.alone else []
    if deal.deuces or "deuce" in standing.rules.meld_kinds:
        found.append(DEUCE_MELD)
    wilds = held[TWO] + held[JOKER]
    found += [
        kind
        for kind in NATURAL_KINDS
        if kind not in standing.closed and (held[kind] or (wilds and kind in standing.spread.families))
    ]
    return found


def _ways(standing: Standing, family: Family, held: Sequence[int], deal: WildDeal) -> Sequence[Way]:
    """The ways to lay that family; wild cards alone come first, so that a canasta of them frees the others."""
    rules = standing.rules
    lying = _lying(standing, family)
    if family == WILD_MELD:
        ways = ways_of(rules, family, lying, 0, deal.most, opening=standing.opening)
        before = sum(1 for _, lie in lying if lie >= rules.canasta_size)
        return [way for way in ways if way.wild_canastas > before] if deal.finish == WILD_MELD else ways
    if family == DEUCE_MELD:
        before = sum(1 for natural, wild in lying if natural + wild >= rules.canasta_size)
        return [
            way
            for way in ways_of(rules, family, lying, deal.deuces, held[JOKER], opening=standing.opening)
            if way.naturals == deal.deuces
            and (deal.finish != DEUCE_MELD or way.natural_canastas + way.mixed_canastas > before)
        ]
    if family in standing.closed:
        return ways_of(rules, family, lying, 0, 0, opening=standing.opening)
    return ways_of(rules, family, lying, held[family], deal.spare, opening=standing.opening)


def _meets(demand: Demand, family: Family, way: Way) -> bool:
    match demand:
        case "clean":
            return way.clean
        case "wild":
            return family == WILD_MELD and way.wilds > 0
        case "canasta":
            return way.natural_canastas + way.mixed_canastas + way.wild_canastas > 0
        case "natural_canasta":
            mixed_twos = way.mixed_canastas if family == DEUCE_MELD else 0
            return way.natural_canastas + way.wild_canastas + mixed_twos > 0
        case "splash":
            return family != DEUCE_MELD and way.natural_canastas + way.wild_canastas > 0
        case _:
            return False


# --- going out -------------------------------------------------------------------------------------------------------


def can_finish(standing: Standing, hand: Sequence[Card], goals: Sequence[Goal] = (Goal(0),), *, spare: int = 1) -> bool:
    """Whether the hand can be laid down but for at most `spare` cards, with the canastas going out needs.

    Where the last card has to be discarded and one may be left, exactly one has to be. One of the goals is reached.
    """
    held = counts_of(hand)
    lonely = misfits(standing, hand, held)
    if len(lonely) > spare or too_few_canastas(standing, hand, held):
        return False
    rules = standing.rules
    may_be_left: list[Kind | None] = []
    if not lonely and not (spare and rules.out_discard == "mandatory"):
        may_be_left.append(None)
    if spare:
        banned = never_last(rules) if rules.discard_bans else frozenset()
        kinds = [card >> 2 for card in lonely] or [kind for kind, count in enumerate(held) if count]
        may_be_left += [kind for kind in kinds if kind not in banned]
    left = [kind for kind in may_be_left if may_all_lie(standing, held, kind)]
    if not left:
        return False
    spoils = may_spoil(rules) and held[TWO] + held[JOKER] > 0
    # If so, it does not matter what becomes a canasta.
    settled = not spoils and enough(rules, standing.melds.values())
    if settled and Goal(0) in goals and is_simple(rules):
        return any(lies_down(standing, left_by(plan, held), left) for plan in run_plans(standing, hand, going_out=True))
    return any(_all_laid(standing, hand, held, kind, goals, settled=settled) for kind in left)


def _all_laid(
    standing: Standing,
    hand: Sequence[Card],
    held: Sequence[int],
    left: Kind | None,
    goals: Sequence[Goal],
    *,
    settled: bool,
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
        _laid_with(standing, laid, plan, goal, settled=settled)
        for plan in run_plans(standing, hand, going_out=True)
        if left is None or left >= len(plan.used) or plan.used[left] <= laid[left]
        for goal in open_goals
    )


def _laid_with(standing: Standing, laid: Sequence[int], plan: RunPlan, goal: Goal, *, settled: bool) -> bool:
    held = left_by(plan, laid)
    sought = _sought(standing, goal)
    if sought is not None and not sought.may_make(plan):
        return False
    met = demand_met(goal.demand, plan) | (0 if sought is None else sought.begun(plan))
    every = held[TWO] + held[JOKER]
    settled = settled and sought is None
    for deal in _wild_deals(standing, *_free_wilds(standing, held)):
        if deal.deuces + deal.most < every:
            continue
        # (wild cards laid, whether the demand is met, canastas by kind)
        reached: set[tuple[int, int, _Counted]] = {(deal.deuces, met, _NO_CANASTAS)}
        for family in _all_families(standing, held, deal, counted=not settled or standing.rules.out_clean):
            ways = [
                way
                for way in _ways(standing, family, held, deal)
                if not way.unfinished and _lays_all(family, way, held, deal)
            ]
            reached = {
                (used + way.wilds, now, counted if settled else _counted(counted, family, way))
                for used, done, counted in reached
                for way in ways
                if used + way.wilds <= every
                and (now := _joined(sought, done, family, way, met=_meets(goal.demand, family, way))) is not None
            }
            if not reached:
                break
        if any(
            used == every
            and (done if sought is None else sought.accepts(done, out=True))
            and (settled or meets(standing.rules, _tally(standing, plan, counted)))
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


def _all_families(standing: Standing, held: Sequence[int], deal: WildDeal, *, counted: bool) -> list[Family]:
    """All that has to be laid or takes wild cards, and all that lies there where canastas are counted."""
    found = _families(standing, held, deal)
    for kind in NATURAL_KINDS:
        if kind not in found and (held[kind] or (counted and kind in standing.spread.families)):
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
