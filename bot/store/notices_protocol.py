"""The part of the Store protocol that is about notices (see `bot.store.protocol`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """What a person was told of a table, `about` a turn or something else there, and the message that says so.

    `message` is None where none stands; a `channel` without one is where it is being sent.
    """

    table: int
    person: int
    about: str
    stage: str
    channel: int | None
    message: int | None
    at: int


class NoticesStore(Protocol):
    """What is kept of notices."""

    async def notices(self, table: int) -> tuple[NoticeRow, ...]:
        """What persons were told of the table, and of what in it."""

    async def notices_of(self, person: int) -> tuple[NoticeRow, ...]:
        """What the person was told, by table."""

    async def set_notice(self, row: NoticeRow) -> None:
        """Note what a person was told, in place of what was noted of the very matter before.

        Raises `UnknownTable`, `InvalidWrite`.
        """

    async def clear_notice(self, table: int, person: int, about: str) -> None:
        """Note that the person was told nothing of that matter."""

    async def noticed_tables(self) -> tuple[int, ...]:
        """Tables with notices other than of the end of their game that was told."""

    async def sending_tables(self) -> tuple[int, ...]:
        """Tables with notices that were being sent when they were noted."""

    async def clocked_tables(self) -> tuple[int, ...]:
        """Tables where somebody's clock runs."""

    async def contact(self, person: int) -> str | None:
        """When the person was called and looked, as it was written; None where nothing was."""

    async def set_contact(self, person: int, contact: str | None) -> None:
        """Keep when the person was called and looked; None forgets it."""
