"""Chosen cards: which cards leave a hand for a step, which speaks of kinds and numbers alone.

Penalty cards leave before their equals (`docs/law/classic.md 1.22`), the others in the order of the hand. Whoever asks
what a step leads to asks about the cards that `cards_for` names: they are the ones that are laid.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from bot.engine.cards.cards import JOKER, TWO, Card, Kind
from bot.engine.cards.places import natural_kind
from bot.engine.moves.actions import LayRun, Meld, Take
from bot.engine.table.penalties import penalty_cards
from bot.engine.table.state import State

Wanted: TypeAlias = Sequence[tuple[Kind | None, int]]
"""Kinds, each with how many cards of it are wanted; None stands for no kind, of which none are."""


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


# --- from any hand ----------------------------------------------------------------------------------------------------


def wanted_by(step: Meld | Take, kind: Kind | None) -> Wanted:
    """What the step wants of a hand where cards of that kind are its naturals."""
    return ((kind, step.naturals), (TWO, step.twos), (JOKER, step.jokers))


def picked(hand: Sequence[Card], wanted: Wanted, before: Iterable[Card] = ()) -> tuple[Card, ...]:
    """So many cards of each kind from a hand in ascending order, as far as it holds them.

    Of equal cards those of `before` are taken first.
    """
    cards: list[Card] = []
    for kind, count in wanted:
        if count and kind is not None:
            first = bisect_left(hand, kind << 2)
            held = hand[first : bisect_left(hand, (kind + 1) << 2, first)]
            cards += (_first(held, before) if before else held)[:count]
    return tuple(cards)


def _first(cards: Sequence[Card], before: Iterable[Card]) -> Sequence[Card]:
    """The cards in ascending order, those of `before` ahead of all others, each as often as it is named there."""
    ahead = Counter(cards) & Counter(before)
    return [*sorted(ahead.elements()), *sorted((Counter(cards) - ahead).elements())]
