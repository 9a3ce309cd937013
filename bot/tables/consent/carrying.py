"""What becomes of a table once all have agreed. Pure; the way back of an undo is found in its log before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.clocks.law import DAY, begun
from bot.engine.moves.phases import Phase
from bot.tables import lobby
from bot.tables.consent import early_end
from bot.tables.consent.folding import unasked
from bot.tables.consent.proposal import Kind, Proposal, awaited
from bot.tables.events import (
    AnyEvent,
    ClockSet,
    Deadline,
    DeadlineSet,
    GamePaused,
    GameResumed,
    ProposalEnded,
    SettingsChosen,
    SubstituteSought,
    Undone,
)
from bot.tables.record import Record
from bot.tables.timing.clocks import Pause


@dataclass(frozen=True, slots=True)
class Instants:
    """When something is carried out, and what is waited for after it (UTC milliseconds).

    `next_deal_at` begins the next deal of a game that goes on, `expires_at` closes one that all have left.
    """

    now: int
    next_deal_at: int
    expires_at: int


def agreed(record: Record) -> Proposal | None:
    """What is proposed, if nobody is left to agree to it."""
    persons = [holder.person for holder in record.seats]
    return None if awaited(record.proposal, persons, record.rules) else record.proposal


def carried_out(
    record: Record, proposal: Proposal, instants: Instants, *, back: Undone | None = None
) -> tuple[AnyEvent, ...]:
    """What follows from the consent of all; `back` is the way back that an undo goes."""
    done = ProposalEnded(agreed=True)
    if back is not None:
        return (done, back)
    return (done, *_CARRIED_OUT[proposal.kind](record, proposal, instants))


def resumed(record: Record, instants: Instants) -> tuple[AnyEvent, ...]:
    """A game that stood still goes on; between two deals the next one is awaited again, if anybody is seated."""
    between = record.game is not None and record.game.phase is Phase.BETWEEN
    awaits = (DeadlineSet(Deadline.NEXT_DEAL, instants.next_deal_at),) if between and record.persons else ()
    return (GameResumed(), *_waits_no_more(record, Deadline.PAUSE), *awaits)


def _waits_no_more(record: Record, deadline: Deadline) -> tuple[AnyEvent, ...]:
    return (DeadlineSet(deadline, None),) if deadline in record.deadlines else ()


def _ended(record: Record, _proposal: Proposal, _instants: Instants) -> tuple[AnyEvent, ...]:
    # The deadline of the question itself is gone with it.
    return early_end.agreed(unasked(record))


def _resigned(record: Record, proposal: Proposal, _instants: Instants) -> tuple[AnyEvent, ...]:
    seat = record.seat_of(proposal.by)
    return early_end.resigned(unasked(record), record.rules.side_of(seat or 0))


def _paused(record: Record, proposal: Proposal, instants: Instants) -> tuple[AnyEvent, ...]:
    until = instants.now + proposal.days * DAY
    return (
        GamePaused(Pause(proposal.by, instants.now, until)),
        DeadlineSet(Deadline.PAUSE, until),
        *_waits_no_more(record, Deadline.NEXT_DEAL),
    )


def _slowed(record: Record, proposal: Proposal, _instants: Instants) -> tuple[AnyEvent, ...]:
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


def _substituted(record: Record, proposal: Proposal, instants: Instants) -> tuple[AnyEvent, ...]:
    seat = record.seat_of(proposal.by)
    if seat is None:
        return ()
    return (*lobby.left(record, seat, expires_at=instants.expires_at), SubstituteSought(seat, instants.now))


_CARRIED_OUT: Final[Mapping[Kind, Callable[[Record, Proposal, Instants], tuple[AnyEvent, ...]]]] = {
    Kind.END: _ended,
    Kind.RESIGN: _resigned,
    Kind.PAUSE: _paused,
    Kind.SLOWER_CLOCK: _slowed,
    Kind.SUBSTITUTE: _substituted,
}
