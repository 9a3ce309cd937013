"""The presenter: keeps the one message that shows each table up to date.

Whatever changes a table marks it. A marked table is shown as it stands when its turn comes: ten quick changes make
one edit. Tables of one channel wait for one another, tables of different channels do not.

When the turn comes to a person, the board is posted anew, which notifies that person once, and the old one removed.
It is also posted anew after an hour, since Discord allows few edits of older messages. A message or thread that was
deleted is replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable
from typing import Final, Protocol, TypeVar
from weakref import WeakValueDictionary

import discord

from bot.clocks.clock import MINUTE, Clock
from bot.i18n import Words, words
from bot.profiles.service import ProfileService
from bot.tables.looks import BoardMessage, Changed, Status, TableLook
from bot.tables.refusals import TableRefusal
from bot.tables.service import TableService
from cogs.shared import errors, places
from cogs.shared.calls import Failed, Trouble, attempt
from cogs.shared.layout import Page
from cogs.shared.pages import Pages

YOUNG: Final = 55 * MINUTE
"""Milliseconds for which a message is edited and not posted anew."""

SWEEP_AT_ONCE: Final = 20

Value = TypeVar("Value")


class Channels(Protocol):
    """What the presenter needs of a Discord client."""

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> discord.PartialMessageable: ...  # noqa: A002

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002


class Presenter:
    """One for the whole process."""

    def __init__(
        self, tables: TableService, profiles: ProfileService, pages: Pages, channels: Channels, clock: Clock
    ) -> None:
        self._tables = tables
        self._profiles = profiles
        self._pages = pages
        self._channels = channels
        self._clock = clock
        self._dirty: set[int] = set()
        self._anew: set[int] = set()
        self._again: set[int] = set()
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._begun = asyncio.Event()
        self._notified: dict[int, tuple[tuple[int, int], set[int]]] = {}
        self._troubles: dict[int, Trouble] = {}
        self._serial = 0

    # --- what others ask

    def changed(self, change: Changed) -> None:
        """A table changed: listener of the table service."""
        self.mark(change.table)

    def mark(self, table: int, *, anew: bool = False, again: bool = False) -> None:
        """Show the table soon; `anew` posts its message again where it lives, `again` draws it again as it stands."""
        self._dirty.add(table)
        if anew:
            self._anew.add(table)
        if again:
            self._again.add(table)
        if table not in self._workers:
            self._workers[table] = asyncio.create_task(self._work(table), name=f"present table {table}")

    def trouble(self, table: int) -> Trouble | None:
        """What keeps the table's message from being shown."""
        return self._troubles.get(table)

    @contextlib.asynccontextmanager
    async def holding(self, channel: int) -> AsyncIterator[None]:
        """Show nothing in a channel while a table there finds its place."""
        async with self._lock(channel):
            yield

    def _lock(self, channel: int) -> asyncio.Lock:
        return self._locks.setdefault(channel, asyncio.Lock())

    async def begin(self) -> None:
        """Show tables from now on; which turns were notified before is remembered as far as stored messages tell."""
        for table in await self._tables.playing():
            try:
                await self._remember_told(table)
            except TableRefusal:
                continue
            except Exception as error:  # noqa: BLE001 - one table's trouble must not end the start
                errors.unexpected(error, "remembering who was notified", table=table)
        self._begun.set()

    async def _remember_told(self, table: int) -> None:
        shown = await self._tables.message(table)
        look = await self._tables.look(table)
        if shown is not None and shown.version == look.version:
            self._told(look)

    async def sweep(self) -> None:
        """Show some of the tables whose message is missing or behind."""
        for table in await self._tables.messages_behind(SWEEP_AT_ONCE):
            self.mark(table)

    async def idle(self) -> None:
        """Return when nothing waits to be shown."""
        while self._workers:
            await asyncio.wait(list(self._workers.values()))

    async def close(self) -> None:
        """Finish what is being shown and show nothing more."""
        self._dirty.clear()
        self._begun.set()
        workers = list(self._workers.values())
        if workers:
            await asyncio.wait(workers, timeout=5)
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    # --- one table

    async def _work(self, table: int) -> None:
        try:
            while table in self._dirty:
                await self._begun.wait()
                look = await self._tables.look(table)
                async with self._lock(places.of_table(look).posts_in):
                    if table in self._dirty:
                        self._dirty.discard(table)
                        await self._present(await self._tables.look(table))
        except TableRefusal:
            self._dirty.discard(table)
        except Exception as error:  # noqa: BLE001 - one table's trouble must not end the others' boards
            self._dirty.discard(table)
            errors.unexpected(error, "showing a table", table=table)
        finally:
            self._workers.pop(table, None)

    async def _present(self, look: TableLook) -> None:
        shown = await self._tables.message(look.id)
        asked_anew, asked_again = look.id in self._anew, look.id in self._again
        self._anew.discard(look.id)
        self._again.discard(look.id)
        if shown is None and look.status is Status.CLOSED:
            return
        if shown is not None and shown.version == look.version and not (asked_anew or asked_again):
            return
        newcomer = self._newcomer(look)
        page = await self._page(look, self._mention(look, newcomer))
        moved = shown is not None and shown.channel != places.of_table(look).posts_in
        old = shown is not None and self._clock.now() - shown.posted_at > YOUNG
        if shown is None or moved or old or asked_anew or newcomer is not None:
            await self._post(look, page, shown)
        else:
            await self._edit(look, page, shown)

    async def _page(self, look: TableLook, mention: int | None) -> Page:
        self._serial += 1
        preferences = await self._profiles.server(look.guild)
        return await self._pages.board(
            self._words(look), look, preferences=preferences, mention=mention, serial=self._serial
        )

    def _words(self, look: TableLook) -> Words:
        guild = self._channels.get_guild(look.guild)
        return words(None if guild is None else str(guild.preferred_locale))

    async def _edit(self, look: TableLook, page: Page, shown: BoardMessage) -> None:
        message = self._channel(shown.channel, look).get_partial_message(shown.message)
        edited = await self._try(
            message.edit(view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions), look
        )
        if not isinstance(edited, Failed):
            await self._record(look, shown.channel, shown.message, shown.posted_at)
        elif edited.trouble in (Trouble.NO_ACCESS, Trouble.NO_PERMISSION):
            self._troubles[look.id] = edited.trouble
        elif edited.trouble not in (Trouble.DISCORD_DOWN, Trouble.NO_CONNECTION):
            # Deleted, archived, too old or not taken as an edit: a new message mends them all.
            await self._post(look, page, shown)

    async def _post(self, look: TableLook, page: Page, shown: BoardMessage | None) -> None:
        place = places.of_table(look)
        posted = await self._send(look, page, place.posts_in)
        if isinstance(posted, Failed) and place.thread is not None and posted.trouble in _LOST:
            await self._tables.move(look.id, channel=place.channel, thread=None)
            look = await self._tables.look(look.id)
            posted = await self._send(look, page, place.channel)
        if isinstance(posted, Failed):
            lost = posted.trouble in _LOST
            self._troubles[look.id] = Trouble.CHANNEL_GONE if lost else posted.trouble
            return
        self._told(look)
        await self._record(look, posted.channel.id, posted.id, self._clock.now())
        if shown is not None and shown.message != posted.id:
            old = self._channel(shown.channel, look).get_partial_message(shown.message)
            await attempt(old.delete(), "removing an old board", table=look.id)

    async def _send(self, look: TableLook, page: Page, channel: int) -> discord.Message | Failed:
        return await self._try(
            self._channel(channel, look).send(
                view=page.view, files=page.files(), allowed_mentions=page.allowed_mentions
            ),
            look,
        )

    async def _try(self, call: Awaitable[Value], look: TableLook) -> Value | Failed:
        return await attempt(call, "showing a table", table=look.id)

    async def _record(self, look: TableLook, channel: int, message: int, posted_at: int) -> None:
        self._troubles.pop(look.id, None)
        await self._tables.record_message(BoardMessage(look.id, channel, message, look.version, posted_at))

    def _channel(self, channel: int, look: TableLook) -> discord.PartialMessageable:
        return self._channels.get_partial_messageable(channel, guild_id=look.guild)

    # --- whose turn it is

    def _newcomer(self, look: TableLook) -> int | None:
        """The person whose turn has come and who has not been told in this turn."""
        turn, actor = _turn_of(look), look.actor
        if turn is None or actor is None or actor.person is None:
            return None
        told_turn, told = self._notified.get(look.id, (None, set()))
        return None if told_turn == turn and actor.person in told else actor.person

    def _told(self, look: TableLook) -> None:
        turn, actor = _turn_of(look), look.actor
        if turn is None or actor is None or actor.person is None:
            if look.status is not Status.PLAYING:
                self._notified.pop(look.id, None)
            return
        told_turn, told = self._notified.get(look.id, (None, set()))
        self._notified[look.id] = (turn, (told if told_turn == turn else set()) | {actor.person})

    def _mention(self, look: TableLook, newcomer: int | None) -> int | None:
        """The person to notify: nobody who plays alone against computer players or who has just acted."""
        if newcomer is None or len(look.persons) < 2:
            return None
        seats = (one.seat for one in reversed(look.recent))
        acted = (seat for seat in seats if seat is not None and look.seats[seat].person is not None)
        last = next(acted, None)
        return None if last is not None and look.seats[last].person == newcomer else newcomer


_LOST: Final = (Trouble.CHANNEL_GONE, Trouble.MESSAGE_GONE)


def _turn_of(look: TableLook) -> tuple[int, int] | None:
    """A turn's own name within its table: its deal and number."""
    if look.view is None or look.status is not Status.PLAYING:
        return None
    return (look.view.deal, look.view.turns)
