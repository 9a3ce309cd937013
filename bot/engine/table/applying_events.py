"""Apply events to the state of a game, one by one.

Nothing is refused here: `bot.engine.play.decide` produces only legal events. Each type of event has one small function,
which writes to a fresh shallow copy of the state.

Decides `docs/law/classic.md 1.3, 1.5, 1.13, 1.18` and `docs/law/variants.md 3.10`. Reads `ask_once`, `ask_partner`,
`first_player`, `foot_run`, `freeze_discards`, `frozen_untaken`, `out_announce`, `out_canastas_before`, `pile_frozen`,
`stock_end`, `talon`, `teams`, `yes_binds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bot.engine.cards.cards import LAST_ACE, with_item_replaced
from bot.engine.cards.meld_places import Place
from bot.engine.cards.packed_counts import pack_counts
from bot.engine.cards.shuffling import first_reshuffle_key, next_reshuffle_key, rearrange_streams, split_into_streams
from bot.engine.melds.canastas import may_go_out_this_turn
from bot.engine.melds.table_meld import merge_cards
from bot.engine.moves import phases
from bot.engine.moves.events import (
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
    PermissionLapsed,
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
from bot.engine.rules.rule_set import card_class
from bot.engine.rules.seating import seating_of
from bot.engine.table import bonus_threes
from bot.engine.table.applying_meld_events import (
    add_to_hand,
    apply_combined,
    apply_melded,
    apply_opened,
    apply_reclaimed,
    apply_sides_formed,
    apply_took_back,
    put_on_table,
    remove_from_hand,
)
from bot.engine.table.charged_penalties import with_penalty
from bot.engine.table.dealing import deal_pack
from bot.engine.table.state import State
from bot.engine.table.state_queries import is_freezing_card

_new = object.__new__
_NOTHING: frozenset[Place] = frozenset()


def evolve(state: State, event: Event) -> State:
    """Return the state after the event; the given state is not changed."""
    after = _new(State)
    after.__dict__ = state.__dict__.copy()
    _HANDLERS[type(event)](after, event)
    return after


def fold(state: State, events: Iterable[Event]) -> State:
    """Return the state after all the events."""
    for event in events:
        state = evolve(state, event)
    return state


def state_at_turn_of(state: State, seat: int) -> State:
    """Return the state that would follow if a turn of that seat began now."""
    after = _new(State)
    after.__dict__ = state.__dict__.copy()
    after.turn = seat
    after.side = after.seating.side_by_seat[seat]
    _begin_turn(after)
    return after


# --- dealing ----------------------------------------------------------------------------------------------------------


def _apply_deal_started(after: State, event: DealStarted) -> None:
    """Apply `DealStarted`: deal the pack and begin the first turn; all other fields are reset.

    `bot.engine.table.dealing` deals the pack.
    """
    rules = after.rules
    seating = seating_of(rules.teams, rules.players, event.deal)
    dealt = deal_pack(rules, seating, event.dealer, event.pack, number=event.deal)
    begun = State(
        rules=rules,
        scores=after.scores,
        dealer=event.dealer,
        phase=phases.DRAW,
        deal=event.deal,
        results=after.results,
        hands=tuple(tuple(sorted(hand)) for hand in dealt.hands),
        feet=dealt.feet,
        talons=((),) * rules.players if rules.talon else (),
        stock=tuple(dealt.stock),
        pile=dealt.pile,
        hidden=dealt.hidden,
        frozen=dealt.frozen,
        melds=((),) * rules.sides,
        red_threes=tuple(tuple(sorted(side)) for side in dealt.threes),
        set_aside=((),) * rules.sides,
        opened=(False,) * rules.sides,
        shuffle_key=first_reshuffle_key(event.pack) if rules.stock_end == "reshuffle" else "",
    )
    after.__dict__ = begun.__dict__
    after.turn = _first_seat(after, event)
    after.side = seating.side_by_seat[after.turn]
    if event.streams:
        after.stock, after.streams = split_into_streams(after.stock, _seats_from(after, after.turn), rules.players)
    _begin_turn(after)


def _first_seat(after: State, event: DealStarted) -> int:
    """Return the seat that begins the deal (`docs/law/classic.md 1.5`): usually the one after the dealer.

    With `high_card`, the player who drew the highest card begins the game; the partner, who drew the lowest, deals.
    """
    seating = after.seating
    partner = seating.partner_by_seat[event.dealer]
    if after.rules.first_player == "high_card" and event.deal == 1 and partner is not None:
        return partner
    return event.dealer if after.rules.first_player == "dealer" else seating.next_seat[event.dealer]


def _begin_turn(after: State) -> None:
    """Reset the fields about the turn.

    If a rule needs them, the canastas of the side at this moment are recorded (`canastas_before`, `ready`).
    """
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
    after.lapsed = False
    if after.feet:
        after.canastas_before = after.spreads[after.side].canastas
    if after.rules.out_canastas_before:
        after.ready = may_go_out_this_turn(after.rules, after.spreads[after.side])


# --- drawing and taking -----------------------------------------------------------------------------------------------


def _apply_penalized(after: State, event: Penalized) -> None:
    """Apply `Penalized`: charge the points and expose the penalty cards."""
    after.penalties = with_penalty(after, event)
    if event.released:
        _apply_permission_lapsed(after, event)


def _apply_drew(after: State, event: Drew) -> None:
    """Apply `Drew`: move cards from the stock to the hand, and threes to the table."""
    cards, red_threes = event.cards, event.red_threes
    after.stock = stock = after.stock[: -len(cards) - len(red_threes)]
    if not stock:
        after.stock_out = event.seat
    add_to_hand(after, event.seat, cards, red_threes)
    if after.drew is None:
        after.drew = "stock"
    after.phase = phases.PLAY


def _remove_from_stock(after: State, seat: int, count: int) -> None:
    """Remove the top `count` cards of the stock; remember the seat if it drew the last one."""
    after.stock = after.stock[: len(after.stock) - count]
    if count and not after.stock:
        after.stock_out = seat


def _apply_laid_out(after: State, event: LaidOut) -> None:
    """Apply `LaidOut`: lay out the threes of a hand and replace them from the stock."""
    dealt = after.hands[event.seat]
    kept, _ = bonus_threes.split_threes(after.rules, dealt)
    drawn = len(event.cards) + len(event.red_threes) - (len(dealt) - len(kept))
    _remove_from_stock(after, event.seat, drawn)
    after.hands = with_item_replaced(after.hands, event.seat, kept)
    after.packed = with_item_replaced(after.packed, event.seat, pack_counts(kept))
    add_to_hand(after, event.seat, event.cards, event.red_threes)


def _apply_took_top(after: State, event: TookTop) -> None:
    """Apply `TookTop`: meld the pile's top card with cards of the hand."""
    after.pile = after.pile[:-1]
    after.aside = True
    after.claimed = event.place
    after.drew = "pile"
    after.phase = phases.PLAY
    exposed = remove_from_hand(after, event.seat, event.cards) if event.cards else ()
    put_on_table(after, event, exposed)


def _apply_gathered(after: State, event: Gathered) -> None:
    """Apply `Gathered`: move the rest of the pile to the hand."""
    add_to_hand(after, event.seat, event.cards + event.hidden, event.red_threes)
    if event.set_aside:
        side = after.rules.side_of(event.seat)
        after.set_aside = with_item_replaced(after.set_aside, side, merge_cards(after.set_aside[side], event.set_aside))
    if after.rules.frozen_untaken:
        after.takers |= {event.seat}
    if event.showed:  # the pile was taken by showing twos, without a `TookTop` before
        after.drew = "pile"
        after.phase = phases.PLAY
    taken = len(event.cards) + len(event.hidden) + len(event.red_threes) + len(event.set_aside)
    after.pile = after.pile[: len(after.pile) - taken]
    after.hidden = min(after.hidden, len(after.pile))
    if after.rules.pile_frozen == "by_card":
        after.frozen = after.frozen and any(is_freezing_card(after.rules, card) for card in after.pile[after.hidden :])
    after.aside = False
    after.claimed = None
    after.laid = ()  # the pile was seen, so nothing may be taken back


def _apply_reshuffled(after: State, event: Reshuffled) -> None:
    """Apply `Reshuffled`: make the pile except its top the stock, whose last card is drawn next."""
    after.pile = after.pile[-1:]
    after.hidden = 0
    after.stock = tuple(reversed(event.cards))
    after.stock_out = None
    after.streams = ()  # all seats draw from the new stock
    after.shuffle_key = next_reshuffle_key(after.shuffle_key)
    if after.rules.pile_frozen == "by_card":
        after.frozen = after.frozen and any(is_freezing_card(after.rules, card) for card in after.pile)


# --- ending turns, deals and the game ---------------------------------------------------------------------------------


def _apply_discarded(after: State, event: Discarded) -> None:
    """Apply `Discarded`: move the card to the pile and pass the turn on."""
    seat = event.seat
    card = event.card
    remove_from_hand(after, seat, (card,))
    after.pile += (card,)
    if card > LAST_ACE and card_class(card >> 2) in after.rules.freeze_discards:
        after.frozen = after.froze = True
    _end_turn(after, seat)


def _seats_from(after: State, seat: int) -> tuple[int, ...]:
    """Return the seats that play, beginning with `seat`."""
    seats = after.seating.seats
    place = seats.index(seat)
    return (*seats[place:], *seats[:place])


def _end_turn(after: State, seat: int) -> None:
    """Pass the turn on from that seat to the next one."""
    if (after.started or after.joined) and seat not in after.melded_seats:
        after.melded_seats = after.melded_seats | {seat}
    seating = after.seating
    after.turn = turn = seating.next_seat[seat]
    if after.streams:
        before, order = _seats_from(after, seat), _seats_from(after, turn)
        after.stock, after.streams = rearrange_streams(after.stock, after.streams, before, order)
    after.side = seating.side_by_seat[turn]
    after.turns += 1
    _begin_turn(after)


def _apply_took_foot(after: State, event: TookFoot) -> None:
    """Apply `TookFoot`: give the seat its foot; it plays on, or its turn ends.

    Earlier melds can no longer be taken back.
    """
    seat = event.seat
    _remove_from_stock(after, seat, len(event.cards) + len(event.red_threes) - len(after.feet[seat]))
    after.feet = with_item_replaced(after.feet, seat, ())
    fresh = after.fresh
    add_to_hand(after, seat, event.cards, event.red_threes)
    if seat != after.turn:
        after.fresh = fresh
        return
    after.laid = ()
    if not after.rules.foot_run:
        _end_turn(after, seat)


def _apply_set_talon(after: State, event: SetTalon) -> None:
    """Apply `SetTalon`: set cards of the stock aside for the seat."""
    after.stock = after.stock[: -event.count]
    after.talons = with_item_replaced(after.talons, event.seat, event.cards)


def _apply_took_talon(after: State, event: TookTalon) -> None:
    """Apply `TookTalon`: move the cards set aside to the hand."""
    seat = event.seat
    _remove_from_stock(after, seat, len(event.cards) + len(event.red_threes) - len(after.talons[seat]))
    after.talons = with_item_replaced(after.talons, seat, ())
    add_to_hand(after, seat, event.cards, event.red_threes)


def _apply_asked(after: State, event: Asked) -> None:
    """Apply `Asked`: let the partner answer."""
    after.asked_in = after.phase
    if after.rules.ask_once:
        after.asked |= {event.seat}
    after.phase = phases.ANSWER


def _apply_answered(after: State, event: Answered) -> None:
    """Apply `Answered`: store the answer and return to the phase of the question."""
    leave = event.yes and not (after.rules.yes_binds or after.rules.needs_word)
    after.permission = None if leave else event.yes  # in some rules a yes only permits going out, which binds nobody
    after.lapsed = after.lapsed or leave
    after.phase = after.asked_in or phases.PLAY
    after.asked_in = None


def _apply_announced(after: State, _event: Announced) -> None:
    """Apply `Announced`: the seat must go out in this turn."""
    after.permission = True


def _apply_permission_lapsed(after: State, _event: PermissionLapsed | Penalized) -> None:
    """Apply `PermissionLapsed`: the seat need not go out, and cannot ask or announce again in this turn."""
    after.permission = None
    after.lapsed = True


def _apply_passed(_after: State, _event: Passed) -> None:
    """Apply `Passed`: change nothing, because the end of the deal is an event of its own."""


def _apply_showed(after: State, event: Showed) -> None:
    """Apply `Showed`: record the special hand; its cards stay in the hand, now visible to all."""
    after.shown = (event.seat, event.hand)


def _apply_deal_ended(after: State, event: DealEnded) -> None:
    """Apply `DealEnded`: add the scores and wait for the next deal."""
    after.phase = phases.BETWEEN
    after.scores = event.scores
    after.results = (*after.results, event)
    place = after.seating.place_of(after.dealer) + 1
    after.dealer = seating_of(after.rules.teams, after.rules.players, after.deal + 1).seats[place % after.rules.playing]


def _apply_game_ended(after: State, event: GameEnded) -> None:
    """Apply `GameEnded`: store the winner."""
    after.phase = phases.OVER
    after.winner = event.winner


# A type checker cannot see that each handler gets only events of its own type.
_HANDLERS: dict[type[Event], Callable[[State, Any], None]] = {
    DealStarted: _apply_deal_started,
    Drew: _apply_drew,
    LaidOut: _apply_laid_out,
    TookTop: _apply_took_top,
    Gathered: _apply_gathered,
    Reshuffled: _apply_reshuffled,
    Melded: apply_melded,
    Combined: apply_combined,
    Reclaimed: apply_reclaimed,
    Opened: apply_opened,
    TookBack: apply_took_back,
    TookFoot: _apply_took_foot,
    SetTalon: _apply_set_talon,
    TookTalon: _apply_took_talon,
    Discarded: _apply_discarded,
    Asked: _apply_asked,
    Answered: _apply_answered,
    Announced: _apply_announced,
    PermissionLapsed: _apply_permission_lapsed,
    Passed: _apply_passed,
    Showed: _apply_showed,
    SidesFormed: apply_sides_formed,
    Penalized: _apply_penalized,
    DealEnded: _apply_deal_ended,
    GameEnded: _apply_game_ended,
}
