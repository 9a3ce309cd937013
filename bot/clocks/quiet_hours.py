"""Quiet hours: a daily window in a person's time zone, in which slow clocks stop (`docs/long-games.md`, 3).

A window is a half-open interval of local time of at most ten hours. Clocks stop in it only while fewer than twelve of
the last 24 hours were quiet, so that moving the window cannot stop a clock for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.clocks.clock import HOUR, MINUTE, Span, Spans, clip_spans, covered_time, merge_spans

LONGEST: Final = 10
"""The most hours of a window."""

DAY: Final = 24 * HOUR
MOST_QUIET: Final = 12 * HOUR
"""The most quiet time in any 24 hours, in milliseconds."""

APPLIES_AFTER: Final = DAY
"""Time until a changed window applies; the first window applies at once."""

_MINUTES: Final = 24 * 60


class UnknownZone(ValueError):
    """Raised for an unknown time zone; `near` are similar names."""

    def __init__(self, name: str, near: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.near = near


@dataclass(frozen=True, slots=True)
class QuietWindow:
    """A number of hours (0 to 10) from `start`, in minutes after local midnight, in that IANA time zone."""

    zone: str
    start: int
    hours: int

    def __post_init__(self) -> None:
        if not (0 <= self.start < _MINUTES and 0 <= self.hours <= LONGEST):
            raise ValueError(f"no window of quiet hours: {self.start} min, {self.hours} h")

    def spans(self, start: int, end: int) -> Spans:
        """Return the whole windows that overlap the time between two instants."""
        if not self.hours:
            return ()
        zone = ZoneInfo(self.zone)
        first = datetime.fromtimestamp(start / 1000, zone).date() - timedelta(days=2)
        last = datetime.fromtimestamp(end / 1000, zone).date() + timedelta(days=1)
        days = (first + timedelta(days=number) for number in range((last - first).days + 1))
        found = (_span_of_day(self, day) for day in days)
        return tuple(span for span in found if span[0] < end and span[1] > start and span[0] < span[1])


@lru_cache(maxsize=4096)
def _span_of_day(window: QuietWindow, day: date) -> tuple[int, int]:
    """Return the window's span on that day, cached because games ask for it at every move."""
    return _instant_of_local_time(window, day, window.start), _instant_of_local_time(
        window, day, window.start + 60 * window.hours
    )


def _instant_of_local_time(window: QuietWindow, day: date, minutes: int) -> int:
    """Return the instant of a local time; 24 hours and more are on the next day.

    A time that the zone skips uses the offset before it. A time that occurs twice is the first of the two as a start
    and the second as an end.
    """
    local = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(window.zone)) + timedelta(minutes=minutes)
    later = local.replace(fold=1)
    comes_twice = (local.utcoffset() or timedelta()) > (later.utcoffset() or timedelta())
    taken = later if comes_twice and minutes != window.start else local
    return round(taken.astimezone(UTC).timestamp()) * 1000


@dataclass(frozen=True, slots=True)
class QuietFrom:
    """A window, or None, that applies from an instant on."""

    at: int
    window: QuietWindow | None


def normalise_zone(name: str) -> str:
    """Return the IANA name of a time zone, ignoring spelling variants. Raises `UnknownZone`."""
    folded = {one.casefold(): one for one in _zones()}
    wanted = name.strip().replace(" ", "_").casefold()
    if wanted in folded:
        return folded[wanted]
    cities = {one.rpartition("/")[2].casefold(): one for one in _zones() if "/" in one}
    if wanted in cities:
        return cities[wanted]
    near = [cities.get(one) or folded[one] for one in get_close_matches(wanted, [*cities, *folded], n=5, cutoff=0.6)]
    raise UnknownZone(name, tuple(dict.fromkeys(near)))


def zones_like(typed: str, most: int = 25) -> tuple[str, ...]:
    """Return names of time zones that contain the typed text."""
    wanted = typed.strip().replace(" ", "_").casefold()
    return tuple(one for one in _zones() if wanted in one.casefold())[:most]


@lru_cache(maxsize=1)
def _zones() -> tuple[str, ...]:
    """Return the names of the time zones that this machine knows."""
    return tuple(sorted(one for one in available_timezones() if "/" in one and not one.startswith(("Etc/", "posix/"))))


def is_zone(name: str) -> bool:
    """Return whether this machine knows a time zone of exactly that name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return False
    return True


def with_new_window(history: tuple[QuietFrom, ...], window: QuietWindow | None, now: int) -> tuple[QuietFrom, ...]:
    """Return the history with a new window: the first applies at once, later ones after a day."""
    held = tuple(one for one in history if one.at <= now)
    return (*held, QuietFrom(now if not held else now + APPLIES_AFTER, window))


def quiet_spans(history: tuple[QuietFrom, ...], start: int, end: int) -> Spans:
    """Return when clocks stop for a person with these windows, between two instants."""
    before = start - DAY
    windows = _windows_in_force(history, before, end)
    if all(one.window is None for one in history[1:]) or _is_within_limit(windows):
        return clip_spans(windows, start, end)
    return clip_spans(_limit_quiet_time(windows, before, end), start, end)


def _windows_in_force(history: tuple[QuietFrom, ...], start: int, end: int) -> Spans:
    """Return the quiet spans, each window only for the period in which it applied."""
    borders = (*history, QuietFrom(max(end, *(one.at for one in history)) if history else end, None))
    return merge_spans(
        *(
            clip_spans(now.window.spans(max(start, now.at), min(end, following.at)), now.at, following.at)
            for now, following in pairwise(borders)
            if now.window is not None and now.at < end and following.at > start
        )
    )


def _is_within_limit(windows: Spans) -> bool:
    """Return whether no 24 hours contain more quiet time than allowed."""
    return all(covered_time(windows, end - DAY, end) < MOST_QUIET for _, end in windows)


def _limit_quiet_time(windows: Spans, start: int, end: int) -> Spans:
    """Return the windows, without the times at which 12 of the previous 24 hours had been quiet.

    Between the borders of windows, and those borders a day later, the quiet time of the last 24 hours changes linearly,
    so it crosses the limit at most once between two of them.
    """
    borders = {start, end} | {border + shift for span in windows for border in span for shift in (0, DAY)}
    parts: list[Span] = []
    for one, other in pairwise(sorted(border for border in borders if start <= border <= end)):
        if not covered_time(windows, one, other):
            continue
        quiet = covered_time(windows, one - DAY, one)
        grows = covered_time(windows, other - DAY, other) > quiet
        if quiet < MOST_QUIET:
            parts.append((one, min(other, one + MOST_QUIET - quiet) if grows else other))
    return merge_spans(parts)


def local_time(window: QuietWindow, instant: int) -> str:
    """Return an instant as local time text, for messages."""
    return datetime.fromtimestamp(instant / 1000, ZoneInfo(window.zone)).strftime("%H:%M")


def minutes_of(text: str) -> int | None:
    """Return minutes after midnight of a typed time: "22", "22:30", "7.15"; None for other text."""
    hours, _, minutes = text.strip().replace(".", ":").partition(":")
    if not (hours.isdecimal() and (minutes or "0").isdecimal()):
        return None
    found = int(hours) * 60 + int(minutes or 0)
    return found if found < _MINUTES and int(minutes or 0) < MINUTE // 1000 else None
