"""The effects of the events about a lobby and its seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.cards.cards import with_item_replaced
from bot.tables.state.absence import Absence
from bot.tables.state.events import (
    HostChanged,
    JoinRequested,
    JoinWithdrawn,
    LobbyEvent,
    LobbyKept,
    LobbyOpened,
    PresenceConfirmed,
    RollCallEnded,
    RollCallOpened,
    RulesChanged,
    RulesChosen,
    SeatChanged,
    WaitingAsked,
    WaitingChosen,
)
from bot.tables.state.folding.absence import absence_with_new_holder
from bot.tables.state.folding.contest import with_new_holder
from bot.tables.state.folding.proposals import drop_answers_of_departed_players
from bot.tables.state.folding.recent_events import change_tenure, first_tenures
from bot.tables.state.snapshots import EMPTY_SEAT, MissedRoll, RollCall, SeatHolder, SeatTenure, Status, WaitingQuestion
from bot.tables.state.table import TableState


def open_lobby(event: LobbyOpened) -> TableState:
    """Return the first record of a table that was opened."""
    return TableState(
        status=Status.LOBBY,
        rules=event.rules,
        host=event.host,
        seats=(EMPTY_SEAT,) * event.rules.players,
        created_at=event.at,
        contributions=(None,) * event.rules.players,
        saved_as=event.saved_as,
    )


def change_rules(record: TableState, event: RulesChanged) -> TableState:
    """Set other rules; the rules with which the table was opened are kept in `base`."""
    base = record.base or record.rules
    joined = record.joined_rules or (record.rules if record.guests else None)
    return replace(
        record,
        rules=event.rules,
        base=None if event.rules == base else base,
        joined_rules=None if event.rules == joined else joined,
    )


def choose_rules(record: TableState, event: RulesChosen) -> TableState:
    """Set another rule set and the holders of its seats; nobody has contributed to the shuffle yet."""
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


def change_seat(record: TableState, event: SeatChanged) -> TableState:
    """Set a seat's holder; a new holder has contributed nothing to the shuffle yet."""
    after = replace(
        record,
        seats=with_item_replaced(record.seats, event.seat, event.holder),
        contributions=with_item_replaced(record.contributions, event.seat, None),
        sat=_update_tenures(record, event),
        sought=tuple(one for one in record.sought if one.seat != event.seat),
        absence=_absence_after_change(record, event),
        wishes=_join_requests_without(record.wishes, event.holder.person),
        roll=_without_asked_seat(record.roll, event.seat),
        missed=_missed_roll_without(record.missed, event.holder.person),
        contest=with_new_holder(record.contest, event.seat),
    )
    return _drop_unneeded_joined_rules(drop_answers_of_departed_players(after))


def open_roll_call(record: TableState, event: RollCallOpened) -> TableState:
    """Open the roll call of the persons who joined long ago."""
    return replace(record, roll=RollCall(event.at, event.seats, event.fill), missed=None)


def confirm_presence(record: TableState, event: PresenceConfirmed) -> TableState:
    """Mark the seat as having answered the roll call."""
    return replace(record, roll=_without_asked_seat(record.roll, event.seat))


def end_roll_call(record: TableState, event: RollCallEnded) -> TableState:
    """End the roll call, and remember the people who did not answer."""
    return replace(record, roll=None, missed=MissedRoll(event.at, event.silent) if event.silent else None)


def keep_lobby(record: TableState, _event: LobbyKept) -> TableState:
    """Record that the host keeps the lobby open although players missed the roll call."""
    return replace(record, missed=None if record.missed is None else replace(record.missed, waits=True))


def open_waiting_question(record: TableState, event: WaitingAsked) -> TableState:
    """Open the question whether computer players shall take the free seats."""
    return replace(record, waiting=WaitingQuestion(event.at, event.persons))


def close_waiting_question(record: TableState, _event: WaitingChosen) -> TableState:
    """End the question of `open_waiting_question`: the lobby waits on for other players."""
    return replace(record, waiting=None)


def _missed_roll_without(missed: MissedRoll | None, person: int | None) -> MissedRoll | None:
    """Return `missed` without a person who sits down again; None if no one else missed the roll call."""
    if missed is None or person is None:
        return missed
    left = tuple(one for one in missed.holders if one.person != person)
    return replace(missed, holders=left) if left else None


def _without_asked_seat(roll: RollCall | None, seat: int) -> RollCall | None:
    """Return the roll call without that seat; None if it was the last seat asked."""
    seats = () if roll is None else tuple(one for one in roll.seats if one != seat)
    return None if roll is None or not seats else replace(roll, seats=seats)


def _absence_after_change(record: TableState, event: SeatChanged) -> Absence:
    """Return the absence state after a seat got another holder."""
    game = record.game
    turn = None if game is None else (game.deal, game.turns)
    before = record.seats[event.seat]
    return absence_with_new_holder(record.absence, before, event.holder, seat=event.seat, turn=turn)


def _update_tenures(record: TableState, event: SeatChanged) -> tuple[SeatTenure, ...]:
    """Return the list of seat holders over time; unchanged in a lobby, where no game runs."""
    if record.game is None:
        return ()
    before = record.sat or first_tenures(record.seats)
    return change_tenure(before, record.game, record.recent, seat=event.seat, holder=event.holder)


def add_join_request(record: TableState, event: JoinRequested) -> TableState:
    """Add a person who waits to be admitted."""
    return replace(record, wishes=(*record.wishes, event.holder))


def drop_join_request(record: TableState, event: JoinWithdrawn) -> TableState:
    """Remove a person who waits to be admitted."""
    return replace(record, wishes=_join_requests_without(record.wishes, event.person))


def _join_requests_without(wishes: tuple[SeatHolder, ...], person: int | None) -> tuple[SeatHolder, ...]:
    """Return the people who wait at a lobby, without that one."""
    return tuple(one for one in wishes if one.person != person)


def change_host(record: TableState, event: HostChanged) -> TableState:
    """Set another person as the host."""
    return _drop_unneeded_joined_rules(replace(record, host=event.person))


def _drop_unneeded_joined_rules(record: TableState) -> TableState:
    """Drop `joined_rules` if no guest is seated who must be shown that the rules changed."""
    return record if record.guests or record.joined_rules is None else replace(record, joined_rules=None)


FOLDS: Final[Mapping[type[LobbyEvent], Callable[[TableState, Any], TableState]]] = {
    RulesChanged: change_rules,
    RulesChosen: choose_rules,
    SeatChanged: change_seat,
    JoinRequested: add_join_request,
    JoinWithdrawn: drop_join_request,
    HostChanged: change_host,
    RollCallOpened: open_roll_call,
    PresenceConfirmed: confirm_presence,
    RollCallEnded: end_roll_call,
    LobbyKept: keep_lobby,
    WaitingAsked: open_waiting_question,
    WaitingChosen: close_waiting_question,
}
"""The fold of every event of this module but `LobbyOpened`, which has no record before it."""
