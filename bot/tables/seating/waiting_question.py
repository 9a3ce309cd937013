"""The question to the people of a lobby: start with computer players, or wait for others? Pure.

It is asked once, ten minutes after the lobby opened, but not at slow tables, where people expect to wait for days. The
first answer of any person at the table counts, so that a host who is away holds nobody up.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import MINUTE
from bot.tables.seating import seats
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import AnyEvent, Deadline, DeadlineSet, WaitingAsked, WaitingChosen
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, Status
from bot.tables.state.table import Table, TableState

ASKED_AFTER: Final = 10 * MINUTE
"""How long a lobby waits until its people are asked, in milliseconds."""


def schedule_waiting_question(settings: TableSettings, now: int) -> tuple[AnyEvent, ...]:
    """Return the alarm at which a lobby that opens now asks the question; none at a slow table."""
    return () if settings.is_slow else (DeadlineSet(Deadline.WAITING, now + ASKED_AFTER),)


def ask_whether_to_wait(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Ask the people of a lobby whether to wait; no events without a free seat, or for a slow game."""
    cleared = DeadlineSet(Deadline.WAITING, None)
    if record.status is not Status.LOBBY or record.empty_seat() is None or record.settings.is_slow:
        return (cleared,)
    return (cleared, WaitingAsked(now, record.persons))


def start_with_computers(table: Table, caller: Caller, *, asked_at: int) -> tuple[AnyEvent, ...]:
    """Start the game with computer players in the free seats; anyone who sits there may.

    Refusals: not_seated, already_started, table_closed, game_finished; stale_request if the question that was asked at
    that instant is answered already.
    """
    _require_open_question(table, caller, asked_at)
    return seats.begin_game(table.record)


def keep_waiting(table: Table, caller: Caller, *, asked_at: int) -> tuple[AnyEvent, ...]:
    """Answer that the lobby waits on for other players. Refusals: as `start_with_computers`."""
    _require_open_question(table, caller, asked_at)
    return (WaitingChosen(caller.person),)


def _require_open_question(table: Table, caller: Caller, asked_at: int) -> None:
    seats.require_lobby(table)
    seats.require_seat(table, caller.person)
    question = table.record.waiting
    if question is None or question.at != asked_at:
        detail = {"table": table.id, "expected": table.version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
