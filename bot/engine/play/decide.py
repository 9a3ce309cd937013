"""Decide an action: return its events, or refuse it with the reason.

``decide(state, seat, action)`` returns the events in order and changes nothing.

Decides `docs/law/classic.md 1.18, 1.22`. Reads `out_announce`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bot.engine.law import asking_to_go_out
from bot.engine.law.asking_to_go_out import why_not_announce, why_not_ask
from bot.engine.law.penalising import penalty_events, penalty_for
from bot.engine.law.turn_and_discard import why_not_in_turn
from bot.engine.moves import phases
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    Action,
    Announce,
    Answer,
    Ask,
    Attempt,
    Combine,
    Discard,
    DiscardCard,
    Draw,
    DrawKeeping,
    LayMelds,
    LayRun,
    Meld,
    Pass,
    Reclaim,
    Show,
    StartDeal,
    Take,
    TakeBack,
    TakePile,
)
from bot.engine.moves.events import Events
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play import act_events, step_events
from bot.engine.play.legal_steps import has_melding_step, legal_actions
from bot.engine.rules.irregularities import must_go_on_melding
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State


def decide(state: State, seat: int | None, action: Action) -> Events:
    """Return the events of an action of that seat.

    Raises `Refusal` if the rules forbid it; its `legal` lists the seat's legal steps.
    """
    phase = state.phase
    if seat != state.turn or (phase is not phases.PLAY and phase is not phases.DRAW):
        if isinstance(action, Attempt):
            return _events_of_attempt(state, seat, action)
        _require_turn(state, seat, action)
    if state.lapsed and isinstance(action, Discard | DiscardCard) and must_go_on_melding(state.rules):
        _require_all_melded(state)
    return _events_of_action(state, seat, action)


def _events_of_action(state: State, seat: int | None, action: Action) -> Events:
    """Return the events of an action of the seat that must act."""
    phase = state.phase
    try:
        events = _DECIDERS[type(action)](state, action)
    except Refusal as refused:
        if isinstance(action, StartDeal | Attempt):
            raise
        told = _why_not_announced(state) or refused if refused.code in _NOT_ANNOUNCED else refused
        told.list_legal = partial(legal_actions, state)
        told.penalty = penalty_for(state, seat, action, told)
        raise told from None
    if state.permission or phase is phases.ANSWER:
        return (*events, *asking_to_go_out.permission_lapse_events(fold(state, events)))
    return events


def _require_all_melded(state: State) -> None:
    """Raise `Refusal` if a seat that could not go out after its partner's yes can still meld.

    The penalties of some tables demand that it melds as much as it can (`S0 1.4.l.i`).
    """
    legal = legal_actions(state)
    if has_melding_step(legal):
        raise Refusal(Code.MELD_AS_FAR_AS_POSSIBLE, {}, lambda: legal)


_NOT_ANNOUNCED: Final = (Code.OUT_NOT_ASKED, Code.OUT_NOT_ANNOUNCED)


def _why_not_announced(state: State) -> Refusal | None:
    """Return the refusal if the seat cannot ask or announce now, as going out requires; None if it can."""
    legal = legal_actions(state)
    if ASK in legal or ANNOUNCE in legal:
        return None
    return why_not_announce(state) if state.rules.out_announce else why_not_ask(state)


def _events_of_attempt(state: State, seat: int | None, action: Attempt) -> Events:
    """Return the events of a legal action, or of the penalty for an irregularity.

    Source: `docs/law/classic.md 1.22`.
    """
    if isinstance(action.of, StartDeal | Attempt):
        raise Refusal(Code.NOT_YOUR_TURN, {"turn": state.turn})
    try:
        return decide(state, seat, action.of)
    except Refusal as refused:
        if seat is None or refused.penalty is None:
            raise
        events = penalty_events(state, seat, refused.penalty)
        if refused.penalty.cost.binds:
            return (*events, *asking_to_go_out.permission_lapse_events(fold(state, events)))
        if not refused.penalty.cost.stands:
            return events
    return (*events, *_events_of_action(fold(state, events), seat, action.of))


def _require_turn(state: State, seat: int | None, action: Action) -> None:
    """Raise `Refusal` unless it is the seat's turn to act; to start a deal no seat is needed."""
    if isinstance(action, StartDeal):
        return
    refusal = why_not_in_turn(state, seat)
    if refusal is not None:
        refusal.penalty = penalty_for(state, seat, action, refusal)
        raise refusal
    if state.phase is phases.ANSWER and not isinstance(action, Answer):
        raise Refusal(Code.WAITING_FOR_ANSWER, {"partner": seat or 0}, partial(legal_actions, state))


def why_not_allowed(state: State, seat: int | None, action: Action) -> Refusal | None:
    """Return the refusal that `decide` would raise, or None."""
    try:
        decide(state, seat, action)
    except Refusal as refusal:
        return refusal
    return None


def is_allowed(state: State, seat: int | None, action: Action) -> bool:
    """Return whether the rules allow the action."""
    return why_not_allowed(state, seat, action) is None


# A type checker cannot see that each function gets only actions of its own type.
_DECIDERS: dict[type[Action], Callable[[State, Any], Events]] = {
    StartDeal: step_events.events_of_starting_deal,
    Attempt: lambda state, action: _events_of_attempt(state, state.turn, action),
    Draw: step_events.events_of_draw,
    DrawKeeping: step_events.events_of_draw_keeping,
    Take: step_events.events_of_taking,
    Meld: step_events.events_of_meld,
    LayRun: step_events.events_of_laying_run,
    Combine: step_events.events_of_combining,
    Reclaim: step_events.events_of_reclaiming,
    Discard: step_events.events_of_discard,
    Ask: asking_to_go_out.events_of_asking,
    Answer: asking_to_go_out.events_of_answering,
    Announce: asking_to_go_out.events_of_announcing,
    Pass: step_events.events_of_passing,
    Show: step_events.events_of_special_hand,
    TakeBack: step_events.events_of_taking_back,
    LayMelds: act_events.events_of_laying,
    TakePile: act_events.events_of_taking_pile,
    DiscardCard: act_events.events_of_discarding,
}
