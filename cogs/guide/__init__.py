"""The commands `/help` and `/learn`."""

from __future__ import annotations

from discord.ext import commands

from cogs.guide.help import GuideCommands
from cogs.guide.learn import LearnCommands
from cogs.shared.serving.context import Context


def make_cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the controls of this package and return its cogs."""
    return (LearnCommands(context), GuideCommands(context))
