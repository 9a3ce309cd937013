"""Check the sources of the cards in a record's steps: stock, pile, hands, melds, feet and talons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from bot.engine.cards.cards import Card
from bot.engine.cards.shuffling import reshuffle_cards
from bot.engine.moves.events import (
    Answered,
    CameToHand,
    Discarded,
    Event,
    Gathered,
    LaidOut,
    Melded,
    Opened,
    Penalized,
    PermissionLapsed,
    Reclaimed,
    Reshuffled,
    SetTalon,
    Showed,
    TookFoot,
    TookTalon,
    TookTop,
)
from bot.engine.table import bonus_threes
from bot.engine.table.state import State
from bot.store.game_forms import CARDS
from bot.tables.past.record_faults import InvalidRecord

_AFTER_THE_TURN: Final = (TookFoot, SetTalon, Answered, Penalized, PermissionLapsed)
"""Events that a seat may cause outside its own turn."""


def top_cards_of_stock(state: State, count: int) -> tuple[Card, ...]:
    """Return the top `count` cards of the stock, in the order in which they are drawn."""
    return state.stock[: -count - 1 : -1] if count > 0 else ()


def cards_outside_stock(kind: type[Any], state: State, seat: int) -> tuple[Card, ...]:
    """Return the cards outside the stock that an event of type `kind` moves.

    They are red threes in the hand, a foot, a talon, or none.
    """
    if kind is LaidOut:
        return bonus_threes.split_threes(state.rules, state.hands[seat])[1]
    if kind is TookFoot:
        return state.feet[seat]
    return state.talons[seat] if kind is TookTalon else ()


def require_same_cards(cards_name: str, recorded: tuple[Card, ...], expected: tuple[Card, ...]) -> None:
    """Raise `InvalidRecord` unless `recorded` has the same cards as `expected`, in the same order.

    `expected` are the cards at the place that `cards_name` names.
    """
    if recorded != expected:
        raise InvalidRecord(f"{CARDS.write(recorded)} cannot be: {cards_name} {CARDS.write(expected) or 'no cards'}")


def check_card_sources(event: Event, state: State) -> None:
    """Raise `InvalidRecord` unless each card of the event is at its source, and the seat may act now."""
    seat = getattr(event, "seat", state.turn)
    if seat not in state.seating.seats:
        raise InvalidRecord(f"seat {seat} does not play")
    if seat != state.turn and not isinstance(event, _AFTER_THE_TURN):
        raise InvalidRecord(f"it is the turn of seat {state.turn}")
    _check_drawn_cards(event, state)
    _check_pile_cards(event, state)
    _check_in_hand(_cards_from_hand(event), state.hands[seat], seat)
    if isinstance(event, Reclaimed):
        lying = [card for meld in state.melds[state.side] if meld.place == event.place for card in meld.cards]
        _check_in_hand(event.cards, lying, seat)
    if isinstance(event, Opened) and event.points != state.laid_points:
        raise InvalidRecord(f"{event.points} points cannot be: {state.laid_points} lie there")


def _check_drawn_cards(event: Event, state: State) -> None:
    """Raise `InvalidRecord` unless the event's cards are on top of the stock."""
    match event:
        case CameToHand():
            _check_cards_to_hand(event, state)
        case SetTalon():
            require_same_cards("the stock has", event.cards, top_cards_of_stock(state, event.count))
        case Reshuffled():
            order = reshuffle_cards(state.pile[:-1], state.shuffle_key)
            require_same_cards("the stock follows from the pack:", event.cards, order)
        case _:
            pass


def _check_cards_to_hand(event: CameToHand, state: State) -> None:
    """Raise `InvalidRecord` unless the cards that come to the hand are on top of their source."""
    waiting = cards_outside_stock(type(event), state, event.seat)
    came = Counter(event.cards + event.red_threes)
    expected = waiting + top_cards_of_stock(state, came.total() - len(waiting))
    if came != Counter(expected):
        raise InvalidRecord(f"other cards come: {CARDS.write(expected)}")
    if any(card >> 2 not in state.rules.laid_out for card in event.red_threes):
        raise InvalidRecord("a card is laid out that is no such three")
    if isinstance(event, TookFoot | TookTalon) and not waiting:
        raise InvalidRecord("no such cards wait for the seat")


def _check_pile_cards(event: Event, state: State) -> None:
    """Raise `InvalidRecord` unless the cards taken from the pile lie there."""
    match event:
        case TookTop():
            require_same_cards("the pile's top is", (event.top,), state.pile[-1:])
        case Gathered():
            taken = Counter(event.cards + event.hidden + event.red_threes + event.set_aside)
            if taken != Counter(state.pile[max(0, len(state.pile) - taken.total()) :]):
                raise InvalidRecord("the pile has other cards")
        case Showed():
            require_same_cards("the hand is", tuple(sorted(event.cards)), state.hands[event.seat])
        case _:
            pass


def _cards_from_hand(event: Event) -> tuple[Card, ...]:
    """Return the cards of the event that its seat must have in hand."""
    match event:
        case Melded() | TookTop():
            return event.cards
        case Discarded():
            return (event.card,)
        case Gathered():
            return event.showed
        case Penalized():
            return event.exposed
        case _:
            return ()


def _check_in_hand(cards: Iterable[Card], held: Iterable[Card], seat: int) -> None:
    """Raise `InvalidRecord` unless all `cards` are among the cards `held`."""
    if missing := Counter(cards) - Counter(held):
        raise InvalidRecord(f"seat {seat} has no {CARDS.write(sorted(missing.elements()))} there")
