"""The service for proposals to all players of a running game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.tables.consent import accepted_proposals, proposal_rules
from bot.tables.consent.accepted_proposals import add_events_of_accepted_proposal, version_to_undo_to
from bot.tables.context import TableContext
from bot.tables.play.service import TURN_ROWS
from bot.tables.seating import seats
from bot.tables.state.events import Deadline, ProposalEnded
from bot.tables.state.proposals import LONGEST_PAUSE, Proposal, ProposalKind
from bot.tables.state.requests import DeadlineHandler, Decision, TableRequest
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tables.state.table import Table


class ConsentService:
    """Requests of a seated player to propose something, and to answer a proposal."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    async def propose(
        self, caller: Caller, table: int, kind: ProposalKind, *, days: int = LONGEST_PAUSE
    ) -> TableSnapshot:
        """Propose something to all seated persons; carry it out at once if no other person must agree.

        `days` is the length of a pause. If the same question is open already, the proposal counts as a yes to it.
        Refusals: not_seated, not_started, game_paused, game_finished, table_closed, proposal_open, already_agreed,
        proposed_too_often; pause_days and paused_too_often (pause); undo_off, undo_nothing, undo_too_late and
        undo_deal_over (undo); no_slower_clock, time_is_over.
        """
        now = self._context.clock.now()

        async def decide_events(current_table: Table) -> Decision:
            proposal = await self._complete_proposal(
                current_table, Proposal(kind, caller.person, now, (caller.person,), days=days)
            )
            return await add_events_of_accepted_proposal(
                self._context, current_table, proposal_rules.propose(current_table, proposal)
            )

        return await self._context.change(
            table, TableRequest("propose", {"what": kind.value, "days": days}, caller=caller), decide_events
        )

    async def answer_proposal(
        self, caller: Caller, table: int, *, agrees: bool, asked_at: int | None = None
    ) -> TableSnapshot:
        """Agree to the proposal, which is carried out once all have agreed; or refuse, which ends it.

        Refusals: not_seated, not_asked, already_agreed, not_started, game_paused, table_closed, game_finished;
        stale_request if no proposal is open, or another one than that of `asked_at`.
        """
        request = TableRequest("answer_proposal", {"agrees": agrees, "asked_at": asked_at}, caller=caller)
        return await self._context.change(
            table,
            request,
            lambda current_table: add_events_of_accepted_proposal(
                self._context,
                current_table,
                proposal_rules.answer_proposal(current_table, caller, agrees=agrees, asked_at=asked_at),
            ),
        )

    async def resume(self, caller: Caller, table: int) -> TableSnapshot:
        """End a pause; every seated player may, except if a game master paused the game.

        Refusals: not_seated, not_started, game_finished, table_closed, not_paused, paused_by_master.
        """
        return await self._context.change(
            table,
            TableRequest("resume", {}, caller=caller),
            lambda current_table: Decision(
                accepted_proposals.end_pause(current_table, caller, now=self._context.clock.now())
            ),
        )

    async def _complete_proposal(self, table: Table, proposal: Proposal) -> Proposal:
        """Fill in the proposal's slower clock, or the version that an undo restores, and return it."""
        if proposal.kind is ProposalKind.SLOWER_CLOCK:
            return replace(proposal, days=0, clock=proposal_rules.next_slower_clock(table.record.settings.clock))
        if proposal.kind is ProposalKind.UNDO and table.record.settings.undo:
            seats.require_unpaused_game(table)
            seat = seats.require_seat(table, proposal.by)
            rows = await self._context.log_entries(table, after=max(0, table.version - TURN_ROWS))
            return replace(proposal, days=0, version=version_to_undo_to(rows, table.id, seat=seat, person=proposal.by))
        return proposal if proposal.kind is ProposalKind.PAUSE else replace(proposal, days=0)

    # --- deadlines ---------------------------------------------------------------------------------------------------

    @property
    def deadlines(self) -> Mapping[Deadline, DeadlineHandler]:
        """The handlers of this service's deadlines."""
        return {Deadline.PROPOSAL: self._end_proposal}

    async def _end_proposal(self, table: Table) -> Decision:
        """End the proposal, whose time is up; carry it out if every player still seated has agreed."""
        found = await add_events_of_accepted_proposal(self._context, table, ())
        return found if found.events else Decision((ProposalEnded(agreed=False),))
