"""Public threads of tables: members, and the message that announces a thread.

The message that announces a thread has the thread's own id, so it can always be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import discord

from bot.i18n import Words
from bot.tables.service import TableService
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import table_places
from cogs.shared.discord_api.components import SUCCESS, Page, button, button_row, page, text
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.posting.poster import ChannelClient, Poster
from cogs.shared.posting.request_budget import Priority
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.telling.explanations import host_name
from cogs.shared.telling.names import aim_text, table_rules_name

OVER: Final = (Status.FINISHED, Status.CLOSED)


def announcement_page(words: Words, snapshot: TableSnapshot) -> Page:
    """Return the public message that announces a table's thread: description and join button."""
    line = words(
        "lobby.announce",
        host=host_name(words, snapshot),
        table=snapshot.id,
        rules=table_rules_name(words, snapshot),
        players=snapshot.players,
        aim=aim_text(words, snapshot),
    )
    where = (
        words("lobby.here") if snapshot.thread is None else words("message.in_thread", thread=f"<#{snapshot.thread}>")
    )
    if snapshot.thread is not None and snapshot.settings.private_thread:
        where = words("lobby.in_private", thread=f"<#{snapshot.thread}>")
    join = button(ControlId(snapshot.id, 0, "join"), words("lobby.join"), style=SUCCESS)
    row = button_row(join if is_joinable(snapshot) else None)
    message = " ".join([where, *_status_lines(words, snapshot)])
    return page([part for part in (text(f"{line}\n{message}"), row) if part is not None])


def place_link_lines(words: Words, snapshot: TableSnapshot, interaction: Interaction) -> tuple[str, ...]:
    """Return a line that links to the table's place, or no line if the person is there already."""
    there = table_places.place_of_table(snapshot).post_channel
    return () if there == interaction.channel_id else (words("message.in_thread", thread=f"<#{there}>"),)


def is_joinable(snapshot: TableSnapshot) -> bool:
    """Return whether a person could take a seat now."""
    return snapshot.status is Status.LOBBY and not snapshot.is_full


def _status_lines(words: Words, snapshot: TableSnapshot) -> list[str]:
    """Return a line saying that the table is full, playing or over; none while a seat is free."""
    if is_joinable(snapshot):
        return []
    if snapshot.status is Status.LOBBY:
        return [words("message.full")]
    return [words("message.over" if snapshot.status in OVER else "message.playing")]


class Threads:
    """Updates the threads of tables after their boards are written.

    People are added to private threads, and threads are archived, by `cogs.shared.posting.outbox_tasks`.
    """

    def __init__(self, tables: TableService, poster: Poster, channels: ChannelClient) -> None:
        self._tables = tables
        self._poster = poster
        self._channels = channels
        self._members: dict[int, set[int]] = {}

    async def update_thread(self, snapshot: TableSnapshot, *, joined: bool) -> bool:
        """Update the thread and its announcement; `joined`: a new person may have a seat.

        Returns False if new members could not be added because Discord has not reported the thread yet.
        """
        if snapshot.thread is None:
            return True
        thread = self._thread_of(snapshot)
        if joined and thread is not None and not snapshot.settings.private_thread:
            await self._add_members(snapshot, thread)
        await self._update_announcement(snapshot)
        if snapshot.status in OVER:
            self._members.pop(snapshot.thread, None)
        return thread is not None or not joined

    def record_thread_members(self, thread: int, persons: Sequence[int]) -> None:
        """Record that a message in the thread has mentioned people, by which Discord adds them to it."""
        self._members.setdefault(thread, set()).update(persons)

    async def _add_members(self, snapshot: TableSnapshot, thread: discord.Thread) -> None:
        known = self._members.setdefault(thread.id, set())
        for person in snapshot.persons:
            if person in known:  # asked each time, since a message may mention people meanwhile
                continue
            add = partial(thread.add_user, discord.Object(person))
            await self._poster.request(Priority.EDIT, add, "adding somebody to a thread", snapshot)
            known.add(person)

    async def _update_announcement(self, snapshot: TableSnapshot) -> None:
        """Update the message that announces the thread, which offers a seat while one is free."""
        offered = (await self._tables.places.posted_messages(snapshot.id)).announced
        if snapshot.thread is None or offered in (None, is_joinable(snapshot)):
            return
        channel = self._channels.get_partial_messageable(snapshot.channel, guild_id=snapshot.guild)
        told = announcement_page(self._poster.words_of(snapshot), snapshot)
        message = channel.get_partial_message(snapshot.thread)
        edit = partial(message.edit, view=told.view, allowed_mentions=told.allowed_mentions)
        await self._poster.request(Priority.EDIT, edit, "changing an announcement", snapshot)
        await self._tables.places.record_thread_message(snapshot.id, joinable=is_joinable(snapshot))

    def _thread_of(self, snapshot: TableSnapshot) -> discord.Thread | None:
        guild = self._channels.get_guild(snapshot.guild)
        return None if guild is None or snapshot.thread is None else guild.get_thread(snapshot.thread)
