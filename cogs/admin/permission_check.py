"""Checks the bot's permissions in a guild, and describes the result and the guild's settings in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.i18n import Words
from bot.profiles.guild_settings import ServerSettings
from cogs.shared.serving import option_choices
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
"""The permissions that tables need in a channel, by Discord's names."""

IN_SERVER: Final = ("create_events",)
"""The permissions needed in the whole guild."""


@dataclass(frozen=True, slots=True)
class MissingPermission:
    """A permission that the bot lacks in these channels, or in the whole guild if there are none.

    `by_role` is set if the bot's roles lack it; otherwise the channels deny it.
    """

    permission: str
    channels: tuple[int, ...]
    by_role: bool


def missing_permissions(
    server: discord.Guild, channels: Sequence[discord.TextChannel]
) -> tuple[MissingPermission, ...]:
    """Return the permissions that the bot lacks in these channels.

    For a channel that the bot cannot see, it is only the permission to view it.
    """
    own = server.me.guild_permissions
    allowed = {channel.id: channel.permissions_for(server.me) for channel in channels}
    unseen = {channel for channel, permissions in allowed.items() if not permissions.view_channel}
    lacks = []
    for name in NEEDED:
        looked_at = allowed if name == "view_channel" else {one: allowed[one] for one in allowed if one not in unseen}
        missing = tuple(one for one, permissions in looked_at.items() if not getattr(permissions, name))
        if missing:
            lacks.append(MissingPermission(name, missing, by_role=not getattr(own, name)))
    return (*lacks, *(MissingPermission(name, (), by_role=True) for name in IN_SERVER if not getattr(own, name)))


MOST_CHANNELS: Final = 10
"""Most channels named in one line."""


def settings_text(words: Words, settings: ServerSettings, *, rules: str, open_tables: int) -> str:
    """Return text on all settings of a server.

    `rules` is its default rule set, `open_tables` the limit in force.
    """
    master = words("server.no_game_master") if settings.game_master is None else f"<@&{settings.game_master}>"
    organiser = words("server.event_managers") if settings.organiser is None else f"<@&{settings.organiser}>"
    lines = {
        "channels": channels_text(words, settings.channels) or words("server.everywhere"),
        "clock": status_text.clock_terms_text(words, settings.clock),
        "rules": rules,
        "language": option_choices.preference_value_name(words, "language", settings.language),
        "threads": option_choices.preference_value_name(words, "threads", settings.threads),
        "limits": words("server.open_tables", count=open_tables),
        "idle": words("server.idle_days", count=settings.idle),
        "game_master": master,
        "organiser": organiser,
        "pages": option_choices.preference_value_name(words, "pages", settings.pages),
        "open_seats": open_seats_text(words, settings),
    }
    told = (words("server.line", name=words(f"server.{name}"), value=value) for name, value in lines.items())
    return "\n".join([words("server.title"), *told])


def open_seats_text(words: Words, settings: ServerSettings) -> str:
    """Return text on the settings of open seats: channel, role to mention, and quiet hours."""
    if settings.open_seats is None:
        return words("server.no_open_seats")
    channel, quiet = f"<#{settings.open_seats}>", settings.quiet
    if settings.call_role is None or quiet is None:
        return words("server.open_seats_in", channel=channel)
    ends = (quiet.start + 60 * quiet.hours) % (24 * 60)
    hours = f"{quiet.start // 60:02}:{quiet.start % 60:02}–{ends // 60:02}:{ends % 60:02}"
    role = f"<@&{settings.call_role}>"
    return words("server.open_seats_call", channel=channel, role=role, hours=hours, zone=quiet.zone)


def missing_permissions_text(
    words: Words, missing: Sequence[MissingPermission], *, checked: int, role: int | None
) -> str:
    """Return text on the missing permissions and how to fix each, or that nothing is missing."""
    title = words("server_check.title", count=checked)
    if not missing:
        return f"{title}\n{words('server_check.fine')}"
    return "\n".join([title, *(_missing_permission_line(words, lack, role) for lack in missing)])


def _missing_permission_line(words: Words, missing: MissingPermission, role: int | None) -> str:
    values = {
        "permission": words(f"permission.{missing.permission}"),
        "role": words("server_check.own_role") if role is None else f"<@&{role}>",
        "channels": channels_text(words, missing.channels),
    }
    if not missing.channels:
        return words("server_check.in_server", **values)
    return words("server_check.by_role" if missing.by_role else "server_check.by_channel", **values)


def channels_text(words: Words, channels: Sequence[int]) -> str:
    """Return links to the channels, or only to the first ones if there are too many."""
    text = ", ".join(f"<#{channel}>" for channel in channels[:MOST_CHANNELS])
    more = len(channels) - MOST_CHANNELS
    return words("server.more_channels", channels=text, count=more) if more > 0 else text
