"""Sends spectators a direct message with the score after each deal."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final, Protocol

import discord

from bot.i18n import Words, words
from bot.profiles.guild_settings import ServerSettingsService
from bot.tables.people.notices import NoticeRepository
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import TableChanged, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import button_rows, page, text
from cogs.shared.notices.links import address_of_board, table_button
from cogs.shared.posting.direct_messages import DirectMessages
from cogs.shared.posting.request_budget import Priority
from cogs.shared.telling import names
from cogs.shared.telling.numbers import group_thousands

TOO_LATE: Final = 10 * 60.0
"""Seconds after which a line that still waits for the request budget is dropped."""


class SpectatorClient(Protocol):
    """The methods of a Discord client that this module needs."""

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002


class SpectatorMessages:
    """Sends the messages to spectators; one object for the whole process, failures are only logged."""

    def __init__(
        self,
        tables: TableService,
        servers: ServerSettingsService,
        book: NoticeRepository,
        messenger: SpectatorClient,
        direct: DirectMessages,
    ) -> None:
        self._tables = tables
        self._servers = servers
        self._book = book
        self._messenger = messenger
        self._direct = direct
        self._tasks: set[asyncio.Task[None]] = set()

    def on_change(self, change: TableChanged) -> None:
        """Send messages if a deal ended; called by the table service after each change."""
        task = asyncio.create_task(self._send_to_all(change.table), name=f"lines of table {change.table}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wait_until_idle(self) -> None:
        """Wait until all messages under way are sent."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    async def close(self) -> None:
        """Cancel the messages that are not yet sent."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _send_to_all(self, table: int) -> None:
        try:
            snapshot = await self._tables.reading.snapshot(table)
            deal = 0 if snapshot.view is None or snapshot.view.actor is not None else len(snapshot.view.results)
            if not deal:
                return
            for watcher in await self._tables.places.spectators(table):
                if watcher.told < deal and snapshot.seat_of(watcher.person) is None:
                    await self._tables.places.record_message_to_spectator(table, watcher.person, deal)
                    await self._send_message(snapshot, watcher.person, deal)
        except TableRefusal:
            return
        except Exception as error:  # noqa: BLE001 - a failed message to spectators must not stop the game
            interactions.log_unexpected_error(error, "telling watchers", table=table)

    async def _send_message(self, snapshot: TableSnapshot, person: int, deal: int) -> None:
        guild = self._messenger.get_guild(snapshot.guild)
        chosen = (await self._book.preferences(person)).language or self._servers.locale(snapshot.guild)
        catalogue = words(chosen or (None if guild is None else str(guild.preferred_locale)))
        shown = {snapshot.id: address_of_board(snapshot, await self._tables.places.board_message(snapshot.id))}
        made = page(
            [
                text(spectator_score_text(catalogue, snapshot, deal)),
                *button_rows([table_button(catalogue, snapshot, shown)]),
            ]
        )
        nonce = f"w{snapshot.id}.{deal}.{person % 10**9}"
        with suppress(TimeoutError):
            async with asyncio.timeout(TOO_LATE):
                await self._direct.send(person, made, nonce, priority=Priority.MEND, table=snapshot.id)


def spectator_score_text(words: Words, snapshot: TableSnapshot, deal: int) -> str:
    """Return the message to spectators with the game's score after a deal."""
    totals = () if snapshot.view is None else snapshot.view.totals
    scores = " · ".join(
        f"{names.score_holder_names(words, snapshot, number)} {group_thousands(words, total.score)}"
        for number, total in enumerate(totals)
    )
    return words("watching.line", table=snapshot.id, deal=deal, scores=scores)
