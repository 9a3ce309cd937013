"""The channels of direct messages that are open, by person."""

from __future__ import annotations

from typing import Final

from bot.store.database import Database
from bot.store.writer import Statement

_ROOM: Final = "SELECT channel_id FROM rooms WHERE person_id = :person"

_KEEP: Final = """
INSERT INTO rooms (person_id, channel_id, opened_at) VALUES (:person, :channel, :at)
ON CONFLICT (person_id) DO UPDATE SET channel_id = excluded.channel_id, opened_at = excluded.opened_at
"""

_DROP: Final = "DELETE FROM rooms WHERE person_id = :person"


class RoomStore:
    """Channels in which the bot may write to people, who asked for it or were sent a private letter."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, person: int) -> int | None:
        """Return the channel of the person's direct messages, if it was opened."""
        return await self._database.value(_ROOM, {"person": person})

    async def keep(self, person: int, channel: int, at: int) -> None:
        """Store that a channel was opened at that instant."""
        values = {"person": person, "channel": channel, "at": at}
        await self._database.write(("room", person), Statement(_KEEP, values))

    async def drop(self, person: int) -> None:
        """Delete a channel that Discord does not know any more."""
        await self._database.write(("room", person), Statement(_DROP, {"person": person}, rows=None))
