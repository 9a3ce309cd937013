"""Digests: once a day, at the hour that a person has chosen, what waits for them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from bot.clocks.clock import MINUTE, Clock
from bot.clocks.personal import PersonalTimes
from bot.tables.notices import NoticeRepository
from bot.tables.service import TableService
from cogs.shared.door import answering
from cogs.shared.door.calls import Failed, Trouble
from cogs.shared.notices import digest
from cogs.shared.notices.sender import Sender

PAUSE: Final = 5 * MINUTE
"""Between two looks at who is to have a digest. Milliseconds."""


class Digests:
    """One for the whole process."""

    def __init__(
        self, tables: TableService, book: NoticeRepository, personal: PersonalTimes, sender: Sender, *, clock: Clock
    ) -> None:
        self._tables = tables
        self._book = book
        self._personal = personal
        self._sender = sender
        self._clock = clock
        self._begun = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to keep the time; nothing is sent yet."""
        self._task = asyncio.create_task(self._run(), name="digests")

    def begin(self) -> None:
        """Send digests from now on: Discord can be asked."""
        self._begun = True

    async def close(self) -> None:
        """Send none any more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def send_due(self) -> None:
        """Send every digest whose hour has come."""
        for person, hour in (await self._book.digests()).items():
            contact, now = await self._book.contact(person), self._clock.now()
            if not digest.is_due(now, hour, await self._zone(person), last=contact.digest):
                continue
            await self._book.keep_contact(person, replace(contact, digest=now))
            if not contact.shut:
                await self._send(person, now)

    async def _run(self) -> None:
        while True:
            try:
                if self._begun:
                    await self.send_due()
            except Exception as error:  # noqa: BLE001 - a digest is not worth the bot
                answering.unexpected(error, "sending digests")
            await self._clock.sleep(PAUSE)

    async def _zone(self, person: int) -> str:
        """The person's time zone: as chosen, or that of the quiet hours."""
        window = (await self._personal.of(person)).window
        return await self._book.zone(person) or ("" if window is None else window.zone)

    async def _send(self, person: int, now: int) -> None:
        looks = await self._tables.tables_of(person)
        if not looks:
            return
        wishes = await self._book.wishes(person)
        page = digest.digest_page(self._sender.words_of(looks[0], wishes.language), looks, person)
        if page is None:
            return
        sent = await self._sender.message(looks[0], person, page, f"digest.{now}")
        if isinstance(sent, Failed) and sent.trouble is Trouble.PERSON_CLOSED:
            contact = await self._book.contact(person)
            await self._book.keep_contact(person, replace(contact, closed=now))
