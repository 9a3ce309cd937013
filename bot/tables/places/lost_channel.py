"""A table whose channel is gone: its clocks stop, and it is closed unless it is shown elsewhere. Pure."""

from __future__ import annotations

from typing import Final

from bot.clocks.time_rules import DAY
from bot.tables.state.events import AnyEvent, ChannelLost, ChannelRestored, Deadline, DeadlineSet
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState

WITHOUT_CHANNEL: Final = 7 * DAY
"""Time for which a game is kept after its channel was deleted, in milliseconds."""

WITHOUT_SERVER: Final = 30 * DAY
"""Time for which a game is kept after the bot was removed from its guild, in milliseconds."""


def halt_game_without_channel(record: TableState, *, now: int, kept_for: int) -> tuple[AnyEvent, ...]:
    """Halt a game whose channel is gone, and set the alarm that closes it after `kept_for` milliseconds.

    No events if the channel was lost already.
    """
    if record.status is not Status.PLAYING or record.place_lost is not None:
        return ()
    return (ChannelLost(now), DeadlineSet(Deadline.PLACE, now + kept_for))


def continue_game_with_channel(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Continue a game that has a channel again; no events if its channel was not lost."""
    return () if record.place_lost is None else (ChannelRestored(now), DeadlineSet(Deadline.PLACE, None))
