"""The ways to take the pile that are legal, listed: those the cards held allow, asked one by one where needed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.actions import Take
from bot.engine.cards import LAST_ACE, SEVEN
from bot.engine.state import State
from bot.engine.taking import varied_takes, why_not_take
from bot.engine.variants import showing


def take_steps(state: State) -> Sequence[Take]:
    """The legal ways to take the pile, in their fixed order; none when the turn has gone on."""
    pile = state.pile
    if not pile or pile[-1] > LAST_ACE:
        return _takes_showing(state) if pile and state.rules.take_twos else ()
    rules = state.rules
    if pile[-1] >> 2 == SEVEN and "7" in rules.top_blocks:
        return ()
    return varied_takes(state)


def _takes_showing(state: State) -> Sequence[Take]:
    """The way to take a pile with a two on top, with which nothing can be laid (`docs/law/classic.md H41`)."""
    return [take for take in showing.candidates(state) if why_not_take(state, take) is None]
