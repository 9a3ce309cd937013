"""Small questions about a state that several rules ask."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import FIRST_RED_THREE, Card, Kind
from bot.engine.rules import RuleSet
from bot.engine.state import State, TableMeld


def canastas(rules: RuleSet, melds: Sequence[TableMeld]) -> int:
    """How many canastas lie there."""
    size = rules.canasta_size
    count = 0
    for meld in melds:
        count += len(meld.cards) >= size
    return count


def minimum(state: State, side: int) -> int:
    """Points the side's first meld of this deal needs."""
    return state.rules.initial_meld_minimum(state.scores[side])


def frozen_for(state: State, side: int) -> bool:
    """Whether only a natural pair takes the pile: frozen for everybody, or the side has not opened (`1.13`)."""
    return state.frozen or (state.rules.frozen_unopened and not state.opened[side])


def gathered_size(state: State) -> int:
    """How many cards of the pile below its top would come to a hand; red threes go to the table instead."""
    return sum([card < FIRST_RED_THREE for card in _below_top(state)])


def gathered_kind(state: State) -> Kind:
    """The kind of the only card that would come to a hand, where `gathered_size` is one."""
    return next(card >> 2 for card in _below_top(state) if card < FIRST_RED_THREE)


def _below_top(state: State) -> tuple[Card, ...]:
    return state.pile if state.aside else state.pile[:-1]
