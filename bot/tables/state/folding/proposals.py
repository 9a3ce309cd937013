"""The effects of the events about proposals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bot.tables.state.events import (
    Deadline,
    ProposalAnswered,
    ProposalEnded,
    ProposalEvent,
    Proposed,
    SubstituteSearchOpened,
    Undone,
)
from bot.tables.state.proposals import PastProposal, ProposalKind, SubstituteSearch

if TYPE_CHECKING:
    from bot.tables.state.table import TableState


def clear_proposal(record: TableState) -> TableState:
    """Remove the open proposal and its deadline."""
    if record.proposal is None:
        return record
    deadlines, set_at = dict(record.deadlines), dict(record.set_at)
    deadlines.pop(Deadline.PROPOSAL, None)
    set_at.pop(Deadline.PROPOSAL, None)
    return replace(record, proposal=None, deadlines=deadlines, set_at=set_at)


def drop_answers_of_departed_players(record: TableState) -> TableState:
    """Remove the answers of players who left the table, and the proposal if its asker left."""
    proposal = record.proposal
    if proposal is None:
        return record
    agreed = tuple(person for person in proposal.agreed if person in record.persons)
    if proposal.by not in agreed:
        return clear_proposal(record)
    return replace(record, proposal=replace(proposal, agreed=agreed))


def open_proposal(record: TableState, event: Proposed) -> TableState:
    """Open a proposal and count it for its asker."""
    proposal = event.proposal
    return replace(record, proposal=proposal, proposed=(*record.proposed, PastProposal(proposal.by, proposal.kind)))


def record_answer(record: TableState, event: ProposalAnswered) -> TableState:
    """Record a yes to the proposal; a no ends it."""
    proposal = record.proposal
    if proposal is None or not event.agrees:
        return clear_proposal(record)
    return replace(record, proposal=replace(proposal, agreed=(*proposal.agreed, event.person)))


def end_proposal(record: TableState, event: ProposalEnded) -> TableState:
    """Remove the proposal; if it was an agreed pause, count the pause."""
    paused = event.agreed and record.proposal is not None and record.proposal.kind is ProposalKind.PAUSE
    return replace(clear_proposal(record), pauses=record.pauses + paused)


def apply_undo(record: TableState, event: Undone) -> TableState:
    """Restore an earlier state of the game, and note the turn whose end was taken back."""
    before, after = record.game, event.game
    ended = before is not None and (before.deal, before.turns) != (after.deal, after.turns)
    turn = (after.deal, after.turns) if ended else record.undone
    return replace(record, game=after, recent=event.recent, drawn=event.drawn, undone=turn)


def record_substitute_search(record: TableState, event: SubstituteSearchOpened) -> TableState:
    """Record the search for a substitute for a seat."""
    return replace(record, sought=(*record.sought, SubstituteSearch(event.seat, event.at)))


FOLDS: Final[Mapping[type[ProposalEvent], Callable[[TableState, Any], TableState]]] = {
    Proposed: open_proposal,
    ProposalAnswered: record_answer,
    ProposalEnded: end_proposal,
    Undone: apply_undo,
    SubstituteSearchOpened: record_substitute_search,
}
