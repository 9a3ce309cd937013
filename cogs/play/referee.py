"""`/referee`: say whether a move would be legal at the table now, and why. Nothing is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.engine.cards.cards import TWO
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    DRAW_KEEPING,
    PASS,
    SHOW,
    TAKE_SHOWING,
    Action,
    DiscardCard,
    TakePile,
)
from bot.engine.moves.refusals import Refusal
from bot.engine.play.refusal_paragraphs import paragraph_of
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.advice import TakeWay
from bot.tables.advice.ruling import Ruling
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import SeatSnapshot
from cogs.play import draw_and_take
from cogs.play.option_suggestions import Suggestion
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import page, text
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems
from cogs.shared.reading import typed_play
from cogs.shared.serving import panel, which_table
from cogs.shared.serving.context import Context
from cogs.shared.showing.paragraphs import paragraph_buttons
from cogs.shared.telling import explanations
from cogs.shared.telling.turn_text import WAYS, way_to_take_in_words

ActionReader: TypeAlias = Callable[[SeatView], Action]
"""Returns the action that the person typed, in cards of their hand."""


class RefereeCommands(commands.GroupCog, name="referee"):
    """`/referee take`, `/referee meld`, `/referee discard` and the others."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables

    @app_commands.command()
    @app_commands.guild_only()
    async def draw(
        self, interaction: Interaction, keep: Literal["three"] | None = None, table: str | None = None
    ) -> None:
        await self._show_ruling(interaction, table, lambda _: DRAW_KEEPING if keep else DRAW)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.rename(way="with")
    async def take(
        self, interaction: Interaction, way: str | None = None, melds: str | None = None, table: str | None = None
    ) -> None:
        anyhow = not (way or melds)
        ways = tuple(WAYS) if anyhow else (way,)
        await self._show_ruling(
            interaction, table, *(_read_take(interaction, one, melds) for one in ways), offered=anyhow
        )

    @app_commands.command()
    @app_commands.guild_only()
    async def meld(self, interaction: Interaction, cards: str, table: str | None = None) -> None:
        await self._show_ruling(
            interaction,
            table,
            lambda view: typed_play.parse_melds_or_step(cards, view, interactions.vocabulary_for(interaction)),
        )

    @app_commands.command()
    @app_commands.guild_only()
    async def discard(self, interaction: Interaction, card: str, table: str | None = None) -> None:
        await self._show_ruling(
            interaction,
            table,
            lambda view: DiscardCard(typed_play.parse_discard(card, view, interactions.vocabulary_for(interaction))),
        )

    @app_commands.command()
    @app_commands.guild_only()
    async def ask(self, interaction: Interaction, table: str | None = None) -> None:
        await self._show_ruling(interaction, table, lambda _: ASK)

    @app_commands.command()
    @app_commands.guild_only()
    async def announce(self, interaction: Interaction, table: str | None = None) -> None:
        await self._show_ruling(interaction, table, lambda _: ANNOUNCE)

    @app_commands.command(name="pass")
    @app_commands.guild_only()
    async def pass_(self, interaction: Interaction, table: str | None = None) -> None:
        await self._show_ruling(interaction, table, lambda _: PASS)

    @app_commands.command()
    @app_commands.guild_only()
    async def show(self, interaction: Interaction, table: str | None = None) -> None:
        await self._show_ruling(interaction, table, lambda _: SHOW)

    # --- shared by all commands

    async def _show_ruling(
        self, interaction: Interaction, table: str | None, *wanted: ActionReader, offered: bool = False
    ) -> None:
        """Show the ruling on the first legal action among `wanted`, or on the first one if none is legal.

        With `offered`, also try each way of taking the pile that the panel has a button for, with the melds that make
        the initial meld.
        """
        async with answer_in_time(interaction):
            number = await which_table.find_own_table(self.tables, interaction, table)
            snapshot = await panel.load_seat(self.context, interaction, number)
            if snapshot.view is None:
                raise TableRefusal(TableCode.NOT_STARTED, {"table": number})
            takes = snapshot.offers.takes if offered else ()
            every = (*wanted, *(_reader_of_offered_take(one) for one in takes if isinstance(one.action, TakePile)))
            rulings: list[tuple[Action | None, Ruling]] = []
            for one in every:
                rulings.append(await self._find_ruling(interaction, snapshot, snapshot.view, one))
                if rulings[-1][1].is_legal:
                    break
            action, ruling = rulings[-1] if rulings[-1][1].is_legal else rulings[0]
            if not ruling.is_legal and isinstance(action, TakePile) and len(rulings) > 1:
                action = TakePile(())  # the person did not name a way to take the pile
            words = interactions.words_for(interaction)
            said = text("\n".join(explanations.ruling_lines(words, snapshot, action, ruling)))
            cited = paragraph_buttons(words, ruling.paragraphs)
            await interactions.show_page(interaction, page([said, *([cited] if cited is not None else [])]))

    async def _find_ruling(
        self, interaction: Interaction, snapshot: SeatSnapshot, view: SeatView, wanted: ActionReader
    ) -> tuple[Action | None, Ruling]:
        """Return the action and the ruling on it; for a card that does not exist, None and a refusal."""
        try:
            action = wanted(view)
        except Refusal as refusal:
            return None, Ruling(refusal, (paragraph_of(view.table.rules, refusal),), supposed=False)
        person, guild = interaction.user.id, interaction.guild_id
        return action, await self.tables.reading.check_action(snapshot.table.id, action, person=person, guild=guild)

    # --- autocompletion

    @take.autocomplete("way")
    async def suggest_ways_to_take_pile(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[Suggestion] = []
        async with ignore_problems():
            table = getattr(interaction.namespace, "table", None)
            number = await which_table.find_own_table(self.tables, interaction, table)
            view, _version = await panel.load_view(self.context, interaction, number)
            found = list(_suggest_all_ways_to_take(interactions.words_for(interaction), view, typed))
        return [app_commands.Choice(name=label, value=value) for label, value in found]

    @draw.autocomplete("table")
    @take.autocomplete("table")
    @meld.autocomplete("table")
    @discard.autocomplete("table")
    @ask.autocomplete("table")
    @announce.autocomplete("table")
    @pass_.autocomplete("table")
    async def suggest_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[Suggestion] = []
        async with ignore_problems():
            found = await which_table.table_choices(self.tables, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]


def _reader_of_offered_take(way: TakeWay) -> ActionReader:
    return lambda _: way.action


def _read_take(interaction: Interaction, way: str | None, melds: str | None) -> ActionReader:
    return lambda view: draw_and_take.parse_take(interactions.words_for(interaction), view, way, melds)


def _suggest_all_ways_to_take(words: Words, view: SeatView, typed: str) -> Iterator[Suggestion]:
    """Yield every way to take the pile as a choice.

    Illegal ways are included, because the person asks whether they are legal.
    """
    top = view.table.pile.top
    if top is None:
        return
    showing = top >> 2 == TWO and view.table.rules.take_twos
    for way in [way for way, take in WAYS.items() if (take == TAKE_SHOWING) == showing]:
        label = way_to_take_in_words(words, top >> 2, way)
        if typed.casefold() in label.casefold():
            yield label, way
