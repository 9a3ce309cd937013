"""Carrying out a proposal once all players have agreed.

For an undo of a move that showed hidden cards, the state before the move is found in the table's log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.clocks.time_rules import DAY, initial_clock
from bot.engine.moves.events import Combined, DealEnded, DealStarted, Melded, Opened, Reclaimed, TookBack
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
from bot.tables.state.fold import apply_table_events
from bot.tables.state.folding.proposals import clear_proposal
from bot.tables.state.proposals import Proposal, ProposalKind, unanswered_people
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, LogEntry, without_undone_moves
from bot.tables.state.snapshots import Caller
from bot.tables.state.table import Table, TableState
from bot.tables.timing import timekeeping
from bot.tables.timing.idle_limit import idle_limit


@dataclass(frozen=True, slots=True)
class ProposalTiming:
    """When a proposal is carried out, and the deadlines after it (UTC milliseconds).

    `expires_at` closes a game that all persons have left.
    """

    now: int
    expires_at: int


def accepted_proposal(record: TableState) -> Proposal | None:
    """Return the open proposal if everyone has agreed to it, else None."""
    persons = [holder.person for holder in record.seats]
    return None if unanswered_people(record.proposal, persons, record.rules) else record.proposal


def apply_proposal(
    record: TableState, proposal: Proposal, instants: ProposalTiming, *, undone: Undone | None = None
) -> tuple[AnyEvent, ...]:
    """Return the events that carry out the proposal; `undone` is the earlier state, for an undo."""
    done = ProposalEnded(agreed=True)
    if undone is not None:
        return (done, undone)
    return (done, *_CARRIED_OUT[proposal.kind](record, proposal, instants))


def end_pause(table: Table, caller: Caller, *, now: int) -> tuple[AnyEvent, ...]:
    """End a pause; refusals: as `ConsentService.resume`."""
    seats.require_running_game(table)
    seats.require_seat(table, caller.person)
    pause = table.record.pause
    if pause is None:
        raise TableRefusal(TableCode.NOT_PAUSED, {"table": table.id})
    if pause.until is None:
        raise TableRefusal(TableCode.PAUSED_BY_MASTER, {"table": table.id})
    return events_ending_pause(table.record, now=now)


def events_ending_pause(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Return the end of a pause."""
    waits = (DeadlineSet(Deadline.PAUSE, None),) if Deadline.PAUSE in record.deadlines else ()
    return (GameResumed(now), *waits)


def _end_game(record: TableState, _proposal: Proposal, _instants: ProposalTiming) -> tuple[AnyEvent, ...]:
    # The deadline for answers to the proposal was cleared together with the proposal.
    return timekeeping.end_by_agreement(clear_proposal(record))


def _end_by_resignation(record: TableState, proposal: Proposal, _instants: ProposalTiming) -> tuple[AnyEvent, ...]:
    """Return the end of the game by resignation of the asker's side."""
    seat = record.seat_of(proposal.by)
    return timekeeping.end_by_resignation(clear_proposal(record), record.rules.side_of(seat or 0))


def _start_pause(_record: TableState, proposal: Proposal, instants: ProposalTiming) -> tuple[AnyEvent, ...]:
    """Return the start of the pause and the deadline for its end."""
    until = instants.now + proposal.days * DAY
    return (GamePaused(Pause(proposal.by, instants.now, until)), DeadlineSet(Deadline.PAUSE, until))


def _change_to_slower_clock(record: TableState, proposal: Proposal, _instants: ProposalTiming) -> tuple[AnyEvent, ...]:
    """Change to the slower clock. Time left is raised to that clock's initial time, never cut."""
    terms = proposal.clock
    if terms is None:
        return ()
    clocks = () if record.clocks is None else record.clocks.seats
    least = initial_clock(terms).bank
    return (
        SettingsChosen(replace(record.settings, clock=terms)),
        *(ClockSet(seat, replace(clock, bank=max(clock.bank, least))) for seat, clock in enumerate(clocks)),
    )


def _search_substitute(record: TableState, proposal: Proposal, instants: ProposalTiming) -> tuple[AnyEvent, ...]:
    """Return the events that vacate the asker's seat and open the search for a substitute."""
    seat = record.seat_of(proposal.by)
    if seat is None:
        return ()
    return (
        *seats.vacate_seat(record, seat, expires_at=instants.expires_at),
        SubstituteSearchOpened(seat, instants.now),
    )


_CARRIED_OUT: Final[Mapping[ProposalKind, Callable[[TableState, Proposal, ProposalTiming], tuple[AnyEvent, ...]]]] = {
    ProposalKind.END: _end_game,
    ProposalKind.RESIGN: _end_by_resignation,
    ProposalKind.PAUSE: _start_pause,
    ProposalKind.SLOWER_CLOCK: _change_to_slower_clock,
    ProposalKind.SUBSTITUTE: _search_substitute,
}


_BACK_ALONE: Final = (Melded, Combined, Reclaimed, Opened, TookBack)
"""Actions that a player may take back without asking, and the undo of one."""


def version_to_undo_to(rows: Sequence[LogEntry], table: int, *, seat: int, person: int) -> int:
    """Return the table's version before the seat's last move that can be undone only with consent.

    `rows` are the latest of the log, oldest first. Refusals: undo_too_late if another seat has acted since,
    undo_deal_over if the move has ended a deal, undo_nothing if there is no such move.
    """
    for row in reversed(without_undone_moves(rows)):
        events = row.game_events
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


def restored_game(rows: Iterable[LogEntry], version: int) -> Undone:
    """Return the game as it was at that version; `rows` is the whole log up to it."""
    then = apply_table_events(None, (event for row in rows if row.version <= version for event in row.events))
    if then.game is None:
        raise ValueError(f"no game at version {version}")
    return Undone(version, then.game, then.recent, then.drawn)


async def add_events_of_accepted_proposal(context: TableContext, table: Table, events: Iterable[AnyEvent]) -> Decision:
    """Return `events` and, if all players have then agreed, the events that carry out the proposal.

    While the table is halted no proposal is carried out.
    """
    before = tuple(events)
    after = apply_table_events(table.record, before)
    proposal = accepted_proposal(after)
    if proposal is None or after.is_halted:
        return Decision(before)
    back = await _build_undo(context, table, proposal) if proposal.kind is ProposalKind.UNDO else None
    return Decision((*before, *apply_proposal(after, proposal, proposal_timing(context, after), undone=back)))


def proposal_timing(context: TableContext, record: TableState) -> ProposalTiming:
    """Return the current instant and the deadlines for a proposal that is carried out now."""
    now = context.clock.now()
    return ProposalTiming(now, idle_limit(record, now))


async def _build_undo(context: TableContext, table: Table, proposal: Proposal) -> Undone:
    """Return the undo event, and delete the table's premoves.

    The premoves were prepared for the later state.
    """
    for person in await context.premoves.premoves_at(table.id):
        await context.premoves.delete_premove(table.id, person)
    return restored_game(await context.log_entries(table, limit=proposal.version), proposal.version)
