"""What is done with the seat of somebody absent. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.clocks.law import DAY, Stage, begun, returned
from bot.tables import lobby
from bot.tables.absence.ballots import always_alone
from bot.tables.absence.events import SeatKept, SideForfeited, VoteDecided, VoteOpened
from bot.tables.absence.values import AbsenceChoice, AbsenceReason, Vote
from bot.tables.consent.early_end import agreed, concluding
from bot.tables.contest.events import PlayerArrived
from bot.tables.events import AnyEvent, ClockSet, Deadline, DeadlineSet, StageReached, SubstituteSearchOpened
from bot.tables.record import TableState
from bot.tables.record_folding import fold
from bot.tables.timing.clocks import Conclusion
from bot.tables.timing.settings import Absent


def time_ran_out(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """What becomes of a seat whose time is used up, as its table is set; a tournament waits for who has yet to come."""
    if record.absence.votes_on(seat) or (record.contest is not None and seat not in record.contest.came):
        return ()
    policy = policy_of(record)
    if policy is Absent.VOTE:
        return (VoteOpened(seat, AbsenceReason.LAPSED, now),)
    if policy is Absent.FORFEIT:
        return forfeited(record, seat) or (
            *reserve_seat(record, seat, now=now),
            SideForfeited(record.rules.side_of(seat)),
        )
    sought = (SubstituteSearchOpened(seat, now),) if policy is Absent.SUBSTITUTE else ()
    return (*reserve_seat(record, seat, now=now), *sought)


def person_arrived(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Who comes to a tournament's table late has the clock that everybody begins with; nothing at other tables."""
    if record.contest is None or seat in record.contest.came:
        return ()
    terms, clocks = record.settings.clock, record.clocks
    if terms is None or clocks is None or clocks.told != seat or clocks.stage is not Stage.LAPSED:
        return (PlayerArrived(seat),)
    return (PlayerArrived(seat), ClockSet(seat, begun(terms)), StageReached(seat, Stage.RUNNING, now))


def policy_of(record: TableState) -> Absent:
    """What happens to a seat whose time is used up; at a table of a tournament nobody is asked."""
    if record.contest is not None:
        return Absent.COMPUTER if record.contest.computers else Absent.FORFEIT
    return Absent.COMPUTER if record.last_deal else record.settings.policy


def reserve_seat(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """A computer player keeps the seat until its person is back."""
    return (*lobby.vacate_seat(record, seat, expires_at=idle_limit(record, now)), SeatKept(seat))


def idle_limit(record: TableState, now: int) -> int:
    """When a game is closed that nobody touches from now on."""
    return now + record.settings.idle_days(alone=is_always_alone(record)) * DAY


def is_always_alone(record: TableState) -> bool:
    """Whether nobody but one person has, or has had, a seat in the game."""
    return always_alone(record.seats, (one.holder for one in record.sat))


def apply_vote(record: TableState, vote: Vote, choice: AbsenceChoice, *, now: int) -> tuple[AnyEvent, ...]:
    """The vote is over, and what was decided is done."""
    over = (VoteDecided(choice), DeadlineSet(Deadline.VOTE, None))
    seat = vote.seat
    if choice is AbsenceChoice.WAIT:
        return (*over, *_another_day(record, seat, now=now))
    if choice is AbsenceChoice.END:
        return (*over, *agreed(fold(record, over)))
    sought = (SubstituteSearchOpened(seat, now),) if choice is AbsenceChoice.SUBSTITUTE else ()
    return (*over, *reserve_seat(record, seat, now=now), *sought)


def back(record: TableState, seat: int) -> tuple[AnyEvent, ...]:
    """The clock of a person who has taken the seat back: no extension and no vacation in this game any more."""
    terms = record.settings.clock
    if terms is None or record.clocks is None:
        return ()
    clock = returned(record.clocks.seats[seat], terms)
    return (ClockSet(seat, replace(clock, vacation_days=max(clock.vacation_days, record.settings.vacation))),)


def _another_day(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    if record.clocks is None:
        return ()
    clock = record.clocks.seats[seat]
    return (ClockSet(seat, replace(clock, extension=DAY)), StageReached(seat, Stage.EXTENDED, now + DAY))


def forfeited(record: TableState, seat: int) -> tuple[AnyEvent, ...]:
    """Of two sides the other one wins. Nothing where there are more: a computer player goes on, the side comes last."""
    side = record.rules.side_of(seat)
    if record.rules.sides > 2 or record.game is None:
        return ()
    return concluding(record, Conclusion("forfeited", 1 - side, record.game.scores, last=side))
