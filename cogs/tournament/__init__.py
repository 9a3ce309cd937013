"""Tournaments: commands, the wizard that plans them, the directors' desk, and ladders."""

from __future__ import annotations

from discord.ext import commands

from cogs.shared.serving.context import Context
from cogs.tournament.commands import TournamentCommands
from cogs.tournament.controls import TournamentControls
from cogs.tournament.desk.opening import DeskOpening
from cogs.tournament.fault_messages import FaultControls
from cogs.tournament.ladder import LadderControls
from cogs.tournament.players.match_times import TimesControls
from cogs.tournament.players.rosters import RosterControls
from cogs.tournament.wizard.controls import WizardControls


def make_cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the controls of this package and return its cogs."""
    for controls in (
        TournamentControls,
        LadderControls,
        TimesControls,
        RosterControls,
        FaultControls,
    ):
        controls(context)
    return (TournamentCommands(context, WizardControls(context), DeskOpening(context)),)
