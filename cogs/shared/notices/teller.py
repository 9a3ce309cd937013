"""Telling: the messages themselves, as mentions or direct ones; what was told is noted by whoever asks for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

import discord

from bot.clocks.clock import Clock
from bot.clocks.law import Stage
from bot.tables.looks import TableSnapshot
from bot.tables.notices import NoticeRepository
from bot.tables.service import TableService
from cogs.shared.door.calls import Failed, Trouble
from cogs.shared.door.components import Page
from cogs.shared.notices import due, texts
from cogs.shared.notices.due import WAITING, Case, Delivery, Owed, TellNow
from cogs.shared.notices.sender import Sender
from cogs.shared.posting.members import known_gone

Gone: TypeAlias = Callable[[int, int], Awaitable[object]]
"""Is told of a table and a person at it who has left the server."""


class NoticeWriter:
    """Makes notices and sends them. `gone` hears of who has left."""

    def __init__(
        self, tables: TableService, book: NoticeRepository, sender: Sender, clock: Clock, gone: Gone | None = None
    ) -> None:
        self._tables = tables
        self._book = book
        self._sender = sender
        self._clock = clock
        self._gone = gone

    async def has_left(self, look: TableSnapshot, person: int) -> bool:
        """Whether the person has left the server, which is looked up before somebody is called, unless it is known."""
        if person in known_gone(look):
            return True
        left = await self._sender.is_gone(look, person)
        if left and self._gone is not None:
            await self._gone(look.id, person)
        return left

    async def waiting(self, look: TableSnapshot, debt: Owed, told: TellNow) -> list[tuple[TableSnapshot, Owed]]:
        """The table first, then others that wait to tell the person of a turn; in a mention those of one server."""
        found = [(look, debt)]
        if told.stage is not Stage.RUNNING:
            return found
        for notice in await self._book.of_person(debt.person):
            if notice.stage != WAITING or notice.table == look.id:
                continue
            other = await self._tables.look(notice.table)
            owed = due.owed(other)
            same = owed is not None and (owed.person, owed.turn) == (notice.person, notice.about)
            if owed is not None and same and (told.way is Delivery.MESSAGE or other.guild == look.guild):
                found.append((other, owed))
        return found

    async def send(
        self, waiting: list[tuple[TableSnapshot, Owed]], case: Case, told: TellNow
    ) -> tuple[int, int] | Failed:
        """The channel and the number of the message; a direct one that is refused becomes a mention."""
        (look, debt), way = waiting[0], told.way
        nonce = f"{debt.person % 10**6}.{look.id}.{debt.turn}.{told.stage.value[0]}"
        if way is Delivery.MESSAGE:
            words = self._sender.words_of(look, case.wishes.language)
            page = texts.page_of(words, waiting, told.stage, mention=False)
            sent = await self.direct(look, debt.person, page, nonce)
            if not isinstance(sent, Failed) or sent.trouble is not Trouble.PERSON_CLOSED:
                return sent if isinstance(sent, Failed) else (sent.channel.id, sent.id)
            waiting = [one for one in waiting if one[0].guild == look.guild]
        page = texts.page_of(self._sender.words_of(look), waiting, told.stage, mention=True)
        sent = await self._sender.mention(look, page, nonce)
        return sent if isinstance(sent, Failed) else (sent.channel.id, sent.id)

    async def direct(self, look: TableSnapshot, person: int, page: Page, nonce: str) -> discord.Message | Failed:
        """Write to the person directly; that direct messages are refused is noted."""
        sent = await self._sender.message(look, person, page, nonce)
        if isinstance(sent, Failed) and sent.trouble is Trouble.PERSON_CLOSED:
            contact = await self._book.contact(person)
            await self._book.keep_contact(person, replace(contact, closed=self._clock.now()))
        return sent
