"""Decide whether a refused action is an irregularity for which this table charges a penalty.

`bot.engine.rules.irregularities` lists the irregularities of each table and their costs. The code of the refusal
decides which irregularity an action is.

Decides `docs/law/classic.md 1.22`. Reads `penalties`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.engine.cards.cards import FIRST_RED_THREE, Card
from bot.engine.moves.actions import (
    Action,
    Discard,
    DiscardCard,
    Draw,
    DrawKeeping,
    LayMelds,
    LayRun,
    Meld,
    Take,
    TakePile,
)
from bot.engine.moves.events import Announced, Event, Penalized, TookBack
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.irregularities import REGIMES, Irregularity, Penalty
from bot.engine.table.applying_events import fold
from bot.engine.table.applying_meld_events import cards_melded_by, pick_from_hand
from bot.engine.table.charged_penalties import penalty_cards, remove_if_held
from bot.engine.table.state import State, seat_to_act

_SHORT_OPENINGS = frozenset(
    {
        Code.INITIAL_MELD_TOO_LOW,
        Code.INITIAL_MELD_UNREACHABLE,
        Code.OPENING_NEEDS_CLEAN,
        Code.OPENING_NEEDS_CLEAN_OR_WILD,
        Code.OPENING_NEEDS_CANASTA,
        Code.OPENING_NEEDS_CANASTA_AND_POINTS,
        Code.OPENING_NEEDS_NATURAL_CANASTA,
        Code.OPENING_WITHOUT_WILDS,
        Code.OPENING_MIXED_CANASTA,
    }
)

_FALSE_CLOSES = frozenset(
    {
        Code.NEEDS_CANASTA,
        Code.NEEDS_COUNTING_CANASTA,
        Code.NEEDS_CANASTA_KIND,
        Code.CANASTAS_NOT_BEFORE,
        Code.OUT_NEEDS_DISCARD,
        Code.OUT_WITHOUT_DISCARD,
        Code.OUT_LAST_CARD,
        Code.FOOT_WAITS,
        Code.PARTNER_FOOT_WAITS,
        Code.OUT_RED_THREES,
        Code.OUT_UNFINISHED,
    }
)

_BY_CODE = {
    Code.PARTNER_SAID_NO: Irregularity.AGAINST_A_NO,
    Code.PARTNER_SAID_YES: Irregularity.NOT_OUT_AFTER_YES,
}

_UNUSED_PILES = frozenset(
    {
        Code.PILE_BLOCKED,
        Code.PILE_BLOCKED_SEVEN,
        Code.PILE_FROZEN,
        Code.PILE_FROZEN_UNOPENED,
        Code.PILE_FROZEN_UNTAKEN,
        Code.PILE_CLOSED_UNOPENED,
        Code.TAKE_NEEDS_CARDS,
        Code.TAKE_NEEDS_PAIR,
        Code.TAKE_NEEDS_TRIPLE,
        Code.TAKE_NEEDS_TWOS,
        Code.TAKE_NOT_WITH_RUN,
        Code.TAKE_OTHER_RANK,
        Code.TAKE_TWO_ALONE,
        Code.TAKE_NO_MELD,
        Code.TAKE_NO_MELD_OR_RUN,
        Code.TAKE_ONTO_CANASTA,
    }
)

_FALSE_MELDS = frozenset(
    {
        Code.MELD_MIXED_RANKS,
        Code.MELD_NO_RANK,
        Code.MELD_TOO_SMALL,
        Code.MELD_TOO_FEW_NATURALS,
        Code.MELD_TOO_MANY_WILDS,
        Code.MELD_TOO_LARGE,
        Code.WILD_ON_CANASTA,
        Code.WILD_WOULD_COME_BACK,
        Code.MELD_NO_SECOND,
        Code.RANK_CLOSED,
        Code.RANK_TAKES_NO_WILDS,
        Code.WILD_TOO_EARLY,
        Code.WILDS_LOCKED,
        Code.RUNS_OFF,
        Code.RUN_RANKS,
        Code.RUN_SIZE,
        Code.RUN_FULL,
        Code.RUN_NOT_AT_END,
        Code.RUN_GROWS_ONLY_OUT,
        Code.RUN_SUITS,
        Code.RUN_WITHOUT_WILDS,
        Code.RUN_GAP,
        Code.BLACK_THREES_NEVER,
        Code.BLACK_THREES_ONLY_OUT,
        Code.BLACK_THREES_COUNT,
    }
)


def penalty_for(state: State, seat: int | None, action: Action, refusal: Refusal) -> Penalty | None:
    """Return the penalty for a refused action, or None if it is simply refused."""
    regime = REGIMES[state.rules.penalties]
    if not regime or seat is None or seat not in state.seating.seats:
        return None
    irregularity = _irregularity_of(state, seat, action, refusal.code)
    cost = None if irregularity is None else regime.get(irregularity)
    named = _named_cards(state, seat, action)
    if irregularity is None or cost is None or named is None or state.rules.players < cost.least_players:
        return None
    back: tuple[TookBack, ...] = ()
    if irregularity is Irregularity.SHORT_OPENING:
        back = _events_of_taking_all_back(state)
        if isinstance(action, Discard | DiscardCard):
            named = ()
        if fold(state, back).laid_points:
            return None  # some melds cannot be taken back, and with them the side might not reach a raised minimum
    shown = named + tuple([card for event in back for card in event.cards])
    cards = {"nothing": (), "laid": shown, "hand": state.hands[seat]}[cost.exposes]
    exposed = _exposed_cards(fold(state, back), seat, cards)
    if not (cost.points or cost.raised or exposed or cost.binds):
        return None
    return Penalty(irregularity, cost, exposed)


def penalty_events(state: State, seat: int, penalty: Penalty) -> tuple[Event, ...]:
    """Return the events if the seat attempts the action anyway.

    After a short opening all cards laid in the turn go back.
    """
    cost = penalty.cost
    event = Penalized(
        seat,
        penalty.irregularity,
        cost.points,
        cost.raised,
        penalty.exposed,
        until_opened=cost.until_opened,
        released=cost.stands,
    )
    if cost.binds:
        return event, Announced(seat)
    return (
        (*_events_of_taking_all_back(state), event) if penalty.irregularity is Irregularity.SHORT_OPENING else (event,)
    )


def inability_penalty(state: State) -> Penalized:
    """Return the penalty of a seat that must go out, by a yes or by asking too late, but cannot."""
    seat, irregularity = state.turn, Irregularity.COULD_NOT_GO_OUT
    cost = REGIMES[state.rules.penalties][irregularity]
    exposed = _exposed_cards(state, seat, state.hands[seat] if cost.exposes == "hand" else ())
    return Penalized(seat, irregularity, cost.points, cost.raised, exposed, released=True)


def _exposed_cards(state: State, seat: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards that become penalty cards; red threes are laid out at the first turn instead."""
    held = sorted([card for card in cards if card < FIRST_RED_THREE])
    return remove_if_held(held, penalty_cards(state, seat))


def _events_of_taking_all_back(state: State) -> tuple[TookBack, ...]:
    """Return the events that take back everything laid in this turn, the last first."""
    return tuple([TookBack(state.turn, laid.place, laid.cards) for laid in reversed(state.laid)])


# --- kinds of irregularities ------------------------------------------------------------------------------------------


def _irregularity_of(state: State, seat: int, action: Action, code: Code) -> Irregularity | None:
    """Return the irregularity that a refused action is; None if it cannot be penalised."""
    if code is Code.NOT_YOUR_TURN or (code is Code.WAITING_FOR_ANSWER and seat not in (state.turn, seat_to_act(state))):
        return _irregularity_out_of_turn(action)
    if code in _BY_CODE:
        return _BY_CODE[code]
    if code is Code.ASK_TOO_LATE:
        return Irregularity.ASKED_TOO_LATE if state.permission is None else None
    if isinstance(action, Take | TakePile) and _is_failed_claim(action, code):
        return Irregularity.UNUSED_PILE
    closes = _cards_left(state, seat, action) <= 1
    # a seat that has not melded in this deal would have gone out concealed
    if seat not in state.melded_seats and not state.started and not state.joined:
        if code in _FALSE_CLOSES or (closes and code in _SHORT_OPENINGS | _FALSE_MELDS):
            return Irregularity.FALSE_CONCEALED_CLOSE
    elif code in _FALSE_CLOSES or (closes and code in _SHORT_OPENINGS):
        return Irregularity.FALSE_CLOSE
    if code in _FALSE_MELDS:
        return Irregularity.NO_MELD
    return Irregularity.SHORT_OPENING if code in _SHORT_OPENINGS else None


def _irregularity_out_of_turn(action: Action) -> Irregularity | None:
    """Return the irregularity of an action out of turn, by what it does: draw, take or show cards."""
    if isinstance(action, Draw | DrawKeeping):
        return Irregularity.DRAWN_OUT_OF_TURN
    if isinstance(action, Take | TakePile):
        return Irregularity.TAKEN_OUT_OF_TURN
    shows = isinstance(action, LayMelds | Meld | LayRun | Discard | DiscardCard)
    return Irregularity.SHOWN_OUT_OF_TURN if shows else None


def _is_failed_claim(action: Take | TakePile, code: Code) -> bool:
    """Return whether the action was refused because its cards do not claim the pile's top.

    False if another of its melds was the reason.
    """
    alone = isinstance(action, Take) or not action.melds
    return code in _UNUSED_PILES or (alone and (code in _FALSE_MELDS or code is Code.MELD_WRONG_TARGET))


def _cards_left(state: State, seat: int, action: Action) -> int:
    """Return the number of cards that the action would leave in the hand."""
    return len(state.hands[seat]) - len(_named_cards(state, seat, action) or ())


# --- the cards that an action names -----------------------------------------------------------------------------------


def _named_cards(state: State, seat: int, action: Action) -> tuple[Card, ...] | None:
    """Return the cards of the hand that the action names, or None if the hand does not hold them."""
    match action:
        case LayMelds(melds):
            named = tuple([card for lay in melds for card in lay.cards])
        case TakePile(cards, melds):
            named = (*cards, *(card for lay in melds for card in lay.cards))
        case DiscardCard(card):
            named = (card,)
        case Discard(kind):
            return pick_from_hand(state, seat, ((kind, 1),)) or None
        case Meld() | Take():
            named = cards_melded_by(state, action, seat)
            return named if len(named) == action.size else None
        case LayRun():
            named = action.cards
        case _:
            return ()
    return named if not Counter(named) - Counter(state.hands[seat]) else None
