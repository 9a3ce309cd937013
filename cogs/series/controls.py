"""The buttons under messages of series; they still work after a restart."""

from __future__ import annotations

from bot.series.series import Series
from cogs.series import pages, wording
from cogs.series.desk import show_desk
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context
from cogs.tournament.control_ids import link_of

Chosen = tuple[str, ...]


class SeriesControls:
    """Handlers of the buttons under messages of series that everyone may click."""

    def __init__(self, context: Context) -> None:
        self.context = context
        handlers = {
            "s_standings": self.show_standings,
            "s_hall": self.show_hall_of_fame,
            "s_desk": self.open_desk,
            "s_yes": self.answer_question_with_yes,
            "s_no": self.answer_question_with_no,
            "s_again": self.enter_again,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def show_standings(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        series, link = await self._series_of(interaction, control), link_of(control)
        season = link.argument_number() if link.rest else None
        words = interactions.words_for(interaction)
        page = pages.standings_page(words, series, season, reader=interaction.user.id)
        await interactions.show_page(
            interaction, page, update=interactions.is_in_private_message(interaction) and bool(link.rest)
        )

    async def show_hall_of_fame(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        series = await self._series_of(interaction, control)
        fame = await self.context.series.points_and_wins_in(series.guild)
        await interactions.show_page(
            interaction, pages.hall_of_fame_page(interactions.words_for(interaction), series, fame)
        )

    async def open_desk(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await show_desk(self.context, interaction, await self._series_of(interaction, control))

    async def answer_question_with_yes(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await self._answer_question(interaction, control, yes=True)

    async def answer_question_with_no(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await self._answer_question(interaction, control, yes=False)

    async def enter_again(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Enter the person's last-season entry for the next season."""
        words, caller = interactions.words_for(interaction), interactions.caller_of(interaction)
        done = await self.context.series.enter_next_season(caller, link_of(control).tournament)
        if done is None:
            text = words("series.no_entry_before")
        else:
            text = words("series.you_play_again", when=wording.timestamp_text(done.plan.starts_at))
        await interactions.show_page(interaction, text_page(text))

    async def _answer_question(self, interaction: Interaction, control: ControlId, *, yes: bool) -> None:
        words, caller = interactions.words_for(interaction), interactions.caller_of(interaction)
        await self.context.series.answer_invitation(caller, link_of(control).tournament, yes=yes)
        await interactions.show_page(
            interaction, text_page(words("series.you_play" if yes else "series.you_do_not_play"))
        )

    async def _series_of(self, interaction: Interaction, control: ControlId) -> Series:
        return await self.context.series.get_series(link_of(control).tournament, guild=interaction.guild_id)
