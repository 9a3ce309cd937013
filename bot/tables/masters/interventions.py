"""Interventions in a running game by game masters, moderators and opponents of a silent player. Pure.

The caller checks who is a game master or a moderator of the guild (`docs/long-games.md`, 2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY, SeatClock, Stage
from bot.tables.absence.lost_seats import reserve_seat
from bot.tables.seating.seats import (
    close_table,
    require_existing_seat,
    require_running_game,
    require_seat,
    require_unpaused_game,
)
from bot.tables.state.clocks import Pause, is_out_of_time
from bot.tables.state.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    Deadline,
    DeadlineSet,
    GamePaused,
    StageReached,
)
from bot.tables.state.folding.proposals import clear_proposal
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, ClosingReason
from bot.tables.state.table import Table, TableState, clean_name
from bot.tables.timing import timekeeping

SILENT_TO_THE_SEATED: Final = 72 * HOUR
"""Any seated player may call a computer player after this time without a move, at a table without a clock."""

SILENT_TO_MODERATORS: Final = 24 * HOUR
"""Moderators and game masters may call a computer player after this time without a move."""

TOLD_AGAIN: Final = 14 * DAY
"""Interval at which players are reminded of a game master's long pause."""

LONGEST_REASON: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRole:
    """A person's role in a guild besides being a player."""

    moderator: bool = False
    master: bool = False


def clean_reason(text: str) -> str:
    """Return a game master's reason on one line, without invisible characters."""
    return clean_name(text, longest=LONGEST_REASON)


def pause_as_master(table: Table, caller: Caller, *, reason: str, now: int) -> tuple[AnyEvent, ...]:
    """Pause the game until a game master resumes it."""
    require_running_game(table)
    if table.record.pause is not None:
        raise TableRefusal(TableCode.ALREADY_PAUSED, {"table": table.id})
    told_again = DeadlineSet(Deadline.PAUSE, now + TOLD_AGAIN)
    return (GamePaused(Pause(caller.person, now, None, reason)), told_again)


def require_paused(table: Table) -> None:
    """Refuse if the game is not paused."""
    require_running_game(table)
    if table.record.pause is None:
        raise TableRefusal(TableCode.NOT_PAUSED, {"table": table.id})


def give_time(record: TableState, seat: int, clock: SeatClock, amount: int | None, *, now: int) -> tuple[AnyEvent, ...]:
    """Return the events that give the seat `amount` more time, up to the clock's cap.

    The default amount is one increment. `clock` is the seat's clock now. A seat that was out of time gets back on the
    clock; if its clock runs, the alarm is set afterwards (`bot.tables.timing.timekeeping`).
    """
    terms, clocks = record.settings.clock, record.clocks
    if terms is None or clocks is None:
        return ()
    more = terms.increment if amount is None else amount
    has = ClockSet(seat, replace(clock, bank=max(clock.bank, min(terms.cap, clock.bank + more))))
    if clocks.owes == seat:
        return (has, ClockRuns(seat, now, now, clocks.turn))
    return (has, StageReached(seat, Stage.RUNNING, now)) if is_out_of_time(record) and clocks.told == seat else (has,)


def require_person_with_clock(table: Table, seat: int) -> None:
    """Refuse unless a person with a clock holds that seat."""
    require_running_game(table)
    if table.record.settings.clock is None or table.record.clocks is None:
        raise TableRefusal(TableCode.NO_CLOCK, {"table": table.id})
    require_person(table, seat)


def require_opponent(table: Table, caller: Caller, seat: int) -> None:
    """Refuse unless the caller plays against that seat; always refuse after the latest end."""
    require_running_game(table)
    if table.record.last_deal:
        raise TableRefusal(TableCode.TIME_IS_OVER, {"table": table.id})
    own = require_seat(table, caller.person)
    require_existing_seat(table, seat)
    side_of = table.record.rules.side_of
    if side_of(own) == side_of(seat):
        raise TableRefusal(TableCode.OWN_SIDE, {"seat": seat})


def hand_over_seat(table: Table, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Give the seat to a computer player, which keeps it for its person."""
    require_running_game(table)
    require_person(table, seat)
    return reserve_seat(table.record, seat, now=now)


def end_game(table: Table) -> tuple[AnyEvent, ...]:
    """End the game with the scores of its finished deals; without a finished deal, close the table."""
    require_running_game(table)
    game = table.record.game
    if game is None or not game.results:
        return close_table(table.record, ClosingReason.ASKED)
    return timekeeping.end_by_agreement(clear_proposal(table.record))


def seat_computer(
    table: Table, caller: Caller, seat: int, server_role: ServerRole, *, has_left_guild: bool, now: int
) -> tuple[AnyEvent, ...]:
    """Give a silent seat to a computer player, which keeps it for its person.

    A host may do this at once if the person has left the guild or is out of time. A moderator or game master may after
    24 silent hours, with a clock only if the person has left the guild or is out of time. Without a clock every seated
    player may after 72 silent hours.
    """
    events = hand_over_seat(table, seat, now=now)
    record = table.record
    special = server_role.moderator or server_role.master
    if not special:
        require_seat(table, caller.person)
        require_unpaused_game(table)
    nobody = has_left_guild or has_no_time_left(record, seat)
    if nobody and record.host == caller.person:
        return events
    if record.settings.clock is not None and not nobody:
        raise TableRefusal(TableCode.HAS_TIME, {"seat": seat})
    if not has_left_guild and record.actor != seat:
        raise TableRefusal(TableCode.NOT_OWING, {"seat": seat})
    if record.settings.clock is not None and not special:
        raise TableRefusal(TableCode.NOT_HOST, {"table": table.id, "host": record.host})
    may_from = table.updated_at + (SILENT_TO_MODERATORS if special else SILENT_TO_THE_SEATED)
    if now < may_from:
        raise TableRefusal(TableCode.SEAT_NOT_SILENT, {"seat": seat, "from": may_from})
    return events


def has_no_time_left(record: TableState, seat: int) -> bool:
    """Return whether the seat has no time left, extension and vacation included."""
    clocks = record.clocks
    if clocks is None or record.settings.clock is None:
        return False
    return (is_out_of_time(record) and clocks.told == seat) or (
        clocks.owes != seat and clocks.seats[seat].time_left == 0
    )


def require_person(table: Table, seat: int) -> None:
    """Refuse unless a person holds the seat."""
    require_existing_seat(table, seat)
    if table.record.seats[seat].person is None:
        raise TableRefusal(TableCode.NO_PERSON, {"seat": seat})
