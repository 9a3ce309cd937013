"""A table's recent events, the holders of its seats over time, and cards left in hands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.engine.melds.canastas import canasta_tally
from bot.engine.melds.points import points_lost_by_hand
from bot.engine.moves.events import (
    Combined,
    DealEnded,
    DealStarted,
    Event,
    GameEnded,
    LaidOut,
    Melded,
    Opened,
    TookBack,
    TookTalon,
    TookTop,
)
from bot.engine.moves.phases import Phase
from bot.engine.table.state import State
from bot.engine.table.views import public_event
from bot.tables.state.snapshots import DealLeftovers, HandLeft, RecentEvent, SeatHolder, SeatTenure

_LAID: Final = (Melded, TookTop, Combined)
"""Events that can be taken back."""

_BY_ITSELF: Final = (LaidOut, TookTalon)
"""Events at the beginning of a turn, before its seat has acted."""

_ENDS: Final = (DealEnded, GameEnded)


# --- recent events ----------------------------------------------------------------------------------------------------


def add_recent_event(
    recent_events: tuple[RecentEvent, ...], before: State, after: State, event: Event
) -> tuple[RecentEvent, ...]:
    """Return the recent events with the public part of one more.

    Whole turns are kept: from the earliest of all seats' last turns to the current turn. The turns of a deal stay until
    the next deal begins. Events that were taken back are removed.
    """
    if isinstance(event, DealStarted):
        return (RecentEvent(event.deal, 0, None, public_event(event)),)
    if isinstance(event, TookBack):
        return _without_last_meld(recent_events)
    seat: int | None = getattr(event, "seat", None)
    turn = _turn_number_of_event(recent_events, before, event, seat)
    first = after.turns - len(after.seating.seats)
    kept = tuple(one for one in recent_events if one.turn >= first)
    return (*kept, RecentEvent(after.deal, turn, seat, public_event(event)))


def _turn_number_of_event(recent_events: tuple[RecentEvent, ...], before: State, event: Event, seat: int | None) -> int:
    """Return the turn to which an event belongs.

    Events after a discard belong to the turn that the discard ended.
    """
    if isinstance(event, _ENDS) and recent_events:
        return recent_events[-1].turn
    belated = seat not in (None, before.turn) and before.phase is not Phase.ANSWER
    return max(0, before.turns - belated)


def _without_last_meld(recent_events: tuple[RecentEvent, ...]) -> tuple[RecentEvent, ...]:
    """Return the events without the last meld or addition, and without the opening that it made."""
    for place in reversed(range(len(recent_events))):
        if isinstance(recent_events[place].event, _LAID):
            opened = recent_events[place + 1 : place + 2]
            after = place + 1 + any(isinstance(one.event, Opened) for one in opened)
            return recent_events[:place] + recent_events[after:]
    return recent_events


# --- holders of seats -------------------------------------------------------------------------------------------------


def first_tenures(holders: Iterable[SeatHolder]) -> tuple[SeatTenure, ...]:
    """Return the first entries of the list of seat holders, at the start of a game."""
    return tuple(SeatTenure(seat, 1, 0, holder) for seat, holder in enumerate(holders))


def change_tenure(
    tenures: tuple[SeatTenure, ...],
    game: State,
    recent_events: tuple[RecentEvent, ...],
    *,
    seat: int,
    holder: SeatHolder,
) -> tuple[SeatTenure, ...]:
    """Return the list of seat holders over time after a seat got another holder.

    A turn belongs to the player who began it.
    """
    deal, turn = game.deal, game.turns
    if game.phase in (Phase.BETWEEN, Phase.OVER):
        deal, turn = deal + 1, 0
    elif any((one.turn, one.seat) == (turn, seat) and not isinstance(one.event, _BY_ITSELF) for one in recent_events):
        turn += 1
    kept = tuple(one for one in tenures if (one.seat, one.deal, one.turn) != (seat, deal, turn))
    return (*kept, SeatTenure(seat, deal, turn, holder))


def shorten_tenures(tenures: tuple[SeatTenure, ...]) -> tuple[SeatTenure, ...]:
    """Return the list of seat holders over time, reduced to the holders at the end of each past deal."""
    return tuple({(one.seat, one.deal): one for one in tenures}.values())


# --- cards left at the end of a deal ----------------------------------------------------------------------------------


def leftovers_of(state: State) -> DealLeftovers:
    """Return the cards left in the hands at the end of a deal.

    If a special hand ended the deal, the cards of its side do not count.
    """
    shown = state.shown
    sides = state.seating.side_by_seat
    held = []
    for seat in state.seating.seats:
        cards = (*state.hands[seat], *state.feet[seat]) if state.feet else state.hands[seat]
        counts = shown is None or sides[seat] != sides[shown[0]]
        if cards:
            held.append(HandLeft(seat, cards, -points_lost_by_hand(state.rules, cards) if counts else 0))
    return DealLeftovers(state.deal, tuple(held), shown, _canasta_counts(state))


def _canasta_counts(state: State) -> tuple[int, ...]:
    """Return the number of canastas on the table by score."""
    rules, sides = state.rules, state.seating.side_by_seat
    own = (state.melds[sides[rules.seats_of(score)[0]]] for score in range(rules.sides))
    return tuple(canasta_tally(rules, melds).total for melds in own)
