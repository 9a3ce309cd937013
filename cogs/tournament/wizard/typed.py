"""What organisers type: when a tournament starts, and lengths of time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.law import DAY
from bot.clocks.quiet import minutes_of
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.reading.written_times import day_of

WEEKDAYS: Final = (
    ("mon", "lun"),
    ("tue", "mar"),
    ("wed", "mer"),
    ("thu", "gio"),
    ("fri", "ven"),
    ("sat", "sab"),
    ("sun", "dom"),
)
"""How the days of the week begin, Monday first, in every language there is a catalogue for."""

_UNITS: Final = {"m": MINUTE, "min": MINUTE, "h": HOUR, "d": DAY, "g": DAY}
_SPAN: Final = re.compile(r"(\d{1,4})\s*([a-z]*)")


def instant_of(text: str, zone: str, now: int) -> int:
    """UTC milliseconds of "Fri 20:00", "20:00" or "2026-11-27 20:00" in a time zone (UTC for none), the next there is.

    Raises `InputProblem`.
    """
    *before, last = text.replace(",", " ").split() or [""]
    minutes = minutes_of(last)
    if minutes is None or len(before) > 1:
        raise InputProblem(InputCode.NOT_AN_INSTANT, {"text": text[:40]})
    where = ZoneInfo(zone or "UTC")
    today = datetime.fromtimestamp(now / 1000, where)
    if not before:
        found = _at(today, minutes)
        return _milliseconds(found if _milliseconds(found) > now else _at(today + timedelta(days=1), minutes))
    weekday = next((number for number, names in enumerate(WEEKDAYS) if before[0].casefold().startswith(names)), None)
    if weekday is not None:
        found = _at(today + timedelta(days=(weekday - today.weekday()) % 7), minutes)
        return _milliseconds(found if _milliseconds(found) > now else _at(found + timedelta(days=7), minutes))
    day = day_of(before[0], today.date())
    if day is None:
        raise InputProblem(InputCode.NOT_AN_INSTANT, {"text": text[:40]})
    return _milliseconds(_at(datetime(day.year, day.month, day.day, tzinfo=where), minutes))


def _at(day: datetime, minutes: int) -> datetime:
    return day.replace(hour=minutes // 60, minute=minutes % 60, second=0, microsecond=0)


def _milliseconds(found: datetime) -> int:
    return round(found.astimezone(UTC).timestamp()) * 1000


def span_of(text: str, unit: int) -> int:
    """Milliseconds of "40", "40 min", "2 h" or "10 d"; a bare number counts that unit. Raises `InputProblem`."""
    found = _SPAN.fullmatch(text.strip().casefold())
    if found is None or (found[2] and found[2] not in _UNITS):
        raise InputProblem(InputCode.NOT_A_SPAN, {"text": text[:40]})
    return int(found[1]) * (_UNITS[found[2]] if found[2] else unit)


def spans_of(text: str, unit: int) -> tuple[int, int]:
    """Two lengths of time, as in "30-5" or "24 h - 1 h". Raises `InputProblem`."""
    first, mark, second = re.sub(r"[–—]", "-", text).partition("-")
    if not mark:
        raise InputProblem(InputCode.NOT_A_SPAN, {"text": text[:40]})
    return span_of(first, unit), span_of(second, unit)


def number_of(text: str, least: int, most: int) -> int:
    """A whole number between those. Raises `InputProblem`."""
    if not text.strip().isdecimal() or not least <= int(text) <= most:
        raise InputProblem(InputCode.NOT_BETWEEN, {"text": text[:40], "least": least, "most": most})
    return int(text)
