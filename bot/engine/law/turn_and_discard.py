"""The seat whose turn it is, and the discard that ends the turn.

Each function returns a `Refusal`, or None if nothing forbids the action. `bot.engine.play.decide` raises these
refusals; the list of legal steps uses the same functions.

Decides `docs/law/classic.md 1.2, 1.5, 1.9, 1.15, 1.18, 1.19, 1.21, 1.22, 2.3`. Reads `discard_bans`, `last_red3_ends`,
`talon`, `theme`.
"""

from __future__ import annotations

from bot.engine.cards.cards import HELD_KINDS, Card, Kind
from bot.engine.cards.notation import cards_text
from bot.engine.law import foot_and_talon
from bot.engine.law.discard_bans import why_discard_banned
from bot.engine.law.going_out import can_go_out
from bot.engine.law.going_out_refusals import must_go_out_refusal, why_initial_meld_incomplete, why_not_go_out
from bot.engine.moves import phases
from bot.engine.moves.actions import Discard
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.table.charged_penalties import penalty_cards
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.state_queries import has_run_grown, may_not_discard

# --- whose turn it is -------------------------------------------------------------------------------------------------


def why_not_in_turn(state: State, seat: int | None) -> Refusal | None:
    """Return the refusal if that seat need not act now, else None.

    `seat` is None if an action that needs a seat came without one.
    """
    if seat is None or not 0 <= seat < state.rules.players:
        return Refusal(Code.NOT_A_PLAYER, {"seat": -1 if seat is None else seat, "players": state.rules.players})
    if state.phase is phases.OVER:
        return Refusal(Code.GAME_OVER)
    to_act = seat_to_act(state)
    if to_act is None:
        return Refusal(Code.NO_DEAL)
    if seat not in state.seating.seats:
        return Refusal(Code.RESTING, {"deal": state.deal})
    if seat == to_act:
        return None
    if state.phase is phases.ANSWER:
        return Refusal(Code.WAITING_FOR_ANSWER, {"partner": to_act})
    return Refusal(Code.NOT_YOUR_TURN, {"turn": to_act})


def why_not_answer(state: State) -> Refusal | None:
    """Return the refusal if there is no question to answer, else None."""
    return None if state.phase is phases.ANSWER else Refusal(Code.NO_QUESTION)


# --- ending the turn --------------------------------------------------------------------------------------------------


def why_not_discard(state: State, step: Discard) -> Refusal | None:
    """Return the refusal if a card of that kind may not end the turn, else None.

    The last card of a hand ends the deal.
    """
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    kind, left = step.kind, len(state.hands[state.turn]) - 1
    if not (0 <= kind < HELD_KINDS and state.packed[state.turn] >> 8 * kind & 127):
        return Refusal(Code.CARD_NOT_HELD, {"kind": kind_name(kind), "held": 0, "needed": 1})
    if may_not_discard(state):
        return Refusal(Code.DISCARD_AFTER_LAST_THREE)
    free = state.permission is None and not state.laid_points and left > 0
    if free and has_run_grown(state):
        return Refusal(Code.RUN_GROWS_ONLY_OUT, {"left": left})
    refusal = why_discard_banned(state, kind) if state.rules.limits_discards else None
    if refusal is None and state.penalties is not None:
        refusal = why_penalty_card_first(state, kind)
    if refusal is not None or free:
        return refusal
    if not left and state.rules.talon and foot_and_talon.earned_talon_size(state):
        return None  # the seat does not go out, as its next turn begins with its talon
    if not left and not foot_and_talon.gets_foot_with_discard(state):
        return why_not_go_out(state, state.spreads[state.side])
    if (lacking := why_initial_meld_incomplete(state)) is not None:
        return lacking
    if state.permission and can_go_out(state):
        return must_go_out_refusal(state)
    return None


def why_penalty_card_first(state: State, kind: Kind, card: Card | None = None) -> Refusal | None:
    """Return the refusal if a seat with penalty cards may not discard that kind or card, else None.

    Penalty cards that the rules forbid to discard do not bind.
    """
    due = [one for one in penalty_cards(state, state.turn) if why_discard_banned(state, one >> 2) is None]
    if not due or (card in due if card is not None else any(one >> 2 == kind for one in due)):
        return None
    return Refusal(Code.PENALTY_CARDS_FIRST, {"exposed": cards_text(due)})
