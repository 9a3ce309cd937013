"""Folds of the events about a lobby and its seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.cards.cards import replaced
from bot.tables.state import absence as absences
from bot.tables.state import contest as contests
from bot.tables.state import proposal_folding as asking
from bot.tables.state.absence import Absence
from bot.tables.state.events import (
    HostChanged,
    JoinRequested,
    JoinWithdrawn,
    LobbyEvent,
    LobbyOpened,
    PresenceConfirmed,
    RollCallEnded,
    RollCallOpened,
    RulesChanged,
    RulesChosen,
    SeatChanged,
)
from bot.tables.state.recent import all_seated, seated
from bot.tables.state.snapshots import EMPTY_SEAT, RollCall, SeatHolder, SeatTenure, Status
from bot.tables.state.table import TableState


def lobby_opened(event: LobbyOpened) -> TableState:
    """Return the first record of a table."""
    return TableState(
        status=Status.LOBBY,
        rules=event.rules,
        host=event.host,
        seats=(EMPTY_SEAT,) * event.rules.players,
        created_at=event.at,
        contributions=(None,) * event.rules.players,
        saved_as=event.saved_as,
    )


def rules_changed(record: TableState, event: RulesChanged) -> TableState:
    """Set other rules; the rules that the table was opened with are kept in `base`."""
    base = record.base or record.rules
    joined = record.joined_rules or (record.rules if record.guests else None)
    return replace(
        record,
        rules=event.rules,
        base=None if event.rules == base else base,
        joined_rules=None if event.rules == joined else joined,
    )


def rules_chosen(record: TableState, event: RulesChosen) -> TableState:
    """Set another rule set and its seats; contributions to the shuffle start empty."""
    joined = record.joined_rules or (record.rules if record.guests else None)
    return replace(
        record,
        rules=event.rules,
        base=None,
        saved_as=event.saved_as,
        seats=event.seats,
        roll=None,
        contributions=(None,) * len(event.seats),
        joined_rules=None if event.rules == joined else joined,
    )


def seat_changed(record: TableState, event: SeatChanged) -> TableState:
    """Set a seat's holder; a new holder has contributed nothing to the shuffle yet."""
    after = replace(
        record,
        seats=replaced(record.seats, event.seat, event.holder),
        contributions=replaced(record.contributions, event.seat, None),
        sat=_sat(record, event),
        sought=tuple(one for one in record.sought if one.seat != event.seat),
        absence=_absence_of_others(record, event),
        wishes=_without(record.wishes, event.holder.person),
        roll=_not_asked(record.roll, event.seat),
        contest=contests.seated(record.contest, event.seat),
    )
    return _without_news(asking.keep_open_questions(after))


def roll_called(record: TableState, event: RollCallOpened) -> TableState:
    """Open the roll call of the persons who joined long ago."""
    return replace(record, roll=RollCall(event.at, event.seats, event.fill))


def present_said(record: TableState, event: PresenceConfirmed) -> TableState:
    """Mark the seat as having answered the roll call."""
    return replace(record, roll=_not_asked(record.roll, event.seat))


def roll_ended(record: TableState, _event: RollCallEnded) -> TableState:
    """End the roll call."""
    return replace(record, roll=None)


def _not_asked(roll: RollCall | None, seat: int) -> RollCall | None:
    """Return the roll call without that seat; None if it was the last."""
    seats = () if roll is None else tuple(one for one in roll.seats if one != seat)
    return None if roll is None or not seats else replace(roll, seats=seats)


def _absence_of_others(record: TableState, event: SeatChanged) -> Absence:
    game = record.game
    turn = None if game is None else (game.deal, game.turns)
    before = record.seats[event.seat]
    return absences.seat_changed(record.absence, before, event.holder, seat=event.seat, turn=turn)


def _sat(record: TableState, event: SeatChanged) -> tuple[SeatTenure, ...]:
    """Return the tenures of the seats; unchanged in a lobby, where no game runs."""
    if record.game is None:
        return ()
    before = record.sat or all_seated(record.seats)
    return seated(before, record.game, record.recent, seat=event.seat, holder=event.holder)


def join_wished(record: TableState, event: JoinRequested) -> TableState:
    """Add a person who waits to be admitted."""
    return replace(record, wishes=(*record.wishes, event.holder))


def wish_dropped(record: TableState, event: JoinWithdrawn) -> TableState:
    """Remove a person who waits to be admitted."""
    return replace(record, wishes=_without(record.wishes, event.person))


def _without(wishes: tuple[SeatHolder, ...], person: int | None) -> tuple[SeatHolder, ...]:
    """Return the persons who wait at a lobby, without that one."""
    return tuple(one for one in wishes if one.person != person)


def host_changed(record: TableState, event: HostChanged) -> TableState:
    """Set another host."""
    return _without_news(replace(record, host=event.person))


def _without_news(record: TableState) -> TableState:
    """Forget the rules before the change if no guest sits with the host to notice the change."""
    return record if record.guests or record.joined_rules is None else replace(record, joined_rules=None)


FOLDS: Final[Mapping[type[LobbyEvent], Callable[[TableState, Any], TableState]]] = {
    RulesChanged: rules_changed,
    RulesChosen: rules_chosen,
    SeatChanged: seat_changed,
    JoinRequested: join_wished,
    JoinWithdrawn: wish_dropped,
    HostChanged: host_changed,
    RollCallOpened: roll_called,
    PresenceConfirmed: present_said,
    RollCallEnded: roll_ended,
}
"""The fold of every event of this module but `LobbyOpened`, which has no record before it."""
