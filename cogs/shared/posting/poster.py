"""Write the messages of one table to Discord, each request within the budget.

Besides the board there are messages that stay and are never edited: the opening of the game and each deal's score
sheet. They are posted once, above the board. After a crash between posting and storing one, Discord recognises the
second post by its nonce.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Final, Protocol, TypeVar

import discord

from bot.clocks.clock import MINUTE, Clock
from bot.i18n import Words, words
from bot.profiles.guild_settings import ServerSettingsService
from bot.profiles.preferences import PreferencesService
from bot.tables.service import TableService
from bot.tables.state.snapshots import BoardMessage, Status, TableSnapshot
from cogs.shared.discord_api import table_places
from cogs.shared.discord_api.components import Page, text_page
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.posting import mentions
from cogs.shared.posting.edit_schedule import EditKind, PlannedEdit
from cogs.shared.posting.mentions import Members, MentionPolicy
from cogs.shared.posting.request_budget import Budget, Priority
from cogs.shared.reading.custom_ids import LONGEST_NONCE
from cogs.shared.showing import board
from cogs.shared.showing.board import shuffle_of
from cogs.shared.showing.pages import Pages

Post = Callable[[Page, str], Awaitable[FailedCall | None]]
"""Posts a page in the table's channel under a nonce; returns the failure, if any."""

Note = Callable[[], Awaitable[None]]


class LastingMessages:
    """Posts the lasting messages that a table still lacks: its opening message and score sheets."""

    def __init__(self, tables: TableService, profiles: PreferencesService, pages: Pages) -> None:
        self._tables = tables
        self._profiles = profiles
        self._pages = pages

    async def post_due_messages(self, words: Words, snapshot: TableSnapshot, post: Post) -> bool | FailedCall:
        """Post the due messages and record each; return whether there were any, or the failure."""
        posted = False
        async for page, name, note in self._due_messages(words, snapshot):
            failed = await post(page, name[-LONGEST_NONCE:])
            if failed is not None:
                return failed
            await note()
            posted = True
        return posted

    async def _due_messages(self, words: Words, snapshot: TableSnapshot) -> AsyncIterator[tuple[Page, str, Note]]:
        """Yield the page of each message to post, its nonce, and the function that records it as posted."""
        opening = await self._game_start_page(words, snapshot)
        if opening is not None:
            yield opening, f"begun.{snapshot.id}", partial(self._tables.places.record_start_message, snapshot.id)
        last = snapshot.view.results[-1].deal if snapshot.view is not None and snapshot.view.results else 0
        shown = await self._tables.places.last_posted_sheet(snapshot.id) if last else 0
        for deal in range(shown + 1, last + 1):
            preferences = await self._profiles.server_preferences(snapshot.guild)
            page = await self._pages.sheet(words, snapshot, deal, preferences=preferences)
            yield (
                page,
                f"sheet.{snapshot.id}.{deal}",
                partial(self._tables.places.record_posted_sheet, snapshot.id, deal),
            )

    async def _game_start_page(self, words: Words, snapshot: TableSnapshot) -> Page | None:
        """Return the message that opens a game, or None if none is due.

        It gives the fingerprint of the secret number that the first deal is shuffled with, or names the game whose
        cards this one repeats.
        """
        view = snapshot.view
        if view is None or snapshot.status is not Status.PLAYING or view.deal != 1 or view.results:
            return None
        shuffle = shuffle_of(snapshot, view.deal)
        known = board.known_cards_lines(words, snapshot)
        if (shuffle is None and not known) or (await self._tables.places.posted_messages(snapshot.id)).begun:
            return None
        if shuffle is None:
            return text_page(*known)
        key = (
            "message.begun" if snapshot.contest is None else "message.begun_match"
        )  # the match's call of its players names it
        short = shuffle.commitment[:SHOWN_OF_COMMITMENT]
        return text_page(words(key, table=snapshot.id, deal=view.deal, commitment=short, fair=words("more.fair")))


SHOWN_OF_COMMITMENT: Final = 8
"""Characters of the first commitment in the opening message; *Fair dealing* shows all."""

REFUSED_IN_A_ROW: Final = 3
"""Number of rejected edits with a picture after which no more are tried."""

SHUT_OUT_FOR: Final = MINUTE

Value = TypeVar("Value")

log = logging.getLogger("canasta.discord")


class ChannelClient(Protocol):
    """The methods this module needs of a Discord client."""

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> discord.PartialMessageable: ...  # noqa: A002

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002

    @property
    def user(self) -> discord.ClientUser | None: ...


class Poster:
    """Sends, edits and deletes the messages of tables; one for the whole process."""

    def __init__(
        self,
        tables: TableService,
        profiles: PreferencesService,
        servers: ServerSettingsService,
        *,
        pages: Pages,
        channels: ChannelClient,
        calls: MentionPolicy,
        members: Members,
        clock: Clock,
        budget: Budget,
        repost_panels: Callable[[int], None],
    ) -> None:
        self._tables = tables
        self._repost_panels = repost_panels
        self._profiles = profiles
        self._servers = servers
        self._pages = pages
        self._channels = channels
        self._calls = calls
        self._clock = clock
        self._budget = budget
        self.members = members
        self._lasting_messages = LastingMessages(tables, profiles, pages)
        self._refused_edits = 0
        self._serial = 0

    @property
    def pictures_refused(self) -> bool:
        """Return whether Discord has been rejecting edits with a picture."""
        return self._refused_edits >= REFUSED_IN_A_ROW

    def words_of(self, snapshot: TableSnapshot) -> Words:
        """Return the catalogue of the table's server: the chosen language, else Discord's setting."""
        guild = self._channels.get_guild(snapshot.guild)
        return words(self._servers.locale(snapshot.guild) or (None if guild is None else str(guild.preferred_locale)))

    def is_in_server(self, snapshot: TableSnapshot) -> bool:
        """Return whether the bot is in the table's server."""
        return self._channels.get_guild(snapshot.guild) is not None

    async def build_page(self, snapshot: TableSnapshot, calls: int | None = None) -> Page:
        """Return the public page of the table, mentioning the persons `calls`."""
        self._serial += 1
        preferences = await self._profiles.server_preferences(snapshot.guild)
        return await self._pages.board(
            self.words_of(snapshot), snapshot, preferences=preferences, mention=calls, serial=self._serial
        )

    async def write_board(
        self, snapshot: TableSnapshot, board_message: BoardMessage | None, wanted: PlannedEdit
    ) -> CallTrouble | None:
        """Post or edit the table's message so that it shows the table; return the failure, if any."""
        posting = partial(self._post_lasting_message, snapshot, Priority.MEND if wanted.mends else Priority.EDIT)
        kept = await self._lasting_messages.post_due_messages(self.words_of(snapshot), snapshot, posting)
        if isinstance(kept, FailedCall):
            if snapshot.thread is None or kept.trouble not in _LOST:
                return kept.trouble
            return await self.write_board(await self._move_out_of_thread(snapshot), board_message, wanted)
        page = await self.build_page(snapshot, wanted.calls)
        # Messages that stay are posted before the board, so that they are above it.
        if wanted.way is EditKind.POST or board_message is None or kept:
            trouble = await self._post_board(snapshot, page, board_message, wanted.priority)
            if kept and trouble is None:
                self._repost_panels(snapshot.id)
            return trouble
        return await self._edit_board(snapshot, page, board_message, wanted.priority)

    async def record_board(self, snapshot: TableSnapshot, board_message: BoardMessage, mention_record: str) -> None:
        """Store that the message shows the table at this version, and which persons it mentions."""
        channel, message, posted_at = board_message.channel, board_message.message, board_message.posted_at
        await self._tables.places.record_board_message(
            BoardMessage(
                snapshot.id,
                channel,
                message,
                snapshot.version,
                posted_at,
                mentions.mentions_as_text(snapshot, mention_record),
            )
        )

    async def request(
        self, priority: Priority, call: Callable[[], Awaitable[Value]], what: str, snapshot: TableSnapshot
    ) -> Value | FailedCall:
        """Return the result of the call, sent when the budget allows, or why it failed.

        If Discord rejects all requests of this machine, nothing is sent for a while.
        """
        await self._budget.wait_for_turn(priority)
        value = await attempt_call(call(), what, table=snapshot.id)
        if isinstance(value, FailedCall) and value.trouble is CallTrouble.SHUT_OUT:
            self._budget.pause(SHUT_OUT_FOR)
        return value

    # --- the board

    async def _edit_board(
        self, snapshot: TableSnapshot, page: Page, board_message: BoardMessage, priority: Priority
    ) -> CallTrouble | None:
        message = self._messageable_channel(board_message.channel, snapshot).get_partial_message(board_message.message)
        edited = await self.request(
            priority,
            lambda: message.edit(view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions),
            "editing a board",
            snapshot,
        )
        if not isinstance(edited, FailedCall):
            self._refused_edits = 0 if page.pictures else self._refused_edits
            await self.record_board(snapshot, board_message, board_message.told)
            return None
        if edited.trouble in _NOT_MENDED_BY_POSTING:
            return edited.trouble
        if edited.trouble is CallTrouble.NOT_TAKEN and page.pictures:
            self._count_refused_picture()
        # If the edit fails for any of these reasons, post a new message.
        return await self._post_board(snapshot, page, board_message, priority)

    def _count_refused_picture(self) -> None:
        """Count a rejected edit with a picture."""
        self._refused_edits += 1
        if self._refused_edits == REFUSED_IN_A_ROW:
            log.warning("Discord takes no edits with pictures: boards are posted again when a turn changes hands")

    async def _post_board(
        self, snapshot: TableSnapshot, page: Page, board_message: BoardMessage | None, priority: Priority
    ) -> CallTrouble | None:
        """Post the board as a new message and have the outbox delete the old one; return the failure, if any.

        If the thread is gone, the board is posted in the channel.
        """
        place = table_places.place_of_table(snapshot)
        name = _board_nonce(snapshot, page, board_message)
        posted = await self._send_page(snapshot, page, place.post_channel, priority, name, replaces=board_message)
        if isinstance(posted, FailedCall) and place.thread is not None and posted.trouble in _LOST:
            await self._move_out_of_thread(snapshot)
            posted = await self._send_page(snapshot, page, place.channel, priority, name, replaces=board_message)
        if isinstance(posted, FailedCall):
            return CallTrouble.CHANNEL_GONE if posted.trouble in _LOST else posted.trouble
        for person in page.mentions:
            await self._calls.record_mention(snapshot, person)
        mention_record = mentions.mentions_as_text(snapshot, "" if board_message is None else board_message.told)
        message = BoardMessage(
            snapshot.id, posted.channel.id, posted.id, snapshot.version, self._clock.now(), mention_record
        )
        if board_message is None or board_message.message == posted.id:
            await self._tables.places.record_board_message(message)
        else:
            await self._tables.places.record_new_board_message(message, board_message, snapshot.guild)
        return None

    async def _move_out_of_thread(self, snapshot: TableSnapshot) -> TableSnapshot:
        """Move the table to its channel because its thread was deleted; return its new snapshot."""
        await self._tables.places.move(snapshot.id, channel=snapshot.channel, thread=None)
        self._calls.record_move_to_channel(snapshot.id)
        return await self._tables.reading.snapshot(snapshot.id)

    async def _send_page(
        self,
        snapshot: TableSnapshot,
        page: Page,
        channel: int,
        priority: Priority,
        nonce: str,
        *,
        silent: bool = False,
        replaces: BoardMessage | None = None,
    ) -> discord.Message | FailedCall:
        """Post a page and return the message, or why it failed.

        The nonce prevents a second message when the request is repeated, also after a crash.
        """

        async def send_message() -> discord.Message:
            if replaces is not None:
                await self._tables.places.promise_message_removal(replaces, snapshot.guild)
            return await self._messageable_channel(channel, snapshot).send(
                view=page.view,
                allowed_mentions=page.allowed_mentions,
                silent=silent,
                nonce=nonce[-LONGEST_NONCE:],
                files=page.files(),
            )

        return await self.request(priority, send_message, "posting a message", snapshot)

    async def _post_lasting_message(
        self, snapshot: TableSnapshot, priority: Priority, page: Page, name: str
    ) -> FailedCall | None:
        """Post a message that is never edited, such as a score sheet; return the failure, if any."""
        posted = await self._send_page(
            snapshot, page, table_places.place_of_table(snapshot).post_channel, priority, name, silent=True
        )
        return posted if isinstance(posted, FailedCall) else None

    def _messageable_channel(self, channel: int, snapshot: TableSnapshot) -> discord.PartialMessageable:
        return self._channels.get_partial_messageable(channel, guild_id=snapshot.guild)


def _board_nonce(snapshot: TableSnapshot, page: Page, board_message: BoardMessage | None) -> str:
    """Return a nonce that stays the same until the post is recorded or the board shows another version.

    It is made of the table, the version and the persons mentioned; of a replacement without mentions, of the version
    and the id of the replaced message, because nonces are too short for the table as well.
    """
    if page.mentions:
        return "".join(f"{person % 10**8}.{snapshot.id}.{snapshot.version}" for person in page.mentions)
    return (
        f"{snapshot.id}.{snapshot.version}" if board_message is None else f"{snapshot.version}.{board_message.message}"
    )


_LOST: Final = (CallTrouble.CHANNEL_GONE, CallTrouble.MESSAGE_GONE)

_NOT_MENDED_BY_POSTING: Final = (
    CallTrouble.NO_ACCESS,
    CallTrouble.NO_PERMISSION,
    CallTrouble.DISCORD_DOWN,
    CallTrouble.NO_CONNECTION,
    CallTrouble.SHUT_OUT,
)
