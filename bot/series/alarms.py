"""Alarms of a series, derived from its state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.series.final import next_question
from bot.series.nights import LATEST, upcoming_start
from bot.series.series import Series, SeriesStage


class SeriesAlarmKind(StrEnum):
    """Subjects of alarms; the value is its stable name."""

    NIGHT = "night"  # the next night is published, or the question for the final begins
    ASK = "ask"  # further persons are asked for the final
    FINAL = "final"  # the final is made of those who said yes


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
    asking = series.asking
    if asking is not None:
        question = next_question(series)
        if question is not None and question < asking.starts_at - LATEST:
            yield SeriesAlarm(question, SeriesAlarmKind.ASK)
        yield SeriesAlarm(asking.starts_at - LATEST, SeriesAlarmKind.FINAL)
    elif not series.ending:
        yield SeriesAlarm(upcoming_start(series) - series.plan.ahead, SeriesAlarmKind.NIGHT)
