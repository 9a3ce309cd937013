"""Formatting of instants, spans and counts for file names and reports."""

from __future__ import annotations

from datetime import UTC, datetime


def file_stamp(at: int) -> str:
    """Format an instant (UTC milliseconds) for a file name: ``20261127T181500Z``."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def parse_stamp(stamp: str) -> int | None:
    """Return the instant (UTC milliseconds) of a stamp made by `file_stamp`; None if the text is not one."""
    try:
        return round(datetime.strptime(stamp, "%Y%m%dT%H%M%S%z").timestamp() * 1000)
    except ValueError:
        return None


def duration_text(milliseconds: int) -> str:
    """Format a duration in milliseconds: ``3 h 12 min``."""
    minutes = max(0, milliseconds) // 60_000
    days, hours = minutes // 1440, minutes % 1440 // 60
    parts = [(days, "d"), (hours, "h"), (minutes % 60, "min")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"


def number_with_noun(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 shard``, ``2 shards``. `plural` is an irregular plural."""
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"
