"""`/me …`: what a person chooses for what it is shown in private."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.profile.controls import settings_page
from cogs.profile.data_commands import DataCommands
from cogs.shared.interactions import choices, replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.errors import answered
from cogs.shared.interactions.replies import Interaction


@app_commands.guild_only()
class ProfileCommands(DataCommands, commands.GroupCog, group_name="me"):
    """The group `/me`; what concerns one's data is in `DataCommands`."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @app_commands.command(name="settings")
    @app_commands.rename(text_only="text-only")
    @app_commands.choices(
        theme=choices.offered("theme"),
        deck=choices.offered("deck"),
        order=choices.offered("order"),
        drawing=choices.offered("drawing"),
        discarding=choices.offered("discarding"),
    )
    async def settings(
        self,
        interaction: Interaction,
        text_only: bool | None = None,  # noqa: FBT001
        theme: str | None = None,
        deck: str | None = None,
        order: str | None = None,
        drawing: str | None = None,
        discarding: str | None = None,
    ) -> None:
        async with answered(interaction):
            pictures = None if text_only is None else "text" if text_only else "pictures"
            wanted = {
                "theme": theme,
                "deck": deck,
                "order": order,
                "pictures": pictures,
                "drawing": drawing,
                "discarding": discarding,
            }
            values = {name: value for name, value in wanted.items() if value is not None}
            await replies.answer(interaction, settings_page(self.context, interaction, values))
