"""How long a game without moves is kept."""

from __future__ import annotations

from bot.clocks.time_rules import DAY
from bot.tables.state.absence import is_alone
from bot.tables.state.table import TableState


def idle_limit(record: TableState, now: int) -> int:
    """Return when the game closes if nobody touches it from now on."""
    return now + record.settings.idle_days(alone=is_alone(record.seats)) * DAY
