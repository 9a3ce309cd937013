"""Quiet hours: daily hours in a person's time zone in which the person's slow clocks stop.

They are a half-open interval of local time of at most ten hours (`docs/long-games.md`, 3). Clocks stop in them only
while fewer than twelve of the last 24 hours were quiet, so that a person who keeps moving them cannot stop a clock for
ever.
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
    """Raised for the name of an unknown time zone; `near` are known names like it."""

    def __init__(self, name: str, near: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.near = near


@dataclass(frozen=True, slots=True)
class QuietWindow:
    """Daily quiet hours: when they start, how many they are (0 to 10), and the IANA time zone.

    `start` is in minutes after local midnight.
    """

    zone: str
    start: int
    hours: int

    def __post_init__(self) -> None:
        if not (0 <= self.start < _MINUTES and 0 <= self.hours <= LONGEST):
            raise ValueError(f"no window of quiet hours: {self.start} min, {self.hours} h")

    def spans(self, start: int, end: int) -> Spans:
        """Return the quiet hours of each day that overlap the time between two instants, uncut."""
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
    """Return the start and end of the quiet hours on that day, in UTC milliseconds.

    The result is cached, because every move of a slow game needs it.
    """
    return _instant_of_local_time(window, day, window.start), _instant_of_local_time(
        window, day, window.start + 60 * window.hours
    )


def _instant_of_local_time(window: QuietWindow, day: date, minutes: int) -> int:
    """Return the instant of a local time on that day; 24 hours and more are on the next day.

    A time that the zone skips uses the offset before it. A time that occurs twice is the first of the two as a start
    and the second as an end.
    """
    local = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(window.zone)) + timedelta(minutes=minutes)
    later = local.replace(fold=1)
    comes_twice = (local.utcoffset() or timedelta()) > (later.utcoffset() or timedelta())
    taken = later if comes_twice and minutes != window.start else local
    return round(taken.astimezone(UTC).timestamp()) * 1000


@dataclass(frozen=True, slots=True)
class DatedQuietHours:
    """Quiet hours (None: no quiet hours), and the instant from which they apply."""

    at: int
    window: QuietWindow | None


def normalise_zone(name: str) -> str:
    """Return the IANA name of a time zone, ignoring spelling variants. Raises `UnknownZone`."""
    folded = {one.casefold(): one for one in _known_zones()}
    wanted = name.strip().replace(" ", "_").casefold()
    if wanted in folded:
        return folded[wanted]
    cities = {one.rpartition("/")[2].casefold(): one for one in _known_zones() if "/" in one}
    if wanted in cities:
        return cities[wanted]
    near = [cities.get(one) or folded[one] for one in get_close_matches(wanted, [*cities, *folded], n=5, cutoff=0.6)]
    raise UnknownZone(name, tuple(dict.fromkeys(near)))


def zone_names_containing(typed: str, most: int = 25) -> tuple[str, ...]:
    """Return names of time zones that contain the typed text."""
    wanted = typed.strip().replace(" ", "_").casefold()
    return tuple(one for one in _known_zones() if wanted in one.casefold())[:most]


@lru_cache(maxsize=1)
def _known_zones() -> tuple[str, ...]:
    """Return the names of all time zones that this machine knows."""
    return tuple(sorted(one for one in available_timezones() if "/" in one and not one.startswith(("Etc/", "posix/"))))


def is_known_zone(name: str) -> bool:
    """Return whether this machine knows a time zone of exactly that name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return False
    return True


def history_with_new_quiet_hours(
    history: tuple[DatedQuietHours, ...], window: QuietWindow | None, now: int
) -> tuple[DatedQuietHours, ...]:
    """Return the history of a person's quiet hours with new ones added.

    The first ones apply at once, later ones after a day.
    """
    held = tuple(one for one in history if one.at <= now)
    return (*held, DatedQuietHours(now if not held else now + APPLIES_AFTER, window))


def quiet_spans(history: tuple[DatedQuietHours, ...], start: int, end: int) -> Spans:
    """Return the spans between two instants in which quiet hours stop a person's slow clocks."""
    before = start - DAY
    windows = _windows_in_force(history, before, end)
    if all(one.window is None for one in history[1:]) or _is_within_limit(windows):
        return clip_spans(windows, start, end)
    return clip_spans(_limit_quiet_time(windows, before, end), start, end)


def _windows_in_force(history: tuple[DatedQuietHours, ...], start: int, end: int) -> Spans:
    """Return the spans of all quiet hours, each only for the period in which they applied."""
    borders = (*history, DatedQuietHours(max(end, *(one.at for one in history)) if history else end, None))
    return merge_spans(
        *(
            clip_spans(now.window.spans(max(start, now.at), min(end, following.at)), now.at, following.at)
            for now, following in pairwise(borders)
            if now.window is not None and now.at < end and following.at > start
        )
    )


def _is_within_limit(windows: Spans) -> bool:
    """Return whether every 24 hours contain at most the allowed quiet time."""
    return all(covered_time(windows, end - DAY, end) < MOST_QUIET for _, end in windows)


def _limit_quiet_time(windows: Spans, start: int, end: int) -> Spans:
    """Return the spans without the times at which 12 of the previous 24 hours had been quiet.

    The quiet time of the last 24 hours changes linearly between two neighbouring borders of spans, or of spans a day
    later. So it crosses the limit at most once between them.
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


def minutes_after_midnight(text: str) -> int | None:
    """Return the minutes after midnight of a typed time; None for other text.

    Examples are "22", "22:30" and "7.15".
    """
    hours, _, minutes = text.strip().replace(".", ":").partition(":")
    if not (hours.isdecimal() and (minutes or "0").isdecimal()):
        return None
    found = int(hours) * 60 + int(minutes or 0)
    return found if found < _MINUTES and int(minutes or 0) < MINUTE // 1000 else None
