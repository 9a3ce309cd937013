"""What people write about their time: days, and hours from one to another."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.clocks.quiet_hours import minutes_of

_YEAR_FIRST: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4})?)?")
_BETWEEN: Final = re.compile(r"\s*(?:[–—-]|to|until|alle|a)\s*|\s+")
_DAY_MINUTES: Final = 24 * 60


def day_of(text: str, today: date) -> date | None:
    """A day as people write it: "2027-03-27", "27.3.2027"; without a year, "27.3.", the next there is.

    None for anything else.
    """
    wanted = text.strip()
    try:
        if found := _YEAR_FIRST.fullmatch(wanted):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found := _DAY_FIRST.fullmatch(wanted):
            year = int(found[3]) if found[3] else today.year
            day = date(year, int(found[2]), int(found[1]))
            return day if found[3] or day >= today else day.replace(year=year + 1)
    except ValueError:
        return None
    return None


def today_in(zone: str, now: int) -> date:
    """The day that it is in a time zone at an instant, UTC milliseconds; in UTC for no zone."""
    return datetime.fromtimestamp(now / 1000, ZoneInfo(zone or "UTC")).date()


def midnight(day: date, zone: str) -> int:
    """The instant at which a day begins in a time zone, UTC milliseconds; in UTC for no zone."""
    return round(datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone or "UTC")).timestamp()) * 1000


def days_between(first: date, last: date) -> int:
    """How many days there are from one to another, both counted; none or fewer where they are in the wrong order."""
    return (last - first) // timedelta(days=1) + 1


def hours_of(text: str) -> tuple[int, int] | None:
    """Minutes after midnight and whole hours of "22-08", "22:30 – 7:30"; None for anything else."""
    parts = [part for part in _BETWEEN.split(text.strip().casefold()) if part]
    if len(parts) != 2:
        return None
    start, end = (minutes_of(part) for part in parts)
    if start is None or end is None:
        return None
    hours, rest = divmod((end - start) % _DAY_MINUTES, 60)
    return None if rest else (start, hours)
