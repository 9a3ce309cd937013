"""Quiet hours, time zone and vacation in words."""

from __future__ import annotations

from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.quiet_hours_and_vacation import DAYS_A_YEAR, PersonalHours
from bot.i18n import Words
from cogs.shared.telling.status_text import discord_timestamp

_MINUTES = 24 * 60


def time_settings_lines(words: Words, personal: PersonalHours, *, zone: str, now: int) -> list[str]:
    """Return lines on the time zone, the present and future quiet hours, and the vacation."""
    held = [one for one in personal.quiet if one.at <= now]
    lines = [
        words("quiet.zone", zone=zone) if zone else words("quiet.no_zone"),
        words("quiet.hours", hours=quiet_window_text(words, held[-1].window if held else None)),
        *(
            words("quiet.from", when=discord_timestamp(one.at, "f"), hours=quiet_window_text(words, one.window))
            for one in personal.quiet
            if one.at > now
        ),
        words("quiet.days_left", left=personal.days_left(now), days=DAYS_A_YEAR),
    ]
    away = next((one for one in reversed(personal.vacations) if one.actual_end > now), None)
    if away is not None:
        lines.append(
            words("quiet.away", start=discord_timestamp(away.start, "f"), end=discord_timestamp(away.actual_end, "f"))
        )
    return lines


def quiet_window_text(words: Words, window: QuietWindow | None) -> str:
    """Return quiet hours as two times of day; if there are none, say so."""
    if window is None or not window.hours:
        return words("quiet.none")
    end = (window.start + 60 * window.hours) % _MINUTES
    return words("quiet.window", start=_time_of_day(window.start), end=_time_of_day(end), zone=window.zone)


def _time_of_day(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
