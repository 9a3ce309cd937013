"""`/me …`: what a person chooses, one's own games, and whom one would not play with."""

from __future__ import annotations

from discord import User, app_commands
from discord.ext import commands

from bot.clocks.quiet import zones_like
from cogs.profile import away, blocks, games_page
from cogs.profile.controls import choose, choose_zone, settings_page
from cogs.profile.data_commands import DataCommands
from cogs.profile.panel import LOOK, TIME, page_of
from cogs.shared.door import replies
from cogs.shared.door.answering import answered
from cogs.shared.door.replies import Interaction
from cogs.shared.serving import choices
from cogs.shared.serving.context import Context


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
        language=choices.offered("language"),
    )
    async def settings(
        self,
        interaction: Interaction,
        *,
        text_only: bool | None = None,
        theme: str | None = None,
        deck: str | None = None,
        order: str | None = None,
        drawing: str | None = None,
        discarding: str | None = None,
        language: str | None = None,
        zone: str | None = None,
    ) -> None:
        async with answered(interaction):
            wanted = {
                "pictures": None if text_only is None else "text" if text_only else "pictures",
                "theme": theme,
                "deck": deck,
                "order": order,
                "drawing": drawing,
                "discarding": discarding,
                "language": language,
            }
            values = {name: value for name, value in wanted.items() if value is not None}
            page = next(map(page_of, values), LOOK if zone is None else TIME)
            if zone is not None:
                await choose_zone(self.context, interaction, zone)
            note = await choose(self.context, interaction, values)
            note = note if zone is None else replies.words_for(interaction)("settings.saved")
            await replies.answer(interaction, settings_page(self.context, interaction, page, note=note))

    @settings.autocomplete("zone")
    async def suggest_zones(self, _interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=zone, value=zone) for zone in zones_like(typed)]

    @app_commands.command(name="away")
    @app_commands.rename(first="from", last="until")
    async def away(self, interaction: Interaction, first: str, last: str) -> None:
        async with answered(interaction):
            await away.plan(self.context, interaction, first, last)

    @app_commands.command(name="games")
    async def games(self, interaction: Interaction, finished: bool = False) -> None:  # noqa: FBT001, FBT002
        async with answered(interaction):
            page = games_page.finished_page if finished else games_page.open_page
            await replies.answer(interaction, page(self.context, interaction))

    @app_commands.command(name="block")
    async def block(self, interaction: Interaction, person: User) -> None:
        async with answered(interaction):
            await blocks.block(self.context, interaction, person.id)

    @app_commands.command(name="unblock")
    async def unblock(self, interaction: Interaction, person: User) -> None:
        async with answered(interaction):
            await blocks.unblock(self.context, interaction, person.id)

    @app_commands.command(name="joiners")
    @app_commands.choices(who=choices.offered("joiners"))
    async def joiners(self, interaction: Interaction, who: str | None = None) -> None:
        async with answered(interaction):
            await blocks.choose_joiners(self.context, interaction, who)
