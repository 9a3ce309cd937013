"""The place of a table on Discord, and the bot's permissions there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import discord

from bot.tables.state.snapshots import TableRef, TableSnapshot
from cogs.shared.discord_api.interactions import Interaction, PermissionProblem
from cogs.shared.reading.input_problems import InputCode, InputProblem

_EVERYWHERE: Final = ("view_channel", "embed_links", "attach_files", "read_message_history")


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, or a thread in it."""

    guild: int
    channel: int
    thread: int | None

    @property
    def post_channel(self) -> int:
        """The channel or thread that messages are sent to."""
        return self.thread or self.channel


def place_of_table(table: TableSnapshot | TableRef) -> Place:
    """Return the channel and thread of a table."""
    return Place(table.guild, table.channel, table.thread)


def place_of_interaction(interaction: Interaction) -> Place:
    """Return the channel or thread of an interaction. Raises `InputProblem` outside a server."""
    channel = interaction.channel
    if interaction.guild_id is None or channel is None:
        raise InputProblem(InputCode.IN_SERVER_ONLY)
    if isinstance(channel, discord.Thread):
        return Place(interaction.guild_id, channel.parent_id, channel.id)
    return Place(interaction.guild_id, channel.id, None)


def needed_permissions(*, thread: bool) -> tuple[str, ...]:
    """Return the Discord names of the permissions that the bot needs in the place of a table."""
    return (*_EVERYWHERE[:1], "send_messages_in_threads" if thread else "send_messages", *_EVERYWHERE[1:])


def require_permissions(interaction: Interaction) -> None:
    """Raise `PermissionProblem` if the bot lacks permissions a table needs."""
    place = place_of_interaction(interaction)
    allowed = interaction.app_permissions
    missing = tuple(name for name in needed_permissions(thread=place.thread is not None) if not getattr(allowed, name))
    if missing:
        raise PermissionProblem(place.post_channel, missing)


def may_open_threads(interaction: Interaction, *, private: bool = False) -> bool:
    """Return whether a table opened here can have its own thread, private or public."""
    allowed = interaction.app_permissions
    in_text_channel = isinstance(interaction.channel, discord.TextChannel)
    may = allowed.create_private_threads if private else allowed.create_public_threads
    return in_text_channel and may and allowed.send_messages_in_threads
