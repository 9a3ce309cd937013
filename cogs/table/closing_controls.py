"""Closing a table: what `/table close` answers."""

from __future__ import annotations

from bot.tables.consent.proposal import ProposalKind
from bot.tables.looks import Status, TableSnapshot
from cogs.shared.door import replies
from cogs.shared.door.components import Page, text_page
from cogs.shared.door.replies import Interaction
from cogs.shared.serving.context import Context
from cogs.shared.showing.consent import alone_page, outcome_text
from cogs.table.askers import Askers


async def close_page(context: Context, interaction: Interaction, table: int, askers: Askers) -> Page:
    """Close a table, or propose to end its game; a person who is alone at a game is asked to confirm it first.

    Refusals as `TableService.close`.
    """
    look = await context.tables.look_for(table, person=interaction.user.id, guild=interaction.guild_id)
    if plays_alone(look, interaction.user.id):
        return alone_page(replies.words_for(interaction), look)
    moderator = interaction.permissions.manage_guild
    look = await context.tables.close(replies.caller_of(interaction), table, moderator=moderator)
    words = replies.words_for(interaction)
    if look.status is Status.CLOSED:
        return text_page(words("done.closed", table=look.id))
    askers.note(interaction, look)
    return text_page(outcome_text(words, look, ProposalKind.END, "consent.asked"))


def plays_alone(look: TableSnapshot, person: int) -> bool:
    """Whether that person has a running game with computer players to itself."""
    return look.status is Status.PLAYING and look.persons == (person,)
