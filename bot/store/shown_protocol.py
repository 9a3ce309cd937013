"""The part of the Store protocol that is about where tables are shown on Discord."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MessageRow:
    """The message that shows a table, where it is, which version it shows, and when it was posted.

    `told` notes who has been told of which turn; the store never looks into it.
    """

    table: int
    channel: int
    message: int
    version: int
    posted_at: int
    told: str = ""


@dataclass(frozen=True, slots=True)
class Showing:
    """What stands beside that message: whether the game's opening message was posted, and the announcement.

    `announced` is None where no message tells of the table's thread, else whether that message offers a seat.
    """

    begun: bool = False
    announced: bool | None = None


@dataclass(frozen=True, slots=True)
class Departure:
    """A server that the bot is no longer in, and since when."""

    guild: int
    at: int


class ShownStore(Protocol):
    """Where tables are shown; nothing here changes a table's version."""

    async def move(self, table: int, *, channel: int, thread: int | None) -> None:
        """Note where the table lives now. Raises `UnknownTable`."""

    async def message(self, table: int) -> MessageRow | None:
        """The message that shows the table."""

    async def set_message(self, row: MessageRow) -> None:
        """Note the message that shows the table, in place of the one before. Raises `UnknownTable`."""

    async def clear_message(self, table: int) -> None:
        """Note that no message shows the table."""

    async def messages_behind(self, limit: int, *, departed_before: int = 0) -> tuple[int, ...]:
        """Tables whose message shows an older version, and open tables without one.

        A crash between a commit and the edit of a message leaves exactly such a table. Each server has its turn, and
        within a server the table comes first that was tried longest ago. Tables of servers that the bot left before
        `departed_before` are passed over.
        """

    async def note_tried(self, tables: Collection[int], at: int) -> None:
        """Note that these tables were had shown at that instant."""

    async def showing(self, table: int) -> Showing:
        """What stands beside the table's message."""

    async def note_begun(self, table: int) -> None:
        """Note that the message that opens the game was posted. Raises `UnknownTable`."""

    async def note_announced(self, table: int, *, joinable: bool) -> None:
        """Note that a message tells of the table's thread, and whether it offers a seat. Raises `UnknownTable`."""

    async def departures(self) -> tuple[Departure, ...]:
        """The servers with tables that the bot is no longer in."""

    async def note_departure(self, guild: int, at: int) -> None:
        """Note that the bot is no longer in a server; an earlier note stays."""

    async def forget_departure(self, guild: int) -> None:
        """Note that the bot is in that server again."""

    async def open_guilds(self) -> tuple[int, ...]:
        """The servers with lobbies or running games."""
