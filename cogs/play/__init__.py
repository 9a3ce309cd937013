"""Playing: commands, the private panel, prepared turns, and the referee."""

from __future__ import annotations

from discord.ext import commands

from cogs.play.commands import PlayCommands
from cogs.play.controls import PanelControls
from cogs.play.draft_controls import DraftControls
from cogs.play.draw_and_take import DrawingControls
from cogs.play.premoves import PremoveControls
from cogs.play.referee import RefereeCommands
from cogs.shared.serving.context import Context


def cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the feature's controls, and return its commands."""
    for controls in (
        PanelControls,
        DraftControls,
        DrawingControls,
        PremoveControls,
    ):
        controls(context)
    return PlayCommands(context), RefereeCommands(context)
