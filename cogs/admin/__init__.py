"""The settings of a server."""

from __future__ import annotations

from discord.ext import commands

from cogs.admin.commands import SetupCommands
from cogs.shared.serving.context import Context


def cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the feature's controls, and return its commands."""
    return (SetupCommands(context),)
