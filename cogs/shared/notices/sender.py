"""Send and delete notices within the bot's request budget.

Each message has a nonce made of its turn, so sending it again after a crash makes no second message. The caller stores
what was sent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeAlias, TypeVar

import discord

from bot.clocks.clock import MINUTE, Clock
from bot.clocks.time_rules import Stage
from bot.i18n import Words, words
from bot.profiles.guild_settings import ServerSettingsService
from bot.tables.people.notices import NoticeRepository, SentNotice
from bot.tables.service import TableService
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import table_places
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.notices import links, turn_decisions, turn_texts
from cogs.shared.notices.links import Links
from cogs.shared.notices.notice_records import NoticeRecords
from cogs.shared.notices.turn_decisions import WAITING, AwaitedTurn, Delivery, NoticeFacts, NotifyNow
from cogs.shared.posting.direct_messages import UNREACHED, DirectMessages
from cogs.shared.posting.mentions import Members, persons_known_to_have_left
from cogs.shared.posting.poster import SHUT_OUT_FOR
from cogs.shared.posting.request_budget import Budget, Priority
from cogs.shared.reading.custom_ids import LONGEST_NONCE

ELSEWHERE: Final = (
    CallTrouble.ARCHIVED,
    CallTrouble.CHANNEL_GONE,
    CallTrouble.MESSAGE_GONE,
    CallTrouble.NO_ACCESS,
    CallTrouble.NO_PERMISSION,
)
"""Failures in a thread that may not occur in its parent channel."""

PATIENCE: Final = 2 * MINUTE
"""How long a direct message may fail temporarily before the bot mentions the person instead."""

Value = TypeVar("Value")


class NoticeClient(Protocol):
    """The methods this module needs of a Discord client."""

    def get_partial_messageable(self, id: int, *, guild_id: int | None = None) -> discord.PartialMessageable: ...  # noqa: A002

    def get_guild(self, id: int, /) -> discord.Guild | None: ...  # noqa: A002


class Sender:
    """Sends notices to channels and persons, and deletes them."""

    def __init__(
        self,
        client: NoticeClient,
        servers: ServerSettingsService,
        members: Members,
        *,
        budget: Budget,
        direct: DirectMessages,
    ) -> None:
        self._client = client
        self._servers = servers
        self._members = members
        self._budget = budget
        self._direct = direct

    def words_of(self, snapshot: TableSnapshot, language: str = "") -> Words:
        """Return the catalogue of `language`; if that is empty, the catalogue of the table's server."""
        guild = self._client.get_guild(snapshot.guild)
        chosen = language or self._servers.locale(snapshot.guild)
        return words(chosen or (None if guild is None else str(guild.preferred_locale)))

    def is_in_server(self, snapshot: TableSnapshot) -> bool:
        """Return whether the bot is in the table's server."""
        return self._client.get_guild(snapshot.guild) is not None

    async def has_left_server(self, snapshot: TableSnapshot, person: int) -> bool:
        """Return whether the person is known to have left the table's server."""
        return await self._members.has_left_server(snapshot.guild, person)

    async def post_mention(self, snapshot: TableSnapshot, page: Page, nonce: str) -> discord.Message | FailedCall:
        """Post in the table's thread, or in its channel if the thread rejects messages.

        Return the message, or why it failed.
        """
        place = table_places.place_of_table(snapshot)
        sent = await self._post_message(snapshot, page, place.post_channel, nonce)
        if isinstance(sent, FailedCall) and place.thread is not None and sent.trouble in ELSEWHERE:
            return await self._post_message(snapshot, page, place.channel, nonce)
        return sent

    async def send_direct(
        self, snapshot: TableSnapshot, person: int, page: Page, nonce: str, *, priority: Priority = Priority.NOTIFY
    ) -> discord.Message | FailedCall:
        """Send the person a direct message, if they allow those; return it, or why it failed."""
        return await self._direct.send(person, page, nonce, priority=priority, table=snapshot.id)

    async def delete_notice(self, snapshot: TableSnapshot, channel: int, message: int) -> None:
        """Delete the message of a notice."""
        found = self._client.get_partial_messageable(channel).get_partial_message(message)
        await self._request(Priority.DELETE, found.delete, "removing a notice", snapshot)

    async def _post_message(
        self, snapshot: TableSnapshot, page: Page, channel: int, nonce: str
    ) -> discord.Message | FailedCall:
        target = self._client.get_partial_messageable(channel, guild_id=snapshot.guild)
        return await self._request(
            Priority.NOTIFY,
            lambda: target.send(view=page.view, allowed_mentions=page.allowed_mentions, nonce=nonce[-LONGEST_NONCE:]),
            "posting a notice",
            snapshot,
        )

    async def _request(
        self, priority: Priority, call: Callable[[], Awaitable[Value]], what: str, snapshot: TableSnapshot
    ) -> Value | FailedCall:
        await self._budget.wait_for_turn(priority)
        value = await attempt_call(call(), what, table=snapshot.id)
        if isinstance(value, FailedCall) and value.trouble is CallTrouble.SHUT_OUT:
            self._budget.pause(SHUT_OUT_FOR)
        return value


class NoticeRemover:
    """Deletes outdated notices; one for the whole process."""

    def __init__(self, register: NoticeRecords, sender: Sender) -> None:
        self._register = register
        self._sender = sender

    async def delete_outdated_notice(self, snapshot: TableSnapshot, notice: SentNotice) -> None:
        """Delete the message of an outdated notice, and its record unless its turn still runs."""
        async with self._register.lock_of_person(notice.person):
            if turn_decisions.is_of_running_turn(snapshot, notice.about):
                if notice.channel is None:
                    return
                await self._register.book.store_notice(replace(notice, channel=None, message=None))
            else:
                await self._register.book.delete_notice(notice)
            await self.delete_message(snapshot, notice)

    async def delete_message(self, snapshot: TableSnapshot, notice: SentNotice | None) -> None:
        """Delete the message unless another stored notice still uses it."""
        if notice is None or notice.channel is None or notice.message is None:
            return
        others = (
            *await self._register.book.notices_of_person(notice.person),
            *await self._register.book.notices_of_table(notice.table),
        )
        if all(other.message != notice.message for other in others):
            await self._sender.delete_notice(snapshot, notice.channel, notice.message)


GoneListener: TypeAlias = Callable[[int, int], Awaitable[object]]
"""Called with a table and a person at it who has left the server."""


class TurnNoticeSender:
    """Builds turn notices and sends them. `gone` is called with persons who left the server."""

    def __init__(
        self,
        tables: TableService,
        book: NoticeRepository,
        sender: Sender,
        clock: Clock,
        gone: GoneListener | None = None,
    ) -> None:
        self._tables = tables
        self._book = book
        self._sender = sender
        self._clock = clock
        self._gone = gone
        self._failing: dict[int, int] = {}

    async def has_left(self, snapshot: TableSnapshot, person: int) -> bool:
        """Return whether the person has left the server; asks Discord if it is unknown."""
        if person in persons_known_to_have_left(snapshot):
            return True
        left = await self._sender.has_left_server(snapshot, person)
        if left and self._gone is not None:
            await self._gone(snapshot.id, person)
        return left

    async def waiting_turns(
        self, snapshot: TableSnapshot, awaited: AwaitedTurn, decision: NotifyNow
    ) -> list[tuple[TableSnapshot, AwaitedTurn]]:
        """Return the turn `awaited` and the person's other waiting turns, to be named in one message.

        Only the first notice of a turn names others. A mention names only tables of the same server.
        """
        found = [(snapshot, awaited)]
        if decision.stage is not Stage.RUNNING:
            return found
        for notice in await self._book.notices_of_person(awaited.person):
            if notice.stage != WAITING or notice.table == snapshot.id:
                continue
            other = await self._tables.reading.snapshot(notice.table)
            owed = turn_decisions.awaited_turn(other)
            same = owed is not None and (owed.person, owed.turn) == (notice.person, notice.about)
            if owed is not None and same and (decision.way is Delivery.MESSAGE or other.guild == snapshot.guild):
                found.append((other, owed))
        return found

    async def send_notice(
        self, waiting: list[tuple[TableSnapshot, AwaitedTurn]], facts: NoticeFacts, decision: NotifyNow
    ) -> tuple[int, int] | FailedCall:
        """Send the notice; return its channel and message ids.

        If the direct message fails, mention the person instead; if they do not want mentions, return the failure.
        """
        (snapshot, awaited), way = waiting[0], decision.way
        addresses = await self.message_links([one for one, _ in waiting])
        present = decision.stage is not Stage.LAST or await self._is_present(snapshot, awaited)
        nonce = f"{awaited.person % 10**6}.{snapshot.id}.{awaited.turn}.{decision.stage.value[0]}"
        if way is Delivery.MESSAGE:
            words = self._sender.words_of(snapshot, facts.wishes.language)
            page = turn_texts.turns_page(
                words, waiting, decision.stage, mention=False, addresses=addresses, present=present
            )
            sent = await self.send_direct(snapshot, awaited.person, page, nonce)
            if not isinstance(sent, FailedCall):
                return sent.channel.id, sent.id
            if not self.must_mention_instead(awaited.person, sent.trouble) or not facts.wishes.mentioned:
                return sent
            waiting = [one for one in waiting if one[0].guild == snapshot.guild]
        words = self._sender.words_of(snapshot)
        page = turn_texts.turns_page(words, waiting, decision.stage, mention=True, addresses=addresses, present=present)
        sent = await self._sender.post_mention(snapshot, page, nonce)
        return sent if isinstance(sent, FailedCall) else (sent.channel.id, sent.id)

    def must_mention_instead(self, person: int, trouble: CallTrouble) -> bool:
        """Return whether to mention the person after a direct message failed.

        True at once if direct messages cannot reach them; after other failures, once these have lasted two minutes.
        """
        if trouble in UNREACHED:
            self._failing.pop(person, None)
            return True
        return self._clock.now() - self._failing.setdefault(person, self._clock.now()) >= PATIENCE

    async def _is_present(self, snapshot: TableSnapshot, awaited: AwaitedTurn) -> bool:
        """Return whether the person, doing nothing more, will still count as present when their time runs out."""
        until = self._clock.now() if awaited.until is None else awaited.until
        return await self._tables.absence.is_present(snapshot.id, awaited.person, at=until)

    async def message_links(self, snapshots: Sequence[TableSnapshot]) -> Links:
        """Return the addresses of the tables' messages."""
        return {
            snapshot.id: links.address_of_board(snapshot, await self._tables.places.board_message(snapshot.id))
            for snapshot in snapshots
        }

    async def send_direct(
        self, snapshot: TableSnapshot, person: int, page: Page, nonce: str
    ) -> discord.Message | FailedCall:
        """Send the person a direct message, and record if they refuse those; return it, or why it failed."""
        sent = await self._sender.send_direct(snapshot, person, page, nonce)
        if not isinstance(sent, FailedCall):
            self._failing.pop(person, None)
        if isinstance(sent, FailedCall) and sent.trouble is CallTrouble.PERSON_CLOSED:
            contact = await self._book.contact(person)
            await self._book.store_contact(person, replace(contact, closed=self._clock.now()))
        return sent
