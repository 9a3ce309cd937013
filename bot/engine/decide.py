"""Decide: what an action makes happen, or why it may not.

``decide(state, seat, action)`` answers with the events, in order, and changes nothing; a refusal names its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.engine import acts, phases, steps
from bot.engine.actions import (
    Action,
    Announce,
    Answer,
    Ask,
    Combine,
    Discard,
    DiscardCard,
    Draw,
    LayMelds,
    LayRun,
    Meld,
    Pass,
    Show,
    StartDeal,
    Take,
    TakeBack,
    TakePile,
)
from bot.engine.events import Event
from bot.engine.legal import legal_actions
from bot.engine.refusals import Code, Refusal
from bot.engine.state import State
from bot.engine.verify import why_not_turn

Events = tuple[Event, ...]


def decide(state: State, seat: int | None, action: Action) -> Events:
    """What happens when that seat acts so.

    Raises `Refusal` when the rules do not allow it; its `legal` lists what the seat could do instead.
    """
    phase = state.phase
    if seat != state.turn or (phase is not phases.PLAY and phase is not phases.DRAW):
        _require_turn(state, seat, action)
    try:
        return _DECIDERS[type(action)](state, action)
    except Refusal as refused:
        if not isinstance(action, StartDeal):
            refused.legal = legal_actions(state)
        raise


def _require_turn(state: State, seat: int | None, action: Action) -> None:
    """That the seat is to act, and so; a deal is started by nobody."""
    if isinstance(action, StartDeal):
        return
    refusal = why_not_turn(state, seat)
    if refusal is not None:
        raise refusal
    if state.phase is phases.ANSWER and not isinstance(action, Answer):
        raise Refusal(Code.WAITING_FOR_ANSWER, {"partner": seat or 0}, legal_actions(state))


def why_not(state: State, seat: int | None, action: Action) -> Refusal | None:
    """The refusal `decide` would raise, or None."""
    try:
        decide(state, seat, action)
    except Refusal as refusal:
        return refusal
    return None


def can(state: State, seat: int | None, action: Action) -> bool:
    """Whether the rules allow the action."""
    return why_not(state, seat, action) is None


# An action of one type reaches the function of that type only, which a type checker cannot see in a table.
_DECIDERS: dict[type[Action], Callable[[State, Any], Events]] = {
    StartDeal: steps.start_deal,
    Draw: steps.draw,
    Take: steps.take,
    Meld: steps.meld,
    LayRun: steps.lay_run,
    Combine: steps.combine,
    Discard: steps.discard,
    Ask: steps.ask,
    Answer: steps.answer,
    Announce: steps.announce,
    Pass: steps.pass_on,
    Show: steps.show,
    TakeBack: steps.take_back,
    LayMelds: acts.lay_melds,
    TakePile: acts.take_pile,
    DiscardCard: acts.discard_card,
}
