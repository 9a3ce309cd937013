"""Chosen cards: which cards leave a hand for a step, which speaks of kinds and numbers alone.

Penalty cards leave before their equals (`docs/law/classic.md 1.22`), the others in the order of the hand. Whoever asks
what a step leads to asks about the cards that `cards_for` names: they are the ones that are laid.
"""

from __future__ import annotations

from bot.engine.cards.cards import Card
from bot.engine.cards.places import natural_kind
from bot.engine.melds.melds import Wanted, picked, wanted_by
from bot.engine.moves.actions import LayRun, Meld, Take
from bot.engine.table.penalties import penalty_cards
from bot.engine.table.state import State


def cards_for(state: State, step: Meld | LayRun | Take, seat: int | None = None) -> tuple[Card, ...]:
    """The cards of a hand that the step lays, as far as they are held; by default of the seat in turn.

    The cards of a run follow from the step, whether they are held or not.
    """
    if isinstance(step, LayRun):
        return step.cards
    top = state.pile[-1] >> 2 if state.pile else None
    kind = natural_kind(step.place) if isinstance(step, Meld) else top
    return chosen_of(state, state.turn if seat is None else seat, wanted_by(step, kind))


def chosen_of(state: State, seat: int, wanted: Wanted) -> tuple[Card, ...]:
    """So many cards of each kind from the seat's hand, as far as it holds them."""
    return picked(state.hands[seat], wanted, () if state.penalties is None else penalty_cards(state, seat))
