"""Apply the table's policy to seats of players who are out of time. Pure.

The policy is a vote, a computer player, a substitute or forfeit.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.time_rules import DAY
from bot.tables.absence.circumstances_of_change import ChangeCircumstances
from bot.tables.seating import seats
from bot.tables.state.absence import (
    AbsenceReason,
    SeatKept,
    SideForfeited,
    VoteOpened,
)
from bot.tables.state.clocks import AbsencePolicy, Conclusion, is_out_of_time
from bot.tables.state.events import (
    AnyEvent,
    Deadline,
    DeadlineSet,
    SubstituteSearchOpened,
)
from bot.tables.state.table import TableState
from bot.tables.timing.idle_limit import idle_limit
from bot.tables.timing.timekeeping import end_game

SOUGHT_FOR: Final = 2 * DAY
"""How long a substitute is sought, in milliseconds."""


def apply_absence_policy(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Apply the table's policy to a seat that is out of time.

    No events while a vote about the seat is open or waiting, or if a tournament's player has not arrived yet.
    """
    if record.absence.has_vote_on(seat) or (record.contest is not None and seat not in record.contest.came):
        return ()
    policy = absence_policy_of(record)
    if policy is AbsencePolicy.VOTE:
        return (VoteOpened(seat, AbsenceReason.LAPSED, now),)
    if policy is AbsencePolicy.FORFEIT:
        return forfeit_side(record, seat) or (
            *reserve_seat(record, seat, now=now),
            SideForfeited(record.rules.side_of(seat)),
        )
    sought = (SubstituteSearchOpened(seat, now),) if policy is AbsencePolicy.SUBSTITUTE else ()
    return (*reserve_seat(record, seat, now=now), *sought)


def absence_policy_of(record: TableState) -> AbsencePolicy:
    """Return the table's policy for a seat that is out of time; a tournament's table never votes."""
    if record.contest is not None:
        return AbsencePolicy.COMPUTER if record.contest.computers else AbsencePolicy.FORFEIT
    return AbsencePolicy.COMPUTER if record.last_deal else record.settings.policy


def reserve_seat(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Let a computer player keep the seat until its person is back."""
    return (*seats.vacate_seat(record, seat, expires_at=idle_limit(record, now)), SeatKept(seat))


def forfeit_side(record: TableState, seat: int) -> tuple[AnyEvent, ...]:
    """Let the seat's side forfeit the game; if there are two sides, the other one wins.

    With more than two sides nothing ends: a computer player goes on and the side comes last.
    """
    side = record.rules.side_of(seat)
    if record.rules.sides > 2 or record.game is None:
        return ()
    return end_game(record, Conclusion("forfeited", 1 - side, record.game.scores, last=side))


def apply_policy_after_vote(
    _before: TableState, after: TableState, circumstances: ChangeCircumstances
) -> tuple[AnyEvent, ...]:
    """Apply the table's policy to a seat out of time that no vote has decided.

    The seat may have run out of time while a vote about it was open, or the vote ended without a result.
    """
    seat = after.actor
    if seat is None or after.is_halted or not is_out_of_time(after) or after.seats[seat].person is None:
        return ()
    return apply_absence_policy(after, seat, now=circumstances.now)


def set_search_deadline(
    _before: TableState, after: TableState, circumstances: ChangeCircumstances
) -> tuple[AnyEvent, ...]:
    """Set the deadline of the searches for substitutes."""
    if after.sought and Deadline.SUBSTITUTE not in after.deadlines:
        return (DeadlineSet(Deadline.SUBSTITUTE, circumstances.now + SOUGHT_FOR),)
    if not after.sought and Deadline.SUBSTITUTE in after.deadlines:
        return (DeadlineSet(Deadline.SUBSTITUTE, None),)
    return ()
