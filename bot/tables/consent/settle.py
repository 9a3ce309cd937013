"""What becomes of a table once all have agreed. Pure; the way back of an undo is found in its log before.

The way back to before a move that has shown hidden cards, found in a table's log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.clocks.law import DAY, begun
from bot.engine.moves.events import Combined, DealEnded, DealStarted, Event, Melded, Opened, Reclaimed, TookBack
from bot.engine.moves.phases import Phase
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
from bot.tables.state.proposal_folding import clear_proposal
from bot.tables.state.proposals import Proposal, ProposalKind, awaited
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.table import TableState
from bot.tables.timing import timekeeping


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


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What happened in one row of a log, and who did it: a seat, of which person."""

    version: int
    seat: int | None
    person: int | None
    events: tuple[AnyEvent, ...] = field(repr=False)

    @property
    def of_game(self) -> tuple[Event, ...]:
        """The events of the game itself."""
        return tuple(event for event in self.events if isinstance(event, Event))

    @property
    def without_moves(self) -> LogEntry:
        """What happened beside the game."""
        return replace(self, events=tuple(event for event in self.events if not isinstance(event, Event)))


def standing(rows: Iterable[LogEntry]) -> list[LogEntry]:
    """The rows in order, without the moves that were taken back since; what else happened then is there."""
    kept: list[LogEntry] = []
    for row in rows:
        for event in row.events:
            if isinstance(event, Undone):
                kept = [one if one.version <= event.version else one.without_moves for one in kept]
        kept.append(row)
    return kept


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
