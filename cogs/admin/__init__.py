"""The command `/setup` for a guild's settings and permission check."""

from __future__ import annotations

from discord.ext import commands

from cogs.admin.commands import SetupCommands
from cogs.shared.serving.context import Context


def make_cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the controls of this package and return its cogs."""
    return (SetupCommands(context),)
