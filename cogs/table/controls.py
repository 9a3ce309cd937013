"""The buttons of the board."""

from __future__ import annotations

from bot.engine.moves.refusals import Refusal
from bot.tables.refusals import TableRefusal
from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving import own_panel, scores, strangers
from cogs.shared.serving.context import Context
from cogs.shared.showing import pages
from cogs.shared.telling import spoken, table_lines
from cogs.table.table_opening import open_table

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
        await own_panel.answer(
            self.context, interaction, strangers.hand_or_ways(self.context, interaction, control.table)
        )

    async def next_deal(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await own_panel.answer(self.context, interaction, self._next_deal(interaction, control.table))

    async def _next_deal(self, interaction: Interaction, table: int) -> Page:
        """The fresh hand, also for somebody who was not the first to begin the deal."""
        try:
            look = await self.tables.next_deal(replies.caller_of(interaction), table)
        except (Refusal, TableRefusal) as problem:
            return await own_panel.refused_page(self.context, interaction, table, problem)
        return await own_panel.page_of(self.context, interaction, look)

    async def rematch(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.rematch(replies.caller_of(interaction), control.table)
        self.context.presenter.mark(control.table)
        await replies.say(interaction, replies.words_for(interaction)("done.rematch", table=look.id))

    async def score(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.look_for(control.table, person=interaction.user.id, guild=interaction.guild_id)
        await replies.answer(interaction, scores.score_page(self.context, interaction, look))

    async def new_table(self, interaction: Interaction, _control: ControlId, _chosen: Chosen) -> None:
        """A table like any other, where the button was pressed."""
        await open_table(self.context, interaction)

    async def board_text(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The table in words; to somebody seated with their hand, and with what has happened since their turn."""
        look = await self.tables.look_for(control.table, person=interaction.user.id, guild=interaction.guild_id)
        words = replies.words_for(interaction)
        if look.view is None:
            await replies.say(interaction, words("panel.lobby"))
            return
        told = [table_lines.headline(words, look), table_lines.moved(words, look)]
        if look.seat_of(interaction.user.id) is None:
            told.append(spoken.table(words, look, look.view))
        else:
            own = await own_panel.look_of(self.context, interaction, control.table)
            preferences = await self.context.profiles.person(interaction.user.id)
            told.append("" if own.view is None else pages.told_hand(words, own, own.view, preferences))
        await replies.say(interaction, *filter(None, told))
