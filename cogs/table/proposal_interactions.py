"""Remembers who made a proposal, so that they can be notified privately when it is refused."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.tables.state.proposals import Proposal
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.discord_calls import attempt_call
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.showing.open_questions import refused_proposal_page

KEPT: Final = 500
"""Most interactions to remember; Discord accepts no answer to one older than 15 minutes."""


class ProposalInteractions:
    """Stores in memory the interactions by which the tables' current proposals were made."""

    def __init__(self) -> None:
        self._interactions: OrderedDict[int, Interaction] = OrderedDict()

    def record_proposing_interaction(self, interaction: Interaction, snapshot: TableSnapshot) -> None:
        """Remember the interaction if it opened the table's current proposal."""
        if snapshot.proposal is None or snapshot.proposal.by != interaction.user.id:
            return
        self._interactions[snapshot.id] = interaction
        self._interactions.move_to_end(snapshot.id)
        if len(self._interactions) > KEPT:
            self._interactions.popitem(last=False)

    async def notify_refusal(self, snapshot: TableSnapshot, proposal: Proposal, refuser: int) -> None:
        """Tell the proposer privately that a player refused, if Discord still accepts the answer."""
        interaction = self._interactions.pop(snapshot.id, None)
        if interaction is None or proposal.by == refuser or interaction.user.id != proposal.by:
            return
        page = refused_proposal_page(interactions.words_for(interaction), snapshot, proposal, refuser)
        await attempt_call(
            interaction.followup.send(view=page.view, ephemeral=True), "telling of a no", table=snapshot.id
        )
