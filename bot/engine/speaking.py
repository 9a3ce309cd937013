"""Speaking: what asking, answering and announcing make happen, and when a yes lapses.

Source: `docs/law/classic.md 1.15, 1.18`.

Every function that decides verifies first and raises `Refusal`; whose turn it is has been asked before.
"""

from __future__ import annotations

from bot.engine import phases
from bot.engine.actions import Announce, Answer, Ask
from bot.engine.events import Announced, Answered, Asked, Event, PermissionLapsed
from bot.engine.irregularities import prices_inability
from bot.engine.judging import unable
from bot.engine.refusals import Code, Refusal
from bot.engine.saying import why_not_announce, why_not_ask
from bot.engine.state import State, actor
from bot.engine.variants.leading_out import can_go_out
from bot.engine.verify import why_not_answer

Events = tuple[Event, ...]


def ask(state: State, action: Ask) -> Events:
    """The partner owes an answer."""
    refusal = why_not_ask(state, action)
    if refusal is not None:
        raise refusal
    partner = state.seating.partner_by_seat[state.turn]
    if partner is None:
        raise Refusal(Code.ASK_OFF)
    return (Asked(state.turn, partner),)


def answer(state: State, action: Answer) -> Events:
    """The answer binds, and the turn goes on where it was asked (`1.18`)."""
    refusal = why_not_answer(state, action)
    if refusal is not None:
        raise refusal
    partner = actor(state)
    if partner is None:
        raise Refusal(Code.NO_QUESTION)
    return (Answered(partner, action.yes),)


def announce(state: State, action: Announce) -> Events:
    """The seat has to go out in this turn, if it can (`1.15`)."""
    refusal = why_not_announce(state, action)
    if refusal is not None:
        raise refusal
    return (Announced(state.turn),)


def lapse(state: State) -> Events:
    """What happens by itself when a seat that has to go out has its cards and turns out to be unable.

    Nothing binds it any more: that is told, or paid for where the table does (`1.22`, `S0 1.4.l.i`).
    """
    if not state.permission or state.phase is not phases.PLAY or state.aside or can_go_out(state):
        return ()
    return (unable(state),) if prices_inability(state.rules) else (PermissionLapsed(state.turn),)
