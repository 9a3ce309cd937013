"""Calling: whether the message that shows a table may call a person, and who is told that it did."""

from __future__ import annotations

from typing import Protocol

from bot.tables.looks import TableSnapshot


class Calls(Protocol):
    """What knows how persons wish to be called; see `cogs.shared.notices.notifier`."""

    async def may_call(self, look: TableSnapshot, person: int) -> bool:
        """Whether the table's message is to call the person, whose turn has come."""

    async def called(self, look: TableSnapshot, person: int) -> None:
        """The table's message has called the person."""

    def shown(self, table: int) -> None:
        """The table's message shows the table as it is."""

    def lost(self, table: int) -> None:
        """The table's channel is gone."""

    def moved(self, table: int) -> None:
        """The table's thread is gone, and the table in its channel."""
