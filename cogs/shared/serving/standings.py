"""What somebody is in a server beside a player: one who may manage it, a game master."""

from __future__ import annotations

import discord

from bot.tables.mastering import ServerRole
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context


async def standing_of(context: Context, interaction: Interaction) -> ServerRole:
    """Whether the person who asks may manage the server, and whether it is one of its game masters."""
    server = await context.servers.settings(interaction.guild_id or 0)
    user, role = interaction.user, server.game_master
    master = role is not None and isinstance(user, discord.Member) and user.get_role(role) is not None
    return ServerRole(moderator=interaction.permissions.manage_guild, master=master)


async def require_master(context: Context, interaction: Interaction) -> None:
    """Refuse to anybody but game masters. Raises `InputProblem`."""
    if not (await standing_of(context, interaction)).master:
        raise InputProblem(InputCode.NOT_MASTER)


def require_manager(interaction: Interaction) -> None:
    """Refuse to anybody but those who may manage the server. Raises `InputProblem`."""
    if not interaction.permissions.manage_guild:
        raise InputProblem(InputCode.NOT_MANAGER)
