"""The clock of a slow table whose players agreed on a time to play.

No clock runs until that time, then a fast one for some hours. See `docs/tournaments.md` 2.

Pure. A request that has been carried out already returns no events.
"""

from __future__ import annotations

from dataclasses import replace

from bot.clocks.time_rules import ClockTerms, SeatClock, Stage, initial_clock
from bot.tables.seating.seats import require_running_game
from bot.tables.state.clocks import Clocks
from bot.tables.state.contest import AgreedHours, AgreedHoursBegan, AgreedHoursEnded
from bot.tables.state.events import AnyEvent, ClockRuns, ClockSet, SettingsChosen, StageReached
from bot.tables.state.table import Table


def begin_agreed_hours(
    table: Table, terms: ClockTerms | None, running: SeatClock | None, *, now: int
) -> tuple[AnyEvent, ...]:
    """Give the table the clock of an agreed time (`terms`, full for every seat), or none until it begins.

    `running` is the running seat's clock with its time left now. Players count as absent until they act. Refusals:
    game_finished, table_closed.
    """
    require_running_game(table)
    record = table.record
    clocks, usual, contest = record.clocks, record.settings.clock, record.contest
    if clocks is None or contest is None or (usual is None and contest.hours is None):
        return ()
    if contest.hours is not None and usual == terms:
        return ()
    seats = tuple(
        running if running is not None and seat == clocks.owes else clock for seat, clock in enumerate(clocks.seats)
    )
    kept = contest.hours if contest.hours is not None or usual is None else AgreedHours(usual, seats, contest.came)
    if kept is None:
        return ()
    fresh = () if terms is None else tuple(ClockSet(seat, initial_clock(terms)) for seat in range(len(seats)))
    return (
        AgreedHoursBegan(kept),
        *_restart_running_clock(clocks, now),
        SettingsChosen(replace(record.settings, clock=terms)),
        *fresh,
    )


def end_agreed_hours(table: Table, *, now: int) -> tuple[AnyEvent, ...]:
    """Return to the usual clock, with the time that each seat had left before.

    Refusals: game_finished, table_closed.
    """
    require_running_game(table)
    record = table.record
    clocks, hours = record.clocks, None if record.contest is None else record.contest.hours
    if clocks is None or hours is None:
        return ()
    lapsed = clocks.told is not None and clocks.owes is None and clocks.stage is Stage.LAPSED
    return (
        AgreedHoursEnded(),
        *_restart_running_clock(clocks, now),
        SettingsChosen(replace(record.settings, clock=hours.terms)),
        *(ClockSet(seat, clock) for seat, clock in enumerate(hours.seats)),
        *((StageReached(clocks.told, Stage.RUNNING, now),) if lapsed and clocks.told is not None else ()),
    )


def _restart_running_clock(clocks: Clocks, now: int) -> tuple[AnyEvent, ...]:
    """Restart the running clock, if any, so that the time before `now` is not charged."""
    if clocks.owes is None or clocks.until is None:
        return ()
    return (ClockRuns(clocks.owes, now, clocks.until, clocks.turn, clocks.decided_at),)
