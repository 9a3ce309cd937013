"""Series: commands, the form that repeats a tournament, the hosts' desk, and buttons under messages."""

from __future__ import annotations

from discord.ext import commands

from cogs.series.commands import SeriesCommands
from cogs.series.controls import SeriesControls
from cogs.series.desk import SeriesDeskControls
from cogs.series.fault_messages import SeriesFaultControls
from cogs.series.repeat_button import RepeatControls
from cogs.shared.serving.context import Context


def make_cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the controls of this package and return its cogs."""
    for controls in (SeriesControls, SeriesDeskControls, RepeatControls, SeriesFaultControls):
        controls(context)
    return (SeriesCommands(context),)
