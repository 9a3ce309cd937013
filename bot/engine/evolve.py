"""Evolve: fold what happened into the state. It never refuses; `bot.engine.decide` lets nothing illegal happen.

One small function an event type, each writing to a fresh shallow copy of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from bot.engine import phases, threes
from bot.engine.canastas import is_ready
from bot.engine.cards import LAST_ACE, Card
from bot.engine.counts import ONE, pack, pack_hand
from bot.engine.dealing import deal
from bot.engine.events import (
    Announced,
    Answered,
    Asked,
    Combined,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    GameEnded,
    Gathered,
    LaidOut,
    Melded,
    Opened,
    Passed,
    Penalized,
    Reclaimed,
    Reshuffled,
    SetTalon,
    Showed,
    SidesFormed,
    TookBack,
    TookFoot,
    TookTalon,
    TookTop,
)
from bot.engine.melds import TableMeld
from bot.engine.penalties import paid, without_each
from bot.engine.places import Place
from bot.engine.queries import freezes
from bot.engine.rules import RuleSet, card_class
from bot.engine.seating import seating_of
from bot.engine.shuffling import key_of, next_key
from bot.engine.sorted_cards import meld_of, points_of, together, without
from bot.engine.spread import spread_of
from bot.engine.state import Laid, State, new_game
from bot.engine.uniting import form_sides

Value = TypeVar("Value")

_new = object.__new__
_NOTHING: frozenset[Place] = frozenset()


def evolve(state: State, event: Event) -> State:
    """The state after the event; the state given is left as it was."""
    after = _new(State)
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


# --- dealing ---------------------------------------------------------------------------------------------------------


def _deal_started(after: State, event: DealStarted) -> None:
    """The pack is dealt (`bot.engine.dealing`), and the first turn begins."""
    rules = after.rules
    seating = seating_of(rules.teams, rules.players, event.deal)
    dealt = deal(rules, seating, event.dealer, event.pack, number=event.deal)
    after.deal = event.deal
    after.dealer = event.dealer
    after.seating = seating
    after.alone = None
    after.hands = tuple(tuple(sorted(hand)) for hand in dealt.hands)
    after.packed = tuple([pack_hand(hand, red_threes=rules.counts_red_threes) for hand in after.hands])
    after.feet = dealt.feet
    after.talons = ((),) * rules.players if rules.talon else ()
    after.stock = tuple(dealt.stock)
    after.pile = dealt.pile
    after.hidden = dealt.hidden
    after.frozen = dealt.frozen
    after.froze = False
    after.melds = ((),) * rules.sides
    after.spreads = (spread_of(rules, ()),) * rules.sides
    after.red_threes = tuple(tuple(sorted(side)) for side in dealt.threes)
    after.set_aside = ((),) * rules.sides
    after.opened = (False,) * rules.sides
    after.melded_seats = after.asked = after.takers = frozenset()
    after.turns = 0
    after.stock_out = None
    after.shuffle_key = key_of(event.pack) if rules.stock_end == "reshuffle" else ""
    after.shown = None
    after.penalties = None
    after.turn = _first_seat(after, event)
    after.side = seating.side_by_seat[after.turn]
    _begin_turn(after)


def _first_seat(after: State, event: DealStarted) -> int:
    """Who begins (`rules/classic.md 1.5`).

    The highest drawer begins the game and is the partner of the lowest, who deals; later the next after the dealer.
    """
    seating = after.seating
    partner = seating.partner_by_seat[event.dealer]
    if after.rules.first_player == "high_card" and event.deal == 1 and partner is not None:
        return partner
    return event.dealer if after.rules.first_player == "dealer" else seating.next_seat[event.dealer]


def _begin_turn(after: State) -> None:
    after.phase = phases.DRAW
    after.drew = None
    after.fresh = ()
    after.laid = ()
    after.laid_points = 0
    after.aside = False
    after.claimed = None
    after.started = _NOTHING
    after.joined = False
    after.permission = None
    after.asked_in = None
    if not after.rules.ordinary:
        _count_before(after)


def _count_before(after: State) -> None:
    """What matters in the turn that begins of the canastas that lie there before it."""
    if after.feet:
        after.canastas_before = after.spreads[after.side].canastas
    if after.rules.out_canastas_before:
        after.ready = is_ready(after.rules, after.spreads[after.side])


# --- drawing and taking ----------------------------------------------------------------------------------------------


def _into_hand(after: State, seat: int, cards: tuple[Card, ...], red_threes: tuple[Card, ...]) -> None:
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


def _out_of_hand(after: State, seat: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
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


def _penalized(after: State, event: Penalized) -> None:
    after.penalties = paid(after, event)
    if event.released:
        after.permission = None


def _drew(after: State, event: Drew) -> None:
    cards, red_threes = event.cards, event.red_threes
    after.stock = stock = after.stock[: -len(cards) - len(red_threes)]
    if not stock:
        after.stock_out = event.seat
    _into_hand(after, event.seat, cards, red_threes)
    if after.drew is None:
        after.drew = "stock"
    after.phase = phases.PLAY


def _laid_out(after: State, event: LaidOut) -> None:
    dealt = after.hands[event.seat]
    kept, _ = threes.parted(after.rules, dealt)
    drawn = len(event.cards) + len(event.red_threes) - (len(dealt) - len(kept))
    after.stock = after.stock[: len(after.stock) - drawn]
    if not after.stock:
        after.stock_out = event.seat
    after.hands = replaced(after.hands, event.seat, kept)
    after.packed = replaced(after.packed, event.seat, pack(kept))
    _into_hand(after, event.seat, event.cards, event.red_threes)


def _took_top(after: State, event: TookTop) -> None:
    after.pile = after.pile[:-1]
    after.aside = True
    after.claimed = event.place
    after.drew = "pile"
    after.phase = phases.PLAY
    exposed = _out_of_hand(after, event.seat, event.cards) if event.cards else ()
    _lay(after, event.seat, event.place, event.cards, event.top, exposed)


def _gathered(after: State, event: Gathered) -> None:
    _into_hand(after, event.seat, event.cards + event.hidden, event.red_threes)
    if event.set_aside:
        side = after.rules.side_of(event.seat)
        after.set_aside = replaced(after.set_aside, side, together(after.set_aside[side], event.set_aside))
    if after.rules.ordinary:
        after.pile = ()
        after.hidden = 0
        after.frozen = False
        after.aside = False
        after.claimed = None
        after.laid = ()
        return
    if after.rules.frozen_untaken:
        after.takers |= {event.seat}
    if event.showed:  # the top came with the rest, and begins the turn
        after.drew = "pile"
        after.phase = phases.PLAY
    taken = len(event.cards) + len(event.hidden) + len(event.red_threes) + len(event.set_aside)
    after.pile = after.pile[: len(after.pile) - taken]
    after.hidden = min(after.hidden, len(after.pile))
    if after.rules.pile_frozen == "by_card":
        after.frozen = after.frozen and any(freezes(after.rules, card) for card in after.pile[after.hidden :])
    after.aside = False
    after.claimed = None
    after.laid = ()  # what lay in the pile has been seen: nothing goes back any more


def _reshuffled(after: State, event: Reshuffled) -> None:
    """The pile but for its top is the stock; the card that comes next stands last in it."""
    after.pile = after.pile[-1:]
    after.hidden = 0
    after.stock = tuple(reversed(event.cards))
    after.stock_out = None
    after.shuffle_key = next_key(after.shuffle_key)
    if after.rules.pile_frozen == "by_card":
        after.frozen = after.frozen and any(freezes(after.rules, card) for card in after.pile)


# --- melding ---------------------------------------------------------------------------------------------------------


def _lay(
    after: State, seat: int, place: Place, cards: tuple[Card, ...], top: Card | None, exposed: tuple[Card, ...]
) -> None:
    rules = after.rules
    side = after.seating.side_by_seat[seat]
    started = after.started
    after.laid += (Laid(place, cards, top, False, after.laid_points, started, after.joined, (), exposed),)
    laid = cards if top is None else (*cards, top)
    spreads = list(after.spreads)
    onto = spreads[side].by_place.get(place)
    if onto is None:
        meld = meld_of(place, tuple(sorted(laid)))
        after.started = started | {place}
    else:
        meld = meld_of(place, tuple(sorted(onto.cards + laid)))
        if place not in started:
            after.joined = True
    spreads[side] = spread = spreads[side].joined(rules, meld)
    melds = list(after.melds)
    melds[side] = tuple(spread.by_place.values())
    after.spreads = tuple(spreads)
    after.melds = tuple(melds)
    if not after.opened[side]:
        after.laid_points += points_of(rules, laid if rules.open_count_top else cards)


def _melded(after: State, event: Melded) -> None:
    exposed = _out_of_hand(after, event.seat, event.cards)
    _lay(after, event.seat, event.place, event.cards, None, exposed)


def _combined(after: State, event: Combined) -> None:
    side = after.seating.side_by_seat[event.seat]
    melds = dict(after.spreads[side].by_place)
    moved, lying = melds.pop(event.place), melds[event.onto]
    before = after.melds[side]
    after.laid += (Laid(event.onto, (), None, False, after.laid_points, after.started, after.joined, before),)
    melds[event.onto] = meld_of(event.onto, together(lying.cards, moved.cards))
    _rearrange(after, side, melds)
    after.joined = after.joined or event.onto not in after.started
    after.started -= {event.place}


def _reclaimed(after: State, event: Reclaimed) -> None:
    """What was laid before stays: the cards that came back may go anywhere."""
    side = after.seating.side_by_seat[event.seat]
    melds = dict(after.spreads[side].by_place)
    melds[event.place] = meld_of(event.place, without(melds[event.place].cards, event.cards))
    _rearrange(after, side, melds)
    _into_hand(after, event.seat, event.cards, ())
    after.laid = ()
    after.joined = after.joined or event.place not in after.started


def _rearrange(after: State, side: int, melds: Mapping[Place, TableMeld]) -> None:
    after.melds = replaced(after.melds, side, tuple(melds.values()))
    after.spreads = replaced(after.spreads, side, spread_of(after.rules, melds.values()))


def _opened(after: State, event: Opened) -> None:
    after.opened = replaced(after.opened, after.seating.side_by_seat[event.seat], True)
    after.laid = (*after.laid[:-1], replace(after.laid[-1], opened=True)) if after.laid else ()


def _took_back(after: State, event: TookBack) -> None:
    laid = after.laid[-1]
    side = after.seating.side_by_seat[event.seat]
    cards = laid.cards if laid.top is None else (*laid.cards, laid.top)
    melds = dict(after.spreads[side].by_place)
    left = without(melds[laid.place].cards, cards)
    if laid.before:
        melds = {meld.place: meld for meld in laid.before}
    elif left:
        melds[laid.place] = meld_of(laid.place, left)
    else:
        del melds[laid.place]
    _rearrange(after, side, melds)
    fresh = after.fresh
    _into_hand(after, event.seat, laid.cards, ())
    after.fresh = fresh
    if laid.exposed and after.penalties is not None:
        after.penalties = after.penalties.exposing(event.seat, laid.exposed)
    if laid.opened:
        after.opened = replaced(after.opened, side, False)
    if laid.top is not None:
        after.pile = (*after.pile, laid.top)
        after.aside = False
        after.claimed = None
        after.drew = None
        after.phase = phases.DRAW
    after.laid = after.laid[:-1]
    after.laid_points = laid.laid_points
    after.started = laid.started
    after.joined = laid.joined


# --- ending turns, deals and the game --------------------------------------------------------------------------------


def _discarded(after: State, event: Discarded) -> None:
    seat = event.seat
    card = event.card
    _out_of_hand(after, seat, (card,))
    after.pile += (card,)
    if card > LAST_ACE and card_class(card >> 2) in after.rules.freeze_discards:
        after.frozen = after.froze = True
    _end_turn(after, seat)


def _end_turn(after: State, seat: int) -> None:
    if (after.started or after.joined) and seat not in after.melded_seats:
        after.melded_seats = after.melded_seats | {seat}
    seating = after.seating
    after.turn = turn = seating.next_seat[seat]
    after.side = seating.side_by_seat[turn]
    after.turns += 1
    _begin_turn(after)


def _took_foot(after: State, event: TookFoot) -> None:
    """Nothing goes back any more. The seat in turn plays on with its foot, or its turn is over."""
    seat = event.seat
    drawn = len(event.cards) + len(event.red_threes) - len(after.feet[seat])
    after.stock = after.stock[: len(after.stock) - drawn]
    if drawn and not after.stock:
        after.stock_out = seat
    after.feet = replaced(after.feet, seat, ())
    fresh = after.fresh
    _into_hand(after, seat, event.cards, event.red_threes)
    if seat != after.turn:
        after.fresh = fresh
        return
    after.laid = ()
    if not after.rules.foot_run:
        _end_turn(after, seat)


def _set_talon(after: State, event: SetTalon) -> None:
    after.stock = after.stock[: -event.count]
    after.talons = replaced(after.talons, event.seat, event.cards)


def _took_talon(after: State, event: TookTalon) -> None:
    seat = event.seat
    drawn = len(event.cards) + len(event.red_threes) - len(after.talons[seat])
    after.stock = after.stock[: len(after.stock) - drawn]
    if drawn and not after.stock:
        after.stock_out = seat
    after.talons = replaced(after.talons, seat, ())
    _into_hand(after, seat, event.cards, event.red_threes)


def _asked(after: State, event: Asked) -> None:
    after.asked_in = after.phase
    if after.rules.ask_once:
        after.asked |= {event.seat}
    after.phase = phases.ANSWER


def _answered(after: State, event: Answered) -> None:
    after.permission = event.yes
    after.phase = after.asked_in or phases.PLAY
    after.asked_in = None


def _announced(after: State, _event: Announced) -> None:
    after.permission = True


def _passed(_after: State, _event: Passed) -> None:
    """Nothing moves: the end of the deal is an event of its own."""


def _showed(after: State, event: Showed) -> None:
    """The cards stay in the hand, which everybody sees now."""
    after.shown = (event.seat, event.hand)


def _sides_formed(after: State, event: SidesFormed) -> None:
    form_sides(after, event.seat)


def _deal_ended(after: State, event: DealEnded) -> None:
    after.phase = phases.BETWEEN
    after.scores = event.scores
    after.results = (*after.results, event)
    place = after.seating.place_of(after.dealer) + 1
    after.dealer = seating_of(after.rules.teams, after.rules.players, after.deal + 1).seats[place % after.rules.playing]


def _game_ended(after: State, event: GameEnded) -> None:
    after.phase = phases.OVER
    after.winner = event.winner


# An event of one type reaches the handler of that type only, which a type checker cannot see in a table.
_HANDLERS: dict[type[Event], Callable[[State, Any], None]] = {
    DealStarted: _deal_started,
    Drew: _drew,
    LaidOut: _laid_out,
    TookTop: _took_top,
    Gathered: _gathered,
    Reshuffled: _reshuffled,
    Melded: _melded,
    Combined: _combined,
    Reclaimed: _reclaimed,
    Opened: _opened,
    TookBack: _took_back,
    TookFoot: _took_foot,
    SetTalon: _set_talon,
    TookTalon: _took_talon,
    Discarded: _discarded,
    Asked: _asked,
    Answered: _answered,
    Announced: _announced,
    Passed: _passed,
    Showed: _showed,
    SidesFormed: _sides_formed,
    Penalized: _penalized,
    DealEnded: _deal_ended,
    GameEnded: _game_ended,
}
