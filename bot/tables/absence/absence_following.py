"""What any change of a table brings about by itself in matters of absence. Pure.

Seats change hands, turns end, pauses are over: each may decide a vote, end a claim, or set an alarm. So nothing of it
has to be thought of where seats change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.clocks.law import DAY, Stage
from bot.clocks.spans import Spans
from bot.tables import lobby
from bot.tables.absence import absent_seats, claims, own_ends, voting
from bot.tables.absence.events import ClaimEnded, VoteDecided, VoteOpened
from bot.tables.absence.values import AbsenceChoice, AbsenceReason, Claim, ClaimKind
from bot.tables.consent import carrying as consent
from bot.tables.consent.carrying import Timing
from bot.tables.consent.proposal import ProposalKind
from bot.tables.events import AnyEvent, Deadline, DeadlineSet, GameConcluded, SeatChanged, StageReached
from bot.tables.looks import Status
from bot.tables.record import TableState
from bot.tables.record_folding import fold
from bot.tables.timing.clocks import Conclusion
from bot.tables.timing.owing import is_out_of_time

SOUGHT_FOR: Final = 2 * DAY
"""So long a substitute is sought, milliseconds."""


@dataclass(frozen=True, slots=True)
class ChangeContext:
    """When a table changes, by which person if by one, and when the bot was away."""

    now: int
    by: int | None
    away: Spans


def absence_consequences(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """What follows from a change of a table."""
    if after.status is not Status.PLAYING or after.game is None:
        return _finished(before, after)
    happened: tuple[AnyEvent, ...] = ()
    for step in (_came, _watched, _seats_changed, _vote_ended, _undecided, _vote_opened, _claims, _search):
        happened += step(before, fold(after, happened), at)
    left = fold(after, happened)
    if left.status is not Status.PLAYING:  # the end of a vote may be that of the game
        return (*happened, *_finished(after, left))
    agreed = _agreed(left, at)
    return (*happened, *agreed, *absence_consequences(left, fold(left, agreed), at)) if agreed else happened


def _finished(before: TableState, after: TableState) -> tuple[AnyEvent, ...]:
    """A finished game waits for nothing; a side that has forfeited does not win it."""
    if after.status is not Status.FINISHED or before.status is Status.FINISHED or after.game is None:
        return ()
    waits = tuple(DeadlineSet(kind, None) for kind in after.deadlines if kind is not Deadline.CLOCK)
    conclusion = after.conclusion
    winner = after.game.winner if conclusion is None else conclusion.winner
    last = after.absence.forfeited
    if winner is None or winner not in last:
        return waits
    scores = after.game.scores
    others = [side for side in range(len(scores)) if side not in last]
    best = [side for side in others if scores[side] == max(scores[one] for one in others)]
    return (*waits, GameConcluded(Conclusion("forfeited", best[0] if len(best) == 1 else None, scores)))


def _came(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Who does something at a tournament's table has come to it."""
    seat = None if at.by is None else after.seat_of(at.by)
    return () if seat is None else absent_seats.person_arrived(after, seat, now=at.now)


def _watched(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Ends that come by themselves."""
    touched = own_ends.touched(after, now=at.now) if at.by is not None and after.seat_of(at.by) is not None else ()
    over: tuple[AnyEvent, ...] = ()
    if before.pause is not None and after.pause is None:
        over = own_ends.resumed(after, at.away, now=at.now, paused_since=before.pause.since)
    return (
        *own_ends.end_watch_events(after, now=at.now),
        *touched,
        *over,
        *own_ends.reset_ends(before, after, now=at.now),
    )


def _seats_changed(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """The clocks of those who have come, and what their coming asks of others."""
    if len(before.seats) != len(after.seats) or before.game is None:
        return ()
    events: list[AnyEvent] = []
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if new.person is None or new.person == old.person:
            continue
        clocks = after.clocks
        if clocks is not None and clocks.owes is None and (clocks.told, clocks.stage) == (seat, Stage.LAPSED):
            events.append(StageReached(seat, Stage.RUNNING, at.now))
        if new.person == old.kept_for:
            events += absent_seats.back(after, seat)
            events += () if after.contest is not None else claims.objection(after, seat, new, now=at.now)
    return tuple(events)


def _vote_ended(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """The vote that is open is decided once nothing can change it any more."""
    vote = after.absence.vote
    if vote is None:
        return ()
    if voting.is_moot(after, vote) or (vote.why is AbsenceReason.GONE and at.by == vote.person):
        return (VoteDecided(None), DeadlineSet(Deadline.VOTE, None))
    choice = AbsenceChoice.COMPUTER if after.last_deal else voting.settled(after, vote)
    return () if choice is None else absent_seats.apply_vote(after, vote, choice, now=at.now)


def _undecided(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """What becomes of a seat whose time was used up while a vote stood open that came to nothing."""
    seat = after.actor
    stands = after.pause is not None or after.place_lost is not None
    if seat is None or stands or not is_out_of_time(after) or after.seats[seat].person is None:
        return ()
    return absent_seats.time_ran_out(after, seat, now=at.now)


def _vote_opened(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """The vote that comes next, if one waits, and how long it stands open; one that nobody can vote in is over."""
    events: tuple[AnyEvent, ...] = ()
    while after.absence.vote is None and after.absence.waiting and after.status is Status.PLAYING:
        coming = after.absence.waiting[0]
        step: tuple[AnyEvent, ...] = (VoteOpened(coming.seat, coming.why, at.now),)
        step += _vote_ended(before, fold(after, step), at)
        events, after = (*events, *step), fold(after, step)
    if after.absence.vote is not None and Deadline.VOTE not in after.deadlines:
        return (*events, DeadlineSet(Deadline.VOTE, at.now + voting.OPEN_FOR))
    return events


def _claims(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Claims that are decided, and until when those that are not stand open."""
    events: tuple[AnyEvent, ...] = ()
    for claim in after.absence.claims:
        now = fold(after, events)
        if claims.is_moot(now, claim):
            events += (ClaimEnded(claim.seat, granted=False),)
        elif (granted := claims.granted(now, claim)) is not None:
            events += claim_ended(now, claim, granted=granted, at=at)
    left = fold(after, events)
    if left.absence.claims and Deadline.SEAT not in left.deadlines:
        events += (DeadlineSet(Deadline.SEAT, min(one.at for one in left.absence.claims) + claims.OPEN_FOR),)
    elif not left.absence.claims and Deadline.SEAT in left.deadlines:
        events += (DeadlineSet(Deadline.SEAT, None),)
    return events


def claim_ended(record: TableState, claim: Claim, *, granted: bool, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """A claim is over, and granted it is done."""
    ended = ClaimEnded(claim.seat, granted=granted)
    if not granted:
        return (ended,)
    if claim.kind is ClaimKind.OBJECT:
        return (ended, *lobby.vacate_seat(record, claim.seat, expires_at=absent_seats.idle_limit(record, at.now)))
    taken = (ended, SeatChanged(claim.seat, claim.holder))
    return (*taken, *_seats_changed(record, fold(record, taken), at))


def _agreed(after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """What was proposed is done once the last person who had not agreed has lost the seat.

    The way back of an undo is in the log, so that waits for its question's deadline.
    """
    proposal = consent.accepted_proposal(after)
    if proposal is None or proposal.kind is ProposalKind.UNDO:
        return ()
    instants = Timing(at.now, next_deal_at=at.now, expires_at=absent_seats.idle_limit(after, at.now))
    return consent.apply_proposal(after, proposal, instants)


def _search(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Until when substitutes are sought."""
    if after.sought and Deadline.SUBSTITUTE not in after.deadlines:
        return (DeadlineSet(Deadline.SUBSTITUTE, at.now + SOUGHT_FOR),)
    if not after.sought and Deadline.SUBSTITUTE in after.deadlines:
        return (DeadlineSet(Deadline.SUBSTITUTE, None),)
    return ()
