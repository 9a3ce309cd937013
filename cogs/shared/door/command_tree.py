"""The commands as Discord sends them: an answer, too, for those that Discord still shows and that are no more."""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord import app_commands

from cogs.shared.door import replies
from cogs.shared.door.answering import unexpected
from cogs.shared.door.replies import Interaction

log = logging.getLogger("canasta.discord")


class CanastaTree(app_commands.CommandTree[Any]):
    """Answers what no command could: one that is unknown, or whose options have changed."""

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer in private with a sentence; autocompletion is answered with no offers."""
        if interaction.type is discord.InteractionType.autocomplete:
            return
        words = replies.words_for(interaction)
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            log.info("a command that Discord shows and that is not known")
            await replies.say(interaction, words("command_trouble.unknown"))
            return
        number = interaction.id % 1_000_000
        unexpected(error, "a command", number)
        await replies.say(interaction, words("error.unexpected", id=number))
