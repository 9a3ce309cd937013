"""The foot: a second hand, face down until its seat takes it up.

Nobody sees a foot before it is taken up, its owner no sooner than the others. It is taken up once: when the hand is
empty, or with the first canasta. A seat goes out only when no foot lies for it any more.

Decides `docs/law/variants.md 3.11, 3.12, 3.13`. Reads `foot_partner_gate`, `foot_pickup`, `out_canastas`,
`out_red_threes`.
"""

from __future__ import annotations

from bot.engine.cards.cards import RED_THREE
from bot.engine.moves.events import TookFoot
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.table import threes
from bot.engine.table.state import State


def waits(state: State, seat: int) -> bool:
    """Whether a foot still lies for the seat. An empty hand does not go out then."""
    return bool(state.feet) and bool(state.feet[seat])


def comes_with_discard(state: State) -> bool:
    """Whether the foot of the seat in turn comes when it discards its last card."""
    return waits(state, state.turn) and (state.rules.foot_pickup == "hand_empty" or earned(state))


def why_not_reached(state: State) -> Refusal | None:
    """Why feet, or red threes, keep the seat in turn from going out; None where they do not.

    Its own foot has to be taken up, and its partner's where `foot_partner_gate` asks for it. Where going out takes red
    threes (`out_red_threes`), its side has to have laid them out.
    """
    seat = state.turn
    if state.rules.out_red_threes and (refusal := why_too_few_threes(state)) is not None:
        return refusal
    if waits(state, seat):
        return Refusal(Code.FOOT_WAITS, {"cards": len(state.feet[seat])})
    if state.rules.foot_partner_gate == "in_foot" and state.feet:
        seating = state.seating
        for partner in seating.seats_of(seating.side_by_seat[seat]):
            if waits(state, partner):
                return Refusal(Code.PARTNER_FOOT_WAITS, {"partner": partner, "cards": len(state.feet[partner])})
    return None


def why_too_few_threes(state: State) -> Refusal | None:
    """The refusal for a side that has laid out fewer red threes than its canastas need for going out."""
    required = state.rules.red_threes_needed
    held = sum(1 for card in state.red_threes[state.side] if card >> 2 == RED_THREE)
    return Refusal(Code.OUT_RED_THREES, {"held": held, "required": required}) if held < required else None


def earned(state: State) -> bool:
    """Whether the seat in turn takes up its foot for its first canasta, made in this turn."""
    return may_be_earned(state) and state.spreads[state.side].canastas > state.canastas_before


def may_be_earned(state: State) -> bool:
    """Whether the seat in turn takes up its foot for a canasta that its side makes in this turn."""
    return state.rules.foot_pickup == "first_canasta" and waits(state, state.turn)


def take_up(state: State, seat: int) -> TookFoot:
    """The foot comes to the hand; threes that are bonus cards are laid out and replaced (`docs/law/classic.md 1.7`)."""
    kept, laid = threes.with_replacements(state.rules, state.feet[seat], state.stock)
    return TookFoot(seat, kept, laid, len(kept))
