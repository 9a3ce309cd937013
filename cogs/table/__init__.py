"""The commands about tables and rules, and the controls of the lobby, the board and their panels."""

from __future__ import annotations

from discord.ext import commands

from cogs.shared.serving.context import Context
from cogs.table.absence_controls import AbsenceControls
from cogs.table.board_controls import BoardControls, MoreMenuControls, ShuffleWordControls
from cogs.table.clock_controls import ClockControls
from cogs.table.commands import TableCommands
from cogs.table.consent_controls import ConsentControls
from cogs.table.game_picker import RuleSetPickerControls
from cogs.table.lobby_controls import LobbyControls
from cogs.table.master_commands import MasterCommands
from cogs.table.options.house_rules_controls import HouseRulesControls
from cogs.table.options.theme_controls import ThemesControls
from cogs.table.play_command import PlayCommand
from cogs.table.proposal_interactions import ProposalInteractions
from cogs.table.rules import RulesCommands, RulesControls
from cogs.table.score_sheet_controls import ScoreSheetControls
from cogs.table.setup import SetupControls


def make_cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the controls of this package and return its cogs."""
    for controls in (
        BoardControls,
        ScoreSheetControls,
        LobbyControls,
        SetupControls,
        ClockControls,
        AbsenceControls,
        HouseRulesControls,
        RuleSetPickerControls,
        RulesControls,
        ThemesControls,
        ShuffleWordControls,
        MoreMenuControls,
    ):
        controls(context)
    proposers = ProposalInteractions()
    ConsentControls(context, proposers)
    return PlayCommand(context), TableCommands(context, proposers), MasterCommands(context), RulesCommands(context)
