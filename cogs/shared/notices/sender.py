"""The sender of notices: each request within the bot's budget, with a result its caller can act on.

A message has a nonce made of the turn it is about, so that one sent again after a crash makes no second message.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

import discord

from bot.i18n import Words, words
from bot.profiles.servers_service import ServerService
from bot.tables.looks import TableSnapshot
from cogs.shared.door import table_places
from cogs.shared.door.calls import Failed, Trouble, attempt
from cogs.shared.door.components import Page
from cogs.shared.posting.budget import Budget, Priority
from cogs.shared.posting.members import Members
from cogs.shared.posting.poster import SHUT_OUT_FOR
from cogs.shared.reading.discord_limits import LONGEST_NONCE

ELSEWHERE: Final = (
    Trouble.ARCHIVED,
    Trouble.CHANNEL_GONE,
    Trouble.MESSAGE_GONE,
    Trouble.NO_ACCESS,
    Trouble.NO_PERMISSION,
)
"""What keeps a message out of a thread, and not out of the channel it belongs to."""

Value = TypeVar("Value")


class Reached(Protocol):
    """What is needed of a Discord client."""

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> discord.PartialMessageable: ...  # noqa: A002

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002

    async def create_dm(self, user: discord.abc.Snowflake) -> discord.DMChannel: ...


class Sender:
    """Sends notices and removes them."""

    def __init__(self, client: Reached, servers: ServerService, members: Members, budget: Budget) -> None:
        self._client = client
        self._servers = servers
        self._members = members
        self._budget = budget

    def words_of(self, look: TableSnapshot, language: str = "") -> Words:
        """The catalogue of a person's language, or else of what the table's server has chosen."""
        guild = self._client.get_guild(look.guild)
        chosen = language or self._servers.locale(look.guild)
        return words(chosen or (None if guild is None else str(guild.preferred_locale)))

    def reaches(self, look: TableSnapshot) -> bool:
        """Whether the bot is in the table's server."""
        return self._client.get_guild(look.guild) is not None

    async def is_gone(self, look: TableSnapshot, person: int) -> bool:
        """Whether the person is known to have left the table's server."""
        return await self._members.is_gone(look.guild, person)

    async def mention(self, look: TableSnapshot, page: Page, nonce: str) -> discord.Message | Failed:
        """Post where the table lives; in its channel where its thread takes nothing."""
        place = table_places.of_table(look)
        sent = await self._post(look, page, place.posts_in, nonce)
        if isinstance(sent, Failed) and place.thread is not None and sent.trouble in ELSEWHERE:
            return await self._post(look, page, place.channel, nonce)
        return sent

    async def message(self, look: TableSnapshot, person: int, page: Page, nonce: str) -> discord.Message | Failed:
        """Write to the person directly."""
        room = await self._request(
            Priority.NOTIFY, lambda: self._client.create_dm(discord.Object(person)), "opening a direct message", look
        )
        if isinstance(room, Failed):
            return room
        return await self._request(
            Priority.NOTIFY,
            lambda: room.send(view=page.view, allowed_mentions=page.allowed_mentions, nonce=nonce[-LONGEST_NONCE:]),
            "sending a direct message",
            look,
        )

    async def remove(self, look: TableSnapshot, channel: int, message: int) -> None:
        """Take a notice away."""
        found = self._client.get_partial_messageable(channel).get_partial_message(message)
        await self._request(Priority.DELETE, found.delete, "removing a notice", look)

    async def _post(self, look: TableSnapshot, page: Page, channel: int, nonce: str) -> discord.Message | Failed:
        target = self._client.get_partial_messageable(channel, guild_id=look.guild)
        return await self._request(
            Priority.NOTIFY,
            lambda: target.send(view=page.view, allowed_mentions=page.allowed_mentions, nonce=nonce[-LONGEST_NONCE:]),
            "posting a notice",
            look,
        )

    async def _request(
        self, priority: Priority, call: Callable[[], Awaitable[Value]], what: str, look: TableSnapshot
    ) -> Value | Failed:
        await self._budget.take(priority)
        value = await attempt(call(), what, table=look.id)
        if isinstance(value, Failed) and value.trouble is Trouble.SHUT_OUT:
            self._budget.pause(SHUT_OUT_FOR)
        return value
