"""Evolve: fold what happened into the state. It never refuses; `bot.engine.decide` lets nothing illegal happen.

One small function an event type, each writing to a fresh shallow copy of the state.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from bot.engine import phases
from bot.engine.cards import ACE, FIRST_WILD_CARD, RED_THREE, Card, Kind, counts_of
from bot.engine.events import (
    Answered,
    Asked,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    GameEnded,
    Gathered,
    Melded,
    Opened,
    Passed,
    TookBack,
    TookTop,
)
from bot.engine.rules import RuleSet, card_class
from bot.engine.state import Laid, State, TableMeld, new_game

Value = TypeVar("Value")

_NO_KINDS: frozenset[Kind] = frozenset()


def evolve(state: State, event: Event) -> State:
    """The state after the event; the state given is left as it was."""
    after = object.__new__(State)
    after.__dict__ = state.__dict__.copy()
    _HANDLERS[type(event)](after, event)
    return after


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after all the events."""
    for event in events:
        state = evolve(state, event)
    return state


def replay(rules: RuleSet, dealer: int, events: Iterable[Event]) -> State:
    """The state of a game from its log."""
    return fold(new_game(rules, dealer=dealer), events)


def replaced(values: tuple[Value, ...], index: int, value: Value) -> tuple[Value, ...]:
    """The tuple with one place changed."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def without(cards: tuple[Card, ...], removed: Iterable[Card]) -> tuple[Card, ...]:
    """The cards left, in ascending order, when each of `removed` has been taken out once."""
    left = list(cards)
    for card in removed:
        del left[bisect_left(left, card)]
    return tuple(left)


def together(cards: tuple[Card, ...], added: tuple[Card, ...]) -> tuple[Card, ...]:
    """All the cards in ascending order."""
    return tuple(sorted(cards + added))


def with_cards(melds: tuple[TableMeld, ...], kind: Kind, cards: tuple[Card, ...]) -> tuple[TableMeld, ...]:
    """A side's melds after these cards joined its meld of a rank, or began one."""
    for index, meld in enumerate(melds):
        if meld.kind == kind:
            return replaced(melds, index, _meld_of(kind, together(meld.cards, cards)))
    return (*melds, _meld_of(kind, together((), cards)))


def without_cards(melds: tuple[TableMeld, ...], kind: Kind, cards: tuple[Card, ...]) -> tuple[TableMeld, ...]:
    """A side's melds after these cards left its meld of a rank, which vanishes when nothing is left of it."""
    index, meld = next((index, meld) for index, meld in enumerate(melds) if meld.kind == kind)
    left = without(meld.cards, cards)
    return replaced(melds, index, _meld_of(kind, left)) if left else (*melds[:index], *melds[index + 1 :])


def _meld_of(kind: Kind, cards: tuple[Card, ...]) -> TableMeld:
    """The meld of these cards, given in ascending order."""
    naturals = bisect_left(cards, FIRST_WILD_CARD)
    return TableMeld(kind, naturals, len(cards) - naturals, cards)


def points_of(rules: RuleSet, cards: Iterable[Card]) -> int:
    """What the cards count, red threes apart."""
    values = rules.card_values
    return sum(values[card >> 2] for card in cards)


# --- dealing ---------------------------------------------------------------------------------------------------------


def _deal_started(after: State, event: DealStarted) -> None:
    """Deal one by one from the dealer's left, turn the upcard, lay out red threes (`rules/classic.md 1.4, 1.6`)."""
    rules = after.rules
    order = [(event.dealer + 1 + place) % rules.players for place in range(rules.players)]
    dealt = rules.players * rules.hand_size
    hands: list[list[Card]] = [[] for _ in order]
    for place, seat in enumerate(order):
        hands[seat] = list(event.pack[place : dealt : rules.players])
    stock = list(reversed(event.pack[dealt:]))
    pile, frozen = _turn_upcard(rules, stock)
    threes: list[list[Card]] = [[] for _ in range(rules.sides)]
    for seat in order:
        hands[seat] = _replace_red_threes(hands[seat], stock, threes[rules.side_of(seat)])

    after.deal = event.deal
    after.dealer = event.dealer
    after.hands = tuple(tuple(sorted(hand)) for hand in hands)
    after.counts = tuple(counts_of(hand) for hand in after.hands)
    after.stock = tuple(stock)
    after.pile = pile
    after.frozen = frozen
    after.melds = ((),) * rules.sides
    after.red_threes = tuple(tuple(sorted(side)) for side in threes)
    after.opened = (False,) * rules.sides
    after.melded_seats = frozenset()
    after.turns = 0
    after.turn = order[0] if rules.first_player == "left" else event.dealer
    _begin_turn(after)


def _turn_upcard(rules: RuleSet, stock: list[Card]) -> tuple[tuple[Card, ...], bool]:
    """The first pile and whether it is frozen; covered cards stay in it."""
    pile: list[Card] = []
    frozen = False
    while True:
        card = stock.pop()
        pile.append(card)
        turned = card_class(card >> 2)
        frozen = frozen or turned in rules.upcard_freezes
        if turned not in rules.upcard_cover or not stock:
            return tuple(pile), frozen


def _replace_red_threes(hand: list[Card], stock: list[Card], laid_out: list[Card]) -> list[Card]:
    """The hand with every red three laid out and replaced from the stock, again and again."""
    kept = [card for card in hand if card >> 2 != RED_THREE]
    laid_out.extend(card for card in hand if card >> 2 == RED_THREE)
    while len(kept) < len(hand) and stock:
        card = stock.pop()
        (laid_out if card >> 2 == RED_THREE else kept).append(card)
    return kept


def _begin_turn(after: State) -> None:
    after.phase = phases.DRAW
    after.drew = None
    after.fresh = ()
    after.laid = ()
    after.laid_points = 0
    after.aside = False
    after.started_kinds = _NO_KINDS
    after.joined = False
    after.permission = None
    after.asked_in = None


# --- drawing and taking ----------------------------------------------------------------------------------------------


def _into_hand(after: State, seat: int, cards: tuple[Card, ...], red_threes: tuple[Card, ...]) -> None:
    if cards:
        counts = after.counts[seat]
        hand = after.hands[seat]
        if len(cards) == 1:  # nearly every draw: slices are faster than sorting
            card = cards[0]
            kind = card >> 2
            place = bisect_left(hand, card)
            counts = counts[:kind] + (counts[kind] + 1,) + counts[kind + 1 :]  # noqa: RUF005 - faster than unpacking
            hand = hand[:place] + cards + hand[place:]
        else:
            hand = together(hand, cards)
            counts = counts_of(hand)
        after.counts = replaced(after.counts, seat, counts)
        after.hands = replaced(after.hands, seat, hand)
        after.fresh = after.fresh + cards
    if red_threes:
        side = after.rules.side_by_seat[seat]
        after.red_threes = replaced(after.red_threes, side, together(after.red_threes[side], red_threes))


def _out_of_hand(after: State, seat: int, cards: tuple[Card, ...]) -> None:
    counts = list(after.counts[seat])
    hand = list(after.hands[seat])
    for card in cards:
        counts[card >> 2] -= 1
        del hand[bisect_left(hand, card)]
    after.counts = replaced(after.counts, seat, tuple(counts))
    after.hands = replaced(after.hands, seat, tuple(hand))


def _drew(after: State, event: Drew) -> None:
    after.stock = after.stock[: len(after.stock) - len(event.cards) - len(event.red_threes)]
    _into_hand(after, event.seat, event.cards, event.red_threes)
    after.drew = "stock"
    after.phase = phases.PLAY


def _took_top(after: State, event: TookTop) -> None:
    after.pile = after.pile[:-1]
    after.aside = True
    after.drew = "pile"
    after.phase = phases.PLAY
    if event.cards:
        _out_of_hand(after, event.seat, event.cards)
    _lay(after, event.seat, event.kind, event.cards, event.top)


def _gathered(after: State, event: Gathered) -> None:
    _into_hand(after, event.seat, event.cards, event.red_threes)
    after.pile = ()
    after.frozen = False
    after.aside = False
    after.laid = ()  # what lay in the pile has been seen: nothing goes back any more


# --- melding ---------------------------------------------------------------------------------------------------------


def _lay(after: State, seat: int, kind: Kind, cards: tuple[Card, ...], top: Card | None) -> None:
    side = after.rules.side_by_seat[seat]
    melds = after.melds[side]
    laid = cards if top is None else (*cards, top)
    after.laid = (
        *after.laid,
        Laid(kind, cards, top, False, after.laid_points, after.started_kinds, after.joined),
    )
    grown = with_cards(melds, kind, laid)
    after.melds = replaced(after.melds, side, grown)
    if len(grown) > len(melds):
        after.started_kinds = after.started_kinds | {kind}
    elif kind not in after.started_kinds:
        after.joined = True
    if not after.opened[side]:
        after.laid_points += points_of(after.rules, laid)


def _melded(after: State, event: Melded) -> None:
    _out_of_hand(after, event.seat, event.cards)
    _lay(after, event.seat, event.kind, event.cards, None)


def _opened(after: State, event: Opened) -> None:
    after.opened = replaced(after.opened, after.rules.side_of(event.seat), True)
    after.laid = (*after.laid[:-1], replace(after.laid[-1], opened=True)) if after.laid else ()


def _took_back(after: State, event: TookBack) -> None:
    laid = after.laid[-1]
    side = after.rules.side_by_seat[event.seat]
    cards = laid.cards if laid.top is None else (*laid.cards, laid.top)
    after.melds = replaced(after.melds, side, without_cards(after.melds[side], laid.kind, cards))
    fresh = after.fresh
    _into_hand(after, event.seat, laid.cards, ())
    after.fresh = fresh
    if laid.opened:
        after.opened = replaced(after.opened, side, False)
    if laid.top is not None:
        after.pile = (*after.pile, laid.top)
        after.aside = False
        after.drew = None
        after.phase = phases.DRAW
    after.laid = after.laid[:-1]
    after.laid_points = laid.laid_points
    after.started_kinds = laid.started_kinds
    after.joined = laid.joined


# --- ending turns, deals and the game --------------------------------------------------------------------------------


def _discarded(after: State, event: Discarded) -> None:
    _out_of_hand(after, event.seat, (event.card,))
    after.pile = (*after.pile, event.card)
    kind = event.card >> 2
    if kind > ACE and card_class(kind) in after.rules.freeze_discards:
        after.frozen = True
    if after.started_kinds or after.joined:
        after.melded_seats = after.melded_seats | {event.seat}
    after.turn = (event.seat + 1) % after.rules.players
    after.turns += 1
    _begin_turn(after)


def _asked(after: State, _event: Asked) -> None:
    after.asked_in = after.phase
    after.phase = phases.ANSWER


def _answered(after: State, event: Answered) -> None:
    after.permission = event.yes
    after.phase = after.asked_in or phases.PLAY
    after.asked_in = None


def _passed(_after: State, _event: Passed) -> None:
    """Nothing moves: the end of the deal is an event of its own."""


def _deal_ended(after: State, event: DealEnded) -> None:
    after.phase = phases.BETWEEN
    after.scores = event.scores
    after.results = (*after.results, event)
    after.dealer = (after.dealer + 1) % after.rules.players


def _game_ended(after: State, event: GameEnded) -> None:
    after.phase = phases.OVER
    after.winner = event.winner


# An event of one type reaches the handler of that type only, which a type checker cannot see in a table.
_HANDLERS: dict[type[Event], Callable[[State, Any], None]] = {
    DealStarted: _deal_started,
    Drew: _drew,
    TookTop: _took_top,
    Gathered: _gathered,
    Melded: _melded,
    Opened: _opened,
    TookBack: _took_back,
    Discarded: _discarded,
    Asked: _asked,
    Answered: _answered,
    Passed: _passed,
    DealEnded: _deal_ended,
    GameEnded: _game_ended,
}
