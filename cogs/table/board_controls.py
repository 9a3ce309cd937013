"""The buttons of the board.

What stands behind ⋯, on the board and in the panel.

A word of one's own for the shuffle: the form, and what is typed into it.
"""

from __future__ import annotations

from bot.engine.moves.refusals import Refusal
from bot.tables.play.moves import LONGEST
from bot.tables.state.refusals import TableCode, TableRefusal
from cogs.shared.door import interactions
from cogs.shared.door.components import Page, form
from cogs.shared.door.interactions import Interaction, in_panel
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving import panel, roles, scores
from cogs.shared.serving import panel as own_panel
from cogs.shared.serving.context import Context
from cogs.shared.showing import pages
from cogs.shared.showing.pages import WORD, WORD_TYPED
from cogs.shared.showing.panels.menus import leaving_page, more_page
from cogs.shared.telling import spoken, status_text
from cogs.table.opening import open_table

Chosen = tuple[str, ...]


class BoardControls:
    """Answers every button of a running game's message but those about its end."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "hand": self.hand,
            "score": self.score,
            "board_text": self.board_text,
            "next_deal": self.next_deal,
            "rematch": self.rematch,
            "new_table": self.new_table,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def hand(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await panel.answer(
            self.context, interaction, roles.panel_or_stranger_page(self.context, interaction, control.table)
        )

    async def next_deal(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await panel.answer(self.context, interaction, self._next_deal(interaction, control.table))

    async def _next_deal(self, interaction: Interaction, table: int) -> Page:
        """The fresh hand, also for somebody who was not the first to begin the deal."""
        try:
            look = await self.tables.play.next_deal(interactions.caller_of(interaction), table)
        except (Refusal, TableRefusal) as problem:
            return await panel.refused_page(self.context, interaction, table, problem)
        return await panel.page_of(self.context, interaction, look)

    async def rematch(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.lobby.rematch(interactions.caller_of(interaction), control.table)
        self.context.presenter.mark(control.table)
        await interactions.say(interaction, interactions.words_for(interaction)("done.rematch", table=look.id))

    async def score(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        await interactions.answer(interaction, scores.score_page(self.context, interaction, look))

    async def new_table(self, interaction: Interaction, _control: ControlId, _chosen: Chosen) -> None:
        """A table like any other, where the button was pressed."""
        await open_table(self.context, interaction)

    async def board_text(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The table in words; to somebody seated with their hand, and with what has happened since their turn."""
        look = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        words = interactions.words_for(interaction)
        if look.view is None:
            await interactions.say(interaction, words("panel.lobby"))
            return
        told = [status_text.headline(words, look), status_text.unchanged_since(words, look)]
        if look.seat_of(interaction.user.id) is None:
            told.append(spoken.table(words, look, look.view))
        else:
            own = await panel.look_of(self.context, interaction, control.table)
            preferences = await self.context.profiles.person(interaction.user.id)
            told.append("" if own.view is None else pages.hand_in_words(words, own, own.view, preferences))
        await interactions.say(interaction, *filter(None, told))


class MoreControls:
    """Answers `more` and `leave_ask`: in the panel by turning it over, from the board with a message of its own."""

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add("more", self.more)
        context.router.add("leave_ask", self.leave)

    async def more(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """All that is rarely wanted."""
        look = await self.context.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        seated = look.seat_of(interaction.user.id) is not None
        words, panel = interactions.words_for(interaction), in_panel(interaction)
        await self._show(interaction, more_page(words, look, seated=seated, back=panel and seated))

    async def leave(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Ask before a seat in a running game is given up."""
        look = await self.context.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        back = in_panel(interaction)
        await self._show(interaction, leaving_page(interactions.words_for(interaction), look, back=back))

    async def _show(self, interaction: Interaction, page: Page) -> None:
        """In a panel the page takes its place, and the panel comes back with what happens next."""
        if in_panel(interaction):
            await own_panel.answer(self.context, interaction, _made(page))
        else:
            await interactions.show(interaction, Page(page.view))


async def _made(page: Page) -> Page:
    return page


class WordControls:
    """Answers the button of `cogs.shared.showing.pages` and its form."""

    def __init__(self, context: Context) -> None:
        self.tables = context.tables
        context.router.add(WORD, self.ask)
        context.router.add(WORD_TYPED, self.typed)

    async def ask(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        """A form with one line; only for those who are seated."""
        look = await self.tables.reading.snapshot_for(
            control.table, person=interaction.user.id, guild=interaction.guild_id
        )
        if look.seat_of(interaction.user.id) is None:
            raise TableRefusal(TableCode.NOT_SEATED, {"table": look.id})
        words = interactions.words_for(interaction)
        typed = ControlId(look.id, look.version, WORD_TYPED)
        hint = words("own_word.hint", most=LONGEST)
        await interactions.ask(interaction, form(typed, words("own_word.title"), hint=hint, filled="", required=True))

    async def typed(self, interaction: Interaction, control: ControlId, given: tuple[str, ...]) -> None:
        """The word is kept, and said again as it was cleaned."""
        caller = interactions.caller_of(interaction)
        word, look = await self.tables.play.give_shuffle_word(caller, control.table, "".join(given[:1]))
        deal = next((shuffle.deal for shuffle in look.shuffle if shuffle.contributions is None), 0)
        await interactions.say(interaction, interactions.words_for(interaction)("own_word.kept", word=word, deal=deal))
