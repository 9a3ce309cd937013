"""The buttons under a deal's score sheet: the sheet in words, and the proof of fair dealing."""

from __future__ import annotations

from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing import board, finished_games
from cogs.shared.telling import score_text, text_only

Chosen = tuple[str, ...]


class ScoreSheetControls:
    """Handlers of the score sheet's buttons; they answer privately, however old the sheet is."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "sheet_text": self.describe_score_sheet,
            "fair": self.show_fairness,
            "fair_check": self.show_shuffle_check,
            "fair_deal": self.check_chosen_deal,
            "fair_how": self.explain_check,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def describe_score_sheet(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        words = interactions.words_for(interaction)
        deal = _parse_deal(control.argument)
        sheet = None if deal is None else snapshot.sheet(deal)
        if deal is not None and sheet is None:
            raise InputProblem(InputCode.NO_SUCH_DEAL, {"deal": deal})
        if sheet is not None:
            text = finished_games.sheet_in_words(words, snapshot, sheet)
        else:
            text = (
                words("score.none")
                if snapshot.view is None
                else score_text.game_score_text(words, snapshot, snapshot.view)
            )
        await interactions.answer_privately(interaction, text_only.spell_cards(words, text))

    async def show_fairness(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        await interactions.show_page(
            interaction, board.fair_dealing_page(interactions.words_for(interaction), snapshot, control.argument)
        )

    async def show_shuffle_check(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        await self._show_page(
            interaction,
            board.shuffle_check_page(interactions.words_for(interaction), snapshot, _parse_deal(control.argument)),
        )

    async def check_chosen_deal(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        deal = _parse_deal(values[0] if values else "")
        await self._show_page(
            interaction, board.shuffle_check_page(interactions.words_for(interaction), snapshot, deal)
        )

    async def explain_check(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        await self._show_page(
            interaction, board.shuffle_computation_page(interactions.words_for(interaction), snapshot, control.argument)
        )

    async def _show_page(self, interaction: Interaction, page: Page) -> None:
        """Update the private message of the button, or send a new private message."""
        message = interaction.message
        within = message is not None and message.flags.ephemeral
        await interactions.show_page(interaction, page, update=within)


def _parse_deal(text: str) -> int | None:
    """Return the deal number in a control's argument, if there is one."""
    return int(text) if text.isdecimal() else None
