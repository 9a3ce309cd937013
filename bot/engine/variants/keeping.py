"""Keeping: how many cards of a hand have to stay for a turn to end without going out."""

from __future__ import annotations

from bot.engine.state import State
from bot.engine.variants import foot, talon
from bot.engine.variants.discards import never_last


def kept(state: State) -> int:
    """How many cards the seat in turn has to keep for the turn to end without going out.

    None while a foot waits; one to discard where cards are due to it if its side opens (`bot.engine.variants.talon`).
    """
    if state.rules.talon and talon.due(state):
        banned = never_last(state.rules)  # such a card could not be the one
        return 2 if any(card >> 2 in banned for card in state.hands[state.turn]) else 1
    return 0 if state.rules.foot_pickup == "hand_empty" and foot.waits(state, state.turn) else 2
