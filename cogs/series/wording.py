"""Words for parts of series: names, days, points, dates left out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from bot.clocks.time_rules import DAY
from bot.i18n import Words
from bot.series.dates import night_start
from bot.series.series import Series, SeriesPlan
from cogs.shared.telling import names
from cogs.shared.telling.status_text import discord_timestamp

LONGEST_TITLE = 60
MOST_DATES = 12
"""Most dates named in one line."""


def series_name(series: Series) -> str:
    """Return the series' name for a message."""
    return names.escape_name(series.name, longest=LONGEST_TITLE)


def person_name(words: Words, series: Series, person: int) -> str:
    """Return a person's name for a message; it notifies no one."""
    return words("seat.former") if person < 0 else names.escape_name(series.names.get(person) or str(person))


def person_names(words: Words, series: Series, persons: Iterable[int]) -> str:
    """Return several people's names as a list."""
    return ", ".join(person_name(words, series, one) for one in persons)


def timestamp_text(milliseconds: int) -> str:
    """Return the markup by which Discord shows a time with its weekday, in each reader's zone."""
    return discord_timestamp(milliseconds, "F")


def repeat_rhythm_text(words: Words, plan: SeriesPlan) -> str:
    """Return the weekday and time of the nights as text, in the series' time zone."""
    day = words(f"series_weekday.{date.fromisoformat(plan.anchor).weekday()}")
    time = f"{plan.minutes // 60:02d}:{plan.minutes % 60:02d}"
    return words("series.rhythm", count=plan.weeks, day=day, time=time, zone=plan.zone)


def series_numbers_text(words: Words, plan: SeriesPlan) -> str:
    """Return a text on the number of nights, how many count, and the final."""
    final = words("series.final_for", size=plan.final) if plan.final else words("series.without_final")
    return f"{words('series.nights', count=plan.nights)}, {words('series.best', count=plan.best)}, {final}"


def skipped_dates_text(plan: SeriesPlan, *, after: str) -> str:
    """Return the future dates without a night as text, in each reader's language; "" if there are none."""
    those = sorted(one for one in plan.left_out if one > after)[:MOST_DATES]
    return ", ".join(discord_timestamp(night_start(plan, one), "D") for one in those)


def series_headline(words: Words, series: Series) -> str:
    """Return a sentence with the series' name, rhythm and numbers."""
    plan, name = series.plan, series_name(series)
    if plan.divisions is not None:
        pause = plan.divisions.pause // DAY
        return words("series.divisions_headline", name=name, size=plan.divisions.size, pause=pause)
    return words(
        "series.headline", name=name, rhythm=repeat_rhythm_text(words, plan), numbers=series_numbers_text(words, plan)
    )
