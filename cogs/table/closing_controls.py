"""Closing a table and coming back to one: the board's controls, and what `/table close` answers."""

from __future__ import annotations

from bot.tables.consent.proposal import Kind
from bot.tables.looks import Status
from bot.tables.refusals import TableCode, TableRefusal
from cogs.shared.boards.consent import alone_page, outcome_text
from cogs.shared.boards.paused import kept_names
from cogs.shared.interactions import patience, replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.layout import Page, text_page
from cogs.shared.interactions.replies import Interaction
from cogs.shared.private import hands
from cogs.table.askers import Askers

Chosen = tuple[str, ...]


class ClosingControls:
    """Answers *Offer to end* and *Back to my seat*."""

    def __init__(self, context: Context, askers: Askers) -> None:
        self.context = context
        self.tables = context.tables
        self.askers = askers
        for action, handler in {"close_game": self.close, "close_alone": self.close_alone, "back": self.back}.items():
            context.router.add(action, handler)

    async def close(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await replies.show(interaction, await close_page(self.context, interaction, control.table, self.askers))

    async def close_alone(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Whoever has come back meanwhile is asked after all."""
        page = await close_page(self.context, interaction, control.table, self.askers, confirmed=True)
        await replies.show(interaction, page, update=patience.in_panel(interaction))

    async def back(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await replies.answer(interaction, self._back(interaction, control.table))

    async def _back(self, interaction: Interaction, table: int) -> Page:
        """The person's hand, also for somebody who sits there already."""
        words = replies.words_for(interaction)
        try:
            look = await self.tables.join(replies.caller_of(interaction), table)
        except TableRefusal as refusal:
            if refusal.code is TableCode.ALREADY_SEATED:
                return await hands.hand_page(self.context, interaction, table)
            look = await self.tables.look_for(table, guild=interaction.guild_id)
            kept = kept_names(look)
            if refusal.code is not TableCode.ALREADY_STARTED or not kept:
                raise
            return text_page(words("paused.not_yours", names=kept))
        return await hands.hand_page(self.context, interaction, look.id, note=words("paused.came_back"))


async def close_page(
    context: Context, interaction: Interaction, table: int, askers: Askers, *, confirmed: bool = False
) -> Page:
    """Close a table, or propose to end its game; a person who is alone at a game is asked to confirm it first.

    Refusals as `TableService.close`.
    """
    look = await context.tables.look_for(table, guild=interaction.guild_id)
    alone = look.status is Status.PLAYING and look.persons == (interaction.user.id,)
    if alone and not confirmed:
        return alone_page(replies.words_for(interaction), look)
    moderator = interaction.permissions.manage_guild
    look = await context.tables.close(replies.caller_of(interaction), table, moderator=moderator)
    words = replies.words_for(interaction)
    if look.status is Status.CLOSED:
        return text_page(words("done.closed", table=look.id))
    askers.note(interaction, look)
    return text_page(outcome_text(words, look, Kind.END, "consent.asked"))
