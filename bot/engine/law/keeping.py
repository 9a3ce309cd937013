"""Keeping: how many cards of a hand have to stay for a turn to end without going out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.counts import LANES_OF
from bot.engine.law import foot, talon
from bot.engine.law.discards import held_lanes
from bot.engine.reach.leaving import never_last
from bot.engine.reach.openings import Goal
from bot.engine.reach.reaching import reaches, reaches_without
from bot.engine.reach.standing import Standing
from bot.engine.table.queries import gathered_kind
from bot.engine.table.state import State

MOST_KEPT: Final = 2
"""More cards never have to stay: one to discard, and one to hold."""


def may_leave(state: State, left: int) -> bool:
    """Whether a hand of so many cards lets the seat in turn end it without going out."""
    return left >= MOST_KEPT or left >= kept(state)


def kept(state: State) -> int:
    """How many cards the seat in turn has to keep for the turn to end without going out.

    None while a foot waits; one to discard where cards are due to it if its side opens (`bot.engine.law.talon`).
    """
    if state.rules.talon and talon.due(state):
        banned = never_last(state.rules)  # such a card could not be the one
        return MOST_KEPT if banned and held_lanes(state) & LANES_OF[banned] else 1
    return 0 if state.rules.foot_pickup == "hand_empty" and foot.waits(state, state.turn) else MOST_KEPT


def may_keep_one(state: State) -> bool:
    """Whether one card is enough though two are `kept`, if it is none of those that may not be the last."""
    return bool(state.rules.talon) and bool(never_last(state.rules)) and bool(talon.due(state))


def may_stay(state: State, hand: Sequence[Card], below: int) -> bool:
    """Whether these cards, and `below` that come of the pile, let the seat in turn end it without going out."""
    left = len(hand) + below
    if left >= kept(state):
        return True
    if left != 1 or not may_keep_one(state):
        return False
    return (hand[0] >> 2 if hand else gathered_kind(state)) not in (None, *never_last(state.rules))


def reaches_keeping_one(
    state: State, standing: Standing, hand: tuple[Card, ...], goals: Sequence[Goal], *, below: int
) -> bool:
    """Whether the hand reaches one of the goals with a single card left that may stay alone."""
    if not may_keep_one(state):
        return False
    banned = never_last(state.rules)
    if not below:
        return any(reaches_without(standing, hand, goal, banned) for goal in goals)
    if below > 1 or gathered_kind(state) in (None, *banned):
        return False
    return any(reaches(standing, hand, goal, keep=0) for goal in goals)
