"""The effects of the events about clocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from bot.clocks.time_rules import SeatClock, Stage
from bot.engine.cards.cards import with_item_replaced
from bot.tables.state.clocks import Clocks
from bot.tables.state.events import (
    ClockEvent,
    ClockRuns,
    ClockSet,
    ClockStopped,
    VacationDayTaken,
    VacationEnded,
)
from bot.tables.state.table import TableState


def clocks_after_event(clocks: Clocks | None, event: ClockEvent, *, seats: int) -> Clocks:
    """Return the clocks after one event; `seats` is the number of seats at the table."""
    clocks = clocks or Clocks((SeatClock(0),) * seats)
    if isinstance(event, ClockSet):
        return replace(clocks, seats=with_item_replaced(clocks.seats, event.seat, event.clock))
    if isinstance(event, ClockRuns):
        same = event.turn == clocks.turn and event.seat == clocks.told
        return replace(
            clocks,
            owes=event.seat,
            since=event.since,
            until=event.until,
            stage=clocks.stage if same else Stage.RUNNING,
            turn=event.turn,
            told=event.seat,
            decided_at=event.decided_at,
            days=clocks.days if same else (),
        )
    if isinstance(event, ClockStopped):
        return replace(clocks, owes=None, until=None, decided_at=None)
    if isinstance(event, VacationDayTaken):
        clock = clocks.seats[event.seat]
        spent = replace(clock, vacation_days=clock.vacation_days + 1)
        days = (*clocks.days, (event.start, event.end))
        return replace(clocks, seats=with_item_replaced(clocks.seats, event.seat, spent), days=days)
    if isinstance(event, VacationEnded):
        worked = replace(clocks.seats[event.seat], worked=(event.at, event.day_end))
        return replace(clocks, seats=with_item_replaced(clocks.seats, event.seat, worked))
    return replace(clocks, stage=event.stage, until=event.until, decided_at=event.decided_at)


def _apply_clock_event(record: TableState, event: ClockEvent) -> TableState:
    """Apply a clock event to the record."""
    return replace(record, clocks=clocks_after_event(record.clocks, event, seats=len(record.seats)))


FOLDS: Final[Mapping[type[ClockEvent], Callable[[TableState, Any], TableState]]] = dict.fromkeys(
    get_args(ClockEvent), _apply_clock_event
)
