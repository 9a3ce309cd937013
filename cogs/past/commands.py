"""The commands `/replay` and `/record`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.past.pages import record_page
from cogs.past.replay_frame import ReplayPlace
from cogs.past.show_frame import show_frame
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems
from cogs.shared.serving import which_table
from cogs.shared.serving.context import Context


class PastCommands(commands.Cog):
    """The commands with which anyone in the guild can look at finished deals; each answer is private."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables

    @app_commands.command()
    @app_commands.guild_only()
    async def replay(
        self, interaction: Interaction, table: str | None = None, deal: int | None = None, turn: int | None = None
    ) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_past_table(self.tables, interaction, table)
            replay = await self.tables.past.replay(number, deal, person=interaction.user.id, guild=interaction.guild_id)
            await show_frame(self.context, interaction, replay, ReplayPlace(replay.deal, turn or 0))

    @app_commands.command()
    @app_commands.guild_only()
    async def record(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_past_table(self.tables, interaction, table)
            game = await self.tables.past.game_file(number, person=interaction.user.id, guild=interaction.guild_id)
            await interactions.show_page(
                interaction, record_page(interactions.words_for(interaction), game.logs[0].snapshot, game)
            )

    @replay.autocomplete("table")
    @record.autocomplete("table")
    async def suggest_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            found = await which_table.past_table_choices(self.tables, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]
