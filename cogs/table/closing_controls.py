"""Closing a table and coming back to one: what `/table close` answers, and the way back."""

from __future__ import annotations

from bot.tables.consent.proposal import Kind
from bot.tables.looks import Status, TableLook
from bot.tables.refusals import TableCode, TableRefusal
from cogs.shared.boards.consent import alone_page, outcome_text
from cogs.shared.boards.paused import kept_names
from cogs.shared.interactions import replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.layout import Page, text_page
from cogs.shared.interactions.replies import Interaction
from cogs.shared.private import hands
from cogs.table.askers import Askers

Chosen = tuple[str, ...]


class ClosingControls:
    """Answers *Back to my seat*."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        context.router.add("back", self.back)

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


async def close_page(context: Context, interaction: Interaction, table: int, askers: Askers) -> Page:
    """Close a table, or propose to end its game; a person who is alone at a game is asked to confirm it first.

    Refusals as `TableService.close`.
    """
    look = await context.tables.look_for(table, guild=interaction.guild_id)
    if plays_alone(look, interaction.user.id):
        return alone_page(replies.words_for(interaction), look)
    moderator = interaction.permissions.manage_guild
    look = await context.tables.close(replies.caller_of(interaction), table, moderator=moderator)
    words = replies.words_for(interaction)
    if look.status is Status.CLOSED:
        return text_page(words("done.closed", table=look.id))
    askers.note(interaction, look)
    return text_page(outcome_text(words, look, Kind.END, "consent.asked"))


def plays_alone(look: TableLook, person: int) -> bool:
    """Whether that person has a running game with computer players to itself."""
    return look.status is Status.PLAYING and look.persons == (person,)
