"""The legal steps of a position, complete and in a fixed order.

At the start of a turn: draw, take (pair, with a two, with a joker, added to a meld), pass, ask. In play: melds by
rank from four to ace, by naturals, twos and jokers, then black threes; discards by kind; ask. The order is part of
the interface: menus and recorded choices depend on it.
"""

from __future__ import annotations

from functools import cache
from itertools import compress

from bot.engine import phases
from bot.engine.actions import (
    ASK,
    DRAW,
    NO,
    PASS,
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_WITH_JOKER,
    TAKE_WITH_TWO,
    YES,
    Meld,
    Step,
    Take,
    discard,
    meld,
)
from bot.engine.cards import ACE, BLACK_THREE, HELD_KINDS, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.plan import OpeningPlan
from bot.engine.queries import canastas, frozen_for, meld_of
from bot.engine.state import State
from bot.engine.verify import may_ask, why_not_discard, why_not_meld, why_not_pass, why_not_take

_DISCARDS = tuple(discard(kind) for kind in range(HELD_KINDS))
_BLACK_THREES = (meld(BLACK_THREE, 3), meld(BLACK_THREE, 4))


def legal_actions(state: State) -> tuple[Step, ...]:
    """Every step the seat that is to act may take; empty when no seat is."""
    if state.phase is phases.PLAY:
        return tuple(_play_steps(state))
    if state.phase is phases.DRAW:
        return tuple(_draw_steps(state))
    return (YES, NO) if state.phase is phases.ANSWER else ()


def can_take(state: State) -> bool:
    """Whether the seat whose turn begins can take the pile in any way."""
    return bool(_take_steps(state))


def _draw_steps(state: State) -> list[Step]:
    steps: list[Step] = []
    if state.stock:
        steps.append(DRAW)
    steps += _take_steps(state)
    if not state.stock and why_not_pass(state) is None:
        steps.append(PASS)
    if may_ask(state):
        steps.append(ASK)
    return steps


def _take_steps(state: State) -> list[Step]:
    """The ways to take the pile: those the cards held allow, asked one by one."""
    if not state.pile or state.pile[-1] >> 2 > ACE:
        return []
    kind = state.pile[-1] >> 2
    side = state.rules.side_by_seat[state.turn]
    counts = state.counts[state.turn]
    takes: list[Take] = [TAKE_PAIR] if counts[kind] >= 2 else []
    if not frozen_for(state, side):
        if counts[kind] and counts[TWO]:
            takes.append(TAKE_WITH_TWO)
        if counts[kind] and counts[JOKER]:
            takes.append(TAKE_WITH_JOKER)
        if meld_of(state.melds[side], kind) is not None:
            takes.append(TAKE_ADD)
    return [take for take in takes if why_not_take(state, take) is None]


def _play_steps(state: State) -> list[Step]:
    steps = _meld_steps(state)
    counts = state.counts[state.turn]
    staged = state.laid_points and not state.opened[state.rules.side_by_seat[state.turn]]
    if staged or state.permission is not None or len(state.hands[state.turn]) < 2:
        steps += [
            discard(kind)
            for kind in range(HELD_KINDS)
            if counts[kind] and why_not_discard(state, discard(kind)) is None
        ]
    else:
            steps += compress(_DISCARDS, counts)
    if may_ask(state):
        steps.append(ASK)
    return steps


def _meld_steps(state: State) -> list[Step]:
    """Melds and additions; where nothing but the shape of a meld can forbid one, the listing asks no further."""
    seat = state.turn
    rules = state.rules
    side = rules.side_by_seat[seat]
    counts = state.counts[seat]
    melds = state.melds[side]
    steps: list[Step] = []
    plan = None if state.opened[side] else OpeningPlan(state)
    if plan is not None and plan.hopeless:
        return steps
    free = _free_cards(state, side)
    twos, jokers = counts[TWO], counts[JOKER]
    holds_wilds = twos or jokers
    most_wilds, min_naturals = rules.max_wilds, rules.min_naturals
    table = {meld.kind: meld for meld in melds}
    for kind in NATURAL_KINDS:
        count = counts[kind]
        if kind in table:
            room = most_wilds - table[kind].wilds
            if not count and not (holds_wilds and room):
                continue
            largest, ways = _additions(kind, count, twos, jokers, room)
        elif count >= min_naturals:
            largest, ways = _new_melds(rules.meld_min, min_naturals, kind, count, twos, jokers, most_wilds)
        else:
            continue
        if plan is not None:
            steps += [step for step in ways if plan.allows(step) or why_not_meld(state, step) is None]
        elif largest <= free:
            steps += ways
        else:
            steps += [step for step in ways if step.size <= free or why_not_meld(state, step) is None]
    if counts[BLACK_THREE] > 2:
        steps += [step for step in _BLACK_THREES if why_not_meld(state, step) is None]
    return steps


def _free_cards(state: State, side: int) -> int:
    """How many cards a meld may take from the hand with no further question about the end of the turn."""
    if state.permission is not None:
        return -1
    held = len(state.hands[state.turn])
    rules = state.rules
    return held if canastas(rules, state.melds[side]) >= rules.out_canastas else held - 2


@cache
def _additions(kind: Kind, naturals: int, twos: int, jokers: int, room: int) -> tuple[int, tuple[Meld, ...]]:
    """Every step that adds up to so many cards to a meld with room for so many wild cards; and the largest's size."""
    return _ways(kind, (0, naturals), (twos, jokers), room, 1)


@cache
def _new_melds(
    meld_min: int, min_naturals: int, kind: Kind, naturals: int, twos: int, jokers: int, room: int
) -> tuple[int, tuple[Meld, ...]]:
    """Every step that begins a meld of a rank with up to so many cards; and the largest's size."""
    return _ways(kind, (min_naturals, naturals), (twos, jokers), room, meld_min)


def _ways(
    kind: Kind, naturals: tuple[int, int], wilds: tuple[int, int], room: int, least: int
) -> tuple[int, tuple[Meld, ...]]:
    ways = tuple(
        meld(kind, count, twos, jokers)
        for count in range(naturals[0], naturals[1] + 1)
        for twos in range(min(wilds[0], room) + 1)
        for jokers in range(min(wilds[1], room - twos) + 1)
        if count + twos + jokers >= least
    )
    return max((step.size for step in ways), default=0), ways
