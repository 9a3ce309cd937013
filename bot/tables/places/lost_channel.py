"""A table whose channel is gone: its clocks stop, and it is closed unless it is shown elsewhere. Pure."""

from __future__ import annotations

from typing import Final

from bot.clocks.law import DAY
from bot.tables.state.events import AnyEvent, ChannelLost, ChannelRestored, Deadline, DeadlineSet
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState
from bot.tables.timing.idle import idle_limit

WITHOUT_CHANNEL: Final = 7 * DAY
"""Time for which a game is kept after its channel was deleted, in milliseconds."""

WITHOUT_SERVER: Final = 30 * DAY
"""Time for which a game is kept after the bot was removed from its guild, in milliseconds."""


def lose_channel(record: TableState, *, now: int, kept_for: int) -> tuple[AnyEvent, ...]:
    """Stop the game, and close it after `kept_for` milliseconds; nothing if that is known already."""
    if record.status is not Status.PLAYING or record.place_lost is not None:
        return ()
    expires_at = min(now + kept_for, record.deadlines.get(Deadline.EXPIRE, now + kept_for))
    return (ChannelLost(now), DeadlineSet(Deadline.EXPIRE, expires_at))


def restore_channel(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Continue the game; nothing if its channel was not lost."""
    if record.place_lost is None:
        return ()
    # A game that all have left keeps its own closing time.
    return (ChannelRestored(), DeadlineSet(Deadline.EXPIRE, None if record.persons else idle_limit(record, now)))
