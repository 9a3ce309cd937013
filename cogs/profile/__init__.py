"""A person's settings, data, games, figures and ratings, and the leaderboard."""

from __future__ import annotations

from discord.ext import commands

from cogs.profile.commands import ProfileCommands
from cogs.profile.export_and_delete import DeleteDataControls
from cogs.profile.games_of_a_person import GamesControls
from cogs.profile.leaderboard import LeaderboardCommand
from cogs.profile.quiet_hours import QuietHoursControls
from cogs.profile.settings import SettingsControls
from cogs.profile.statistics import StatisticsCommand
from cogs.shared.serving.context import Context


def make_cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the controls of this package and return its cogs."""
    for controls in (
        SettingsControls,
        DeleteDataControls,
        QuietHoursControls,
        GamesControls,
    ):
        controls(context)
    return ProfileCommands(context), StatisticsCommand(context), LeaderboardCommand(context)
