"""Tables: their commands, and the controls of the lobby and the board."""

from __future__ import annotations

from discord.ext import commands

from cogs.shared.serving.context import Context
from cogs.table.absence_controls import AbsenceControls
from cogs.table.board_controls import BoardControls, MoreControls, WordControls
from cogs.table.clock import ClockControls
from cogs.table.commands import TableCommands
from cogs.table.confirmations import Askers
from cogs.table.consent_controls import ConsentControls
from cogs.table.game_picker import PickerControls
from cogs.table.lobby_controls import LobbyControls
from cogs.table.options.house_rules_controls import OptionsControls
from cogs.table.options.themes_controls import ThemesControls
from cogs.table.rules import RulesCommands, RulesControls
from cogs.table.setup import SetupControls
from cogs.table.sheet_controls import SheetControls


def cogs(context: Context) -> tuple[commands.Cog, ...]:
    """Register the feature's controls, and return its commands."""
    for controls in (
        BoardControls,
        SheetControls,
        LobbyControls,
        SetupControls,
        ClockControls,
        AbsenceControls,
        OptionsControls,
        PickerControls,
        RulesControls,
        ThemesControls,
        WordControls,
        MoreControls,
    ):
        controls(context)
    askers = Askers()
    ConsentControls(context, askers)
    return TableCommands(context, askers), RulesCommands(context)
