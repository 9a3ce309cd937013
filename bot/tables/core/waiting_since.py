"""The instant since which a table has been waiting for a seat to act (`docs/long-games.md`, 5)."""

from __future__ import annotations

from bot.tables.state.clocks import is_answer_awaited, turn_of
from bot.tables.state.snapshots import SeatHolder
from bot.tables.state.table import Table, TableState


def wait_start_after_change(table: Table, after: TableState, now: int) -> int | None:
    """Return the instant since which the table waits, after a change at `now`; None if no seat must act.

    A new wait begins with a turn, a question to the partner, or another holder of the seat.
    """
    if after.actor is None:
        return None
    return table.waits_since if _is_same_wait(table.record, after) else now


def _is_same_wait(before: TableState, after: TableState) -> bool:
    """Return whether the table waits for the same person, turn and answer in both states."""
    seat, was, now = after.actor, before.game, after.game
    if seat is None or seat != before.actor or was is None or now is None:
        return False
    same_question = (turn_of(was), is_answer_awaited(was)) == (turn_of(now), is_answer_awaited(now))
    return same_question and _person_with_seat(before.seats[seat]) == _person_with_seat(after.seats[seat])


def _person_with_seat(holder: SeatHolder) -> int | None:
    """Return the person who holds the seat, or for whom it is kept."""
    return holder.kept_for if holder.person is None else holder.person
