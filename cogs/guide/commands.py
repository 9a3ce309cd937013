"""`/help`: how to begin, in a few sentences."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.shared import replies
from cogs.shared.errors import answered
from cogs.shared.replies import Interaction


class GuideCommands(commands.Cog):
    """`/help`."""

    @app_commands.command(description="How to play Canasta here")
    async def help(self, interaction: Interaction) -> None:
        async with answered(interaction):
            words = replies.words_for(interaction)
            await replies.say(
                interaction,
                words("help.title"),
                words("help.start"),
                words("help.play"),
                words("help.commands"),
                words("help.cards"),
                words("help.fair"),
                words("help.privacy"),
            )
