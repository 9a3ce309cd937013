"""What becomes of a table once all have agreed. Pure; the way back of an undo is found in its log before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.clocks.law import DAY, begun
from bot.engine.moves.phases import Phase
from bot.tables import lobby
from bot.tables.consent import early_end
from bot.tables.consent.folding import clear_proposal
from bot.tables.consent.proposal import Proposal, ProposalKind, awaited
from bot.tables.events import (
    AnyEvent,
    ClockSet,
    Deadline,
    DeadlineSet,
    GamePaused,
    GameResumed,
    ProposalEnded,
    SettingsChosen,
    SubstituteSearchOpened,
    Undone,
)
from bot.tables.record import TableState
from bot.tables.timing.clocks import Pause


@dataclass(frozen=True, slots=True)
class Timing:
    """When something is carried out, and what is waited for after it (UTC milliseconds).

    `next_deal_at` begins the next deal of a game that goes on, `expires_at` closes one that all have left.
    """

    now: int
    next_deal_at: int
    expires_at: int


def accepted_proposal(record: TableState) -> Proposal | None:
    """What is proposed, if nobody is left to agree to it."""
    persons = [holder.person for holder in record.seats]
    return None if awaited(record.proposal, persons, record.rules) else record.proposal


def apply_proposal(
    record: TableState, proposal: Proposal, instants: Timing, *, back: Undone | None = None
) -> tuple[AnyEvent, ...]:
    """What follows from the consent of all; `back` is the way back that an undo goes."""
    done = ProposalEnded(agreed=True)
    if back is not None:
        return (done, back)
    return (done, *_CARRIED_OUT[proposal.kind](record, proposal, instants))


def resumed(record: TableState, instants: Timing) -> tuple[AnyEvent, ...]:
    """A game that stood still goes on; between two deals the next one is awaited again, if anybody is seated."""
    between = record.game is not None and record.game.phase is Phase.BETWEEN
    awaits = (DeadlineSet(Deadline.NEXT_DEAL, instants.next_deal_at),) if between and record.persons else ()
    return (GameResumed(), *_waits_no_more(record, Deadline.PAUSE), *awaits)


def _waits_no_more(record: TableState, deadline: Deadline) -> tuple[AnyEvent, ...]:
    return (DeadlineSet(deadline, None),) if deadline in record.deadlines else ()


def _ended(record: TableState, _proposal: Proposal, _instants: Timing) -> tuple[AnyEvent, ...]:
    # The deadline of the question itself is gone with it.
    return early_end.agreed(clear_proposal(record))


def _resigned(record: TableState, proposal: Proposal, _instants: Timing) -> tuple[AnyEvent, ...]:
    seat = record.seat_of(proposal.by)
    return early_end.resigned(clear_proposal(record), record.rules.side_of(seat or 0))


def _paused(record: TableState, proposal: Proposal, instants: Timing) -> tuple[AnyEvent, ...]:
    until = instants.now + proposal.days * DAY
    return (
        GamePaused(Pause(proposal.by, instants.now, until)),
        DeadlineSet(Deadline.PAUSE, until),
        *_waits_no_more(record, Deadline.NEXT_DEAL),
    )


def _slowed(record: TableState, proposal: Proposal, _instants: Timing) -> tuple[AnyEvent, ...]:
    """Banks are lifted to what the slower clock begins with, never cut."""
    terms = proposal.clock
    if terms is None:
        return ()
    clocks = () if record.clocks is None else record.clocks.seats
    least = begun(terms).bank
    return (
        SettingsChosen(replace(record.settings, clock=terms)),
        *(ClockSet(seat, replace(clock, bank=max(clock.bank, least))) for seat, clock in enumerate(clocks)),
    )


def _substituted(record: TableState, proposal: Proposal, instants: Timing) -> tuple[AnyEvent, ...]:
    seat = record.seat_of(proposal.by)
    if seat is None:
        return ()
    return (
        *lobby.vacate_seat(record, seat, expires_at=instants.expires_at),
        SubstituteSearchOpened(seat, instants.now),
    )


_CARRIED_OUT: Final[Mapping[ProposalKind, Callable[[TableState, Proposal, Timing], tuple[AnyEvent, ...]]]] = {
    ProposalKind.END: _ended,
    ProposalKind.RESIGN: _resigned,
    ProposalKind.PAUSE: _paused,
    ProposalKind.SLOWER_CLOCK: _slowed,
    ProposalKind.SUBSTITUTE: _substituted,
}
