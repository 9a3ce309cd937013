"""The part of the table service that closes tables."""

from __future__ import annotations

from bot.tables import closing, stale
from bot.tables.asked import Decision, TableRequest
from bot.tables.consent import who_answers
from bot.tables.consent.proposal import Proposal, ProposalKind
from bot.tables.desk import TableContext
from bot.tables.looks import Caller, TableSnapshot
from bot.tables.record import Table


class ClosingService(TableContext):
    """What can be asked about giving a table up."""

    async def close(
        self, caller: Caller, table: int, *, moderator: bool = False, seen: int | None = None
    ) -> TableSnapshot:
        """Close a lobby; at a running game propose to all persons seated to end it.

        A moderator of the server need be neither host nor seated. `seen` is the version that was clicked on: a lobby
        is closed only as it was seen. Refusals: not_host (lobby), not_silent (moderator), stale_request, table_closed,
        game_finished, and as `ConsentService.propose`.
        """
        self._admit(caller)
        now, silence = self._ledger.clock.now(), self._limits.silence

        async def decide(found: Table) -> Decision:
            await stale.require_current(self._ledger.store, found, seen, stale.closing)
            events = closing.close(found, caller, moderator=moderator, now=now, silence=silence)
            if events is not None:
                return Decision(events)
            proposal = Proposal(ProposalKind.END, caller.person, now, (caller.person,))
            return await self._settled(found, who_answers.propose(found, proposal))

        return await self._ask(table, TableRequest("close", {"moderator": moderator}, caller=caller), decide)
