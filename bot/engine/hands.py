"""Cards that come to a hand and leave it, as an event says; the counts of the hand go along (`bot.engine.counts`)."""

from __future__ import annotations

from typing import TypeVar

from bot.engine.cards import Card
from bot.engine.counts import ONE
from bot.engine.penalties import without_each
from bot.engine.sorted_cards import together
from bot.engine.state import State

Value = TypeVar("Value")


def replaced(values: tuple[Value, ...], index: int, value: Value) -> tuple[Value, ...]:
    """The tuple with one place changed."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def into_hand(after: State, seat: int, cards: tuple[Card, ...], red_threes: tuple[Card, ...]) -> None:
    """Cards come to a hand; the red threes among them are laid out for its side."""
    if cards:
        hands = list(after.hands)
        counts = list(after.packed)
        hands[seat] = tuple(sorted(hands[seat] + cards))
        for card in cards:
            counts[seat] += ONE[card]
        after.hands = tuple(hands)
        after.packed = tuple(counts)
        after.fresh += cards
    if red_threes:
        side = after.rules.side_of(seat)
        after.red_threes = replaced(after.red_threes, side, together(after.red_threes[side], red_threes))


def out_of_hand(after: State, seat: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards leave the hand; answers with those that were penalty cards."""
    hands = list(after.hands)
    counts = list(after.packed)
    hand = list(hands[seat])
    left = counts[seat]
    for card in cards:
        hand.remove(card)
        left -= ONE[card]
    hands[seat] = tuple(hand)
    counts[seat] = left
    after.hands = tuple(hands)
    after.packed = tuple(counts)
    return () if after.penalties is None else _no_longer_exposed(after, seat, cards)


def _no_longer_exposed(after: State, seat: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    before = after.penalties
    if before is None or not before.exposed[seat]:
        return ()
    after.penalties = before.without(seat, cards)
    return without_each(before.exposed[seat], after.penalties.exposed[seat])
