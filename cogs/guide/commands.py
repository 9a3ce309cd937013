"""`/help`: how the game goes, one's first turn, long games, and every command."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.guide.guide_pages import ACTION, MINUTE, PAGES, help_page
from cogs.shared.door import replies
from cogs.shared.door.answering import answered
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context


class GuideCommands(commands.Cog):
    """`/help`, and the buttons that turn its pages."""

    def __init__(self, context: Context) -> None:
        context.router.add(ACTION, self.turn)

    @app_commands.command()
    async def help(self, interaction: Interaction) -> None:
        async with answered(interaction):
            await self._show(interaction, MINUTE)

    async def turn(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        if control.argument not in PAGES:
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._show(interaction, control.argument, update=True)

    async def _show(self, interaction: Interaction, shown: str, *, update: bool = False) -> None:
        words, tree = replies.words_for(interaction), interaction.client.tree
        await replies.show(interaction, help_page(words, tree.walk_commands(), shown), update=update)
