"""Replays, records and logs of finished deals."""

from __future__ import annotations

from discord.ext import commands

from cogs.past.commands import PastCommands
from cogs.past.controls import PastControls
from cogs.shared.serving.context import Context


def make_cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the controls of this package and return its cogs."""
    PastControls(context)
    return (PastCommands(context),)
