"""Votes about the seats of absent players: open them, cast votes, end them and carry out their result.

Pure. The majority decides (`docs/long-games.md`, 4). Silence and a tie count for the computer player. Ending the game
needs all voters, with at least one on every side. A vote is decided as soon as the missing votes cannot change it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Final

from bot.clocks.time_rules import DAY, Stage
from bot.tables.absence import lost_seats
from bot.tables.absence.circumstances_of_change import ChangeCircumstances
from bot.tables.seating import seats
from bot.tables.state.absence import (
    AbsenceChoice,
    AbsenceReason,
    Vote,
    Voted,
    VoteDecided,
    VoteOpened,
    vote_choices,
    voters,
)
from bot.tables.state.clocks import is_out_of_time
from bot.tables.state.events import (
    AnyEvent,
    ClockSet,
    Deadline,
    DeadlineSet,
    StageReached,
    SubstituteSearchOpened,
)
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, Status
from bot.tables.state.table import Table, TableState
from bot.tables.timing.timekeeping import end_by_agreement

OPEN_FOR: Final = DAY
"""How long a vote stays open, in milliseconds."""


def cast_vote(table: Table, caller: Caller, choice: AbsenceChoice, *, asked_at: int) -> tuple[AnyEvent, ...]:
    """Record the caller's ballot in the vote opened at `asked_at`.

    Refusals: as `AbsenceService.cast_vote`.
    """
    seats.require_unpaused_game(table)
    record = table.record
    seat = seats.require_seat(table, caller.person)
    vote = record.absence.vote
    if vote is None or vote.at != asked_at:
        detail = {"table": table.id, "expected": table.version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
    if seat not in voters(record.seats, vote):
        raise TableRefusal(TableCode.NO_VOTE, {"table": table.id})
    if choice not in vote_choices(record.seats, record.rules, record.absence, vote):
        raise TableRefusal(TableCode.NO_CHOICE, {"table": table.id})
    return (Voted(seat, choice),)


def open_departure_vote(record: TableState, person: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Open the vote about the seat of a person who left the guild.

    No events if the person has no seat in a running game, if this vote is open or waiting already, or at a tournament's
    table, where the tournament decides.
    """
    seat = record.seat_of(person)
    if record.status is not Status.PLAYING or seat is None or record.contest is not None:
        return ()
    known = any(
        one is not None and (one.seat, one.why) == (seat, AbsenceReason.GONE)
        for one in (record.absence.vote, *record.absence.waiting)
    )
    return () if known else (VoteOpened(seat, AbsenceReason.GONE, now),)


def apply_vote(record: TableState, vote: Vote, choice: AbsenceChoice, *, now: int) -> tuple[AnyEvent, ...]:
    """End the vote and carry out the choice."""
    over = (VoteDecided(choice), DeadlineSet(Deadline.VOTE, None))
    seat = vote.seat
    if choice is AbsenceChoice.WAIT:
        return (*over, *_extend_clock_by_day(record, seat, now=now))
    if choice is AbsenceChoice.END:
        return (*over, *end_by_agreement(apply_table_events(record, over)))
    sought = (SubstituteSearchOpened(seat, now),) if choice is AbsenceChoice.SUBSTITUTE else ()
    return (*over, *lost_seats.reserve_seat(record, seat, now=now), *sought)


def _extend_clock_by_day(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Extend the seat's clock by a day."""
    if record.clocks is None:
        return ()
    clock = record.clocks.seats[seat]
    return (ClockSet(seat, replace(clock, extension=DAY)), StageReached(seat, Stage.EXTENDED, now + DAY))


def is_vote_void(record: TableState, vote: Vote) -> bool:
    """Return whether the vote is void: the person is no longer absent, or has lost the seat."""
    if record.seats[vote.seat].person != vote.person:
        return True
    return vote.why is AbsenceReason.LAPSED and not (record.actor == vote.seat and is_out_of_time(record))


def vote_outcome(record: TableState, vote: Vote, further_ballots: Iterable[AbsenceChoice] = ()) -> AbsenceChoice:
    """Return the vote's result if `further_ballots` are added to those cast and nobody else votes."""
    able = voters(record.seats, vote)
    cast = [one.choice for one in vote.ballots if one.seat in able]
    cast += further_ballots
    if (
        cast
        and cast == [AbsenceChoice.END] * len(able)
        and AbsenceChoice.END in vote_choices(record.seats, record.rules, record.absence, vote)
    ):
        return AbsenceChoice.END
    silent = [AbsenceChoice.COMPUTER] * (len(able) - len(cast))
    counted = Counter(choice for choice in (*cast, *silent) if choice is not AbsenceChoice.END).most_common()
    if not counted or (len(counted) > 1 and counted[0][1] == counted[1][1]):
        return AbsenceChoice.COMPUTER
    return counted[0][0]


def decided_choice(record: TableState, vote: Vote) -> AbsenceChoice | None:
    """Return the result of the vote if the missing votes cannot change it; else None."""
    missing = len(voters(record.seats, vote)) - sum(one.seat in voters(record.seats, vote) for one in vote.ballots)
    possible = {
        vote_outcome(record, vote, more)
        for more in combinations_with_replacement(
            vote_choices(record.seats, record.rules, record.absence, vote), missing
        )
    }
    return possible.pop() if len(possible) == 1 else None


def end_decided_vote(
    _before: TableState, after: TableState, circumstances: ChangeCircumstances
) -> tuple[AnyEvent, ...]:
    """End the open vote once missing votes cannot change it; at a paused table, only if it is void."""
    vote = after.absence.vote
    if vote is None:
        return ()
    if is_vote_void(after, vote) or (vote.why is AbsenceReason.GONE and circumstances.by == vote.person):
        return (VoteDecided(None), DeadlineSet(Deadline.VOTE, None))
    if after.is_halted:
        return ()
    choice = AbsenceChoice.COMPUTER if after.last_deal else decided_choice(after, vote)
    return () if choice is None else apply_vote(after, vote, choice, now=circumstances.now)


def open_next_vote(before: TableState, after: TableState, circumstances: ChangeCircumstances) -> tuple[AnyEvent, ...]:
    """Open the next waiting vote and set its deadline; a vote without voters ends at once."""
    events: tuple[AnyEvent, ...] = ()
    while after.absence.vote is None and after.absence.waiting and after.status is Status.PLAYING:
        coming = after.absence.waiting[0]
        step: tuple[AnyEvent, ...] = (VoteOpened(coming.seat, coming.why, circumstances.now),)
        step += end_decided_vote(before, apply_table_events(after, step), circumstances)
        events, after = (*events, *step), apply_table_events(after, step)
    if after.absence.vote is not None and Deadline.VOTE not in after.deadlines:
        return (*events, DeadlineSet(Deadline.VOTE, circumstances.now + OPEN_FOR))
    return events
