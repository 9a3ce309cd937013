"""Saying that one goes out: asking the partner, or announcing it.

Where a word is compulsory, a seat that could go out may say it until the last card is laid; before the draw the pile
counts as a way out. Where asking is left to the seat, the question comes before anything is laid in the turn.

Such a question is refused to a seat that could not go out, but not always: before the draw the card that comes may let
it out (`S0 1.4.l.e`), and at some tables a question that comes to nothing has its price. Then the canastas of the side
decide alone.

Decides `docs/law/classic.md 1.15, 1.18` and `docs/law/variants.md 3.10`. Reads `ask_partner`, `meld_kinds`,
`out_announce`, `out_clean`, `out_discard`, `out_need`, `theme`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from bot.engine.law import foot, going_out
from bot.engine.law.going_out import can_go_out, canastas_in_sight
from bot.engine.law.judging import unable
from bot.engine.law.out_refusals import lay_not_before
from bot.engine.law.turn import why_not_answer
from bot.engine.melds.bonuses import unfinished_refusal
from bot.engine.melds.canastas import why_not_enough
from bot.engine.moves import phases
from bot.engine.moves.actions import ANNOUNCE, ASK, Announce, Answer, Ask, Step, Take
from bot.engine.moves.events import Announced, Answered, Asked, Events, PermissionLapsed
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.irregularities import prices_inability
from bot.engine.table import force
from bot.engine.table.state import State, actor

# --- what may be said -------------------------------------------------------------------------------------------------


Word: TypeAlias = Literal["", "ask", "announce"]
"""What has to be said before going out, if anything."""


def must_say(state: State) -> Word:
    """What the seat in turn has to say before it goes out and has not said yet; empty where there is nothing."""
    rules = state.rules
    if not rules.needs_word or state.permission is not None or state.phase not in (phases.DRAW, phases.PLAY):
        return ""
    return "announce" if rules.out_announce else "ask"


def why_not_ask(state: State) -> Refusal | None:
    """Why the seat in turn may not ask its partner now."""
    if not state.rules.asks:
        return Refusal(Code.ASK_OFF)
    if state.permission is not None or state.lapsed:
        return Refusal(Code.ASKED_IN_TURN)
    if _is_too_late(state):
        return Refusal(Code.ASK_TOO_LATE)
    if state.turn in state.asked:
        return Refusal(Code.ASKED_BEFORE)
    return _why_not_out(state, Code.ASK_CANNOT_GO_OUT)


def why_not_announce(state: State) -> Refusal | None:
    """Why the seat in turn may not announce now that it goes out."""
    if not state.rules.out_announce:
        return Refusal(Code.ANNOUNCE_OFF)
    if state.permission is not None or state.lapsed:
        return Refusal(Code.ANNOUNCE_TOO_LATE)
    return _why_not_out(state, Code.ANNOUNCE_CANNOT_GO_OUT)


def words(state: State, takes: Sequence[Take] | None = None) -> tuple[Step, ...]:
    """What the seat in turn may say now about going out.

    `takes` are its legal ways to take the pile, None where nobody has listed them yet.
    """
    rules = state.rules
    if not (rules.asks or rules.out_announce) or state.permission is not None or state.lapsed:
        return ()
    if _is_too_late(state) or state.turn in state.asked or not _may_say(state, takes):
        return ()
    return (ASK,) if rules.asks else (ANNOUNCE,)


def _is_too_late(state: State) -> bool:
    """Whether something was laid in the turn before a question that is left to the seat."""
    return not state.rules.needs_word and bool(state.started or state.joined)


def _asks_cards(state: State) -> bool:
    """Whether only a seat that could go out may say so."""
    rules = state.rules
    return rules.needs_word or (state.phase is not phases.DRAW and not prices_inability(rules))


def _may_say(state: State, takes: Sequence[Take] | None) -> bool:
    if _asks_cards(state):
        return can_go_out(state)
    return not going_out.is_held_in(state) and canastas_in_sight(state, takes)


# --- why it may not be said -------------------------------------------------------------------------------------------


def _why_not_out(state: State, too_few: Code) -> Refusal | None:
    """Why the seat could not go out in this turn; `too_few` is the code where its side lacks canastas.

    Asked in this order: what is neither cards nor canastas (a foot, a theme), the canastas of the side, the cards.
    """
    if _may_say(state, None):
        return None
    held = len(state.hands[state.turn])
    refusal = foot.why_not_reached(state)
    if refusal is None and not state.ready:
        refusal = lay_not_before(state, left=held)
    if refusal is None and state.rules.theme and force.ban_on_going_out(state) is not None:
        refusal = force.why_not_out(state, ())
    if refusal is None and not canastas_in_sight(state):
        refusal = _why_too_few(state, too_few)
    if refusal is not None:
        return refusal
    if state.rules.out_discard == "mandatory" and state.phase is phases.PLAY and going_out.leaves_none(state):
        return Refusal(Code.OUT_NEEDS_DISCARD, {"left": 0})
    melds = _why_such_melds(state)
    return melds or Refusal(Code.OUT_CARDS_STAY, {"cards": held})


def _why_such_melds(state: State) -> Refusal | None:
    """The refusal where nothing but a kind of canasta, or an unfinished meld, keeps the seat from going out now."""
    rules, melds = state.rules, state.spreads[state.side].by_place.values()
    if rules.out_need and can_go_out(replace(state, rules=replace(rules, out_need=()))):
        return why_not_enough(rules, melds, left=len(state.hands[state.turn]))
    if rules.out_clean and can_go_out(replace(state, rules=replace(rules, out_clean=False))):
        return unfinished_refusal(rules, melds)
    return None


def _why_too_few(state: State, too_few: Code) -> Refusal | None:
    """The refusal for a side that cannot have the canastas for going out in this turn."""
    rules, melds = state.rules, state.spreads[state.side].by_place.values()
    refusal = why_not_enough(rules, melds, left=len(state.hands[state.turn]))
    if refusal is not None and refusal.code is Code.NEEDS_CANASTA:
        return Refusal(too_few, {name: refusal.detail[name] for name in ("canastas", "required")})
    return refusal


# --- saying it --------------------------------------------------------------------------------------------------------


def ask(state: State, _action: Ask) -> Events:
    """The seat in turn asks, and its partner owes an answer. Raises `Refusal`."""
    refusal = why_not_ask(state)
    if refusal is not None:
        raise refusal
    partner = state.seating.partner_by_seat[state.turn]
    if partner is None:
        raise Refusal(Code.ASK_OFF)
    return (Asked(state.turn, partner),)


def answer(state: State, action: Answer) -> Events:
    """The partner answers, and the turn goes on where it was asked (`docs/law/classic.md 1.18`). Raises `Refusal`."""
    refusal = why_not_answer(state)
    if refusal is not None:
        raise refusal
    partner = actor(state)
    if partner is None:
        raise Refusal(Code.NO_QUESTION)
    return (Answered(partner, action.yes),)


def announce(state: State, _action: Announce) -> Events:
    """The seat in turn has to go out in this turn, if it can (`1.15`). Raises `Refusal`."""
    refusal = why_not_announce(state)
    if refusal is not None:
        raise refusal
    return (Announced(state.turn),)


def lapse(state: State) -> Events:
    """What happens by itself when a seat that has to go out has its cards and turns out to be unable.

    Nothing binds the seat any more. Its price is paid where the table plays with penalties (`1.22`, `S0 1.4.l.i`), and
    else the table is told.
    """
    if not state.permission or state.phase is not phases.PLAY or state.aside or can_go_out(state):
        return ()
    return (unable(state),) if prices_inability(state.rules) else (PermissionLapsed(state.turn),)
