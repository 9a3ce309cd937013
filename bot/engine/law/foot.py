"""The foot: a second hand, face down until its seat takes it up.

Nobody sees a foot before it is taken up, its owner no sooner than the others. It is taken up once: when the hand is
empty, or with the first canasta. A seat goes out only when no foot lies for it any more.

Decides `docs/law/variants.md 3.11, 3.12, 3.13`. Reads `foot_partner_gate`, `foot_pickup`, `out_canastas`,
`out_red_threes`.

The talon: bonus cards for a side that opens.

Cards are set aside unseen from the stock when a turn in which a side has opened ends with a discard: more for the first
side to open than for later ones. They come to the hand as that seat's next turn begins. There are none when the pile
was taken in that turn, unless `talon_with_pile` gives them all the same, and none when the stock is too short. A seat
to which they are due may discard its last card without going out: its next turn begins with them.

Decides `docs/law/variants.md 3.10, 3.13`. Reads `talon`, `talon_stock`, `talon_with_pile`.
"""

from __future__ import annotations

from bot.engine.cards.cards import RED_THREE
from bot.engine.moves.events import SetTalon, TookFoot, TookTalon
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.reach.standing import opens_now
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


def due(state: State) -> int:
    """How many cards will be set aside for the seat in turn if its side has opened when its turn ends.

    None are where its side opened before this turn.
    """
    rules = state.rules
    if not rules.talon or (state.drew != "stock" and not rules.talon_with_pile) or not opens_now(state):
        return 0
    before = sum(state.opened) - state.opened[state.side]
    if before >= len(rules.talon) or len(state.stock) < rules.talon_stock:
        return 0
    return min(rules.talon[before], len(state.stock) - 1)


def earned_bonus_cards(state: State) -> int:
    """How many cards are due to the seat in turn, whose side has opened in this turn."""
    return due(state) if state.opened[state.side] else 0


def set_aside(state: State, seat: int, count: int) -> SetTalon:
    """The next `count` cards of the stock wait for that seat, seen by nobody."""
    return SetTalon(seat, state.stock[: -count - 1 : -1], count)


def waits_for_bonus_cards(state: State, seat: int) -> bool:
    """Whether cards wait for that seat."""
    return bool(state.talons) and bool(state.talons[seat])


def take(state: State, seat: int) -> TookTalon:
    """The cards that wait for the seat come to its hand; threes among them are laid out and replaced from the stock."""
    kept, laid = threes.with_replacements(state.rules, state.talons[seat], state.stock)
    return TookTalon(seat, kept, laid, len(kept))
