"""The tools for playing: commands, private panel, prepared turns and `/referee`."""

from __future__ import annotations

from discord.ext import commands

from cogs.play.commands import PlayCommands
from cogs.play.draft_controls import DraftControls
from cogs.play.draw_and_take import DrawAndTakeControls
from cogs.play.hint_button import HintControls
from cogs.play.panel_controls import PanelControls
from cogs.play.premoves import PremoveControls
from cogs.play.referee import RefereeCommands
from cogs.play.review_button import ReviewControls
from cogs.shared.serving.context import Context


def make_cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the controls of this package and return its cogs."""
    for controls in (
        PanelControls,
        DraftControls,
        DrawAndTakeControls,
        PremoveControls,
        HintControls,
        ReviewControls,
    ):
        controls(context)
    return PlayCommands(context), RefereeCommands(context)
