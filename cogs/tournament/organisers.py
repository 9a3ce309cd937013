"""Who may create tournaments: the role that the server has chosen, else whoever may manage its events."""

from __future__ import annotations

import discord

from cogs.shared.door.replies import Interaction
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context


async def require_organiser(context: Context, interaction: Interaction) -> None:
    """Refuse to anybody else. Raises `InputProblem`."""
    role = (await context.servers.settings(interaction.guild_id or 0)).organiser
    user, allowed = interaction.user, interaction.permissions
    if allowed.manage_guild:
        return
    if role is None and not allowed.manage_events:
        raise InputProblem(InputCode.NOT_ORGANISER)
    if role is not None and not (isinstance(user, discord.Member) and user.get_role(role) is not None):
        raise InputProblem(InputCode.NOT_ORGANISER)
