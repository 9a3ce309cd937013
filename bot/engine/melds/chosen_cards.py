"""Picking: so many cards of each kind out of a hand, for a step that speaks of kinds and numbers alone."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from bot.engine.cards.cards import JOKER, TWO, Card, Kind
from bot.engine.moves.actions import Meld, Take

Wanted: TypeAlias = Sequence[tuple[Kind | None, int]]
"""Kinds, each with how many cards of it are wanted; None stands for no kind, of which none are."""


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
