"""Games in which all opponents have lost their seats: the remaining players may end or win the game.

Pure.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import HOUR
from bot.tables.absence.circumstances_of_change import ChangeCircumstances
from bot.tables.seating import seats
from bot.tables.seating.seats import close_table
from bot.tables.state.absence import (
    EndChoice,
    EndChoiceOpened,
    EndPicked,
    OpponentReturned,
    OpponentsLost,
    SideForfeited,
    has_no_opponent,
)
from bot.tables.state.clocks import Conclusion
from bot.tables.state.events import (
    AnyEvent,
    Deadline,
    DeadlineSet,
)
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, ClosingReason
from bot.tables.state.table import Table, TableState
from bot.tables.timing import timekeeping
from bot.tables.timing.timekeeping import end_by_agreement, end_game

CHOICE_AFTER: Final = 72 * HOUR
"""Time after the last opponent lost the seat, from which the remaining players may choose to end the game."""


def track_opponents(_before: TableState, after: TableState, circumstances: ChangeCircumstances) -> tuple[AnyEvent, ...]:
    """Return the event that the last opponent is gone, or that an opponent is back."""
    unopposed = after.absence.unopposed
    is_so = after.contest is None and has_no_opponent(after.seats, after.rules)
    if is_so and unopposed is None:
        return (OpponentsLost(circumstances.now), DeadlineSet(Deadline.CHOICE, circumstances.now + CHOICE_AFTER))
    if unopposed is None or is_so:
        return ()
    waits = (DeadlineSet(Deadline.CHOICE, None),) if Deadline.CHOICE in after.deadlines else ()
    return (OpponentReturned(), *waits)


def choose_game_end(table: Table, caller: Caller, choice: EndChoice) -> tuple[AnyEvent, ...]:
    """Record the caller's choice of how to end a game that all opponents have left.

    Refusals: those of `AbsenceService.choose_game_end`.
    """
    seats.require_unpaused_game(table)
    seat, unopposed = seats.require_seat(table, caller.person), table.record.absence.unopposed
    if unopposed is None or unopposed.open_at is None:
        raise TableRefusal(TableCode.NO_END_CHOICE, {"table": table.id})
    return (EndPicked(seat, choice),)


def open_end_choice(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Let the remaining players choose how the game goes on."""
    cleared = DeadlineSet(Deadline.CHOICE, None)
    return (cleared,) if record.absence.unopposed is None else (EndChoiceOpened(now), cleared)


def carry_out_end_choice(_before: TableState, after: TableState, _at: ChangeCircumstances) -> tuple[AnyEvent, ...]:
    """End the game once all remaining players have made the same choice."""
    unopposed, game = after.absence.unopposed, after.game
    left = [seat for seat, holder in enumerate(after.seats) if holder.person is not None]
    if unopposed is None or unopposed.open_at is None or game is None or after.is_halted or not left:
        return ()
    made = {unopposed.choice_of(seat) for seat in left}
    if made == {EndChoice.END}:
        return end_by_agreement(after) if game.results else close_table(after, ClosingReason.AGREED)
    return _claim_win(after, after.rules.side_of(left[0])) if made == {EndChoice.CLAIM} else ()


def _claim_win(record: TableState, side: int) -> tuple[AnyEvent, ...]:
    """End the game as won by `side`; the other sides, whose players are all absent, come last."""
    scores = timekeeping.conclusion(record, "forfeited").scores
    others = [one for one in range(record.rules.sides) if one != side]
    lost = (SideForfeited(one) for one in others if one not in record.absence.forfeited)
    last = others[0] if len(others) == 1 else None
    return (*lost, *end_game(record, Conclusion("forfeited", side, scores, last=last)))
