"""Listing: the steps in play where more than sets of one rank is in the game, in a fixed order.

Sets from four to ace, twos as a rank, wild cards alone; runs by suit; melds laid together; black threes. Of a family
the melds that lie there come before a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from bot.engine.actions import Combine, LayRun, Meld, Step, meld
from bot.engine.cards import BLACK_THREE, JOKER, TWO
from bot.engine.counts import KINDS_OF, RANKS, tally
from bot.engine.melds import TableMeld
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family, Place
from bot.engine.queries import word
from bot.engine.refusals import Refusal
from bot.engine.rules import RuleSet
from bot.engine.spread import spread_of
from bot.engine.state import State
from bot.engine.variants import foot, hand_first
from bot.engine.variants.bounds import OF_WILDS
from bot.engine.variants.lying_down import OutPlan
from bot.engine.variants.opening_plan import OpeningPlan
from bot.engine.variants.openings import NEEDING_CLEAN
from bot.engine.variants.regrouping import may_combine
from bot.engine.variants.runs import run_steps
from bot.engine.variants.sets import why_not_join
from bot.engine.variants.standing import Standing, standing_of
from bot.engine.variants.verifying import (
    could_finish,
    ends_anyhow,
    goals_in,
    kept,
    why_canasta_banned,
    why_not_combine,
    why_not_grow,
    why_not_lay_run,
    why_not_meld,
    why_spoiled,
)


def laying_steps(state: State) -> list[Step]:
    """Every legal way to lay cards, or to lay melds together."""
    standing = standing_of(state)
    hand = state.hands[state.turn]
    held = tally(state.packed[state.turn])
    found: list[Meld | LayRun] = []
    largest = 0
    twos, jokers = _free_wilds(standing, held)
    bound = standing.locked() if twos or jokers else ()
    free_twos, free_jokers = 0 if TWO in bound else twos, 0 if JOKER in bound else jokers
    of_family = standing.spread.families
    ways_of = _table_of(standing.rules)
    for family in _families(state, standing, twos + jokers):
        naturals, two, joker = (held[family], free_twos, free_jokers) if family < TWO else (0, twos, jokers)
        melds = of_family.get(family)
        lying = () if melds is None else tuple([(one.place, one.naturals, one.wilds) for one in melds])
        size, ways = ways_of[family, lying, naturals, two, joker, standing.opening]
        if size:
            found += ways
            largest = max(largest, size)
    runs = [step for step in run_steps(standing, hand) if why_not_grow(state, standing, step) is None]
    if runs:
        found += runs
        largest = max(largest, *[step.size for step in runs])
    if standing.limits is not None:
        found = [step for step in found if why_canasta_banned(state, standing, step) is None]
    steps: list[Step] = [*_lawful(state, found, largest)]
    if standing.rules.same_rank_melds == "many":
        anyhow = ends_anyhow(state, 0) and standing.limits is None
        steps += [step for step in _combinations(standing) if anyhow or why_not_combine(state, step) is None]
    if held[BLACK_THREE] >= 3:
        black = [meld(BLACK_THREE, count) for count in (3, 4) if held[BLACK_THREE] >= count]
        steps += [step for step in black if why_not_meld(state, step) is None]
    return steps


def _free_wilds(standing: Standing, held: bytes) -> tuple[int, int]:
    """The twos and jokers that may be laid at all."""
    closed = standing.closed
    return 0 if TWO in closed else held[TWO], 0 if JOKER in closed else held[JOKER]


def _families(state: State, standing: Standing, wilds: int) -> Sequence[Family]:
    """The families of which the hand could lay something."""
    rules = standing.rules
    spread = standing.spread
    lanes = state.packed[state.turn] + (spread.wild if wilds else spread.plain)
    kinds: Sequence[Family] = KINDS_OF[lanes & RANKS] if "set" in rules.meld_kinds else ()
    if standing.closed:
        kinds = [kind for kind in kinds if kind not in standing.closed]
    if not wilds or rules.meld_kinds.isdisjoint(OF_WILDS):
        return kinds
    deuces, alone = "deuce" in rules.meld_kinds, "wild" in rules.meld_kinds
    return (*kinds, *((DEUCE_MELD,) if deuces else ()), *((WILD_MELD,) if alone else ()))


_Lying = tuple[tuple[Place, int, int], ...]


class _Ways(dict[tuple[Family, _Lying, int, int, int, bool], tuple[int, tuple[Meld, ...]]]):
    """The steps that lay cards of one family, whatever the turn comes to after them, and the size of the largest.

    The key is the family, its melds that lie there with their naturals and wild cards, how many naturals, twos and
    jokers there are to lay, and whether the side opens in this turn.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def __missing__(self, key: tuple[Family, _Lying, int, int, int, bool]) -> tuple[int, tuple[Meld, ...]]:
        family, lying, naturals, twos, jokers, opening = key
        steps = tuple(_shapes(self._rules, family, lying, (naturals, twos, jokers), opening=opening))
        self[key] = max([step.size for step in steps], default=0), steps
        return self[key]


_table_of = cache(_Ways)


def _shapes(
    rules: RuleSet, family: Family, lying: _Lying, held: tuple[int, int, int], *, opening: bool
) -> Iterator[Meld]:
    melds = [TableMeld(place, naturals, wilds, (0,) * (naturals + wilds)) for place, naturals, wilds in lying]
    standing = Standing(rules, spread_of(rules, melds), frozenset(), opening, None)
    for place in standing.targets(family):
        for natural in range(held[0] + 1):
            for two in range(held[1] + 1):
                for joker in range(held[2] + 1):
                    if natural + two + joker and why_not_join(standing, place, natural, two, joker) is None:
                        yield meld(place, natural, two, joker)


def _lawful(state: State, steps: Sequence[Meld | LayRun], largest: int) -> Sequence[Meld | LayRun]:
    """Those after which the turn can end. Where enough cards stay in an open side's hand, it always can."""
    if not steps:
        return steps
    if hand_first.is_on(state):
        if not hand_first.is_pending(state) and OpeningPlan(state, goals_in(state), 0).hopeless:
            return []
        return [step for step in steps if _why_not(state, step) is None]
    bound = word(state) is True and could_finish(state)
    if not state.opened[state.seating.side_by_seat[state.turn]]:
        if bound:
            return [step for step in _unspoiled(state, steps) if _why_not(state, step) is None]
        plan = OpeningPlan(state, goals_in(state), kept(state))
        if plan.hopeless:
            return []
        lawful = [
            step
            for step in steps
            if plan.allows(step) or (not plan.forbids(step) and plan.reachable and _why_not(state, step) is None)
        ]
        return _unspoiled(state, lawful)
    steps = _unspoiled(state, steps)
    out = _out_plan(state) if bound else None
    free = 0 if bound else len(state.hands[state.turn]) - kept(state)
    if largest <= free:
        return steps
    asked: dict[object, bool] = {}
    return [
        step
        for step in steps
        if step.size <= free
        or (out is not None and isinstance(step, Meld) and out.allows(step))
        or _is_lawful(state, step, asked)
    ]


def _out_plan(state: State) -> OutPlan | None:
    """How the seat in turn, which has to go out, can do so; None where a foot still keeps it from that."""
    if foot.why_not_reached(state) is not None:
        return None
    return OutPlan(standing_of(state), state.hands[state.turn])


def _unspoiled(state: State, steps: Sequence[Meld | LayRun]) -> Sequence[Meld | LayRun]:
    """Those that leave a side that opens in this turn the clean meld it has to have."""
    if state.rules.open_shape not in NEEDING_CLEAN:
        return steps
    standing = standing_of(state)
    return [step for step in steps if isinstance(step, LayRun) or why_spoiled(standing, step) is None]


def _is_lawful(state: State, step: Meld | LayRun, asked: dict[object, bool]) -> bool:
    """Whether the turn can end after it; which of alike wild cards are laid does not matter to that."""
    if isinstance(step, LayRun) or state.rules.wild_lock != "none":
        return _why_not(state, step) is None
    alike = step.place, step.naturals, step.twos + step.jokers
    if alike not in asked:
        asked[alike] = _why_not(state, step) is None
    return asked[alike]


def _why_not(state: State, step: Meld | LayRun) -> Refusal | None:
    return why_not_meld(state, step) if isinstance(step, Meld) else why_not_lay_run(state, step)


def _combinations(standing: Standing) -> Iterator[Combine]:
    """Two melds of a rank are the same laid together either way: the one begun first stays."""
    for lying in standing.spread.families.values():
        if len(lying) < 2:
            continue
        for number, onto in enumerate(lying):
            for moved in lying[number + 1 :]:
                if may_combine(standing, moved, onto):
                    yield Combine(moved.place, onto.place)
