"""Proposals to all players: make one, answer it, and refuse those that are not allowed now. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS, ClockTerms
from bot.tables.seating.seats import require_seat, require_unpaused_game
from bot.tables.state.events import AnyEvent, Deadline, DeadlineSet, ProposalAnswered, Proposed
from bot.tables.state.proposals import (
    LONGEST_PAUSE,
    MOST_PAUSES,
    MOST_PROPOSED,
    SHARED,
    PastProposal,
    Proposal,
    ProposalKind,
    voters,
)
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller
from bot.tables.state.table import Table, TableState

FAST: Final = 10 * MINUTE
UNDO: Final = HOUR
"""How long a proposal stays open at a table with a fast clock, or for an undo."""


def propose(table: Table, proposal: Proposal) -> tuple[AnyEvent, ...]:
    """Make a proposal to all players concerned; if the same one is already open, agree to it."""
    require_unpaused_game(table)
    require_seat(table, proposal.by)
    record = table.record
    open_one = record.proposal
    if open_one is not None:
        if open_one.kind is not proposal.kind or open_one.kind not in SHARED or proposal.by not in _voters(record):
            raise TableRefusal(TableCode.PROPOSAL_OPEN, {"table": table.id})
        return _agree_to_proposal(table, proposal.by)
    if record.proposed.count(PastProposal(proposal.by, proposal.kind)) >= MOST_PROPOSED:
        raise TableRefusal(TableCode.PROPOSED_TOO_OFTEN, {"times": MOST_PROPOSED})
    _REQUIRED.get(proposal.kind, _accept_any_proposal)(table, proposal)
    return (Proposed(proposal), DeadlineSet(Deadline.PROPOSAL, proposal.at + time_to_answer(record, proposal.kind)))


def answer_proposal(table: Table, caller: Caller, *, agrees: bool, asked_at: int | None) -> tuple[AnyEvent, ...]:
    """Answer yes or no to the proposal made at `asked_at`. The asker's no withdraws it."""
    require_unpaused_game(table)
    require_seat(table, caller.person)
    proposal = table.record.proposal
    if proposal is None or asked_at not in (None, proposal.at):
        detail = {"table": table.id, "expected": table.version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
    if caller.person not in _voters(table.record):
        raise TableRefusal(TableCode.NOT_ASKED, {"table": table.id})
    return _agree_to_proposal(table, caller.person) if agrees else (ProposalAnswered(caller.person, agrees=False),)


def time_to_answer(record: TableState, kind: ProposalKind) -> int:
    """Return how long a proposal stays open at that table, in milliseconds."""
    clock = record.settings.clock
    usual = FAST if clock is not None and not clock.is_slow else DAY
    return min(usual, UNDO) if kind is ProposalKind.UNDO else usual


def next_slower_clock(clock: ClockTerms | None) -> ClockTerms | None:
    """Return the next slower clock; None if there is none, or the table has no clock."""
    daily = PRESETS["daily"]
    return daily if clock is not None and clock.bank < daily.bank else None


def _agree_to_proposal(table: Table, person: int) -> tuple[AnyEvent, ...]:
    """Return the person's yes to the open proposal. Refusal: already_agreed."""
    proposal = table.record.proposal
    if proposal is not None and person in proposal.agreed:
        raise TableRefusal(TableCode.ALREADY_AGREED, {"table": table.id})
    return (ProposalAnswered(person, agrees=True),)


def _voters(record: TableState) -> tuple[int, ...]:
    """Return the people whose consent the open proposal needs."""
    persons = [holder.person for holder in record.seats]
    return () if record.proposal is None else voters(record.proposal, persons, record.rules)


# --- conditions of each kind ------------------------------------------------------------------------------------------


def _accept_any_proposal(_table: Table, _proposal: Proposal) -> None:
    """Accept the proposal, because its kind has no conditions of its own."""


def _check_pause(table: Table, proposal: Proposal) -> None:
    """Refuse a pause of too many days, or more pauses than a game may have."""
    if not 1 <= proposal.days <= LONGEST_PAUSE:
        raise TableRefusal(TableCode.PAUSE_DAYS, {"days": proposal.days, "lowest": 1, "highest": LONGEST_PAUSE})
    if table.record.pauses >= MOST_PAUSES:
        raise TableRefusal(TableCode.PAUSED_TOO_OFTEN, {"times": MOST_PAUSES})


def _check_undo(table: Table, _proposal: Proposal) -> None:
    """Refuse an undo if the table's settings forbid it."""
    if not table.record.settings.undo:
        raise TableRefusal(TableCode.UNDO_OFF, {"table": table.id})


def _check_slower_clock(table: Table, proposal: Proposal) -> None:
    """Refuse a slower clock if there is none, or if the latest end has come."""
    if table.record.last_deal:
        raise TableRefusal(TableCode.TIME_IS_OVER, {"table": table.id})
    if proposal.clock is None:
        raise TableRefusal(TableCode.NO_SLOWER_CLOCK, {"table": table.id})


_REQUIRED: Final[Mapping[ProposalKind, Callable[[Table, Proposal], None]]] = {
    ProposalKind.PAUSE: _check_pause,
    ProposalKind.UNDO: _check_undo,
    ProposalKind.SLOWER_CLOCK: _check_slower_clock,
}
