"""The legal steps of a position, complete and in a fixed order.

At the start of a turn: draw, take (pair, with a two, with a joker, added to a meld), pass, ask. In play: melds by
rank from four to ace, by naturals, twos and jokers, then black threes; discards by kind; ask. The order is part of
the interface: menus and recorded choices depend on it.
"""

from __future__ import annotations

from functools import cache

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
    discard,
    meld,
)
from bot.engine.cards import BLACK_THREE, HELD_KINDS, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.phases import Phase
from bot.engine.state import State
from bot.engine.verify import why_not_ask, why_not_discard, why_not_draw, why_not_meld, why_not_pass, why_not_take

_TAKES = (TAKE_PAIR, TAKE_WITH_TWO, TAKE_WITH_JOKER, TAKE_ADD)


def legal_actions(state: State) -> tuple[Step, ...]:
    """Every step the seat that is to act may take; empty when no seat is."""
    if state.phase is Phase.PLAY:
        return tuple(_play_steps(state))
    if state.phase is Phase.DRAW:
        return tuple(_draw_steps(state))
    return (YES, NO) if state.phase is Phase.ANSWER else ()


def can_take(state: State) -> bool:
    """Whether the seat whose turn begins can take the pile in any way."""
    return any(why_not_take(state, take) is None for take in _TAKES)


def _draw_steps(state: State) -> list[Step]:
    steps: list[Step] = []
    if why_not_draw(state) is None:
        steps.append(DRAW)
    steps += [take for take in _TAKES if why_not_take(state, take) is None]
    if why_not_pass(state) is None:
        steps.append(PASS)
    if why_not_ask(state) is None:
        steps.append(ASK)
    return steps


def _play_steps(state: State) -> list[Step]:
    counts = state.counts[state.turn]
    rules = state.rules
    melds = {held.kind: held for held in state.melds[rules.side_of(state.turn)]}
    steps: list[Step] = []
    for kind in NATURAL_KINDS:
        on_table = melds.get(kind)
        if not counts[kind] and on_table is None:
            continue
        room = rules.max_wilds - (on_table.wilds if on_table else 0)
        smallest = 1 if on_table else rules.meld_min
        naturals_needed = max(0, rules.min_naturals - (on_table.naturals if on_table else 0))
        for step in _ways(kind, counts[kind], min(counts[TWO], room), min(counts[JOKER], room), room):
            if step.size >= smallest and step.naturals >= naturals_needed and why_not_meld(state, step) is None:
                steps.append(step)
    steps += [
        step for step in (meld(BLACK_THREE, 3), meld(BLACK_THREE, 4)) if why_not_meld(state, step) is None
    ]
    steps += [
        discard(kind)
        for kind in range(HELD_KINDS)
        if counts[kind] and why_not_discard(state, discard(kind)) is None
    ]
    if why_not_ask(state) is None:
        steps.append(ASK)
    return steps


@cache
def _ways(kind: Kind, naturals: int, twos: int, jokers: int, room: int) -> tuple[Meld, ...]:
    """Every step that lays up to so many cards of a rank, in order."""
    return tuple(
        meld(kind, count, two, joker)
        for count in range(naturals + 1)
        for two in range(twos + 1)
        for joker in range(jokers + 1)
        if count + two + joker and two + joker <= room
    )
