"""Players who arrive late, come back, or take a seat over: their clocks, and objections to a return.

Pure.
"""

from __future__ import annotations

from dataclasses import replace

from bot.clocks.time_rules import Stage, clock_for_return, initial_clock
from bot.tables.absence import claims
from bot.tables.absence.circumstances_of_change import ChangeCircumstances
from bot.tables.seating import seats
from bot.tables.state.absence import (
    AbsenceReason,
    ReturnConfirmed,
    SeatReturn,
    VoteWithdrawn,
)
from bot.tables.state.clocks import turn_of
from bot.tables.state.contest import PlayerArrived
from bot.tables.state.events import (
    AnyEvent,
    ClockSet,
    StageReached,
)
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller
from bot.tables.state.table import Table, TableState


def confirm_return(table: Table, caller: Caller, *, now: int) -> tuple[AnyEvent, ...]:
    """End the vote about the caller's seat and give it the clock of a returning player.

    Allowed while the table is paused, too.

    Refusals: not_seated, no_vote, returned_before, and as `require_running_game`.
    """
    seats.require_running_game(table)
    record, seat = table.record, seats.require_seat(table, caller.person)
    absence = record.absence
    lapsed = [one for one in (absence.vote, *absence.waiting) if one is not None and one.why is AbsenceReason.LAPSED]
    if seat not in [one.seat for one in lapsed] or record.game is None:
        raise TableRefusal(TableCode.NO_VOTE, {"table": table.id})
    turn = turn_of(record.game)
    if absence.confirmed == SeatReturn(seat, turn):
        raise TableRefusal(TableCode.RETURNED_BEFORE, {"table": table.id})
    waits = any(one.seat == seat for one in absence.waiting)
    return (
        ReturnConfirmed(seat, turn),
        *set_clock_after_return(record, seat),
        StageReached(seat, Stage.RUNNING, now),
        *((VoteWithdrawn(seat),) if waits else ()),
    )


def arrival_events(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Mark a tournament player as present; if their clock ran out before they arrived, refill it.

    No events at other tables, or for a player who is present already.
    """
    if record.contest is None or seat in record.contest.came:
        return ()
    terms, clocks = record.settings.clock, record.clocks
    if terms is None or clocks is None or clocks.told != seat or clocks.stage is not Stage.LAPSED:
        return (PlayerArrived(seat),)
    return (PlayerArrived(seat), ClockSet(seat, initial_clock(terms)), StageReached(seat, Stage.RUNNING, now))


def record_arrival(_before: TableState, after: TableState, circumstances: ChangeCircumstances) -> tuple[AnyEvent, ...]:
    """Mark the person who caused the change as present at a tournament's table.

    No events elsewhere, or if that person is present already.
    """
    seat = None if circumstances.by is None else after.seat_of(circumstances.by)
    return () if seat is None else arrival_events(after, seat, now=circumstances.now)


def set_clock_after_return(record: TableState, seat: int) -> tuple[AnyEvent, ...]:
    """Return the event that sets the clock of a player who took the seat back; none without a clock.

    The player gets no extension and no days of vacation in the rest of this game.
    """
    terms = record.settings.clock
    if terms is None or record.clocks is None:
        return ()
    clock = clock_for_return(record.clocks.seats[seat], terms)
    spent = max(clock.vacation_days, record.settings.vacation)
    return (ClockSet(seat, replace(clock, vacation_days=spent, counted_until=0)),)


def handle_new_holders(
    before: TableState, after: TableState, circumstances: ChangeCircumstances
) -> tuple[AnyEvent, ...]:
    """Set the clocks of players who took seats, and ask opponents whether they object."""
    if len(before.seats) != len(after.seats) or before.game is None:
        return ()
    events: list[AnyEvent] = []
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if new.person is None or new.person == old.person:
            continue
        clocks = after.clocks
        if clocks is not None and clocks.owes is None and (clocks.told, clocks.stage) == (seat, Stage.LAPSED):
            events.append(StageReached(seat, Stage.RUNNING, circumstances.now))
        if new.person == old.kept_for:
            events += set_clock_after_return(after, seat)
            events += (
                () if after.contest is not None else claims.ask_for_objection(after, seat, new, now=circumstances.now)
            )
    return tuple(events)
