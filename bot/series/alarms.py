"""Alarms of a series, derived from its state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.series.final import next_invitation_at
from bot.series.nights import LATEST, upcoming_start
from bot.series.series import NightStage, Series, SeriesStage


class SeriesAlarmKind(StrEnum):
    """Kinds of alarms of a series; the value is its stable name."""

    NIGHT = "night"  # the next night is due, or the invitations to the final
    ASK = "ask"  # further persons must be invited to the final
    FINAL = "final"  # the final must be created for the persons who said yes
    SIGN_UP = "sign_up"  # the sign-up for the next season of divisions opens
    DRAW = "draw"  # the sign-up's entries must be divided into divisions


@dataclass(frozen=True, slots=True, order=True)
class SeriesAlarm:
    """An alarm of a series: its kind, and the instant at which it is due."""

    at: int
    ring: SeriesAlarmKind


def alarms(series: Series) -> tuple[SeriesAlarm, ...]:
    """Return all alarms of the current state, earliest first."""
    return tuple(sorted(_unsorted_alarms(series)))


def _unsorted_alarms(series: Series) -> Iterator[SeriesAlarm]:
    """Yield the alarms of the current state, in no order."""
    if series.stage is not SeriesStage.RUNNING:
        return
    if series.plan.divisions is not None:
        yield from _division_alarms(series)
        return
    asking = series.asking
    if asking is not None:
        question = next_invitation_at(series)
        if question is not None and question < asking.starts_at - LATEST:
            yield SeriesAlarm(question, SeriesAlarmKind.ASK)
        yield SeriesAlarm(asking.starts_at - LATEST, SeriesAlarmKind.FINAL)
    elif not series.ending:
        yield SeriesAlarm(upcoming_start(series) - series.plan.ahead, SeriesAlarmKind.NIGHT)


def _division_alarms(series: Series) -> Iterator[SeriesAlarm]:
    """Yield the alarms of a series that is played in divisions."""
    sign_up = series.sign_up_of(series.season)
    if sign_up is None and not series.ending:
        yield SeriesAlarm(series.created_at, SeriesAlarmKind.SIGN_UP)
    elif sign_up is not None and sign_up.stage is NightStage.MADE:
        yield SeriesAlarm(sign_up.starts_at, SeriesAlarmKind.DRAW)
