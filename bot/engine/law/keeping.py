"""Keeping: how many cards have to stay in a hand for the turn to end without going out.

Decides `docs/law/classic.md 1.15, 1.19, 1.23`, and with feet and talons `docs/law/variants.md 3.10, 3.11`. Reads
`foot_pickup`, `talon`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.cards.counts import LANES_OF
from bot.engine.law import foot, talon
from bot.engine.law.discards import held_lanes
from bot.engine.melds.melds import without
from bot.engine.reach.finishing import never_last
from bot.engine.reach.openings import Goal
from bot.engine.reach.reaching import reaches
from bot.engine.reach.standing import Standing
from bot.engine.table.queries import discards_no_more, gathered_kind
from bot.engine.table.state import State

MOST_KEPT: Final = 2
"""The most cards that ever have to stay: one to discard, and one to hold."""


def may_leave(state: State, left: int) -> bool:
    """Whether the seat in turn can end its turn without going out when so many cards are left in its hand."""
    return left >= MOST_KEPT or left >= kept(state)


def kept(state: State) -> int:
    """How many cards the seat in turn has to keep for the turn to end without going out.

    Two as a rule. One, to be discarded, where cards of a talon are due to the seat if its side opens
    (`bot.engine.law.talon`), unless it holds a card that may not be the last discard. None while a foot waits that
    comes with an empty hand. One also where the seat discards no more.
    """
    if state.rules.talon and talon.due(state):
        banned = never_last(state.rules)  # such a card could not be the one
        return MOST_KEPT if banned and held_lanes(state) & LANES_OF[banned] else 1
    if state.rules.foot_pickup == "hand_empty" and foot.waits(state, state.turn):
        return 0
    return 1 if discards_no_more(state) else MOST_KEPT


def may_keep_one(state: State) -> bool:
    """Whether a single card is enough, though `kept` asks for two, if that card may be the last discard."""
    return bool(state.rules.talon) and bool(never_last(state.rules)) and bool(talon.due(state))


def may_stay(state: State, hand: Sequence[Card], below: int) -> bool:
    """Whether the turn can end without going out with these cards left, and `below` more that come from the pile."""
    left = len(hand) + below
    if left >= kept(state):
        return True
    if left != 1 or not may_keep_one(state):
        return False
    return (hand[0] >> 2 if hand else gathered_kind(state)) not in (None, *never_last(state.rules))


def reaches_keeping_one(
    state: State, standing: Standing, hand: tuple[Card, ...], goals: Sequence[Goal], *, below: int
) -> bool:
    """Whether the hand reaches one of the goals with a single card left that may be the last discard."""
    if not may_keep_one(state):
        return False
    banned = never_last(state.rules)
    if not below:
        rests = [without(hand, (card,)) for card in dict.fromkeys(hand) if card >> 2 not in banned]
        return any(reaches(standing, rest, goal, keep=0) for goal in goals for rest in rests)
    if below > 1 or gathered_kind(state) in (None, *banned):
        return False
    return any(reaches(standing, hand, goal, keep=0) for goal in goals)
