"""Sends tournament messages within the bot's request budget, and stores each before it is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeVar

import discord

from bot.clocks.clock import Clock
from bot.i18n import Words, words
from bot.profiles.guild_settings import ServerSettingsService
from bot.tournaments.service import TournamentPost
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.posting.direct_messages import DirectMessages
from cogs.shared.posting.poster import SHUT_OUT_FOR
from cogs.shared.posting.request_budget import Budget, Priority
from cogs.shared.reading.custom_ids import LONGEST_NONCE
from cogs.tournament.wanted_messages import WantedMessage

GONE: Final = (CallTrouble.MESSAGE_GONE, CallTrouble.CHANNEL_GONE)

Value = TypeVar("Value")


class SenderClient(Protocol):
    """The methods of a Discord client that this module needs."""

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> discord.PartialMessageable: ...  # noqa: A002

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002


class MessageOwner(Protocol):
    """A tournament or a series: the owner of its messages."""

    @property
    def id(self) -> int:
        """Return the owner's number."""

    @property
    def guild(self) -> int:
        """Return the owner's server."""

    @property
    def channel(self) -> int:
        """Return the channel of the owner's messages."""


class PostStore(Protocol):
    """Stores which messages show a tournament or series."""

    async def record_post(self, number: int, post: TournamentPost, /) -> None:
        """Store a message of that tournament or series, in place of one with the same `post.name`."""


class TournamentSender:
    """Posts, edits and records messages of tournaments or series.

    `mark` makes the nonces of the two differ. `record_thread_members` is called with the people whom a message in
    a thread has mentioned.
    """

    def __init__(
        self,
        posts: PostStore,
        servers: ServerSettingsService,
        client: SenderClient,
        *,
        clock: Clock,
        budget: Budget,
        direct: DirectMessages,
        mark: str = "t",
        record_thread_members: Callable[[int, Sequence[int]], None] = lambda _thread, _persons: None,
    ) -> None:
        self._posts = posts
        self._mark = mark
        self._note_members = record_thread_members
        self._servers = servers
        self._client = client
        self._clock = clock
        self._budget = budget
        self._direct = direct

    def guild_of(self, tournament: MessageOwner) -> discord.Guild | None:
        """Return the tournament's guild, or None if the bot is not in it."""
        return self._client.get_guild(tournament.guild)

    def words_of(self, tournament: MessageOwner) -> Words:
        """Return the catalogue of the server: its chosen language, else its language on Discord."""
        guild = self.guild_of(tournament)
        chosen = self._servers.locale(tournament.guild)
        return words(chosen or (None if guild is None else str(guild.preferred_locale)))

    async def request(self, priority: Priority, call: Callable[[], Awaitable[Value]], what: str) -> Value | FailedCall:
        """Run the call when the request budget allows; return its result or its failure."""
        await self._budget.wait_for_turn(priority)
        value = await attempt_call(call(), what)
        if isinstance(value, FailedCall) and value.trouble is CallTrouble.SHUT_OUT:
            self._budget.pause(SHUT_OUT_FOR)
        return value

    async def post(
        self, tournament: MessageOwner, wanted: WantedMessage, previous_post: TournamentPost | None
    ) -> FailedCall | None:
        """Send a message that has not been posted yet; return the failure, if any.

        People mentioned by an earlier message of that name are not notified again. A message that may already be sent
        is sent again with the same nonce, without notifying anyone.
        """
        begun = previous_post is not None and bool(previous_post.digest)
        page = replace(wanted.page, mentions=()) if begun else wanted.page
        repeat = f"{self._clock.now()}." if previous_post is not None and previous_post.message is not None else ""
        nonce = f"{repeat}{self._mark}{tournament.id}.{wanted.name}"
        await self._record_post(tournament, wanted, None, wanted.digest)
        sent = await self._send_page(wanted.channel, tournament, page, nonce)
        if isinstance(sent, FailedCall) and sent.trouble in GONE and wanted.channel != tournament.channel:
            sent = await self._send_page(tournament.channel, tournament, page, nonce)
        if isinstance(sent, FailedCall):
            await self._record_post(tournament, wanted, None, wanted.digest if begun else "")
            return sent
        if sent.channel.id != tournament.channel:
            self._note_members(sent.channel.id, page.mentions)
        await self._record_post(tournament, replace(wanted, channel=sent.channel.id), sent.id, wanted.digest)
        return None

    async def edit(
        self, tournament: MessageOwner, wanted: WantedMessage, previous_post: TournamentPost
    ) -> FailedCall | None:
        """Give a message its wanted content, or post it again if it was deleted; return the failure, if any."""
        channel = self._client.get_partial_messageable(previous_post.channel, guild_id=tournament.guild)
        message = channel.get_partial_message(previous_post.message or 0)
        silent = discord.AllowedMentions.none()
        edited = await self.request(
            Priority.EDIT,
            lambda: message.edit(view=wanted.page.view, attachments=wanted.page.files(), allowed_mentions=silent),
            "editing a message of a tournament",
        )
        if isinstance(edited, FailedCall) and edited.trouble in GONE:
            return await self.post(tournament, wanted, previous_post)
        if isinstance(edited, FailedCall) and edited.trouble is not CallTrouble.ARCHIVED:
            return edited
        await self._record_post(
            tournament, replace(wanted, channel=previous_post.channel), previous_post.message, wanted.digest
        )
        return None

    async def post_once(self, tournament: MessageOwner, page: Page, nonce: str) -> FailedCall | None:
        """Post a message in the tournament's channel that is neither stored nor changed later.

        Return the failure, if any.
        """
        sent = await self._send_page(tournament.channel, tournament, page, nonce)
        return sent if isinstance(sent, FailedCall) else None

    async def send_direct(self, person: int, page: Page, nonce: str, *, opens: bool = False) -> FailedCall | None:
        """Send a person a direct message; return the failure, if any.

        With `opens` it may be the first that the bot writes to them.
        """
        sent = await self._direct.send(person, page, nonce, opens=opens)
        return sent if isinstance(sent, FailedCall) else None

    async def _send_page(
        self, channel: int, tournament: MessageOwner, page: Page, nonce: str
    ) -> discord.Message | FailedCall:
        target = self._client.get_partial_messageable(channel, guild_id=tournament.guild)
        return await self.request(
            Priority.NOTIFY if page.mentions else Priority.EDIT,
            lambda: target.send(
                view=page.view,
                files=page.files(),
                allowed_mentions=page.allowed_mentions,
                silent=not page.mentions,
                nonce=nonce[-LONGEST_NONCE:],
            ),
            "posting a message of a tournament",
        )

    async def _record_post(
        self, tournament: MessageOwner, wanted: WantedMessage, message: int | None, digest: str
    ) -> None:
        post = TournamentPost(wanted.name, wanted.channel, message, digest)
        await self._posts.record_post(tournament.id, post)
