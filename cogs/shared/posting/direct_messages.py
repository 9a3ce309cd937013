"""Sends direct messages to people who have allowed them; the bot rarely opens one itself.

Discord blocks bots that open direct messages with many people who asked for nothing
([decision 39](docs/decisions/0039-direct-messages.md)).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol, TypeVar

import discord

from bot.clocks.clock import HOUR, MINUTE, Clock
from bot.clocks.time_rules import DAY
from bot.tables.people.notices import NoticeRepository
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.posting.poster import SHUT_OUT_FOR
from cogs.shared.posting.request_budget import Budget, Priority
from cogs.shared.reading.custom_ids import LONGEST_NONCE

BURST: Final = 3
"""Most direct messages that the bot opens by itself at once."""

PER_HOUR: Final = 60
"""Most direct messages that the bot opens by itself in an hour, by default."""

FIRST_PAUSE: Final = 10 * MINUTE
LONGEST_PAUSE: Final = 6 * HOUR
"""Shortest and longest pause after Discord has rejected an opening as one too many; it doubles each time."""

ROOMS: Final = "rooms"
"""The name of the budget that the processes of a fleet share for opening direct messages."""

NOT_SENT: Final = 10 * MINUTE
"""How long the bot sends no direct messages after Discord has blocked them temporarily."""

UNREACHED: Final = frozenset(
    {
        CallTrouble.PERSON_CLOSED,
        CallTrouble.NO_ROOM,
        CallTrouble.NO_PERMISSION,
        CallTrouble.NO_ACCESS,
        CallTrouble.MEMBER_GONE,
        CallTrouble.OPENING_TOO_MANY,
        CallTrouble.QUARANTINED,
        CallTrouble.SENDING_STOPPED,
    }
)
"""Failures after which the bot mentions the person at once instead."""

Value = TypeVar("Value")

log = logging.getLogger("canasta.discord")


class DirectClient(Protocol):
    """The methods this module needs of a Discord client."""

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> discord.PartialMessageable: ...  # noqa: A002

    async def create_dm(self, user: discord.abc.Snowflake) -> discord.DMChannel: ...


class DirectMessageLimit:
    """Limits how many direct messages the bot opens by itself; pure arithmetic on milliseconds."""

    def __init__(self, now: int, *, per_hour: int) -> None:
        self.per_hour = per_hour
        self._parts = BURST * HOUR if per_hour else 0
        self._counted_at = now
        self._pause = FIRST_PAUSE
        self.none_until = now

    def try_to_count_opening(self, now: int) -> bool:
        """Return whether the bot may open a direct message now by itself; if so, count it."""
        gained = max(0, now - self._counted_at) * self.per_hour
        self._parts, self._counted_at = min(self._parts + gained, BURST * HOUR), now
        if now < self.none_until or self._parts < HOUR:
            return False
        self._parts -= HOUR
        return True

    def stop_openings(self, now: int, *, milliseconds: int = 0) -> None:
        """Allow no openings for so many milliseconds; for 0, for twice as long as the last time."""
        self.none_until = max(self.none_until, now + (milliseconds or self._pause))
        self._pause = self._pause if milliseconds else min(2 * self._pause, LONGEST_PAUSE)


class DirectMessages:
    """Sends direct messages; one for the whole process."""

    def __init__(
        self,
        client: DirectClient,
        book: NoticeRepository,
        *,
        clock: Clock,
        budget: Budget,
        per_hour: int = PER_HOUR,
    ) -> None:
        self._client = client
        self._book = book
        self._clock = clock
        self._budget = budget
        self._openings = DirectMessageLimit(clock.now(), per_hour=per_hour)
        self._silent_until = 0
        self._told_at = -DAY

    async def send(
        self,
        person: int,
        page: Page,
        nonce: str,
        *,
        opens: bool = False,
        priority: Priority = Priority.NOTIFY,
        table: int = 0,
    ) -> discord.Message | FailedCall:
        """Send the person a direct message; return the message, or why it failed.

        If the bot has never written to the person, the result is `NO_ROOM`, unless `opens` is set and the hourly limit
        allows one more opening.
        """
        if self._clock.now() < self._silent_until:
            return FailedCall(CallTrouble.SENDING_STOPPED)
        room = await self._book.direct_channel(person)
        if room is None:
            if not opens or not await self._may_open_channel():
                return FailedCall(CallTrouble.NO_ROOM)
            opened = await self._open_channel(person, table)
            if isinstance(opened, FailedCall):
                return opened
            room = opened
        target = self._client.get_partial_messageable(room)
        call = partial(target.send, allowed_mentions=page.allowed_mentions, nonce=nonce[-LONGEST_NONCE:])
        sent = await self._request(priority, lambda: call(view=page.view), "sending a direct message", table)
        if isinstance(sent, FailedCall) and sent.trouble in (CallTrouble.CHANNEL_GONE, CallTrouble.MESSAGE_GONE):
            await self._book.drop_direct_channel(person)
            return FailedCall(CallTrouble.NO_ROOM)
        return sent

    async def send_welcome(self, person: int, page: Page) -> FailedCall | None:
        """Open direct messages with a person who has just asked for them, and send the page.

        Do nothing if they are open already. Return the failure, if any.
        """
        if await self._book.direct_channel(person) is not None:
            return None
        opened = await self._open_channel(person, 0)
        if isinstance(opened, FailedCall):
            return opened
        sent = await self.send(person, page, f"welcome.{person % 10**9}")
        if isinstance(sent, FailedCall):
            await self._book.drop_direct_channel(person)
            return sent
        return None

    async def _may_open_channel(self) -> bool:
        """Return whether the bot may open one more direct message by itself; if so, count it."""
        now = self._clock.now()
        if not self._openings.per_hour or now < self._openings.none_until:
            return False
        granted = await self._budget.ask_common_budget(ROOMS, per_hour=self._openings.per_hour, holds=BURST)
        return self._openings.try_to_count_opening(now) if granted is None else granted

    async def _open_channel(self, person: int, table: int) -> int | FailedCall:
        """Return the id of the direct message channel with the person, or why it could not be opened."""
        if self._clock.now() < self._openings.none_until:
            return FailedCall(CallTrouble.NO_ROOM)
        making = partial(self._client.create_dm, discord.Object(person))
        room = await self._request(Priority.NOTIFY, making, "opening a direct message", table)
        if isinstance(room, FailedCall):
            return room
        await self._book.store_direct_channel(person, room.id, self._clock.now())
        return room.id

    async def _request(
        self, priority: Priority, call: Callable[[], Awaitable[Value]], what: str, table: int
    ) -> Value | FailedCall:
        await self._budget.wait_for_turn(priority)
        done = await attempt_call(call(), what, table=table)
        if isinstance(done, FailedCall):
            self._react_to_trouble(done.trouble)
        return done

    def _stop_opening(self, now: int, *, milliseconds: int = 0) -> None:
        """Open no direct messages for a while, in any process of a fleet."""
        self._openings.stop_openings(now, milliseconds=milliseconds)
        self._budget.pause_common_budget(ROOMS, self._openings.none_until - now)

    def _react_to_trouble(self, trouble: CallTrouble) -> None:
        now = self._clock.now()
        if trouble is CallTrouble.SHUT_OUT:
            self._budget.pause(SHUT_OUT_FOR)
        elif trouble is CallTrouble.OPENING_TOO_MANY:
            self._stop_opening(now)
        elif trouble is CallTrouble.SENDING_STOPPED:
            self._silent_until = now + NOT_SENT
        elif trouble is CallTrouble.QUARANTINED:
            self._stop_opening(now, milliseconds=DAY)
            if now - self._told_at >= DAY:
                self._told_at = now
                log.critical("Discord has quarantined this bot: it opens no direct messages; see the Developer Portal")
