"""The buttons of the lobby and the board."""

from __future__ import annotations

from bot.engine.refusals import Refusal
from bot.tables.looks import TableLook
from bot.tables.refusals import TableRefusal
from cogs.shared import board, hands, replies, scores, spoken
from cogs.shared.context import Context
from cogs.shared.ids import ControlId
from cogs.shared.layout import Page
from cogs.shared.replies import Interaction
from cogs.table.commands import close

Chosen = tuple[str, ...]


class BoardControls:
    """Answers every button of a public message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "join": self.join,
            "leave": self.leave,
            "computer": self.computer,
            "start": self.start,
            "close": self.close,
            "hand": self.hand,
            "score": self.score,
            "board_text": self.board_text,
            "next_deal": self.next_deal,
            "rematch": self.rematch,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    # --- lobby

    async def join(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.join(replies.caller_of(interaction), control.table)
        words = replies.words_for(interaction)
        seat = (look.seat_of(interaction.user.id) or 0) + 1
        await self._changed(interaction, look, words("done.joined", seat=seat, table=look.id))

    async def leave(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.leave(replies.caller_of(interaction), control.table)
        await self._changed(interaction, look, replies.words_for(interaction)("done.left", table=look.id))

    async def computer(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.add_computer(replies.caller_of(interaction), control.table)
        await self._changed(interaction, look, replies.words_for(interaction)("done.computer_added", table=look.id))

    async def close(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await close(self.context, interaction, control.table)
        await self._changed(interaction, look, replies.words_for(interaction)("done.closed", table=look.id))

    async def start(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.start(replies.caller_of(interaction), control.table, fill=True)
        note = replies.words_for(interaction)("done.started", table=look.id)
        await replies.answer(interaction, hands.hand_page(self.context, interaction, look.id, note=note))

    async def _changed(self, interaction: Interaction, look: TableLook, said: str) -> None:
        """Show a changed lobby in place when its own message was clicked; elsewhere say what was done."""
        if not await self.context.presenter.answer_in_place(interaction, look):
            await replies.say(interaction, said)

    # --- board

    async def hand(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await replies.answer(interaction, hands.hand_page(self.context, interaction, control.table))

    async def next_deal(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await replies.answer(interaction, self._next_deal(interaction, control.table))

    async def _next_deal(self, interaction: Interaction, table: int) -> Page:
        """The fresh hand, also for somebody who was not the first to begin the deal."""
        try:
            look = await self.tables.next_deal(replies.caller_of(interaction), table)
        except (Refusal, TableRefusal) as problem:
            return await hands.refused_page(self.context, interaction, table, problem)
        note = replies.words_for(interaction)("done.next_deal")
        return await hands.page_of(self.context, interaction, look, note=note)

    async def rematch(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.rematch(replies.caller_of(interaction), control.table)
        self.context.presenter.mark(control.table)
        await replies.say(interaction, replies.words_for(interaction)("done.rematch", table=look.id))

    async def score(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.look_for(control.table, guild=interaction.guild_id)
        await replies.answer(interaction, scores.score_page(self.context, interaction, look))

    async def board_text(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.tables.look_for(control.table, guild=interaction.guild_id)
        words = replies.words_for(interaction)
        if look.view is None:
            await replies.say(interaction, words("panel.lobby"))
        else:
            head = f"{board.headline(words, look)}\n{board.moved(words, look)}"
            await replies.say(interaction, head, spoken.table(words, look, look.view))
