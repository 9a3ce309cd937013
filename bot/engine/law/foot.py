"""The foot: a second hand, face down until it is taken up (`docs/law/variants.md 3.11, 3.12`).

Nobody sees a foot before it is taken up, its owner no sooner than the others. It is taken up once: when the hand is
empty, or with the seat's first canasta. A seat goes out only when no foot lies for it any more.
"""

from __future__ import annotations

from bot.engine.cards.cards import RED_THREE
from bot.engine.moves.events import TookFoot
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.table import threes
from bot.engine.table.state import State


def waits(state: State, seat: int) -> bool:
    """Whether a foot lies for the seat, still to be taken up: then an empty hand does not go out."""
    return bool(state.feet) and bool(state.feet[seat])


def comes_with_discard(state: State) -> bool:
    """Whether the foot of the seat in turn comes when it discards its last card."""
    return waits(state, state.turn) and (state.rules.foot_pickup == "hand_empty" or earned(state))


def why_not_reached(state: State) -> Refusal | None:
    """Whether the feet let the seat in turn go out: its own is taken up, and its partners' where the rules ask so.

    Red threes too, where going out takes them (`docs/law/variants.md 3.13`).
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
    """Whether the side in turn has laid out the red threes that its canastas need for going out."""
    required = state.rules.out_red_threes * max(1, state.rules.out_canastas)
    side = state.seating.side_by_seat[state.turn]
    held = sum(1 for card in state.red_threes[side] if card >> 2 == RED_THREE)
    return Refusal(Code.OUT_RED_THREES, {"held": held, "required": required}) if held < required else None


def earned(state: State) -> bool:
    """Whether the seat in turn takes up its foot for its first canasta, made in this turn."""
    if state.rules.foot_pickup != "first_canasta" or not waits(state, state.turn):
        return False
    return state.spreads[state.seating.side_by_seat[state.turn]].canastas > state.canastas_before


def may_be_earned(state: State) -> bool:
    """Whether the seat in turn takes up its foot for a canasta that its side makes in this turn."""
    return state.rules.foot_pickup == "first_canasta" and waits(state, state.turn)


def take_up(state: State, seat: int) -> TookFoot:
    """The foot comes to hand; threes that are bonus cards are laid out and replaced (`docs/law/classic.md 1.7`)."""
    kept, shown = threes.parted(state.rules, state.feet[seat])
    drawn, more = threes.from_stock(state.rules, state.stock, len(shown))
    return TookFoot(seat, kept + drawn, shown + more, len(kept) + len(drawn))
