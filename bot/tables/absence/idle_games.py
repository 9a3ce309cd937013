"""Closing idle games, in which players no longer act (`docs/long-games.md`, 4). Pure.

A game closes once its idle limit has passed since a player last acted, but not before a day has passed without a
running clock, vote, claim, proposal or search. So no alarm is set while any of these is open; the change that ends the
last of them sets it. Players are warned a day before.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import Spans, instant_after
from bot.clocks.time_rules import DAY
from bot.tables.seating import seats
from bot.tables.seating.seats import close_table
from bot.tables.state.absence import IdleWarningSent
from bot.tables.state.clocks import seat_on_clock
from bot.tables.state.events import AnyEvent, Deadline, DeadlineSet
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, ClosingReason
from bot.tables.state.table import Table, TableState
from bot.tables.timing.halted_tables import stopped_spans
from bot.tables.timing.idle_limit import idle_limit

WARNED: Final = DAY
"""Time before the end of an idle game at which its players are warned, in milliseconds."""


def has_running_clock_or_open_question(record: TableState) -> bool:
    """Return whether a clock runs, a question is open, or a computer player or the next deal is due."""
    absence = record.absence
    asks = absence.vote is not None or absence.waiting or absence.claims or record.sought or record.proposal is not None
    plays = record.actor is not None and record.seats[record.actor].kind == "computer" and not record.has_no_people
    return bool(asks) or plays or Deadline.NEXT_DEAL in record.deadlines or seat_on_clock(record) is not None


def idle_alarm_events(record: TableState, *, person: int | None, now: int) -> tuple[AnyEvent, ...]:
    """Return the events that set or clear the alarm for closing an idle game, after a change.

    `person` is the person who caused the change, if any.
    """
    if record.contest is not None:
        return ()
    warned, under_way = record.absence.idle_at is not None, has_running_clock_or_open_question(record)
    touched = person is not None and (record.seat_of(person) is not None or record.seat_kept_for(person) is not None)
    if under_way and warned:
        return (IdleWarningSent(None), DeadlineSet(Deadline.IDLE, None))
    if warned and touched:
        return cancel_idle_closing(record, now=now)
    if under_way or Deadline.IDLE in record.deadlines:
        return ()
    # If no player has acted, the alarm rings at once, and its handler looks up the time of the last action.
    return (DeadlineSet(Deadline.IDLE, now if person is None else idle_limit(record, now) - WARNED),)


def warn_or_close_idle_game(
    record: TableState, away_spans: Spans, *, touched_at: int, now: int
) -> tuple[AnyEvent, ...]:
    """Warn of the end of an idle game a day before, or close it."""
    if record.absence.idle_at is not None:
        return close_table(record, ClosingReason.IDLE)
    if has_running_clock_or_open_question(record):
        return (DeadlineSet(Deadline.IDLE, None),)
    tell_at = instant_after(stopped_spans(record, away_spans, now), touched_at, idle_limit(record, 0) - WARNED)
    if now < tell_at:
        return (DeadlineSet(Deadline.IDLE, tell_at),)
    return (IdleWarningSent(now + WARNED), DeadlineSet(Deadline.IDLE, now + WARNED))


def keep_game(table: Table, caller: Caller, *, now: int) -> tuple[AnyEvent, ...]:
    """Cancel the closing of an idle game at a player's request.

    Refusals: as `AbsenceService.keep_game`.
    """
    seats.require_unpaused_game(table)
    record = table.record
    if record.seat_of(caller.person) is None and record.seat_kept_for(caller.person) is None:
        raise TableRefusal(TableCode.NOT_SEATED, {"table": table.id})
    if record.absence.idle_at is None:
        detail = {"table": table.id, "expected": table.version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
    return cancel_idle_closing(record, now=now)


def cancel_idle_closing(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Return the events that cancel the closing of an idle game because a player has acted."""
    return (IdleWarningSent(None), DeadlineSet(Deadline.IDLE, idle_limit(record, now) - WARNED))
