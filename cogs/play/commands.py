"""Slash commands for playing: everything that the private panel does, for players who prefer to type."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Literal, TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.engine.moves.actions import ANNOUNCE, ASK, DRAW, DRAW_KEEPING, NO, PASS, SHOW, YES, Action, DiscardCard
from bot.engine.moves.refusals import Refusal
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.state.refusals import TableRefusal
from cogs.play import draw_and_take, option_suggestions
from cogs.play.option_suggestions import Suggestion
from cogs.play.panel_controls import play_action
from cogs.play.questions_before_moves import command_discard_question, question_before_asking_partner
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems
from cogs.shared.reading import typed_play
from cogs.shared.serving import panel, score_answers, unseated_people, which_table
from cogs.shared.serving.context import Context

Move: TypeAlias = Action | Callable[[SeatView], Action]
"""An action, or a function that derives it from the view of the player's seat."""

SuggestMoves: TypeAlias = Callable[[Words, SeatView, str], list[Suggestion]]
"""A function that returns suggestions for an option of a command, given the text typed so far."""


class PlayCommands(commands.Cog):
    """The slash commands for playing: `/hand`, `/draw`, `/take`, `/meld`, `/discard` and the others."""

    help_group = "play"

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables

    @app_commands.command()
    @app_commands.guild_only()
    async def hand(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            await panel.answer_with_panel(
                self.context,
                interaction,
                unseated_people.panel_or_unseated_page(self.context, interaction, number),
            )

    @app_commands.command()
    @app_commands.guild_only()
    async def draw(
        self, interaction: Interaction, keep: Literal["three"] | None = None, table: str | None = None
    ) -> None:
        await self._act_and_answer(interaction, table, DRAW_KEEPING if keep else DRAW)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.rename(way="with")
    async def take(
        self, interaction: Interaction, way: str | None = None, melds: str | None = None, table: str | None = None
    ) -> None:
        await self._act_and_answer(
            interaction,
            table,
            lambda view: draw_and_take.parse_take(interactions.words_for(interaction), view, way, melds),
        )

    @app_commands.command()
    @app_commands.guild_only()
    async def meld(self, interaction: Interaction, cards: str, table: str | None = None) -> None:
        await self._act_and_answer(
            interaction,
            table,
            lambda view: typed_play.parse_melds_or_step(cards, view, interactions.vocabulary_for(interaction)),
        )

    @app_commands.command()
    @app_commands.guild_only()
    async def discard(self, interaction: Interaction, card: str, table: str | None = None) -> None:
        await self._act_and_answer(
            interaction,
            table,
            lambda view: DiscardCard(typed_play.parse_discard(card, view, interactions.vocabulary_for(interaction))),
            asks=True,
        )

    @app_commands.command()
    @app_commands.guild_only()
    async def undo(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            await self._answer_with_panel(interaction, number, self._undo_page(interaction, number))

    async def _undo_page(self, interaction: Interaction, table: int) -> Page:
        try:
            outcome = await self.tables.play.undo(interactions.caller_of(interaction), table)
        except (Refusal, TableRefusal) as problem:
            return await panel.refusal_page(self.context, interaction, table, problem)
        return await panel.outcome_page(self.context, interaction, outcome)

    @app_commands.command()
    @app_commands.guild_only()
    async def ask(self, interaction: Interaction, table: str | None = None) -> None:
        await self._act_and_answer(interaction, table, ASK, asks=True)

    @app_commands.command()
    @app_commands.guild_only()
    async def announce(self, interaction: Interaction, table: str | None = None) -> None:
        await self._act_and_answer(interaction, table, ANNOUNCE)

    @app_commands.command()
    @app_commands.guild_only()
    async def answer(self, interaction: Interaction, answer: Literal["yes", "no"], table: str | None = None) -> None:
        await self._act_and_answer(interaction, table, YES if answer == "yes" else NO)

    @app_commands.command()
    @app_commands.guild_only()
    async def show(self, interaction: Interaction, table: str | None = None) -> None:
        await self._act_and_answer(interaction, table, SHOW)

    @app_commands.command(name="pass")
    @app_commands.guild_only()
    async def pass_(self, interaction: Interaction, table: str | None = None) -> None:
        await self._act_and_answer(interaction, table, PASS)

    @app_commands.command(name="next", extras={"help_group": "table"})
    @app_commands.guild_only()
    async def next_deal(self, interaction: Interaction, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            await self._answer_with_panel(interaction, number, self._begin_next_deal(interaction, number))

    async def _begin_next_deal(self, interaction: Interaction, table: int) -> Page:
        snapshot = await self.tables.play.begin_next_deal(interactions.caller_of(interaction), table)
        return await panel.panel_page(self.context, interaction, snapshot)

    @app_commands.command(extras={"help_group": "look_up"})
    @app_commands.guild_only()
    async def score(
        self,
        interaction: Interaction,
        deal: app_commands.Range[int, 1, 10_000] | None = None,
        table: str | None = None,
    ) -> None:
        async with answer_in_time(interaction):
            number = await which_table.find_any_table(self.tables, interaction, table)
            snapshot = await self.tables.reading.snapshot_for(
                number, person=interaction.user.id, guild=interaction.guild_id
            )
            await interactions.answer_with_page(
                interaction, score_answers.score_page(self.context, interaction, snapshot, deal)
            )

    # --- shared by all actions

    async def _act_and_answer(
        self,
        interaction: Interaction,
        table: str | None,
        move: Move,
        *,
        asks: bool = False,
    ) -> None:
        """Play the action at the table that the command means, and answer with the panel.

        With `asks` the panel may ask for confirmation first.
        """
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            making = (
                self._play_or_ask_to_confirm(interaction, number, move)
                if asks
                else self._play_action(interaction, number, move)
            )
            await self._answer_with_panel(interaction, number, making)

    async def _play_or_ask_to_confirm(self, interaction: Interaction, table: int, move: Move) -> Page:
        snapshot = await panel.load_seat(self.context, interaction, table)
        words, question = interactions.words_for(interaction), None
        if snapshot.view is not None and snapshot.view.must_act:
            action = move(snapshot.view) if callable(move) else move
            if isinstance(action, DiscardCard):
                question = command_discard_question(words, snapshot, action)
            elif action == ASK:
                question = question_before_asking_partner(words, snapshot)
        if question is not None:
            return await panel.panel_page(self.context, interaction, snapshot, question)
        return await self._play_action(interaction, table, move)

    async def _answer_with_panel(self, interaction: Interaction, table: int, page: Coroutine[Any, Any, Page]) -> None:
        """Answer with the panel; a person who has lost the seat gets the page that offers it back."""
        made = unseated_people.page_unless_seat_lost(self.context, interaction, table, page)
        await panel.answer_with_panel(self.context, interaction, made)

    async def _play_action(self, interaction: Interaction, table: int, move: Move) -> Page:
        """Play the action and return the panel.

        An action derived from the hand is refused if the table has changed.
        """
        if not callable(move):
            return await play_action(self.context, interaction, table, move)
        view, version = await panel.load_view(self.context, interaction, table)
        action, expected = move(view), version if view.must_act else None
        return await play_action(self.context, interaction, table, action, expected_version=expected)

    # --- autocompletion

    async def _suggest_moves(
        self, interaction: Interaction, typed: str, suggest: SuggestMoves
    ) -> list[app_commands.Choice[str]]:
        found: list[Suggestion] = []
        async with ignore_problems():
            table = getattr(interaction.namespace, "table", None)
            number = await which_table.find_own_table(self.tables, interaction, table)
            view, _version = await panel.load_view(self.context, interaction, number)
            found = suggest(interactions.words_for(interaction), view, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]

    @meld.autocomplete("cards")
    @take.autocomplete("melds")
    async def suggest_melds(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._suggest_moves(interaction, typed, option_suggestions.suggest_melds)

    @discard.autocomplete("card")
    async def suggest_discards(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._suggest_moves(interaction, typed, option_suggestions.suggest_discards)

    @take.autocomplete("way")
    async def suggest_ways_to_take_pile(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._suggest_moves(interaction, typed, option_suggestions.suggest_ways_to_take_pile)

    @score.autocomplete("deal")
    async def suggest_deals(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        found: list[tuple[str, int]] = []
        async with ignore_problems():
            table = getattr(interaction.namespace, "table", None)
            number = await which_table.find_any_table(self.tables, interaction, table)
            snapshot = await self.tables.reading.snapshot_for(
                number, person=interaction.user.id, guild=interaction.guild_id
            )
            found = score_answers.deal_choices(interactions.words_for(interaction), snapshot, str(typed))
        return [app_commands.Choice(name=label, value=deal) for label, deal in found]

    @hand.autocomplete("table")
    @draw.autocomplete("table")
    @take.autocomplete("table")
    @meld.autocomplete("table")
    @discard.autocomplete("table")
    @undo.autocomplete("table")
    @ask.autocomplete("table")
    @announce.autocomplete("table")
    @answer.autocomplete("table")
    @pass_.autocomplete("table")
    @next_deal.autocomplete("table")
    @score.autocomplete("table")
    async def suggest_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[Suggestion] = []
        async with ignore_problems():
            found = await which_table.table_choices(self.tables, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]
