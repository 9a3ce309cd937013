"""Keeping: how many cards of a hand have to stay for a turn to end without going out."""

from __future__ import annotations

from typing import Final

from bot.engine.counts import LANES_OF
from bot.engine.state import State
from bot.engine.variants import foot, talon
from bot.engine.variants.discards import held_lanes, never_last

MOST_KEPT: Final = 2
"""More cards never have to stay: one to discard, and one to hold."""


def may_leave(state: State, left: int) -> bool:
    """Whether a hand of so many cards lets the seat in turn end it without going out."""
    return left >= MOST_KEPT or left >= kept(state)


def kept(state: State) -> int:
    """How many cards the seat in turn has to keep for the turn to end without going out.

    None while a foot waits; one to discard where cards are due to it if its side opens (`bot.engine.variants.talon`).
    """
    if state.rules.talon and talon.due(state):
        banned = never_last(state.rules)  # such a card could not be the one
        return MOST_KEPT if banned and held_lanes(state) & LANES_OF[banned] else 1
    return 0 if state.rules.foot_pickup == "hand_empty" and foot.waits(state, state.turn) else MOST_KEPT
