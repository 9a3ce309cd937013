"""Closing a table with `/table close`, with a confirmation if needed."""

from __future__ import annotations

from bot.tables.state.proposals import ProposalKind
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.serving.context import Context
from cogs.shared.showing.open_questions import confirm_end_alone_page, proposal_outcome_text
from cogs.table.proposal_interactions import ProposalInteractions


async def close_or_propose_end(
    context: Context, interaction: Interaction, table: int, proposers: ProposalInteractions
) -> Page:
    """Close a lobby or propose to end the game, and return the answer.

    The only human player of a game must first confirm. Refusals as `LobbyService.close`.
    """
    snapshot = await context.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
    if is_playing_alone(snapshot, interaction.user.id):
        return confirm_end_alone_page(interactions.words_for(interaction), snapshot)
    moderator = interaction.permissions.manage_guild
    snapshot = await context.tables.lobby.close(interactions.caller_of(interaction), table, moderator=moderator)
    words = interactions.words_for(interaction)
    if snapshot.status is Status.CLOSED:
        return text_page(words("done.closed", table=snapshot.id))
    proposers.record_proposing_interaction(interaction, snapshot)
    return text_page(proposal_outcome_text(words, snapshot, ProposalKind.END, "consent.asked"))


def is_playing_alone(snapshot: TableSnapshot, person: int) -> bool:
    """Return whether the person plays a running game with computer players only."""
    return snapshot.status is Status.PLAYING and snapshot.persons == (person,)
