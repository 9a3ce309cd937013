"""Keeps each server's message of open seats up to date, and calls the members who want to be called.

Every change of a lobby marks its server. A marked server's message is written at most once in five seconds, after
boards. Like a board it is posted again when it is too old to edit, when it was deleted, and when it calls members.
There is never a second message, and a call disappears with the next change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import discord

from bot.clocks.clock import HOUR, MINUTE, SECOND, Clock
from bot.i18n import Words, words
from bot.profiles.guild_settings import ServerSettings, ServerSettingsService
from bot.tables.open_seats import OpenSeatsRow
from bot.tables.service import TableService
from bot.tables.state.snapshots import TableChanged, TableSnapshot
from cogs.shared.discord_api.components import Page, text_page
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.posting.direct_messages import DirectMessages
from cogs.shared.posting.edit_schedule import PASSING, YOUNG
from cogs.shared.posting.poster import SHUT_OUT_FOR, ChannelClient
from cogs.shared.posting.request_budget import Budget, Priority
from cogs.shared.posting.update_queue import UpdateQueue
from cogs.shared.reading.custom_ids import LONGEST_NONCE
from cogs.shared.showing.open_seats_page import open_seats_page, role_mention_text

BETWEEN: Final = 5 * SECOND
"""Shortest time between two writes of one message, in milliseconds."""

CALLED_AFTER: Final = MINUTE
"""How long a lobby waits before members are called for it, in milliseconds: friends often fill it at once."""

CALLED_WITHIN: Final = HOUR
"""Age of a lobby up to which members are called for it, in milliseconds."""

CALLS_APART: Final = HOUR
"""Shortest time between two calls in a server, in milliseconds."""

NEEDED: Final = ("view_channel", "send_messages", "read_message_history")
"""The permissions that the message needs in its channel, by Discord's names."""

_GONE: Final = (CallTrouble.MESSAGE_GONE, CallTrouble.CHANNEL_GONE, CallTrouble.TOO_OLD)

Value = TypeVar("Value")


class OpenSeatsMessages:
    """Writes each server's message of open seats; one object for the whole process."""

    def __init__(
        self,
        tables: TableService,
        servers: ServerSettingsService,
        client: ChannelClient,
        *,
        clock: Clock,
        budget: Budget,
        direct: DirectMessages,
    ) -> None:
        self._tables = tables
        self._servers = servers
        self._client = client
        self._clock = clock
        self._budget = budget
        self._direct = direct
        self._guilds: set[int] = set()
        self._listed: dict[int, int] = {}
        self._not_before: dict[int, int] = {}
        self._shown: dict[int, str] = {}
        self._queue = UpdateQueue(self._update_message, clock=clock, subject="server")

    def on_change(self, change: TableChanged) -> None:
        """Request an update for the server of a changed lobby; the table service calls this after each change."""
        guild = change.lobby_of or self._listed.get(change.table, 0)
        if guild in self._guilds:
            self.request_update(guild)

    def request_update(self, guild: int) -> None:
        """Have the server's message of open seats written soon."""
        self._queue.request_update(guild)

    async def update_message_at_once(self, guild: int, person: int) -> None:
        """Write the server's message at once, and report faults to `person`, who changed its settings."""
        row, settings = await self._tables.open_seats.posted_list(guild), await self._servers.settings(guild)
        if settings.open_seats is not None:
            known = row or OpenSeatsRow(guild, person, settings.open_seats)
            await self._tables.open_seats.store_posted_list(replace(known, chosen_by=person, fault=""))
            self._guilds.add(guild)
        self._not_before.pop(guild, None)
        self._shown.pop(guild, None)
        self.request_update(guild)

    async def toggle_role(self, member: discord.Member, role: int) -> bool | FailedCall:
        """Give the member the role that is mentioned for open seats, or take it away if they have it.

        Return whether they have it now, or why Discord refused.
        """
        has, wanted = member.get_role(role) is not None, discord.Object(role)
        call = member.remove_roles if has else member.add_roles
        done = await self._request(Priority.EDIT, lambda: call(wanted, reason="/setup open-seats"), "changing a role")
        return done if isinstance(done, FailedCall) else not has

    def start(self) -> asyncio.Task[None]:
        """Start and return the timer's task; nothing is written before `begin`."""
        return self._queue.start()

    async def begin(self) -> None:
        """Begin to write, and write every message again: some may have been deleted meanwhile."""
        self._guilds.update(await self._tables.open_seats.guilds_with_posted_list())
        self._queue.begin(self._guilds)

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being written, except what is scheduled for later."""
        await self._queue.wait_until_idle()

    async def close(self) -> None:
        """Finish the writes under way and start no others."""
        await self._queue.close()

    # --- one server

    async def _update_message(self, guild: int) -> int | None:
        """Write the server's message unless it was just written; return when to check it again, or None."""
        earliest = self._not_before.get(guild, 0)
        return earliest if self._clock.now() < earliest else await self._write_message_if_changed(guild)

    async def _write_message_if_changed(self, guild: int) -> int | None:
        """Write the server's message if it differs; return when to check it again.

        None: not before the next change.
        """
        settings, row = await self._servers.settings(guild), await self._tables.open_seats.posted_list(guild)
        if row is None:
            return None
        server = self._client.get_guild(guild)
        if settings.open_seats is None:
            self._guilds.discard(guild)
            await self._remove_message(row)
            await self._tables.open_seats.forget_posted_list(guild)
            return None
        if server is None:
            return None
        snapshots = self._listable_tables(server, settings.open_seats, await self._tables.open_seats.lobbies(guild))
        self._listed = {table: of for table, of in self._listed.items() if of != guild}
        self._listed |= {snapshot.id: guild for snapshot in snapshots}
        role = None if settings.call_role is None else server.get_role(settings.call_role)
        fault = "" if settings.call_role is None else _role_mention_fault(server, settings.open_seats, role)
        called, again = await self._due_role_mention(settings, snapshots, callable_=role is not None and not fault)
        failed = await self._write_message(row, settings.open_seats, snapshots, role=role, called=called)
        now = self._clock.now()
        if isinstance(failed, FailedCall):
            lasting = failed.trouble not in PASSING
            if lasting:
                await self._report_fault(guild, "channel")
            self._not_before[guild] = now + (HOUR if lasting else MINUTE)
            return self._not_before[guild]
        if failed:
            self._not_before[guild] = now + BETWEEN
        await self._report_fault(guild, fault)
        return again

    def _listable_tables(
        self, server: discord.Guild, channel: int, snapshots: Sequence[TableSnapshot]
    ) -> tuple[TableSnapshot, ...]:
        """Return the lobbies whose channels are visible to everyone who sees the message."""
        here, seen = server.get_channel(channel), {channel: True}
        for snapshot in snapshots:
            if snapshot.channel not in seen:
                there = server.get_channel(snapshot.channel)
                seen[snapshot.channel] = here is None or (
                    there is not None and _can_all_readers_see(server, here, there)
                )
        return tuple(snapshot for snapshot in snapshots if seen[snapshot.channel])

    async def _due_role_mention(
        self, settings: ServerSettings, snapshots: Sequence[TableSnapshot], *, callable_: bool
    ) -> tuple[TableSnapshot | None, int | None]:
        """Return the lobby for which to mention the role now, else when one may become due (UTC milliseconds).

        At least one of the two results is None.
        """
        now, quiet = self._clock.now(), settings.quiet
        if not callable_ or quiet is None or not snapshots:
            return None, None
        calls = await self._tables.open_seats.recent_lobby_calls(snapshots[0].guild)
        known = {one.table for one in calls}
        young = [
            snapshot for snapshot in snapshots if snapshot.id not in known and now < snapshot.created_at + CALLED_WITHIN
        ]
        if not young:
            return None, None
        oldest = min(young, key=lambda snapshot: (snapshot.created_at, snapshot.id))
        nights = [end for start, end in quiet.spans(now, now + 1) if start <= now < end]
        allowed = max(oldest.created_at + CALLED_AFTER, *(one.at + CALLS_APART for one in calls[-1:]), *nights, 0)
        return (oldest, None) if allowed <= now else (None, allowed)

    async def _write_message(
        self,
        row: OpenSeatsRow,
        channel: int,
        snapshots: Sequence[TableSnapshot],
        *,
        role: discord.Role | None,
        called: TableSnapshot | None,
    ) -> bool | FailedCall:
        """Post or edit the message; return whether that was necessary, or why it failed."""
        guild, now = row.guild, self._clock.now()
        catalogue = self._words_of(guild)
        call = "" if called is None or role is None else role_mention_text(catalogue, called, role.id)
        page = open_seats_page(catalogue, snapshots, has_role_button=role is not None, role_mention=call)
        looked = _text_to_compare(page)
        stays = row.message is not None and row.channel == channel and now - row.posted_at <= YOUNG
        if stays and not call and self._shown.get(guild) == looked:
            return False
        if stays and not call:
            edited = await self._edit_message(row, page)
            if not isinstance(edited, FailedCall):
                self._shown[guild] = looked
                return True
            if edited.trouble not in _GONE:
                return edited
        if called is not None and role is not None:
            await self._tables.open_seats.record_lobby_call(guild, called.id)
        posted = await self._post_message(row, channel, page, role=role if call else None)
        if isinstance(posted, FailedCall):
            return posted
        # The next write removes the call, so what is shown now counts as different.
        self._shown[guild] = "" if call else looked
        return True

    async def _edit_message(self, row: OpenSeatsRow, page: Page) -> discord.Message | FailedCall:
        message = self._messageable_channel(row.channel, row.guild).get_partial_message(row.message or 0)
        silent = discord.AllowedMentions.none()
        return await self._request(
            Priority.MEND, lambda: message.edit(view=page.view, allowed_mentions=silent), "editing open seats"
        )

    async def _post_message(
        self, row: OpenSeatsRow, channel: int, page: Page, *, role: discord.Role | None
    ) -> discord.Message | FailedCall:
        """Post the message and delete the previous one; return it, or why it failed.

        A request repeated after a crash makes no second message.
        """
        sending = row.sending_at or self._clock.now()
        await self._tables.open_seats.store_posted_list(replace(row, sending_at=sending))
        target, nonce = self._messageable_channel(channel, row.guild), f"o{row.guild % 10**9}.{sending}"
        allowed = discord.AllowedMentions(
            everyone=False, users=False, replied_user=False, roles=False if role is None else [role]
        )
        posted = await self._request(
            Priority.MEND if role is None else Priority.NOTIFY,
            lambda: target.send(
                view=page.view, allowed_mentions=allowed, silent=role is None, nonce=nonce[-LONGEST_NONCE:]
            ),
            "posting open seats",
        )
        if isinstance(posted, FailedCall):
            return posted
        after = replace(row, channel=channel, message=posted.id, posted_at=self._clock.now(), sending_at=None)
        await self._tables.open_seats.store_posted_list(after)
        if row.message != posted.id:
            await self._remove_message(row)
        return posted

    async def _remove_message(self, row: OpenSeatsRow) -> None:
        """Delete the message, if there is one."""
        if row.message is not None:
            message = self._messageable_channel(row.channel, row.guild).get_partial_message(row.message)
            await self._request(Priority.DELETE, message.delete, "removing open seats")

    async def _report_fault(self, guild: int, fault: str) -> None:
        """Report a lasting fault once to the person who set up the message; "" means that the fault is over."""
        row = await self._tables.open_seats.posted_list(guild)
        if row is None or row.fault == fault:
            return
        await self._tables.open_seats.store_posted_list(replace(row, fault=fault))
        server = self._client.get_guild(guild)
        if fault and row.chosen_by and server is not None:
            text = self._words_of(guild)(f"open_seats_fault.{fault}", server=server.name, channel=f"<#{row.channel}>")
            nonce = f"of{guild % 10**8}.{self._clock.now()}"
            await self._direct.send(row.chosen_by, text_page(text), nonce, opens=True)

    def _words_of(self, guild: int) -> Words:
        """Return the catalogue of the server: the chosen language, else Discord's setting."""
        server = self._client.get_guild(guild)
        return words(self._servers.locale(guild) or (None if server is None else str(server.preferred_locale)))

    def _messageable_channel(self, channel: int, guild: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel, guild_id=guild)

    async def _request(self, priority: Priority, call: Callable[[], Awaitable[Value]], what: str) -> Value | FailedCall:
        """Return the result of the call, sent when the budget allows, or why it failed."""
        await self._budget.wait_for_turn(priority)
        value = await attempt_call(call(), what)
        if isinstance(value, FailedCall) and value.trouble is CallTrouble.SHUT_OUT:
            self._budget.pause(SHUT_OUT_FOR)
        return value


def _role_mention_fault(server: discord.Guild, channel: int, role: discord.Role | None) -> str:
    """Return why the role cannot be mentioned: it was deleted, or mentions are forbidden; "" if it can be."""
    here = server.get_channel(channel)
    if role is None or here is None or role.mentionable or here.permissions_for(server.me).mention_everyone:
        return "role" if role is None else ""
    return "mention"


def _can_all_readers_see(
    server: discord.Guild, message_channel: discord.abc.GuildChannel, table_channel: discord.abc.GuildChannel
) -> bool:
    """Return whether every role that sees the channel `message_channel` sees `table_channel` too."""
    return all(
        table_channel.permissions_for(role).view_channel
        for role in server.roles
        if message_channel.permissions_for(role).view_channel
    )


def _text_to_compare(page: Page) -> str:
    """Return a text that differs for messages that look different."""
    return repr(page.view.to_components())  # type: ignore[no-untyped-call]
