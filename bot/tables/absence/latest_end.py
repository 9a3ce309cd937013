"""The latest end of a slow game: set, postpone and apply it, and warn players of it. Pure.

Players are warned seven days and one day before.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import Spans, instant_after
from bot.clocks.time_rules import DAY
from bot.engine.moves.phases import Phase
from bot.tables.absence.circumstances_of_change import ChangeCircumstances
from bot.tables.state.absence import (
    EndTimeSet,
    has_one_player,
)
from bot.tables.state.events import (
    AnyEvent,
    Deadline,
    DeadlineSet,
    GameConcluded,
    LastDealReached,
)
from bot.tables.state.table import TableState
from bot.tables.timing import timekeeping
from bot.tables.timing.halted_tables import earliest_deadline, stopped_spans

EARLY: Final = 7 * DAY


LATE: Final = DAY
"""Time between the last warning and the latest end."""


def set_latest_end_alarm(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Set the alarm for the latest end of a running game, unless it is set.

    A game of one person against computer players has none. The games of a tournament end with its rounds.
    """
    if record.contest is not None:
        return ()
    events: list[AnyEvent] = []
    days = record.settings.latest_end_days
    if days is not None and record.absence.ends_at is None and not has_one_player(record.seats):
        ends_at = now + days * DAY
        events += [EndTimeSet(ends_at, now, told=False), next_end_alarm(ends_at, now)]
    return tuple(events)


def postponed_end(record: TableState, away_spans: Spans, *, now: int) -> int:
    """Return the game's latest end, postponed by the time for which the table was halted.

    A table is halted while it is paused, has no channel, or the bot is away.
    """
    absence = record.absence
    ends_at = absence.ends_at or 0
    return instant_after(stopped_spans(record, away_spans, now), absence.ends_since, ends_at - absence.ends_since)


def move_latest_end(before: TableState, after: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Move the latest end by the difference in days after the table's settings changed."""
    days, then, ends_at = before.settings.latest_end_days, after.settings.latest_end_days, after.absence.ends_at
    if ends_at is None or days is None or then is None or days == then or after.last_deal:
        return ()
    ends_at += (then - days) * DAY
    told = after.absence.ends_told and now >= ends_at - EARLY
    return (EndTimeSet(ends_at, after.absence.ends_since, told=told), next_end_alarm(ends_at, now))


def next_end_alarm(ends_at: int, now: int) -> DeadlineSet:
    """Return the alarm for the next warning, or for the latest end."""
    coming = (at for at in (ends_at - EARLY, ends_at - LATE, ends_at) if at > now)
    return DeadlineSet(Deadline.LATEST_END, next(coming, now))


def warn_or_apply_latest_end(record: TableState, away_spans: Spans, *, now: int) -> tuple[AnyEvent, ...]:
    """Warn of the latest end, or apply it: make the deal in play the last, or end the game between deals.

    Nothing happens if only one person is left at the table.
    """
    if has_one_player(record.seats):
        return (DeadlineSet(Deadline.LATEST_END, now + DAY),)
    ends_at = postponed_end(record, away_spans, now=now)
    grace = earliest_deadline(record.settings.clock, stopped_spans(record, away_spans, now))
    if now < max(ends_at, grace):
        return (EndTimeSet(ends_at, now, told=now >= ends_at - EARLY), next_end_alarm(ends_at, now))
    if record.game is not None and record.game.phase is not Phase.BETWEEN:
        return (LastDealReached(), DeadlineSet(Deadline.LATEST_END, None))
    waits = (DeadlineSet(kind, None) for kind in record.deadlines)
    return (LastDealReached(), *waits, GameConcluded(timekeeping.conclusion(record, "latest_end")))


def update_latest_end(
    before: TableState, after: TableState, circumstances: ChangeCircumstances
) -> tuple[AnyEvent, ...]:
    """Set or postpone the latest end."""
    return (*set_latest_end_alarm(after, now=circumstances.now), *move_latest_end(before, after, now=circumstances.now))
