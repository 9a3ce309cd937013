"""Deletion of a person: their seats, seats kept for them, and their requests at tables. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.tables.absence import lost_seats
from bot.tables.seating import seats
from bot.tables.state.absence import ClaimEnded, ClaimKind, SideForfeited
from bot.tables.state.clocks import AbsencePolicy
from bot.tables.state.events import AnyEvent, JoinWithdrawn, SeatChanged, SubstituteSearchOpened
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState
from bot.tables.timing.idle_limit import idle_limit


def release_seats(record: TableState, person: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Return the events that remove a person from an open table, with their proposals and claims.

    Their seat follows the table's policy for absent players; a computer player that gets it keeps it for no one. No
    events if the table does not know the person.
    """
    seat, kept = record.seat_of(person), record.seat_kept_for(person)
    wished = tuple(JoinWithdrawn(person) for one in record.wishes if one.person == person)
    claimed = tuple(
        ClaimEnded(one.seat, granted=False)
        for one in record.absence.claims
        if one.holder.person == person and one.kind is not ClaimKind.OBJECT
    )
    if seat is not None:
        return (*wished, *claimed, *_vacate_seat(record, seat, now=now))
    freed = () if kept is None else (SeatChanged(kept, seats.without_person_of_kept_seat(record.seats[kept])),)
    return (*wished, *claimed, *freed)


def _vacate_seat(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Return the events that vacate the seat by the table's policy for lost seats, but without a vote."""
    left = tuple(
        replace(one, holder=seats.without_person_of_kept_seat(one.holder)) if isinstance(one, SeatChanged) else one
        for one in seats.vacate_seat(record, seat, expires_at=idle_limit(record, now))
    )
    policy = record.settings.policy
    if record.status is not Status.PLAYING or record.last_deal:
        return left
    if policy is AbsencePolicy.FORFEIT:
        lost = lost_seats.forfeit_side(record, seat)
        return lost or (*left, SideForfeited(record.rules.side_of(seat)))
    return (*left, SubstituteSearchOpened(seat, now)) if policy is AbsencePolicy.SUBSTITUTE else left
