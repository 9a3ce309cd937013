"""The effects of the events about a tournament's table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from bot.tables.state.contest import (
    AgreedHoursBegan,
    AgreedHoursEnded,
    ContestEvent,
    ContestOpened,
    ContestTable,
    PendingSubstitute,
    PlayerArrived,
    SubstituteNamed,
)
from bot.tables.state.table import TableState


def contest_after_event(contest: ContestTable | None, event: ContestEvent) -> ContestTable:
    """Return the contest state after an event; the first event is a `ContestOpened`."""
    if isinstance(event, ContestOpened):
        return event.contest
    if contest is None:
        raise ValueError(f"{type(event).__name__} at a table of no tournament")
    if isinstance(event, SubstituteNamed):
        return replace(
            contest,
            substitutes=(
                *_substitutes_of_other_seats(contest, event.seat),
                PendingSubstitute(event.seat, event.holder),
            ),
        )
    if isinstance(event, PlayerArrived):
        return replace(contest, came=(*contest.came, event.seat))
    if isinstance(event, AgreedHoursBegan):
        return replace(contest, hours=event.hours, came=())
    if isinstance(event, AgreedHoursEnded):
        before = () if contest.hours is None else contest.hours.came
        return replace(contest, hours=None, came=tuple(dict.fromkeys((*before, *contest.came))))
    return replace(contest, sealed=False)


def with_new_holder(contest: ContestTable | None, seat: int) -> ContestTable | None:
    """Return the contest state after a seat got another holder.

    A substitute who was to take the seat is dropped.
    """
    if contest is None or not contest.substitutes:
        return contest
    return replace(contest, substitutes=_substitutes_of_other_seats(contest, seat))


def _substitutes_of_other_seats(contest: ContestTable, seat: int) -> tuple[PendingSubstitute, ...]:
    """Return the substitutes who are to take other seats with the next deal."""
    return tuple(one for one in contest.substitutes if one.seat != seat)


def _apply_contest_event(record: TableState, event: ContestEvent) -> TableState:
    """Apply an event of a tournament's table to the record."""
    return replace(record, contest=contest_after_event(record.contest, event))


FOLDS: Final[Mapping[type[ContestEvent], Callable[[TableState, Any], TableState]]] = dict.fromkeys(
    get_args(ContestEvent), _apply_contest_event
)
