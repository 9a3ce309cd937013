"""Stepping in at a running game: game masters, moderators, and a seat that is silent. Pure, like
`bot.tables.seating.seats`.

Who is a game master or a moderator of the server, the caller's side knows (`docs/long-games.md`, 2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.clocks.clock import HOUR
from bot.clocks.law import DAY, SeatClock, Stage
from bot.tables.absence.rules import reserve_seat
from bot.tables.seating.seats import closing, require_existing_seat, require_playing, require_seat
from bot.tables.state.clocks import Pause, is_out_of_time
from bot.tables.state.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    Deadline,
    DeadlineSet,
    GamePaused,
    ProposalEnded,
    StageReached,
)
from bot.tables.state.proposal_folding import clear_proposal
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, ClosedBecause
from bot.tables.state.table import Table, TableState, clean_name
from bot.tables.timing import timekeeping

SILENT_TO_THE_SEATED: Final = 72 * HOUR
"""Without a clock anybody seated may have a seat played after so long a silence."""

SILENT_TO_MODERATORS: Final = 24 * HOUR
"""So long a silence lets moderators and game masters have it played."""

TOLD_AGAIN: Final = 14 * DAY
"""A game master's pause that lasts is told so often."""

LONGEST_REASON: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRole:
    """What somebody is in a server beside a player."""

    moderator: bool = False
    master: bool = False


def reason_of(text: str) -> str:
    """A reason on one line, without invisible signs."""
    return clean_name(text, longest=LONGEST_REASON)


def pause(table: Table, caller: Caller, *, reason: str, now: int) -> tuple[AnyEvent, ...]:
    """Let the game stand still until a game master lets it go on; no deal begins by itself meanwhile."""
    require_playing(table)
    if table.record.pause is not None:
        raise TableRefusal(TableCode.ALREADY_PAUSED, {"table": table.id})
    waits = (DeadlineSet(Deadline.NEXT_DEAL, None),) if Deadline.NEXT_DEAL in table.record.deadlines else ()
    told_again = DeadlineSet(Deadline.PAUSE, now + TOLD_AGAIN)
    # What was asked meanwhile would end or change the pause.
    unasked = () if table.record.proposal is None else (ProposalEnded(agreed=False),)
    return (*unasked, *waits, GamePaused(Pause(caller.person, now, None, reason)), told_again)


def require_paused(table: Table) -> None:
    """Refuse where the game does not stand still."""
    require_playing(table)
    if table.record.pause is None:
        raise TableRefusal(TableCode.NOT_PAUSED, {"table": table.id})


def given(record: TableState, seat: int, clock: SeatClock, amount: int | None, *, now: int) -> tuple[AnyEvent, ...]:
    """A seat gets so much time, or one increment; what is above the cap is lost. `clock` is what it has now.

    Time that was used up runs again; where the clock runs, its alarm is set after this
    (`bot.tables.timing.timekeeping`).
    """
    terms, clocks = record.settings.clock, record.clocks
    if terms is None or clocks is None:
        return ()
    more = terms.increment if amount is None else amount
    has = ClockSet(seat, replace(clock, bank=max(clock.bank, min(terms.cap, clock.bank + more))))
    if clocks.owes == seat:
        return (has, ClockRuns(seat, now, now, clocks.turn))
    return (has, StageReached(seat, Stage.RUNNING, now)) if is_out_of_time(record) and clocks.told == seat else (has,)


def require_timed(table: Table, seat: int) -> None:
    """Refuse where no person's time is counted in that seat."""
    require_playing(table)
    if table.record.settings.clock is None or table.record.clocks is None:
        raise TableRefusal(TableCode.NO_CLOCK, {"table": table.id})
    require_person(table, seat)


def require_opponent(table: Table, caller: Caller, seat: int) -> None:
    """Refuse to anybody but those who play against that seat, and to all once the latest end has come."""
    require_playing(table)
    if table.record.last_deal:
        raise TableRefusal(TableCode.TIME_IS_OVER, {"table": table.id})
    own = require_seat(table, caller.person)
    require_existing_seat(table, seat)
    side_of = table.record.rules.side_of
    if side_of(own) == side_of(seat):
        raise TableRefusal(TableCode.OWN_SIDE, {"seat": seat})


def hand_over(table: Table, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Let a computer player have the seat, and keep it for its person."""
    require_playing(table)
    require_person(table, seat)
    return reserve_seat(table.record, seat, now=now)


def end(table: Table) -> tuple[AnyEvent, ...]:
    """End the game: as it stands after its finished deals, without a result where there is none."""
    require_playing(table)
    game = table.record.game
    if game is None or not game.results:
        return closing(table.record, ClosedBecause.ASKED)
    return timekeeping.agreed(clear_proposal(table.record))


def seat_computer(
    table: Table, caller: Caller, seat: int, standing: ServerRole, *, gone: bool, now: int
) -> tuple[AnyEvent, ...]:
    """Let a computer player have a seat that is silent, and keep it for its person.

    `gone` tells that its person has left the server. A host may where that is so or the seat's time is used up; without
    a clock anybody seated may after 72 silent hours; a moderator and a game master after 24, with a clock where the
    host might.
    """
    events = hand_over(table, seat, now=now)
    record = table.record
    special = standing.moderator or standing.master
    if not special:
        require_seat(table, caller.person)
    nobody = gone or time_is_up(record, seat)
    if nobody and record.host == caller.person:
        return events
    if record.settings.clock is not None and not nobody:
        raise TableRefusal(TableCode.HAS_TIME, {"seat": seat})
    if not gone and record.actor != seat:
        raise TableRefusal(TableCode.NOT_OWING, {"seat": seat})
    if record.settings.clock is not None and not special:
        raise TableRefusal(TableCode.NOT_HOST, {"table": table.id, "host": record.host})
    may_from = table.updated_at + (SILENT_TO_MODERATORS if special else SILENT_TO_THE_SEATED)
    if now < may_from:
        raise TableRefusal(TableCode.SEAT_NOT_SILENT, {"seat": seat, "from": may_from})
    return events


def time_is_up(record: TableState, seat: int) -> bool:
    """Whether nothing is left of the seat's time, extension and vacation included."""
    clocks = record.clocks
    if clocks is None or record.settings.clock is None:
        return False
    return (is_out_of_time(record) and clocks.told == seat) or (clocks.owes != seat and clocks.seats[seat].left == 0)


def require_person(table: Table, seat: int) -> None:
    """Refuse a seat in which no person sits."""
    require_existing_seat(table, seat)
    if table.record.seats[seat].person is None:
        raise TableRefusal(TableCode.NO_PERSON, {"seat": seat})
