"""A table whose channel is gone: its clocks stand, and it is closed if nobody shows it elsewhere. Pure."""

from __future__ import annotations

from typing import Final

from bot.clocks.law import DAY
from bot.tables.state.events import AnyEvent, ChannelLost, ChannelRestored, Deadline, DeadlineSet
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState
from bot.tables.timing.idle import idle_limit

WITHOUT_CHANNEL: Final = 7 * DAY
"""So long a game is kept whose channel was deleted, milliseconds."""

WITHOUT_SERVER: Final = 30 * DAY
"""So long a game is kept in a server that the bot was removed from, milliseconds."""


def lost(record: TableState, *, now: int, kept_for: int) -> tuple[AnyEvent, ...]:
    """The game stands from now on, and is closed after so many milliseconds; nothing where that is known already."""
    if record.status is not Status.PLAYING or record.place_lost is not None:
        return ()
    expires_at = min(now + kept_for, record.deadlines.get(Deadline.EXPIRE, now + kept_for))
    return (ChannelLost(now), DeadlineSet(Deadline.EXPIRE, expires_at))


def found(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """The game goes on; nothing where its place was never lost."""
    if record.place_lost is None:
        return ()
    # A game that all have left goes on to be kept for them.
    return (ChannelRestored(), DeadlineSet(Deadline.EXPIRE, None if record.persons else idle_limit(record, now)))
