"""The foot, a second hand that is face down until its seat picks it up; and the talon, bonus cards.

Nobody sees a foot before it is picked up, not even its owner. It is picked up when the hand is empty, or with the first
canasta. A seat can go out only after it has picked up its foot.

Talon: when a turn in which a side has opened ends with a discard, cards of the stock are set aside unseen, more for the
first side to open than for later ones. They come to the hand when that seat's next turn begins. There are none if the
pile was taken in that turn (unless `talon_with_pile` is on), and none if the stock is too short. A seat that will get
them may discard its last card without going out: its next turn begins with them.

Decides `docs/law/variants.md 3.10, 3.11, 3.12, 3.13`. Reads `foot_partner_gate`, `foot_pickup`, `out_canastas`,
`out_red_threes`, `talon`, `talon_stock`, `talon_with_pile`.
"""

from __future__ import annotations

from bot.engine.cards.cards import RED_THREE
from bot.engine.moves.events import SetTalon, TookFoot, TookTalon
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.reach.turn_outlook import opens_in_this_turn
from bot.engine.table import bonus_threes
from bot.engine.table.state import State


def has_foot_waiting(state: State, seat: int) -> bool:
    """Return whether the seat still has a face-down foot, so that it cannot go out yet."""
    return bool(state.feet) and bool(state.feet[seat])


def gets_foot_with_discard(state: State) -> bool:
    """Return whether the seat in turn gets its foot when it discards its last card."""
    return has_foot_waiting(state, state.turn) and (state.rules.foot_pickup == "hand_empty" or has_earned_foot(state))


def why_foot_forbids_out(state: State) -> Refusal | None:
    """Return the refusal if feet or red threes forbid the seat in turn to go out, else None.

    Its foot must be picked up, and its partner's too with `foot_partner_gate`. With `out_red_threes`, its side must
    have laid out red threes.
    """
    seat = state.turn
    if state.rules.out_red_threes and (refusal := why_too_few_threes(state)) is not None:
        return refusal
    if has_foot_waiting(state, seat):
        return Refusal(Code.FOOT_WAITS, {"cards": len(state.feet[seat])})
    if state.rules.foot_partner_gate == "in_foot" and state.feet:
        seating = state.seating
        for partner in seating.seats_of(seating.side_by_seat[seat]):
            if has_foot_waiting(state, partner):
                return Refusal(Code.PARTNER_FOOT_WAITS, {"partner": partner, "cards": len(state.feet[partner])})
    return None


def why_too_few_threes(state: State) -> Refusal | None:
    """Return the refusal for a side with too few red threes laid out for going out, else None."""
    required = state.rules.red_threes_needed
    held = sum(1 for card in state.red_threes[state.side] if card >> 2 == RED_THREE)
    return Refusal(Code.OUT_RED_THREES, {"held": held, "required": required}) if held < required else None


def has_earned_foot(state: State) -> bool:
    """Return whether the seat in turn picks up its foot for its first canasta, made in this turn."""
    return may_earn_foot(state) and state.spreads[state.side].canastas > state.canastas_before


def may_earn_foot(state: State) -> bool:
    """Return whether a canasta in this turn would let the seat in turn pick up its foot."""
    return state.rules.foot_pickup == "first_canasta" and has_foot_waiting(state, state.turn)


def event_of_taking_foot(state: State, seat: int) -> TookFoot:
    """Return the event of picking up the foot; bonus threes are laid out and replaced.

    Source: `docs/law/classic.md 1.7`.
    """
    kept, laid = bonus_threes.replace_threes(state.rules, state.feet[seat], state.stock)
    return TookFoot(seat, kept, laid, len(kept))


def talon_size_due(state: State) -> int:
    """Return the size of the talon that the seat in turn gets if its side is open when the turn ends.

    Zero if its side opened before this turn.
    """
    rules = state.rules
    if not rules.talon or (state.drew != "stock" and not rules.talon_with_pile) or not opens_in_this_turn(state):
        return 0
    before = sum(state.opened) - state.opened[state.side]
    if before >= len(rules.talon) or len(state.stock) < rules.talon_stock:
        return 0
    return min(rules.talon[before], len(state.stock) - 1)


def earned_talon_size(state: State) -> int:
    """Return the size of the talon earned by the seat in turn, whose side opened in this turn."""
    return talon_size_due(state) if state.opened[state.side] else 0


def event_of_setting_talon_aside(state: State, seat: int, count: int) -> SetTalon:
    """Return the event of setting aside the next `count` cards of the stock for that seat, unseen."""
    return SetTalon(seat, state.stock[: -count - 1 : -1], count)


def has_talon_waiting(state: State, seat: int) -> bool:
    """Return whether a talon is set aside for that seat."""
    return bool(state.talons) and bool(state.talons[seat])


def event_of_taking_talon(state: State, seat: int) -> TookTalon:
    """Return the event of receiving the talon; bonus threes are laid out and replaced from the stock."""
    kept, laid = bonus_threes.replace_threes(state.rules, state.talons[seat], state.stock)
    return TookTalon(seat, kept, laid, len(kept))
