"""The buttons of the board, the menu behind ⋯, and the form for a word that joins the shuffle."""

from __future__ import annotations

from bot.engine.moves.refusals import Refusal
from bot.tables.play.shuffle_words import LONGEST
from bot.tables.state.refusals import TableCode, TableRefusal
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, form
from cogs.shared.discord_api.interactions import Interaction, is_in_private_message
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving import panel, score_answers, unseated_people
from cogs.shared.serving import panel as own_panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.new_tables import open_table
from cogs.shared.showing import pages
from cogs.shared.showing.lost_seat_page import lost_seat_page
from cogs.shared.showing.pages import WORD, WORD_TYPED
from cogs.shared.showing.panels.menus import leaving_page, more_page, picture_signs_page
from cogs.shared.telling import status_text, text_only

Chosen = tuple[str, ...]


class BoardControls:
    """Handlers of the buttons on a running game's message, except those about ending it."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "hand": self.show_hand,
            "score": self.show_score,
            "board_text": self.describe_board,
            "next_deal": self.begin_next_deal,
            "rematch": self.open_rematch,
            "new_table": self.open_new_table,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def show_hand(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await panel.answer_with_panel(
            self.context,
            interaction,
            unseated_people.panel_or_unseated_page(self.context, interaction, control.table),
        )

    async def begin_next_deal(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await panel.answer_with_panel(self.context, interaction, self._page_of_next_deal(interaction, control.table))

    async def _page_of_next_deal(self, interaction: Interaction, table: int) -> Page:
        """Begin the next deal and return the hand's page, also if another player began it first."""
        try:
            snapshot = await self.tables.play.begin_next_deal(interactions.caller_of(interaction), table)
        except (Refusal, TableRefusal) as problem:
            return await panel.refusal_page(self.context, interaction, table, problem)
        return await panel.panel_page(self.context, interaction, snapshot)

    async def open_rematch(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await self.tables.lobby.rematch(interactions.caller_of(interaction), control.table)
        self.context.board_updater.request_update(control.table)
        await interactions.answer_privately(
            interaction, interactions.words_for(interaction)("done.rematch", table=snapshot.id)
        )

    async def show_score(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        await interactions.answer_with_page(interaction, score_answers.score_page(self.context, interaction, snapshot))

    async def open_new_table(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        """Open a new table with the usual settings in the channel of the button."""
        await open_table(self.context, interaction)

    async def describe_board(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Describe the table in words; for a player also their hand and what happened since their last turn."""
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        words = interactions.words_for(interaction)
        if snapshot.view is None:
            await interactions.answer_privately(interaction, words("panel.lobby"))
            return
        texts = [status_text.status_headline_with_start(words, snapshot)]
        if snapshot.seat_of(interaction.user.id) is None:
            texts.append(text_only.describe_table(words, snapshot, snapshot.view))
        else:
            own = await panel.load_seat(self.context, interaction, control.table)
            preferences = await self.context.profiles.preferences_of(interaction.user.id)
            texts.append("" if own.view is None else pages.hand_in_words(words, own, own.view, preferences))
        await interactions.answer_privately(interaction, *filter(None, texts))


class MoreMenuControls:
    """Handlers of the menu behind ⋯: the controls `more`, `signs` and `leave_ask`.

    Used in the panel they update it; used at the table's message they answer with a new one.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add("more", self.show_menu)
        context.router.add("leave_ask", self.ask_before_leaving)
        context.router.add("signs", self.show_picture_signs)

    async def show_menu(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the menu of rarely needed actions."""
        snapshot = await self.context.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        seated = snapshot.seat_of(interaction.user.id) is not None
        words, panel = interactions.words_for(interaction), is_in_private_message(interaction)
        lost = lost_seat_page(words, snapshot, interaction.user.id) if panel else None
        if lost is not None:
            await interactions.show_page(interaction, lost, update=True)
            return
        await self._show_page(
            interaction, more_page(words, snapshot, is_seated=seated, has_back_button=panel and seated)
        )

    async def show_picture_signs(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Explain every sign on the table's pictures."""
        snapshot = await self.context.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        back = is_in_private_message(interaction) and snapshot.seat_of(interaction.user.id) is not None
        await self._show_page(
            interaction, picture_signs_page(interactions.words_for(interaction), snapshot, has_back_button=back)
        )

    async def ask_before_leaving(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Ask for confirmation before the player gives up their seat in a running game."""
        snapshot = await self.context.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        back = is_in_private_message(interaction)
        await self._show_page(
            interaction, leaving_page(interactions.words_for(interaction), snapshot, has_back_button=back)
        )

    async def _show_page(self, interaction: Interaction, page: Page) -> None:
        """Replace the panel by the page until the next event, or send the page as a new message."""
        if is_in_private_message(interaction):
            await own_panel.answer_with_panel(self.context, interaction, _as_awaitable(page))
        else:
            await interactions.show_page(interaction, Page(page.view))


async def _as_awaitable(page: Page) -> Page:
    return page


class ShuffleWordControls:
    """Handlers of the button that asks for a shuffle word (`cogs.shared.showing.pages`), and of its form."""

    def __init__(self, context: Context) -> None:
        self.tables = context.tables
        context.router.add(WORD, self.ask_for_word)
        context.router.add(WORD_TYPED, self.store_word)

    async def ask_for_word(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        """Open a form with one line; only for seated players."""
        snapshot = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        if snapshot.seat_of(interaction.user.id) is None:
            raise TableRefusal(TableCode.NOT_SEATED, {"table": snapshot.id})
        words = interactions.words_for(interaction)
        typed = ControlId(snapshot.id, snapshot.version, WORD_TYPED)
        hint = words("own_word.hint", most=LONGEST)
        await interactions.show_form(
            interaction, form(typed, words("own_word.title"), hint=hint, filled="", required=True)
        )

    async def store_word(self, interaction: Interaction, control: ControlId, typed: tuple[str, ...]) -> None:
        """Store the word, and show the player the word as it was stored."""
        caller = interactions.caller_of(interaction)
        word, snapshot = await self.tables.play.give_shuffle_word(caller, control.table, "".join(typed[:1]))
        deal = next((shuffle.deal for shuffle in snapshot.shuffle if shuffle.contributions is None), 0)
        await interactions.answer_privately(
            interaction, interactions.words_for(interaction)("own_word.kept", word=word, deal=deal)
        )
