"""What becomes of a table once all have agreed.

The way back to before a move that has shown hidden cards is found in the table's log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.clocks.law import DAY, begun
from bot.engine.moves.events import Combined, DealEnded, DealStarted, Melded, Opened, Reclaimed, TookBack
from bot.engine.moves.phases import Phase
from bot.tables.context import TableContext
from bot.tables.seating import seats
from bot.tables.state.clocks import Pause
from bot.tables.state.events import (
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
from bot.tables.state.fold import fold
from bot.tables.state.log import LogEntry, standing
from bot.tables.state.proposal_folding import clear_proposal
from bot.tables.state.proposals import Proposal, ProposalKind, awaited
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision
from bot.tables.state.snapshots import Caller
from bot.tables.state.table import Table, TableState
from bot.tables.timing import timekeeping
from bot.tables.timing.idle import idle_limit


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


def resume(table: Table, caller: Caller, instants: Timing) -> tuple[AnyEvent, ...]:
    """Let a paused game go on; refusals: as `ConsentService.resume`."""
    seats.require_playing(table)
    seats.require_seat(table, caller.person)
    pause = table.record.pause
    if pause is None:
        raise TableRefusal(TableCode.NOT_PAUSED, {"table": table.id})
    if pause.until is None:
        raise TableRefusal(TableCode.PAUSED_BY_MASTER, {"table": table.id})
    return resumed(table.record, instants)


def resumed(record: TableState, instants: Timing) -> tuple[AnyEvent, ...]:
    """A game that stood still goes on; between two deals the next one is awaited again, if anybody is seated."""
    between = record.game is not None and record.game.phase is Phase.BETWEEN
    awaits = (DeadlineSet(Deadline.NEXT_DEAL, instants.next_deal_at),) if between and record.persons else ()
    return (GameResumed(), *_waits_no_more(record, Deadline.PAUSE), *awaits)


def _waits_no_more(record: TableState, deadline: Deadline) -> tuple[AnyEvent, ...]:
    return (DeadlineSet(deadline, None),) if deadline in record.deadlines else ()


def _ended(record: TableState, _proposal: Proposal, _instants: Timing) -> tuple[AnyEvent, ...]:
    # The deadline of the question itself is gone with it.
    return timekeeping.agreed(clear_proposal(record))


def _resigned(record: TableState, proposal: Proposal, _instants: Timing) -> tuple[AnyEvent, ...]:
    seat = record.seat_of(proposal.by)
    return timekeeping.resigned(clear_proposal(record), record.rules.side_of(seat or 0))


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
        *seats.vacate_seat(record, seat, expires_at=instants.expires_at),
        SubstituteSearchOpened(seat, instants.now),
    )


_CARRIED_OUT: Final[Mapping[ProposalKind, Callable[[TableState, Proposal, Timing], tuple[AnyEvent, ...]]]] = {
    ProposalKind.END: _ended,
    ProposalKind.RESIGN: _resigned,
    ProposalKind.PAUSE: _paused,
    ProposalKind.SLOWER_CLOCK: _slowed,
    ProposalKind.SUBSTITUTE: _substituted,
}


_BACK_ALONE: Final = (Melded, Combined, Reclaimed, Opened, TookBack)
"""What is taken back without asking anybody, and taking it back."""


def version_to_undo_to(rows: Sequence[LogEntry], table: int, *, seat: int, person: int) -> int:
    """The version before the last move of that seat and person that cannot be taken back alone.

    `rows` are the latest of the log, oldest first. Refusals: undo_too_late where another seat has acted since,
    undo_deal_over where the move has ended a deal, undo_nothing where no such move is found.
    """
    for row in reversed(standing(rows)):
        events = row.of_game
        if not events:
            continue
        if any(isinstance(event, DealEnded) for event in events):
            raise TableRefusal(TableCode.UNDO_DEAL_OVER, {"table": table})
        if any(isinstance(event, DealStarted) for event in events):
            break
        if row.seat != seat or row.person not in (None, person):
            raise TableRefusal(TableCode.UNDO_TOO_LATE, {"table": table})
        if not all(isinstance(event, _BACK_ALONE) for event in events):
            return row.version - 1
    raise TableRefusal(TableCode.UNDO_NOTHING, {"table": table})


def undone(rows: Iterable[LogEntry], version: int) -> Undone:
    """The game as it stood at that version; `rows` are the whole log up to it."""
    then = fold(None, (event for row in rows if row.version <= version for event in row.events))
    if then.game is None:
        raise ValueError(f"no game at version {version}")
    return Undone(version, then.game, then.recent, then.drawn)


async def settled(context: TableContext, table: Table, events: Iterable[AnyEvent]) -> Decision:
    """Return the events and, if all have agreed after them, the events of what was proposed."""
    before = tuple(events)
    after = fold(table.record, before)
    proposal = accepted_proposal(after)
    if proposal is None:
        return Decision(before)
    back = await _way_back(context, table, proposal) if proposal.kind is ProposalKind.UNDO else None
    return Decision((*before, *apply_proposal(after, proposal, timing_of(context, after), back=back)))


def timing_of(context: TableContext, record: TableState) -> Timing:
    """Return when something that is carried out now takes place, and what is waited for after it."""
    now = context.clock.now()
    return Timing(now, now + context.limits.between(record.settings), idle_limit(record, now))


async def _way_back(context: TableContext, table: Table, proposal: Proposal) -> Undone:
    """Return the way back, and forget what was prepared: it was prepared upon what is taken back."""
    for person in await context.premoves.at(table.id):
        await context.premoves.forget(table.id, person)
    return undone(await context.log_entries(table, limit=proposal.version), proposal.version)
