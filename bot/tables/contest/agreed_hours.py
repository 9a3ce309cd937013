"""The clock of a slow table that has agreed on a time: none until then, another one for some hours. Pure.

See `docs/tournaments.md` 2.

As with all directing, a step that has been taken already has no events.
"""

from __future__ import annotations

from dataclasses import replace

from bot.clocks.time_rules import ClockTerms, SeatClock, Stage, initial_clock
from bot.tables.seating.seats import require_playing
from bot.tables.state.clocks import Clocks
from bot.tables.state.contest import AgreedHours, AgreedHoursBegan, AgreedHoursEnded
from bot.tables.state.events import AnyEvent, ClockRuns, ClockSet, SettingsChosen, StageReached
from bot.tables.state.table import Table


def hold(table: Table, terms: ClockTerms | None, running: SeatClock | None, *, now: int) -> tuple[AnyEvent, ...]:
    """Let another clock hold, from its beginning for each seat, or none; `running` is what the running one has left.

    Players count as absent until they give a sign. Refusals: game_finished, table_closed.
    """
    require_playing(table)
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
        *_running_from(clocks, now),
        SettingsChosen(replace(record.settings, clock=terms)),
        *fresh,
    )


def end(table: Table, *, now: int) -> tuple[AnyEvent, ...]:
    """Let the usual clock hold again, with what each seat had left. Refusals: game_finished, table_closed."""
    require_playing(table)
    record = table.record
    clocks, hours = record.clocks, None if record.contest is None else record.contest.hours
    if clocks is None or hours is None:
        return ()
    lapsed = clocks.told is not None and clocks.owes is None and clocks.stage is Stage.LAPSED
    return (
        AgreedHoursEnded(),
        *_running_from(clocks, now),
        SettingsChosen(replace(record.settings, clock=hours.terms)),
        *(ClockSet(seat, clock) for seat, clock in enumerate(hours.seats)),
        *((StageReached(clocks.told, Stage.RUNNING, now),) if lapsed and clocks.told is not None else ()),
    )


def _running_from(clocks: Clocks, now: int) -> tuple[AnyEvent, ...]:
    """Return the event by which the running clock, if any, is charged from now on only."""
    if clocks.owes is None or clocks.until is None:
        return ()
    return (ClockRuns(clocks.owes, now, clocks.until, clocks.turn, clocks.decided_at),)
