"""Listing: the steps in play where more than sets of one rank is in the game, in a fixed order.

Sets from four to ace, twos as a rank, wild cards alone; runs by suit; melds laid together; black threes. Of a family
the melds that lie there come before a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from bot.engine.actions import Combine, LayRun, Meld, Step, meld
from bot.engine.cards import BLACK_THREE, JOKER, NATURAL_KINDS, TWO
from bot.engine.counts import tally
from bot.engine.melds import TableMeld
from bot.engine.places import DEUCE_MELD, WILD_MELD, Family, Place, family_of
from bot.engine.queries import word
from bot.engine.rules import RuleSet
from bot.engine.state import State
from bot.engine.variants.runs import run_steps
from bot.engine.variants.sets import why_not_join
from bot.engine.variants.standing import Standing, standing_of
from bot.engine.variants.verifying import kept, may_combine, why_not_combine, why_not_lay_run, why_not_meld


def laying_steps(state: State) -> list[Step]:
    """Every legal way to lay cards, or to lay melds together."""
    standing = standing_of(state)
    held = tally(state.packed[state.turn])
    found: list[Meld | LayRun] = []
    for family in _families(standing, held):
        for place in standing.targets(family):
            found += _steps_at(standing, place, held)
    found += run_steps(standing, state.hands[state.turn])
    steps: list[Step] = [*_lawful(state, found)]
    steps += [step for step in _combinations(standing) if why_not_combine(state, step) is None]
    black = [meld(BLACK_THREE, count) for count in (3, 4) if held[BLACK_THREE] >= count]
    return steps + [step for step in black if why_not_meld(state, step) is None]


def _families(standing: Standing, held: bytes) -> Iterator[Family]:
    rules = standing.rules
    wilds = held[TWO] + held[JOKER]
    if "set" in rules.meld_kinds:
        for kind in NATURAL_KINDS:
            if kind not in standing.closed and (held[kind] or (wilds and any(standing.of_family(kind)))):
                yield kind
    if "deuce" in rules.meld_kinds and wilds:
        yield DEUCE_MELD
    if "wild" in rules.meld_kinds and wilds:
        yield WILD_MELD


def _steps_at(standing: Standing, place: Place, held: bytes) -> tuple[Meld, ...]:
    """The steps that lay cards held at a place, whatever the turn comes to after them."""
    lying = standing.melds.get(place)
    family = family_of(place)
    bound = standing.locked() if family < TWO else ()
    return _shapes(
        standing.rules,
        place,
        None if lying is None else (lying.naturals, lying.wilds),
        held[family] if family < TWO else 0,
        0 if TWO in bound else held[TWO],
        0 if JOKER in bound else held[JOKER],
        opening=standing.opening,
    )


@lru_cache(maxsize=1 << 16)
def _shapes(
    rules: RuleSet,
    place: Place,
    before: tuple[int, int] | None,
    naturals: int,
    twos: int,
    jokers: int,
    *,
    opening: bool,
) -> tuple[Meld, ...]:
    melds = {} if before is None else {place: TableMeld(place, *before, (0,) * sum(before))}
    alone = Standing(rules, melds, frozenset(), opening)
    return tuple(
        [
            meld(place, natural, two, joker)
            for natural in range(naturals + 1)
            for two in range(twos + 1)
            for joker in range(jokers + 1)
            if natural + two + joker and why_not_join(alone, place, natural, two, joker) is None
        ]
    )


def _lawful(state: State, steps: Sequence[Meld | LayRun]) -> list[Meld | LayRun]:
    """Those after which the turn can end. Where enough cards stay in an open side's hand, it always can."""
    opened = state.opened[state.seating.side_by_seat[state.turn]]
    free = len(state.hands[state.turn]) - kept(state) if opened and word(state) is not True else 0
    return [step for step in steps if step.size <= free or _why_not(state, step) is None]


def _why_not(state: State, step: Meld | LayRun) -> object:
    return why_not_meld(state, step) if isinstance(step, Meld) else why_not_lay_run(state, step)


def _combinations(standing: Standing) -> Iterator[Combine]:
    """Two melds of a rank are the same laid together either way: the one begun first stays."""
    if standing.rules.same_rank_melds != "many":
        return
    melds = list(standing.melds.values())
    for number, onto in enumerate(melds):
        for moved in melds[number + 1 :]:
            if may_combine(standing, moved, onto):
                yield Combine(moved.place, onto.place)
