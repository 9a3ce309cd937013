"""What a person chooses and has achieved."""

from __future__ import annotations

from discord.ext import commands

from cogs.profile.commands import ProfileCommands
from cogs.profile.data import DataControls
from cogs.profile.figures import FiguresCommand
from cogs.profile.games import GamesControls
from cogs.profile.leaderboard import LeaderboardCommand
from cogs.profile.quiet_hours import QuietControls
from cogs.profile.settings import SettingsControls
from cogs.shared.serving.context import Context


def cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the feature's controls, and return its commands."""
    for controls in (
        SettingsControls,
        DataControls,
        QuietControls,
        GamesControls,
    ):
        controls(context)
    return ProfileCommands(context), FiguresCommand(context), LeaderboardCommand(context)
