"""Ends that come by themselves: the latest end of a game with a clock, and that of a game nobody touches. Pure.

Each is told before: the latest end seven days and one day, the other one day before.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.law import DAY
from bot.clocks.spans import Spans, length
from bot.engine.moves.phases import Phase
from bot.tables.absence.absent_seats import idle_limit, is_always_alone
from bot.tables.absence.events import EndTimeSet, IdleWarningSent
from bot.tables.events import AnyEvent, Deadline, DeadlineSet, GameConcluded, LastDealReached
from bot.tables.lobby import closing
from bot.tables.looks import ClosedBecause
from bot.tables.record import TableState
from bot.tables.timing import ends

EARLY: Final = 7 * DAY
LATE: Final = DAY
"""How long before the latest end it is told, the second time and the first."""


def end_watch_events(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """The ends that a running game waits for, where it does not yet; one person among computers has no latest end.

    The games of a tournament end with its rounds.
    """
    if record.contest is not None:
        return ()
    events: list[AnyEvent] = []
    if Deadline.IDLE not in record.deadlines:
        events.append(DeadlineSet(Deadline.IDLE, idle_limit(record, now) - LATE))
    days = record.settings.latest_end_days
    if days is not None and record.absence.ends_at is None and not is_always_alone(record):
        ends_at = now + days * DAY
        events += [EndTimeSet(ends_at, now, told=False), _latest_alarm(ends_at, now)]
    return tuple(events)


def moved(record: TableState, away: Spans, *, now: int, paused_since: int | None = None) -> int:
    """The latest end as it is known now: outages and pauses move it."""
    absence = record.absence
    until = now if paused_since is None else paused_since
    missed = length(away, absence.ends_since, until) if until > absence.ends_since else 0
    return (absence.ends_at or 0) + missed + (now - until)


def resumed(record: TableState, away: Spans, *, now: int, paused_since: int) -> tuple[AnyEvent, ...]:
    """A pause is over, which has moved the latest end."""
    if record.absence.ends_at is None or record.last_deal:
        return ()
    ends_at = moved(record, away, now=now, paused_since=paused_since)
    return (EndTimeSet(ends_at, now, told=record.absence.ends_told), _latest_alarm(ends_at, now))


def reset_ends(before: TableState, after: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """The latest end of a game whose table is set otherwise: as many days later or earlier."""
    days, then, ends_at = before.settings.latest_end_days, after.settings.latest_end_days, after.absence.ends_at
    if ends_at is None or days is None or then is None or days == then or after.last_deal:
        return ()
    ends_at += (then - days) * DAY
    told = after.absence.ends_told and now >= ends_at - EARLY
    return (EndTimeSet(ends_at, after.absence.ends_since, told=told), _latest_alarm(ends_at, now))


def _latest_alarm(ends_at: int, now: int) -> DeadlineSet:
    """The next instant at which something is to be told or done."""
    coming = (at for at in (ends_at - EARLY, ends_at - LATE, ends_at) if at > now)
    return DeadlineSet(Deadline.LATEST_END, next(coming, now))


def end_time_due(record: TableState, away: Spans, *, now: int) -> tuple[AnyEvent, ...]:
    """The latest end is near, or has come: then the deal in play is the last, and between deals the game is over."""
    if record.pause is not None:
        return (DeadlineSet(Deadline.LATEST_END, now + DAY),)
    ends_at = moved(record, away, now=now)
    if now < ends_at:
        return (EndTimeSet(ends_at, now, told=now >= ends_at - EARLY), _latest_alarm(ends_at, now))
    if record.game is not None and record.game.phase is not Phase.BETWEEN:
        return (LastDealReached(), DeadlineSet(Deadline.LATEST_END, None))
    waits = (DeadlineSet(kind, None) for kind in record.deadlines)
    return (LastDealReached(), *waits, GameConcluded(ends.conclusion(record, "latest_end")))


def idle_due(record: TableState, *, touched_at: int, now: int) -> tuple[AnyEvent, ...]:
    """Nobody has touched a game for long, which is told a day before it is closed."""
    if record.pause is not None:
        return (DeadlineSet(Deadline.IDLE, now + DAY),)
    if record.absence.idle_at is not None:
        return closing(record, ClosedBecause.IDLE)
    tell_at = idle_limit(record, touched_at) - LATE
    if now < tell_at:
        return (DeadlineSet(Deadline.IDLE, tell_at),)
    return (IdleWarningSent(now + LATE), DeadlineSet(Deadline.IDLE, now + LATE))


def touched(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Somebody has touched a game that was to be closed."""
    if record.absence.idle_at is None:
        return ()
    return (IdleWarningSent(None), DeadlineSet(Deadline.IDLE, idle_limit(record, now) - LATE))
