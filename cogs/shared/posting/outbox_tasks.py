"""Handlers of outbox entries about threads and old boards, and the errors of failed requests."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

import discord

from bot.clocks.time_rules import DAY
from bot.outbox import CannotKeepPromise, EffectRefused, Promised, PromiseKind, PromiseMustWait, TemporaryFailure
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import OPEN, TableSnapshot
from bot.tournaments.core.promised_effects import private_thread_members
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.service import TournamentService
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.posting.board_updates import BoardUpdater
from cogs.shared.posting.edit_schedule import PASSING
from cogs.shared.posting.poster import SHUT_OUT_FOR, ChannelClient
from cogs.shared.posting.request_budget import Budget, Priority

Value = TypeVar("Value")

LIFETIME: Final = DAY
"""How long to retry direct messages, adding members and archiving threads, in milliseconds."""

_GONE: Final = (CallTrouble.MEMBER_GONE, CallTrouble.CHANNEL_GONE, CallTrouble.MESSAGE_GONE)


def require_success(result: Value | FailedCall) -> Value:
    """Return the result of a request, or raise the error that tells the outbox how it failed.

    Raises `TemporaryFailure`, `CannotKeepPromise` or `EffectRefused`.
    """
    if not isinstance(result, FailedCall):
        return result
    if result.trouble in PASSING:
        raise TemporaryFailure(result.trouble.value)
    if result.trouble in _GONE:
        raise CannotKeepPromise(result.trouble.value)
    raise EffectRefused(result.trouble.value)


class ThreadTasks:
    """Handlers of outbox entries about threads and former boards.

    They add people to private threads, archive the threads of tables that are over, and delete former boards.
    """

    def __init__(
        self,
        tables: TableService,
        tournaments: TournamentService,
        board_updater: BoardUpdater,
        channels: ChannelClient,
        budget: Budget,
    ) -> None:
        self._tables = tables
        self._tournaments = tournaments
        self._board_updater = board_updater
        self._channels = channels
        self._budget = budget

    def add_member_handler(self) -> PromiseKind:
        """Return the handler with which the outbox adds a person to a private thread."""
        return PromiseKind(self.add_member, LIFETIME, online=True)

    def archive_handler(self) -> PromiseKind:
        """Return the handler with which the outbox archives a thread."""
        return PromiseKind(self.archive_thread, LIFETIME, online=True)

    def old_board_handler(self) -> PromiseKind:
        """Return the handler with which the outbox deletes a table's former message."""
        return PromiseKind(self.remove_old_board, LIFETIME, online=True)

    async def add_member(self, row: Promised) -> None:
        """Add the person to the thread, if they have a seat there now."""
        thread, person = (int(part) for part in row.key.split(":"))
        if await self._has_seat(json.loads(row.args), thread, person):
            found = await self._fetch_thread(row.guild or 0, thread)
            await self._request(Priority.EDIT, partial(found.add_user, discord.Object(person)), "adding to a thread")

    async def _has_seat(self, about: dict[str, int], thread: int, person: int) -> bool:
        """Return whether the person still has a seat at the table or match of this thread."""
        try:
            if "table" in about:
                snapshot = await self._tables.reading.snapshot(about["table"])
                return snapshot.status in OPEN and snapshot.thread == thread and person in snapshot.persons
            tournament = await self._tournaments.overview.get_tournament(about["tournament"])
            return (thread, person) in private_thread_members(tournament)
        except (TableRefusal, TournamentRefusal):
            return False

    async def archive_thread(self, row: Promised) -> None:
        """Archive the thread of an outbox row if it is the bot's own, its table is over and has no rematch.

        Raises `PromiseMustWait` until the table's message shows the end.
        """
        try:
            snapshot = await self._tables.reading.snapshot(json.loads(row.args)["table"])
        except TableRefusal:
            return
        if snapshot.thread != int(row.key) or snapshot.status in OPEN or snapshot.rematch is not None:
            return
        await self._require_final_board_shown(snapshot)
        guild = self._channels.get_guild(snapshot.guild)
        thread = None if guild is None else guild.get_thread(int(row.key))
        if thread is None or thread.archived or self._channels.user is None:
            return
        if thread.owner_id == self._channels.user.id:
            await self._request(Priority.DELETE, partial(thread.edit, archived=True), "archiving a thread", snapshot.id)

    async def remove_old_board(self, row: Promised) -> None:
        """Delete a table's former message, if it still exists.

        If it is still recorded as the table's message, the bot was killed before it recorded the new one. The message
        is then posted again, which finds the new one by its nonce.
        """
        about = json.loads(row.args)
        shown = await self._tables.places.board_message(about["table"])
        if shown is not None and shown.message == int(row.key):
            self._board_updater.request_update(about["table"], repost=True)
            return
        channel = self._channels.get_partial_messageable(about["channel"], guild_id=row.guild)
        message = channel.get_partial_message(int(row.key))
        with suppress(CannotKeepPromise):
            await self._request(Priority.DELETE, message.delete, "removing an old board", about["table"])

    async def _require_final_board_shown(self, snapshot: TableSnapshot) -> None:
        """Raise `PromiseMustWait` if the table's message does not show its end yet.

        The bot cannot edit messages in an archived thread.
        """
        shown = await self._tables.places.board_message(snapshot.id)
        if self._channels.get_guild(snapshot.guild) is None or shown is None or shown.version < snapshot.version:
            self._board_updater.request_update(snapshot.id)
            raise PromiseMustWait

    async def _fetch_thread(self, guild: int, thread: int) -> discord.Thread:
        known = self._channels.get_guild(guild)
        if known is None:
            raise PromiseMustWait
        found = known.get_thread(thread)
        if found is None:
            await self._budget.wait_for_turn(Priority.EDIT)
            fetched = require_success(await attempt_call(known.fetch_channel(thread), "looking a thread up"))
            if not isinstance(fetched, discord.Thread):
                raise CannotKeepPromise
            found = fetched
        return found

    async def _request(
        self, priority: Priority, call: Callable[[], Awaitable[object]], what: str, table: int = 0
    ) -> None:
        await self._budget.wait_for_turn(priority)
        done = await attempt_call(call(), what, table=table)
        if isinstance(done, FailedCall) and done.trouble is CallTrouble.SHUT_OUT:
            self._budget.pause(SHUT_OUT_FOR)
        require_success(done)
