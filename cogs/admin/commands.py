"""`/setup …`: what those who manage a server choose for it."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.profiles.service import UnknownChoice
from cogs.shared.interactions import choices, places, replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.errors import answered
from cogs.shared.interactions.inputs import InputCode, InputProblem
from cogs.shared.interactions.replies import Interaction


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class SetupCommands(commands.GroupCog, group_name="setup"):
    """The group `/setup`; Discord offers it to those who may manage the server, and that is checked again."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @app_commands.command(name="theme")
    @app_commands.choices(theme=choices.offered("theme"), deck=choices.offered("deck"))
    async def theme(self, interaction: Interaction, theme: str | None = None, deck: str | None = None) -> None:
        async with answered(interaction):
            if not interaction.permissions.manage_guild:
                raise InputProblem(InputCode.NOT_MANAGER)
            guild = places.of_interaction(interaction).guild
            values = {name: value for name, value in (("theme", theme), ("deck", deck)) if value is not None}
            words = replies.words_for(interaction)
            try:
                chosen = await self.context.profiles.choose_for_server(guild, values)
            except UnknownChoice:
                raise InputProblem(InputCode.OLD_CONTROL) from None
            named = {name: choices.value_name(words, name, getattr(chosen, name)) for name in ("theme", "deck")}
            await replies.say(interaction, words("settings.server", **named))
            for table in await self.context.tables.open_in(guild) if values else ():
                self.context.presenter.mark(table.id, again=True)
