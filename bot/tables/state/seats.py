"""What the events of a lobby, and those about who sits where, make of a record."""

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
    """The record that a table begins with."""
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
    """Other rules; those the table was opened with are remembered."""
    base = record.base or record.rules
    joined = record.joined_rules or (record.rules if record.guests else None)
    return replace(
        record,
        rules=event.rules,
        base=None if event.rules == base else base,
        joined_rules=None if event.rules == joined else joined,
    )


def rules_chosen(record: TableState, event: RulesChosen) -> TableState:
    """Seats are dealt out anew, so nobody has contributed to a shuffle yet."""
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
    """Whoever comes to a seat has contributed nothing yet."""
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
    """The persons who joined long ago are asked whether they are in."""
    return replace(record, roll=RollCall(event.at, event.seats, event.fill))


def present_said(record: TableState, event: PresenceConfirmed) -> TableState:
    """One of them is in."""
    return replace(record, roll=_not_asked(record.roll, event.seat))


def roll_ended(record: TableState, _event: RollCallEnded) -> TableState:
    """Nobody is asked any more."""
    return replace(record, roll=None)


def _not_asked(roll: RollCall | None, seat: int) -> RollCall | None:
    """The roll call without that seat; over where it was the last."""
    seats = () if roll is None else tuple(one for one in roll.seats if one != seat)
    return None if roll is None or not seats else replace(roll, seats=seats)


def _absence_of_others(record: TableState, event: SeatChanged) -> Absence:
    game = record.game
    turn = None if game is None else (game.deal, game.turns)
    before = record.seats[event.seat]
    return absences.seat_changed(record.absence, before, event.holder, seat=event.seat, turn=turn)


def _sat(record: TableState, event: SeatChanged) -> tuple[SeatTenure, ...]:
    """Who sat where; in a lobby nobody plays yet."""
    if record.game is None:
        return ()
    before = record.sat or all_seated(record.seats)
    return seated(before, record.game, record.recent, seat=event.seat, holder=event.holder)


def join_wished(record: TableState, event: JoinRequested) -> TableState:
    """Somebody waits to be let in."""
    return replace(record, wishes=(*record.wishes, event.holder))


def wish_dropped(record: TableState, event: JoinWithdrawn) -> TableState:
    """Somebody waits no more."""
    return replace(record, wishes=_without(record.wishes, event.person))


def _without(wishes: tuple[SeatHolder, ...], person: int | None) -> tuple[SeatHolder, ...]:
    """The persons who wait at a lobby, without that one."""
    return tuple(one for one in wishes if one.person != person)


def host_changed(record: TableState, event: HostChanged) -> TableState:
    """Another person is the host."""
    return _without_news(replace(record, host=event.person))


def _without_news(record: TableState) -> TableState:
    """No change of the rules is news where nobody sits with the host."""
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
"""All but `LobbyOpened`, which no record comes before."""
