"""Askers: who has proposed something a short while ago, and can still be told in private what came of it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.tables.state.proposals import Proposal
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door import interactions
from cogs.shared.door.calls import attempt
from cogs.shared.door.interactions import Interaction
from cogs.shared.showing.questions import refused_page

KEPT: Final = 500
"""Tables of which the interaction is remembered; Discord answers none that is older than a quarter of an hour."""


class Askers:
    """By table, the interaction with which the open question was asked; lost with the process without harm."""

    def __init__(self) -> None:
        self._interactions: OrderedDict[int, Interaction] = OrderedDict()

    def note(self, interaction: Interaction, look: TableSnapshot) -> None:
        """Remember with which interaction the question was asked that is open at the table, if it was this one."""
        if look.proposal is None or look.proposal.by != interaction.user.id:
            return
        self._interactions[look.id] = interaction
        self._interactions.move_to_end(look.id)
        if len(self._interactions) > KEPT:
            self._interactions.popitem(last=False)

    async def tell_no(self, look: TableSnapshot, proposal: Proposal, refuser: int) -> None:
        """Tell whoever asked that somebody has said no, as far as Discord still lets it be told."""
        interaction = self._interactions.pop(look.id, None)
        if interaction is None or proposal.by == refuser or interaction.user.id != proposal.by:
            return
        page = refused_page(interactions.words_for(interaction), look, proposal, refuser)
        await attempt(interaction.followup.send(view=page.view, ephemeral=True), "telling of a no", table=look.id)
