"""`/series …`: begin series, list them, and show their standings, desk and hall of fame."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.series.series import Series
from cogs.series import pages, wording
from cogs.series.desk import show_desk
from cogs.series.repeat_button import create_draft
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Page, Part, button, button_row, page, text
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems
from cogs.shared.reading.custom_ids import MOST_CHOICES
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.tournament.control_ids import control
from cogs.tournament.wizard.plan_edits import LONGEST_NAME
from cogs.tournament.wording import plain_text

MOST_LISTED = 10


@app_commands.guild_only()
class SeriesCommands(commands.GroupCog, group_name="series"):
    """The command group `/series`."""

    help_group = "tournaments"

    def __init__(self, context: Context) -> None:
        self.context = context
        self.series = context.series

    @app_commands.command(name="create")
    async def create(self, interaction: Interaction, name: app_commands.Range[str, 1, LONGEST_NAME]) -> None:
        async with answer_in_time(interaction):
            await create_draft(self.context, interaction, name)

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        async with answer_in_time(interaction):
            found = await self.series.open_series_in(table_places.place_of_interaction(interaction).guild)
            await interactions.show_page(interaction, self._list_page(interaction, found))

    def _list_page(self, interaction: Interaction, series: tuple[Series, ...]) -> Page:
        words = interactions.words_for(interaction)
        parts: list[Part] = [] if series else [text(words("series.none"))]
        for one in series[:MOST_LISTED]:
            texts = [
                wording.series_headline(words, one),
                *pages.state_lines(words, one)[:1],
            ]
            row = button_row(
                button(control(one.id, "s_standings"), words("series_button.standings")),
                button(control(one.id, "s_desk"), words("series_button.desk")),
            )
            parts += [text("\n".join(texts)), *([] if row is None else [row])]
        return page(parts)

    @app_commands.command(name="standings")
    async def standings(self, interaction: Interaction, series: str | None = None) -> None:
        async with answer_in_time(interaction):
            current_series = await self._find_series(interaction, series)
            words = interactions.words_for(interaction)
            await interactions.show_page(
                interaction, pages.standings_page(words, current_series, reader=interaction.user.id)
            )

    @app_commands.command(name="desk")
    async def desk(self, interaction: Interaction, series: str | None = None) -> None:
        async with answer_in_time(interaction):
            await show_desk(self.context, interaction, await self._find_series(interaction, series))

    @app_commands.command(name="hall")
    async def hall(self, interaction: Interaction, series: str | None = None) -> None:
        async with answer_in_time(interaction):
            current_series = await self._find_series(interaction, series, ended=True)
            fame = await self.series.points_and_wins_in(current_series.guild)
            await interactions.show_page(
                interaction, pages.hall_of_fame_page(interactions.words_for(interaction), current_series, fame)
            )

    async def _find_series(self, interaction: Interaction, named: str | None, *, ended: bool = False) -> Series:
        """Return the named series of the server, or its only one. Raises `InputProblem`."""
        guild = table_places.place_of_interaction(interaction).guild
        if named:
            for one in await self.series.all_series_in(guild):
                if named == str(one.id) or named.casefold() == one.name.casefold():
                    return one
            raise InputProblem(InputCode.NOT_A_SERIES, {"text": named[:40]})
        found = await self.series.open_series_in(guild) or (await self.series.all_series_in(guild) if ended else ())
        if not found:
            raise InputProblem(InputCode.NO_SERIES)
        if len(found) > 1:
            message = ", ".join(plain_text(one.name) for one in found)
            raise InputProblem(InputCode.WHICH_SERIES, {"series": message})
        return found[0]

    @standings.autocomplete("series")
    @desk.autocomplete("series")
    @hall.autocomplete("series")
    async def suggest_series(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            all_ = await self.series.all_series_in(interaction.guild_id or 0)
            found = [(plain_text(one.name, longest=80), str(one.id)) for one in all_]
        fitting = [one for one in found if typed.casefold() in one[0].casefold()][:MOST_CHOICES]
        return [app_commands.Choice(name=label, value=value) for label, value in fitting]
