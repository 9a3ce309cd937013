"""The ways to take the pile that are legal, listed: those the cards held allow, asked one by one where needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.actions import TAKE_ADD, TAKE_PAIR, TAKE_WITH_JOKER, TAKE_WITH_TWO, Take
from bot.engine.cards import LAST_ACE, SEVEN
from bot.engine.counts import WILD_SHIFT
from bot.engine.state import State
from bot.engine.taking import varied_takes, why_not_take
from bot.engine.variants import showing

FREE: Final = 3
"""With more cards in hand two are left whatever claims the pile."""


def take_steps(state: State) -> Sequence[Take]:
    """The legal ways to take the pile, in their fixed order; none when the turn has gone on."""
    pile = state.pile
    if not pile or pile[-1] > LAST_ACE:
        return _takes_showing(state) if pile and state.rules.take_twos else ()
    rules = state.rules
    if pile[-1] >> 2 == SEVEN and "7" in rules.top_blocks:
        return ()
    if rules.varied:
        return varied_takes(state)
    kind = pile[-1] >> 2
    seat = state.turn
    side = state.side
    counts = state.packed[seat]
    naturals = counts >> 8 * kind & 127
    takes = [TAKE_PAIR] if naturals > 1 else []
    opened = state.opened[side]
    if not state.frozen and (opened or not rules.frozen_unopened):
        onto = state.spreads[side].by_place.get(kind)
        wilds = counts >> WILD_SHIFT
        if naturals and wilds and (onto is None or onto.wilds < rules.max_wilds or not rules.plain):
            if wilds & 127:
                takes.append(TAKE_WITH_TWO)
            if wilds > 127:
                takes.append(TAKE_WITH_JOKER)
        if onto is not None:
            takes.append(TAKE_ADD)
    if not takes or (opened and len(state.hands[seat]) > FREE and rules.takes_freely and rules.plain):
        return takes  # two cards stay in the hand whatever is laid, so the turn can end
    return [take for take in takes if why_not_take(state, take) is None]


def _takes_showing(state: State) -> Sequence[Take]:
    """The way to take a pile with a two on top, with which nothing can be laid (`rules/classic.md 3`, H41)."""
    return [take for take in showing.candidates(state) if why_not_take(state, take) is None]
