"""Remembering: what a record keeps of its past (`bot.tables.state.snapshots`: `RecentEvent`, `SeatTenure`,
`DealLeftovers`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.engine.melds.bonuses import held_points
from bot.engine.melds.canastas import canasta_tally
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
"""What can be taken back."""

_BY_ITSELF: Final = (LaidOut, TookTalon)
"""What happens as a turn comes, before its seat has done anything."""

_ENDS: Final = (DealEnded, GameEnded)


# --- what happened ----------------------------------------------------------------------------------------------------


def remembered(recent: tuple[RecentEvent, ...], before: State, after: State, event: Event) -> tuple[RecentEvent, ...]:
    """The latest events with one more.

    Kept are the turns since the earliest of the last turns of all seats that play, whole: a round and the turn that
    runs. The turns of a deal stay until the next deal begins. What is taken back was never told.
    """
    if isinstance(event, DealStarted):
        return (RecentEvent(event.deal, 0, None, public_event(event)),)
    if isinstance(event, TookBack):
        return _without_last_laid(recent)
    seat: int | None = getattr(event, "seat", None)
    turn = _turn(recent, before, event, seat)
    first = after.turns - len(after.seating.seats)
    kept = tuple(one for one in recent if one.turn >= first)
    return (*kept, RecentEvent(after.deal, turn, seat, public_event(event)))


def _turn(recent: tuple[RecentEvent, ...], before: State, event: Event, seat: int | None) -> int:
    """The turn to which an event belongs; what follows a discard for its seat belongs to the turn it ended."""
    if isinstance(event, _ENDS) and recent:
        return recent[-1].turn
    belated = seat not in (None, before.turn) and before.phase is not Phase.ANSWER
    return max(0, before.turns - belated)


def _without_last_laid(recent: tuple[RecentEvent, ...]) -> tuple[RecentEvent, ...]:
    """The events without what was laid last, and without the opening that it was."""
    for place in reversed(range(len(recent))):
        if isinstance(recent[place].event, _LAID):
            opened = recent[place + 1 : place + 2]
            after = place + 1 + any(isinstance(one.event, Opened) for one in opened)
            return recent[:place] + recent[after:]
    return recent


# --- who sat where ----------------------------------------------------------------------------------------------------


def all_seated(holders: Iterable[SeatHolder]) -> tuple[SeatTenure, ...]:
    """Who sits at each seat when a game begins."""
    return tuple(SeatTenure(seat, 1, 0, holder) for seat, holder in enumerate(holders))


def seated(
    sat: tuple[SeatTenure, ...], game: State, recent: tuple[RecentEvent, ...], *, seat: int, holder: SeatHolder
) -> tuple[SeatTenure, ...]:
    """Who sat where once somebody else holds a seat; a turn belongs to whoever began it."""
    deal, turn = game.deal, game.turns
    if game.phase in (Phase.BETWEEN, Phase.OVER):
        deal, turn = deal + 1, 0
    elif any((one.turn, one.seat) == (turn, seat) and not isinstance(one.event, _BY_ITSELF) for one in recent):
        turn += 1
    kept = tuple(one for one in sat if (one.seat, one.deal, one.turn) != (seat, deal, turn))
    return (*kept, SeatTenure(seat, deal, turn, holder))


def shortened(sat: tuple[SeatTenure, ...]) -> tuple[SeatTenure, ...]:
    """Of each deal before the one that begins, only who held each seat at its end."""
    return tuple({(one.seat, one.deal): one for one in sat}.values())


# --- what a deal left -------------------------------------------------------------------------------------------------


def left_of(state: State) -> DealLeftovers:
    """What lies in the hands as the deal ends; where a hand that was shown ended it, none of its side counts."""
    shown = state.shown
    sides = state.seating.side_by_seat
    held = []
    for seat in state.seating.seats:
        cards = (*state.hands[seat], *state.feet[seat]) if state.feet else state.hands[seat]
        counts = shown is None or sides[seat] != sides[shown[0]]
        if cards:
            held.append(HandLeft(seat, cards, -held_points(state.rules, cards) if counts else 0))
    return DealLeftovers(state.deal, tuple(held), shown, _canastas(state))


def _canastas(state: State) -> tuple[int, ...]:
    """How many canastas lie there, by score."""
    rules, sides = state.rules, state.seating.side_by_seat
    own = (state.melds[sides[rules.seats_of(score)[0]]] for score in range(rules.sides))
    return tuple(canasta_tally(rules, melds).all for melds in own)
