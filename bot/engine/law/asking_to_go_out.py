"""Asking the partner for permission to go out, or announcing it.

If asking or announcing is required, a seat that could go out may do so until it melds its last card; before the draw
the pile counts as a way out. If asking is optional, the seat must ask before it melds in the turn.

A seat that could not go out may usually not ask. Exceptions: before the draw the drawn card may let it out (`S0
1.4.l.e`), and at some tables a futile question has a penalty. In both cases only the canastas of its side decide
whether it may ask.

Decides `docs/law/classic.md 1.15, 1.18` and `docs/law/variants.md 3.10`. Reads `ask_partner`, `meld_kinds`,
`out_announce`, `out_clean`, `out_discard`, `out_need`, `theme`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from bot.engine.law import foot_and_talon, going_out
from bot.engine.law.going_out import can_go_out, may_have_enough_canastas
from bot.engine.law.going_out_refusals import canastas_too_new_refusal
from bot.engine.law.penalising import inability_penalty
from bot.engine.law.turn_and_discard import why_not_answer
from bot.engine.melds.canastas import why_too_few_canastas
from bot.engine.melds.points import unfinished_refusal
from bot.engine.moves import phases
from bot.engine.moves.actions import ANNOUNCE, ASK, Announce, Answer, Ask, Step, Take
from bot.engine.moves.events import Announced, Answered, Asked, Events, PermissionLapsed
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.irregularities import is_inability_priced
from bot.engine.table import themes_in_force
from bot.engine.table.state import State, seat_to_act

# --- when a seat may ask or announce ----------------------------------------------------------------------------------


Word: TypeAlias = Literal["", "ask", "announce"]
"""The act required before going out, if any."""


def required_declaration(state: State) -> Word:
    """Return the declaration that the seat in turn still needs before it goes out.

    It is ``"ask"``, ``"announce"``, or empty if the seat needs none.
    """
    rules = state.rules
    if not rules.needs_word or state.permission is not None or state.phase not in (phases.DRAW, phases.PLAY):
        return ""
    return "announce" if rules.out_announce else "ask"


def why_not_ask(state: State) -> Refusal | None:
    """Return the refusal if the seat in turn may not ask its partner now, else None."""
    if not state.rules.asks:
        return Refusal(Code.ASK_OFF)
    if state.permission is not None or state.lapsed:
        return Refusal(Code.ASKED_IN_TURN)
    if _is_too_late_to_ask(state):
        return Refusal(Code.ASK_TOO_LATE)
    if state.turn in state.asked:
        return Refusal(Code.ASKED_BEFORE)
    return _why_unable_to_go_out(state, Code.ASK_CANNOT_GO_OUT)


def why_not_announce(state: State) -> Refusal | None:
    """Return the refusal if the seat in turn may not announce going out now, else None."""
    if not state.rules.out_announce:
        return Refusal(Code.ANNOUNCE_OFF)
    if state.permission is not None or state.lapsed:
        return Refusal(Code.ANNOUNCE_TOO_LATE)
    return _why_unable_to_go_out(state, Code.ANNOUNCE_CANNOT_GO_OUT)


def asking_steps(state: State, takes: Sequence[Take] | None = None) -> tuple[Step, ...]:
    """Return the steps of asking or announcing that are legal now.

    `takes` are the seat's legal ways to take the pile, or None to compute them.
    """
    rules = state.rules
    if not (rules.asks or rules.out_announce) or state.permission is not None or state.lapsed:
        return ()
    if _is_too_late_to_ask(state) or state.turn in state.asked or not _may_ask_or_announce(state, takes):
        return ()
    return (ASK,) if rules.asks else (ANNOUNCE,)


def _is_too_late_to_ask(state: State) -> bool:
    """Return whether the player melded before asking, which makes the optional question too late."""
    return not state.rules.needs_word and bool(state.started or state.joined)


def _must_be_able_to_go_out(state: State) -> bool:
    """Return whether only a seat that could go out may ask or announce."""
    rules = state.rules
    return rules.needs_word or (state.phase is not phases.DRAW and not is_inability_priced(rules))


def _may_ask_or_announce(state: State, takes: Sequence[Take] | None) -> bool:
    """Return whether the seat in turn may ask or announce now, whichever the rules require."""
    if _must_be_able_to_go_out(state):
        return can_go_out(state)
    return not going_out.is_barred_from_going_out(state) and may_have_enough_canastas(state, takes)


# --- refusals ---------------------------------------------------------------------------------------------------------


def _why_unable_to_go_out(state: State, too_few: Code) -> Refusal | None:
    """Return the refusal if the seat could not go out in this turn, else None.

    `too_few` is the code if its side lacks canastas. Checked in this order: reasons other than cards and canastas (a
    foot, a theme), the canastas of the side, the cards.
    """
    if _may_ask_or_announce(state, None):
        return None
    held = len(state.hands[state.turn])
    refusal = foot_and_talon.why_foot_forbids_out(state)
    if refusal is None and not state.ready:
        refusal = canastas_too_new_refusal(state, left=held)
    if refusal is None and state.rules.theme and themes_in_force.ban_on_going_out(state) is not None:
        refusal = themes_in_force.why_themes_forbid_out(state, ())
    if refusal is None and not may_have_enough_canastas(state):
        refusal = _why_too_few_canastas(state, too_few)
    if refusal is not None:
        return refusal
    if state.rules.out_discard == "mandatory" and state.phase is phases.PLAY and going_out.can_meld_whole_hand(state):
        return Refusal(Code.OUT_NEEDS_DISCARD, {"left": 0})
    melds = _why_melds_forbid_out(state)
    return melds or Refusal(Code.OUT_CARDS_STAY, {"cards": held})


def _why_melds_forbid_out(state: State) -> Refusal | None:
    """Return the refusal if the only obstacle to going out is one of the side's melds, else None.

    A sort of canasta may be missing, or a meld may be unfinished.
    """
    rules, melds = state.rules, state.spreads[state.side].by_place.values()
    if rules.out_need and can_go_out(replace(state, rules=replace(rules, out_need=()))):
        return why_too_few_canastas(rules, melds, left=len(state.hands[state.turn]))
    if rules.out_clean and can_go_out(replace(state, rules=replace(rules, out_clean=False))):
        return unfinished_refusal(rules, melds)
    return None


def _why_too_few_canastas(state: State, too_few: Code) -> Refusal | None:
    """Return the refusal for a side that cannot have the canastas for going out in this turn."""
    rules, melds = state.rules, state.spreads[state.side].by_place.values()
    refusal = why_too_few_canastas(rules, melds, left=len(state.hands[state.turn]))
    if refusal is not None and refusal.code is Code.NEEDS_CANASTA:
        return Refusal(too_few, {name: refusal.detail[name] for name in ("canastas", "required")})
    return refusal


# --- events of asking, answering and announcing -----------------------------------------------------------------------


def events_of_asking(state: State, _action: Ask) -> Events:
    """Return the event of asking; the partner must then answer. Raises `Refusal`."""
    refusal = why_not_ask(state)
    if refusal is not None:
        raise refusal
    partner = state.seating.partner_by_seat[state.turn]
    if partner is None:
        raise Refusal(Code.ASK_OFF)
    return (Asked(state.turn, partner),)


def events_of_answering(state: State, action: Answer) -> Events:
    """Return the event of answering; the turn continues where it was.

    Raises `Refusal`. Source: `docs/law/classic.md 1.18`.
    """
    refusal = why_not_answer(state)
    if refusal is not None:
        raise refusal
    partner = seat_to_act(state)
    if partner is None:
        raise Refusal(Code.NO_QUESTION)
    return (Answered(partner, action.yes),)


def events_of_announcing(state: State, _action: Announce) -> Events:
    """Return the event of announcing; the seat must then go out if it can (`1.15`). Raises `Refusal`."""
    refusal = why_not_announce(state)
    if refusal is not None:
        raise refusal
    return (Announced(state.turn),)


def permission_lapse_events(state: State) -> Events:
    """Return the events if a seat that must go out turns out to be unable; empty otherwise.

    The seat is free again. It pays where the table charges penalties (`1.22`, `S0 1.4.l.i`).
    """
    if not state.permission or state.phase is not phases.PLAY or state.aside or can_go_out(state):
        return ()
    return (inability_penalty(state),) if is_inability_priced(state.rules) else (PermissionLapsed(state.turn),)
