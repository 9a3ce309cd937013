"""How long a game without moves is kept."""

from __future__ import annotations

from bot.clocks.law import DAY
from bot.tables.state.absence import has_single_person
from bot.tables.state.table import TableState


def idle_limit(record: TableState, now: int) -> int:
    """Return when the game closes if nobody touches it from now on."""
    return now + record.settings.idle_days(alone=is_always_alone(record)) * DAY


def is_always_alone(record: TableState) -> bool:
    """Return whether only one person has a seat in the game, or has had one."""
    return has_single_person(record.seats, (one.holder for one in record.sat))
