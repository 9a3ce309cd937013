"""The legal steps of a position, complete and in a fixed order.

At the start of a turn: draw, draw and keep a three, take the pile (with naturals, with a two, with a joker, added to a
meld), pass, ask or announce, meld from the hand. After that: melds, in the order of `bot.engine.law.meld_steps`;
discards by kind, or pass if there is no discard any more; ask or announce; special hands, the most valuable first;
canastas that give wild cards back. The order is part of the interface: menus and recorded choices depend on it.

Decides `docs/law/classic.md 1.9, 1.24`. Reads `discard_bans`, `last_red3_ends`, `open_pile`, `special_hands`, `theme`,
`wild_reclaim`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.engine.cards.cards import HELD_KINDS
from bot.engine.cards.packed_counts import ALL_KINDS, ANY_HELD, HIGH_KINDS, LANE, LOW_KINDS, Lanes
from bot.engine.law import opening_from_hand
from bot.engine.law.asking_to_go_out import asking_steps
from bot.engine.law.discard_bans import discardable_lanes
from bot.engine.law.drawing_or_taking import pile_taking_steps, why_not_keep_three, why_not_pass
from bot.engine.law.meld_steps import laying_steps
from bot.engine.law.reclaiming_wild_cards import reclaim_steps
from bot.engine.law.special_hands import showable_hands
from bot.engine.law.turn_and_discard import why_not_discard
from bot.engine.moves import phases
from bot.engine.moves.actions import (
    DRAW,
    DRAW_KEEPING,
    NO,
    PASS,
    YES,
    Discard,
    LayRun,
    Meld,
    Step,
    discard_step,
    show_step,
)
from bot.engine.rules.irregularities import must_go_on_melding
from bot.engine.table.bonus_threes import may_keep_three
from bot.engine.table.state import State
from bot.engine.table.state_queries import has_run_grown, may_not_discard

_ANSWERS: tuple[Step, ...] = (YES, NO)
_ONLY_DRAW: tuple[Step, ...] = (DRAW,)


class _DiscardsCache(dict[Lanes, tuple[Discard, ...]]):
    """Cache that maps a set of kinds, given as lanes, to the steps of discarding them.

    It is asked for low and for high kinds separately, so it has at most 256 entries for each half.
    """

    def __missing__(self, lanes: Lanes) -> tuple[Discard, ...]:
        self[lanes] = tuple([discard_step(kind) for kind in range(HELD_KINDS) if lanes & LANE[kind]])
        return self[lanes]


_DISCARDS_OF: Final = _DiscardsCache()


def legal_actions(state: State) -> tuple[Step, ...]:
    """Return every legal step of the seat that must act; empty if no seat must."""
    if state.phase is phases.PLAY:
        return _steps_after_draw(state)
    if state.phase is phases.DRAW:
        return _steps_before_draw(state)
    return _ANSWERS if state.phase is phases.ANSWER else ()


def can_take_pile(state: State) -> bool:
    """Return whether the seat whose turn begins can pick up the pile in any way."""
    return bool(pile_taking_steps(state)) or (
        opening_from_hand.may_meld_before_draw(state) and bool(laying_steps(state))
    )


# --- the start of a turn ----------------------------------------------------------------------------------------------


def _steps_before_draw(state: State) -> tuple[Step, ...]:
    """Return the legal steps at the start of a turn."""
    takes = pile_taking_steps(state)
    laying: Sequence[Step] = ()
    if state.rules.open_pile == "hand_first":
        laying = laying_steps(state) if opening_from_hand.may_meld_before_draw(state) else ()
        if opening_from_hand.must_take_pile(state):
            return (*takes, *asking_steps(state, takes), *laying)
    said = asking_steps(state, takes)
    keeps = state.rules.keeps_three and may_keep_three(state, state.turn) and why_not_keep_three(state) is None
    if state.stock and not takes and not said and not keeps and not laying:
        return _ONLY_DRAW
    steps: list[Step] = [DRAW] if state.stock else []
    if keeps:
        steps.append(DRAW_KEEPING)
    steps += takes
    if not state.stock and why_not_pass(state) is None:
        steps.append(PASS)
    steps += said
    steps += laying
    return tuple(steps)


# --- after the draw ---------------------------------------------------------------------------------------------------


def _steps_after_draw(state: State) -> tuple[Step, ...]:
    """Return the legal steps after the draw: melds, merges, discards."""
    rules = state.rules
    steps: list[Step] = [*laying_steps(state)]
    if not rules.last_red3_ends and may_not_discard(state):
        steps += [PASS] if why_not_pass(state) is None else []
    elif len(state.hands[state.turn]) > 1 and has_run_grown(state):
        pass  # no discard: the seat has to go out
    elif state.lapsed and must_go_on_melding(rules) and has_melding_step(steps):
        pass  # no discard: the seat has to meld as much as it can first
    else:
        steps += _legal_discards(state)
    said = asking_steps(state)
    if said:
        steps += said
    if rules.special_hands:
        steps += [show_step(name) for name in showable_hands(state)]
    if rules.wild_reclaim != "none":
        steps += reclaim_steps(state)
    return tuple(steps)


def has_melding_step(steps: Iterable[Step]) -> bool:
    """Return whether one of these steps melds cards of the hand."""
    return any(isinstance(step, Meld | LayRun) for step in steps)


def _legal_discards(state: State) -> Sequence[Discard]:
    """Return the legal discards.

    Bans and penalty cards forbid some kinds. Any other reason that forbids one kind forbids all, so it is checked once.
    """
    held = (state.packed[state.turn] + ANY_HELD) & ALL_KINDS
    free = discardable_lanes(state) & held if state.rules.limits_discards else held
    discards = _DISCARDS_OF[free & LOW_KINDS] + _DISCARDS_OF[free & HIGH_KINDS]
    if state.penalties is not None:
        return [step for step in discards if why_not_discard(state, step) is None]
    several = len(state.hands[state.turn]) > 1
    if state.permission is None and not state.laid_points and several:
        return discards
    if state.laid_points and several and not state.opened[state.side]:
        return ()  # the initial meld must be completed first
    return discards if discards and why_not_discard(state, discards[0]) is None else ()
