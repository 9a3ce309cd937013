"""Checks before `/setup open-seats`: permissions for the channel and the role, and quiet hours."""

from __future__ import annotations

import discord

from bot.clocks.quiet_hours import LONGEST, QuietWindow, UnknownZone, normalise_zone
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.interactions import Interaction, PermissionProblem
from cogs.shared.posting.open_seats_message import NEEDED
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import parse_hours

USUAL: tuple[int, int] = (22 * 60, 10)
"""Default quiet hours of a server: their start in minutes after midnight, and their length in hours."""


def require_permission_to_post(server: discord.Guild, channel: int) -> None:
    """Raise `PermissionProblem` if the bot may not post in the channel, `InputProblem` if it was deleted."""
    found = server.get_channel(channel)
    if not isinstance(found, discord.TextChannel):
        raise InputProblem(InputCode.NOT_A_CHANNEL)
    allowed = found.permissions_for(server.me)
    missing = tuple(name for name in NEEDED if not getattr(allowed, name))
    if missing:
        raise PermissionProblem(channel, missing)


def require_mentionable_role(server: discord.Guild, role: discord.Role, channel: int) -> None:
    """Raise `InputProblem` if open seats cannot use this role.

    Members must be able to get the role by a button, and the bot must be able to mention it in the channel.
    """
    detail = {"role": role.id}
    if role.is_default() or role.managed or role.permissions.value & ~server.default_role.permissions.value:
        raise InputProblem(InputCode.ROLE_WITH_RIGHTS, detail)
    if not server.me.guild_permissions.manage_roles or role >= server.me.top_role:
        raise InputProblem(InputCode.ROLE_TOO_HIGH, detail)
    found = server.get_channel(channel)
    may_mention = found is not None and found.permissions_for(server.me).mention_everyone
    if not role.mentionable and not may_mention:
        raise InputProblem(InputCode.ROLE_NOT_CALLABLE, {**detail, "channel": channel})


def merge_typed_quiet_hours(
    interaction: Interaction, stored: QuietWindow | None, hours: str | None, zone: str | None
) -> QuietWindow | None:
    """Return the server's quiet hours with the typed changes; None if it has no time zone yet.

    Raises `InputProblem`: zone_first, unknown_zone, no_zone_like, no_hours, too_many_hours.
    """
    name = None if stored is None else stored.zone
    if zone is not None:
        try:
            name = normalise_zone(zone)
        except UnknownZone as unknown:
            if not unknown.near:
                raise InputProblem(InputCode.NO_ZONE_LIKE, {"zone": zone[:40]}) from None
            raise InputProblem(InputCode.UNKNOWN_ZONE, {"zone": zone[:40], "near": ", ".join(unknown.near)}) from None
    if name is None:
        if hours is not None:
            raise InputProblem(InputCode.SERVER_ZONE_FIRST)
        return None
    start, length = USUAL if stored is None else (stored.start, stored.hours)
    if hours is not None:
        found = parse_hours(hours, interactions.vocabulary_for(interaction))
        if found is None:
            raise InputProblem(InputCode.NO_HOURS, {"text": hours[:40]})
        if found[1] > LONGEST:
            raise InputProblem(InputCode.TOO_MANY_HOURS, {"hours": found[1], "most": LONGEST})
        start, length = found
    return QuietWindow(name, start, length)
