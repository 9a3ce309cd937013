"""Parse what users type about time: days, ranges of hours, dates with times, and durations."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.quiet_hours import minutes_after_midnight
from bot.clocks.time_rules import DAY
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.vocabulary import Vocabulary, fold_case, remove_accents

_YEAR_FIRST: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4})?)?")
_SPAN: Final = re.compile(r"(\d{1,5})\s*([^\W\d_]*)")
_UNITS: Final = {"time.minute": MINUTE, "time.hour": HOUR, "time.day": DAY}
_DAY_MINUTES: Final = 24 * 60


def parse_day(text: str, today: date) -> date | None:
    """Return the day that a text such as "2027-03-27" or "27.3.2027" names, or None.

    Without a year, as in "27.3.", it is the next such day.
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


def current_date(zone: str, now: int) -> date:
    """Return the date in a time zone at `now` (UTC milliseconds); "" means UTC."""
    return datetime.fromtimestamp(now / 1000, ZoneInfo(zone or "UTC")).date()


def midnight(day: date, zone: str) -> int:
    """Return when a day begins in a time zone, in UTC milliseconds; "" means UTC."""
    return round(datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone or "UTC")).timestamp()) * 1000


def days_between(first: date, last: date) -> int:
    """Return the number of days including both; zero or negative if in the wrong order."""
    return (last - first) // timedelta(days=1) + 1


def parse_hours(text: str, vocabulary: Vocabulary) -> tuple[int, int] | None:
    """Return the beginning and length of hours such as "22-08" or "22:30 – 7:30", or None.

    The beginning is in minutes after midnight, the length in whole hours.
    """
    between = rf"\s*(?:[–—-]|{vocabulary.pattern_of('time.until')})\s*|\s+"
    parts = [part for part in re.split(between, remove_accents(fold_case(text)).strip()) if part]
    if len(parts) != 2:
        return None
    start, end = (minutes_after_midnight(part) for part in parts)
    if start is None or end is None:
        return None
    hours, rest = divmod((end - start) % _DAY_MINUTES, 60)
    return None if rest else (start, hours)


def parse_instant(text: str, zone: str, now: int, vocabulary: Vocabulary) -> int:
    """Return the next time that a text such as "Fri 20:00" names, in UTC milliseconds.

    Other texts are "20:00" and "2026-11-27 20:00". They are times in the zone; an empty zone means UTC. Raises
    `InputProblem`.
    """
    *before, last = text.replace(",", " ").split() or [""]
    minutes = minutes_after_midnight(last)
    if minutes is None or len(before) > 1:
        raise InputProblem(InputCode.NOT_AN_INSTANT, {"text": text[:40]})
    where = ZoneInfo(zone or "UTC")
    today = datetime.fromtimestamp(now / 1000, where)
    if not before:
        found = _time_of_day(today, minutes)
        return _to_milliseconds(
            found if _to_milliseconds(found) > now else _time_of_day(today + timedelta(days=1), minutes)
        )
    named = remove_accents(fold_case(before[0]))
    weekday = next((number for number, names in enumerate(vocabulary.weekdays) if named.startswith(names)), None)
    if weekday is not None:
        found = _time_of_day(today + timedelta(days=(weekday - today.weekday()) % 7), minutes)
        return _to_milliseconds(
            found if _to_milliseconds(found) > now else _time_of_day(found + timedelta(days=7), minutes)
        )
    day = parse_day(before[0], today.date())
    if day is None:
        raise InputProblem(InputCode.NOT_AN_INSTANT, {"text": text[:40]})
    return _to_milliseconds(_time_of_day(datetime(day.year, day.month, day.day, tzinfo=where), minutes))


def _time_of_day(day: datetime, minutes: int) -> datetime:
    return day.replace(hour=minutes // 60, minute=minutes % 60, second=0, microsecond=0)


def _to_milliseconds(instant: datetime) -> int:
    return round(instant.astimezone(UTC).timestamp()) * 1000


def try_parse_duration(text: str, unit: int, vocabulary: Vocabulary) -> int | None:
    """Return the milliseconds of "40", "40 min", "2 h" or "10 d", or None for other texts.

    A bare number is in `unit`s.
    """
    found = _SPAN.fullmatch(remove_accents(fold_case(text)).strip())
    if found is None:
        return None
    named = (
        unit if not found[2] else next((one for use, one in _UNITS.items() if vocabulary.has_use(found[2], use)), None)
    )
    return None if named is None else int(found[1]) * named


def parse_duration(text: str, unit: int, vocabulary: Vocabulary) -> int:
    """Return the milliseconds of a duration such as "40 min". Raises `InputProblem`."""
    found = try_parse_duration(text, unit, vocabulary)
    if found is None:
        raise InputProblem(InputCode.NOT_A_SPAN, {"text": text[:40]})
    return found


def parse_two_durations(text: str, unit: int, vocabulary: Vocabulary) -> tuple[int, int]:
    """Return milliseconds of two durations, as in "30-5" or "24 h - 1 h". Raises `InputProblem`."""
    first, mark, second = re.sub(r"[–—]", "-", text).partition("-")
    if not mark:
        raise InputProblem(InputCode.NOT_A_SPAN, {"text": text[:40]})
    return parse_duration(first, unit, vocabulary), parse_duration(second, unit, vocabulary)
