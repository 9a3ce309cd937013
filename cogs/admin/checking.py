"""What the bot lacks in a server and in its channels, by Discord's own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord

NEEDED: Final = (
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "create_public_threads",
    "create_private_threads",
    "send_messages_in_threads",
    "manage_threads",
)
"""What tables need in a channel, by Discord's names."""

IN_SERVER: Final = ("create_events",)
"""What is needed in the server as a whole."""


@dataclass(frozen=True, slots=True)
class Lack:
    """A permission that is missing in these channels, or in the server as a whole where none is named.

    `by_role` tells that the bot's roles lack it; otherwise the channels themselves deny it.
    """

    permission: str
    channels: tuple[int, ...]
    by_role: bool


def check(server: discord.Guild, channels: Sequence[discord.TextChannel]) -> tuple[Lack, ...]:
    """What the bot lacks in these channels of a server. In a channel that it cannot see nothing else is looked at."""
    own = server.me.guild_permissions
    allowed = {channel.id: channel.permissions_for(server.me) for channel in channels}
    unseen = {channel for channel, permissions in allowed.items() if not permissions.view_channel}
    lacks = []
    for name in NEEDED:
        looked_at = allowed if name == "view_channel" else {one: allowed[one] for one in allowed if one not in unseen}
        missing = tuple(one for one, permissions in looked_at.items() if not getattr(permissions, name))
        if missing:
            lacks.append(Lack(name, missing, by_role=not getattr(own, name)))
    return (*lacks, *(Lack(name, (), by_role=True) for name in IN_SERVER if not getattr(own, name)))
