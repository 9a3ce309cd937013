"""`/me export` and `/me delete`: what is kept of a person, for that person, and the end of it."""

from __future__ import annotations

import gzip
import json
from typing import Final

from discord import app_commands
from discord.ext import commands

from cogs.profile.data_controls import delete_page
from cogs.shared.door import replies
from cogs.shared.door.answering import answered
from cogs.shared.door.components import Attachment, file_page
from cogs.shared.door.replies import Interaction
from cogs.shared.serving.context import Context

LARGEST: Final = 8_000_000
"""Bytes of a file that Discord surely takes; a larger one is packed."""


class DataCommands(commands.Cog):
    """The commands of `/me` about one's data (`docs/data.md`)."""

    context: Context

    @app_commands.command(name="export")
    async def export(self, interaction: Interaction) -> None:
        async with answered(interaction):
            data = await self.context.tables.export(replies.caller_of(interaction))
            words = replies.words_for(interaction)
            file = packed(json.dumps(data, ensure_ascii=False, indent=1).encode())
            await replies.show(interaction, file_page(file, words("data.exported")))

    @app_commands.command(name="delete")
    async def delete(self, interaction: Interaction) -> None:
        async with answered(interaction):
            await replies.show(interaction, delete_page(replies.words_for(interaction)))


def packed(data: bytes) -> Attachment:
    """The file as Discord takes it."""
    name = "canasta-data.json"
    return Attachment(name, data) if len(data) <= LARGEST else Attachment(f"{name}.gz", gzip.compress(data, mtime=0))
