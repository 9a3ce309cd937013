"""Taking notices down: what is over is noted so, and its notice taken away."""

from __future__ import annotations

from dataclasses import replace

from bot.tables.looks import TableSnapshot
from bot.tables.notices import SentNotice
from cogs.shared.notices import due
from cogs.shared.notices.register import NoticeContacts
from cogs.shared.notices.sender import Sender


class NoticeRemover:
    """One for the whole process."""

    def __init__(self, register: NoticeContacts, sender: Sender) -> None:
        self._register = register
        self._sender = sender

    async def end(self, look: TableSnapshot, notice: SentNotice) -> None:
        """Nothing is to be told of that now: the message goes; what was told in a turn that still runs stays noted."""
        async with self._register.lock(notice.person):
            if notice.about == due.turn_name(look):
                if notice.channel is None:
                    return
                await self._register.book.keep(replace(notice, channel=None, message=None))
            else:
                await self._register.book.drop(notice)
            await self.remove(look, notice)

    async def remove(self, look: TableSnapshot, notice: SentNotice | None) -> None:
        """Take the message away, unless it still tells of another table, or somebody else."""
        if notice is None or notice.channel is None or notice.message is None:
            return
        others = (
            *await self._register.book.of_person(notice.person),
            *await self._register.book.of_table(notice.table),
        )
        if all(other.message != notice.message for other in others):
            await self._sender.remove(look, notice.channel, notice.message)
