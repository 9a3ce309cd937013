"""The time after which a game without moves is closed."""

from __future__ import annotations

from bot.clocks.time_rules import DAY
from bot.tables.state.absence import has_one_player
from bot.tables.state.table import TableState


def idle_limit(record: TableState, now: int) -> int:
    """Return the instant at which the game closes if no player acts from now on."""
    return now + record.settings.idle_days(alone=has_one_player(record.seats)) * DAY
