"""The dates of a series: local days at regular intervals, and their instants."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Final
from zoneinfo import ZoneInfo

from bot.series.series import SeriesPlan

LONGEST_SEARCH: Final = 2_000
"""Maximum of dates that a search examines; more can never be left out in a row."""


def night_start(plan: SeriesPlan, day: str) -> int:
    """Return the instant at which the night on that date begins.

    As with quiet hours, a time that the zone skips takes the offset before it, and of a time that occurs twice the
    first counts.
    """
    found = date.fromisoformat(day)
    midnight = datetime(found.year, found.month, found.day, tzinfo=ZoneInfo(plan.zone))
    return round((midnight + timedelta(minutes=plan.minutes)).astimezone(UTC).timestamp()) * 1000


def dates_after(plan: SeriesPlan, day: str) -> Iterator[str]:
    """Yield the dates of nights after a day, in order, without the dates that are left out."""
    anchor, after = date.fromisoformat(plan.anchor), date.fromisoformat(day)
    step = 7 * plan.weeks
    first = max(0, (after - anchor).days // step + 1)
    for number in count(first):
        found = (anchor + timedelta(days=step * number)).isoformat()
        if found not in plan.left_out:
            yield found


def next_date(plan: SeriesPlan, day: str, *, not_before: int = 0) -> str:
    """Return the first date after `day` whose night begins at `not_before` or later."""
    for one, _ in zip(dates_after(plan, day), range(LONGEST_SEARCH), strict=False):
        if night_start(plan, one) >= not_before:
            return one
    raise ValueError("no date is left")


def day_before(day: str) -> str:
    """Return the date of the day before."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def local_day(zone: str, instant: int) -> tuple[str, int]:
    """Return the local date of an instant, and the minutes since local midnight."""
    found = datetime.fromtimestamp(instant / 1000, ZoneInfo(zone))
    return found.date().isoformat(), 60 * found.hour + found.minute
