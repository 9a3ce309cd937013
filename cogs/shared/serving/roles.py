"""Roles of people in a guild: manager, event manager, game master."""

from __future__ import annotations

import discord

from bot.tables.masters.interventions import ServerRole
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context


async def role_of(context: Context, interaction: Interaction) -> ServerRole:
    """Return whether the person may manage the guild and whether they are a game master."""
    server = await context.servers.settings(interaction.guild_id or 0)
    user, role = interaction.user, server.game_master
    master = role is not None and isinstance(user, discord.Member) and user.get_role(role) is not None
    return ServerRole(moderator=interaction.permissions.manage_guild, master=master)


async def require_game_master(context: Context, interaction: Interaction) -> None:
    """Raise `InputProblem` unless the person is a game master."""
    if not (await role_of(context, interaction)).master:
        raise InputProblem(InputCode.NOT_MASTER)


def require_manager(interaction: Interaction) -> None:
    """Raise `InputProblem` unless the person may manage the guild."""
    if not interaction.permissions.manage_guild:
        raise InputProblem(InputCode.NOT_MANAGER)


def may_become_director(interaction: Interaction, *, is_judged: bool) -> bool:
    """Return whether the person may act as a tournament's director without being one.

    Server managers may, and event managers too unless the tournament `is_judged`: has a director who does not play in
    it.
    """
    allowed = interaction.permissions
    return allowed.manage_guild or (allowed.manage_events and not is_judged)
