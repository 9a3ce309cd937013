"""A server's settings, and what its check found, in words.

What the bot lacks in a server and in its channels, by Discord's own numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.i18n import Words
from bot.profiles.guilds import ServerSettings
from cogs.shared.serving import choices
from cogs.shared.telling import status_text

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


MOST_CHANNELS: Final = 10
"""Channels that one line names."""


def settings_text(words: Words, settings: ServerSettings, *, rules: str, open_tables: int) -> str:
    """All that a server has chosen; `rules` is the name of its usual rules, `open_tables` how many hold."""
    master = words("server.no_game_master") if settings.game_master is None else f"<@&{settings.game_master}>"
    organiser = words("server.event_managers") if settings.organiser is None else f"<@&{settings.organiser}>"
    lines = {
        "channels": channels_text(words, settings.channels) or words("server.everywhere"),
        "clock": status_text.terms_text(words, settings.clock),
        "rules": rules,
        "language": choices.value_name(words, "language", settings.language),
        "threads": choices.value_name(words, "threads", settings.threads),
        "limits": words("server.open_tables", count=open_tables),
        "idle": words("server.idle_days", count=settings.idle),
        "game_master": master,
        "organiser": organiser,
    }
    told = (words("server.line", name=words(f"server.{name}"), value=value) for name, value in lines.items())
    return "\n".join([words("server.title"), *told])


def check_text(words: Words, lacks: Sequence[Lack], *, checked: int, role: int | None) -> str:
    """What is missing, each with its repair, or that nothing is."""
    title = words("server_check.title", count=checked)
    if not lacks:
        return f"{title}\n{words('server_check.fine')}"
    return "\n".join([title, *(_lack(words, lack, role) for lack in lacks)])


def _lack(words: Words, lack: Lack, role: int | None) -> str:
    values = {
        "permission": words(f"permission.{lack.permission}"),
        "role": words("server_check.own_role") if role is None else f"<@&{role}>",
        "channels": channels_text(words, lack.channels),
    }
    if not lack.channels:
        return words("server_check.in_server", **values)
    return words("server_check.by_role" if lack.by_role else "server_check.by_channel", **values)


def channels_text(words: Words, channels: Sequence[int]) -> str:
    """Channels that their readers can press on; of many only some."""
    told = ", ".join(f"<#{channel}>" for channel in channels[:MOST_CHANNELS])
    more = len(channels) - MOST_CHANNELS
    return words("server.more_channels", channels=told, count=more) if more > 0 else told
