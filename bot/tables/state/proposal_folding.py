"""What the events of consent make of a record."""

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
    """Nothing is asked any longer, so nothing can lapse."""
    if record.proposal is None:
        return record
    deadlines = dict(record.deadlines)
    deadlines.pop(Deadline.PROPOSAL, None)
    return replace(record, proposal=None, deadlines=deadlines)


def keep_open_questions(record: TableState) -> TableState:
    """Nothing is asked any longer once whoever asked has left; the answers of others leave with them."""
    proposal = record.proposal
    if proposal is None:
        return record
    agreed = tuple(person for person in proposal.agreed if person in record.persons)
    if proposal.by not in agreed:
        return clear_proposal(record)
    return replace(record, proposal=replace(proposal, agreed=agreed))


def proposed(record: TableState, event: Proposed) -> TableState:
    """A question is asked, which is counted against whoever asks."""
    proposal = event.proposal
    return replace(record, proposal=proposal, proposed=(*record.proposed, PastProposal(proposal.by, proposal.kind)))


def answered(record: TableState, event: ProposalAnswered) -> TableState:
    """A yes is noted, a no ends the question."""
    proposal = record.proposal
    if proposal is None or not event.agrees:
        return clear_proposal(record)
    return replace(record, proposal=replace(proposal, agreed=(*proposal.agreed, event.person)))


def proposal_ended(record: TableState, event: ProposalEnded) -> TableState:
    """The question is decided; pauses that all want are counted."""
    paused = event.agreed and record.proposal is not None and record.proposal.kind is ProposalKind.PAUSE
    return replace(clear_proposal(record), pauses=record.pauses + paused)


def undone(record: TableState, event: Undone) -> TableState:
    """The game is as it was; the turn whose end was taken back is noted."""
    before, after = record.game, event.game
    ended = before is not None and (before.deal, before.turns) != (after.deal, after.turns)
    turn = (after.deal, after.turns) if ended else record.undone
    return replace(record, game=after, recent=event.recent, drawn=event.drawn, undone=turn)


def substitute_sought(record: TableState, event: SubstituteSearchOpened) -> TableState:
    """A seat is looked after until somebody takes it."""
    return replace(record, sought=(*record.sought, SubstituteSearch(event.seat, event.at)))


FOLDS: Final[Mapping[type[ProposalEvent], Callable[[TableState, Any], TableState]]] = {
    Proposed: proposed,
    ProposalAnswered: answered,
    ProposalEnded: proposal_ended,
    Undone: undone,
    SubstituteSearchOpened: substitute_sought,
}
