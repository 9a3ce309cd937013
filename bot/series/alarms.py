"""Alarms of a series, derived from its state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.series.final import next_question
from bot.series.nights import LATEST, upcoming_start
from bot.series.series import NightStage, Series, SeriesStage


class SeriesAlarmKind(StrEnum):
    """Subjects of alarms; the value is its stable name."""

    NIGHT = "night"  # the next night is published, or the question for the final begins
    ASK = "ask"  # further persons are asked for the final
    FINAL = "final"  # the final is made of those who said yes
    SIGN_UP = "sign_up"  # entries of the next season of divisions are taken
    DRAW = "draw"  # divisions are made of them


@dataclass(frozen=True, slots=True, order=True)
class SeriesAlarm:
    """An event due at an instant."""

    at: int
    ring: SeriesAlarmKind


def alarms(series: Series) -> tuple[SeriesAlarm, ...]:
    """Return all alarms of the current state, earliest first."""
    return tuple(sorted(_alarms(series)))


def _alarms(series: Series) -> Iterator[SeriesAlarm]:
    if series.stage is not SeriesStage.RUNNING:
        return
    if series.plan.divisions is not None:
        yield from _of_divisions(series)
        return
    asking = series.asking
    if asking is not None:
        question = next_question(series)
        if question is not None and question < asking.starts_at - LATEST:
            yield SeriesAlarm(question, SeriesAlarmKind.ASK)
        yield SeriesAlarm(asking.starts_at - LATEST, SeriesAlarmKind.FINAL)
    elif not series.ending:
        yield SeriesAlarm(upcoming_start(series) - series.plan.ahead, SeriesAlarmKind.NIGHT)


def _of_divisions(series: Series) -> Iterator[SeriesAlarm]:
    sign_up = series.sign_up_of(series.season)
    if sign_up is None and not series.ending:
        yield SeriesAlarm(series.created_at, SeriesAlarmKind.SIGN_UP)
    elif sign_up is not None and sign_up.stage is NightStage.MADE:
        yield SeriesAlarm(sign_up.starts_at, SeriesAlarmKind.DRAW)
