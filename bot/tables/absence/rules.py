"""Rules for absent players: time running out, votes about seats, latest and idle ends of games. Pure.

`absence_events` is a consequence of every change (seats change hands, turns end, pauses end): it decides votes, ends
claims and sets alarms, so that other modules need not.

Votes (`docs/long-games.md`, 4): the majority decides. Silence and a tie count for the computer player. Ending the game
needs all voters, with at least one on every side. A vote is decided as soon as the missing votes cannot change it.

Warnings: players are warned of the latest end seven days and one day before, of the idle end one day before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Final

from bot.clocks.clock import HOUR, Spans, reached
from bot.clocks.law import DAY, Stage, begun, returned
from bot.engine.moves.phases import Phase
from bot.tables.absence import claims
from bot.tables.absence.idle import watch_idle
from bot.tables.consent import settle as consent
from bot.tables.consent.settle import Timing
from bot.tables.seating import seats
from bot.tables.seating.seats import close_table
from bot.tables.state.absence import (
    AbsenceChoice,
    AbsenceReason,
    Claim,
    ClaimEnded,
    ClaimKind,
    EndChoice,
    EndChoiceOpened,
    EndPicked,
    EndTimeSet,
    IdleWarningSent,
    OpponentReturned,
    OpponentsLost,
    ReturnConfirmed,
    SeatKept,
    SeatReturn,
    SideForfeited,
    Vote,
    Voted,
    VoteDecided,
    VoteOpened,
    VoteWithdrawn,
    choices,
    is_alone,
    is_unopposed,
    voters,
)
from bot.tables.state.clocks import Absent, Conclusion, is_out_of_time, turn_of
from bot.tables.state.contest import PlayerArrived
from bot.tables.state.events import (
    MOVED_BY_OUTAGES,
    AnyEvent,
    ClockSet,
    Deadline,
    DeadlineSet,
    GameConcluded,
    LastDealReached,
    SeatChanged,
    StageReached,
    SubstituteSearchOpened,
)
from bot.tables.state.fold import fold
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import PendingChange
from bot.tables.state.snapshots import Caller, ClosedBecause, Status
from bot.tables.state.table import Table, TableState
from bot.tables.timing import timekeeping
from bot.tables.timing.idle import idle_limit
from bot.tables.timing.standing import not_before, over_at, stood
from bot.tables.timing.timekeeping import Keeper, end_by_agreement, end_game


def cast_vote(table: Table, caller: Caller, choice: AbsenceChoice, *, asked_at: int) -> tuple[AnyEvent, ...]:
    """Vote in the vote that was opened at that instant; refusals: as `AbsenceService.vote`."""
    seats.require_moving(table)
    record = table.record
    seat = seats.require_seat(table, caller.person)
    vote = record.absence.vote
    if vote is None or vote.at != asked_at:
        detail = {"table": table.id, "expected": table.version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
    if seat not in voters(record.seats, vote):
        raise TableRefusal(TableCode.NO_VOTE, {"table": table.id})
    if choice not in choices(record.seats, record.rules, record.absence, vote):
        raise TableRefusal(TableCode.NO_CHOICE, {"table": table.id})
    return (Voted(seat, choice),)


def confirm_return(table: Table, caller: Caller, *, now: int) -> tuple[AnyEvent, ...]:
    """End the vote about the caller's seat, whose clock is then that of a return; also while the table stands.

    Refusals: not_seated, no_vote, returned_before, and as `require_playing`.
    """
    seats.require_playing(table)
    record, seat = table.record, seats.require_seat(table, caller.person)
    absence = record.absence
    lapsed = [one for one in (absence.vote, *absence.waiting) if one is not None and one.why is AbsenceReason.LAPSED]
    if seat not in [one.seat for one in lapsed] or record.game is None:
        raise TableRefusal(TableCode.NO_VOTE, {"table": table.id})
    turn = turn_of(record.game)
    if absence.confirmed == SeatReturn(seat, turn):
        raise TableRefusal(TableCode.RETURNED_BEFORE, {"table": table.id})
    waits = any(one.seat == seat for one in absence.waiting)
    return (
        ReturnConfirmed(seat, turn),
        *clock_after_return(record, seat),
        StageReached(seat, Stage.RUNNING, now),
        *((VoteWithdrawn(seat),) if waits else ()),
    )


def member_left(record: TableState, person: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Open the vote about the seat of a person who left the guild.

    Nothing if it is open already or decided elsewhere.
    """
    seat = record.seat_of(person)
    if record.status is not Status.PLAYING or seat is None or record.contest is not None:
        return ()
    known = any(
        one is not None and (one.seat, one.why) == (seat, AbsenceReason.GONE)
        for one in (record.absence.vote, *record.absence.waiting)
    )
    return () if known else (VoteOpened(seat, AbsenceReason.GONE, now),)


def time_ran_out(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Apply the table's policy to a seat that is out of time.

    At a tournament's table, a player who has not arrived yet is waited for.
    """
    if record.absence.votes_on(seat) or (record.contest is not None and seat not in record.contest.came):
        return ()
    policy = policy_of(record)
    if policy is Absent.VOTE:
        return (VoteOpened(seat, AbsenceReason.LAPSED, now),)
    if policy is Absent.FORFEIT:
        return forfeit_side(record, seat) or (
            *reserve_seat(record, seat, now=now),
            SideForfeited(record.rules.side_of(seat)),
        )
    sought = (SubstituteSearchOpened(seat, now),) if policy is Absent.SUBSTITUTE else ()
    return (*reserve_seat(record, seat, now=now), *sought)


def person_arrived(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Mark a player at a tournament's table as present; a clock that ran out before begins in full.

    Nothing at other tables, and for a player who is present already.
    """
    if record.contest is None or seat in record.contest.came:
        return ()
    terms, clocks = record.settings.clock, record.clocks
    if terms is None or clocks is None or clocks.told != seat or clocks.stage is not Stage.LAPSED:
        return (PlayerArrived(seat),)
    return (PlayerArrived(seat), ClockSet(seat, begun(terms)), StageReached(seat, Stage.RUNNING, now))


def policy_of(record: TableState) -> Absent:
    """Return what happens to a seat that is out of time; a tournament's table never votes."""
    if record.contest is not None:
        return Absent.COMPUTER if record.contest.computers else Absent.FORFEIT
    return Absent.COMPUTER if record.last_deal else record.settings.policy


def reserve_seat(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    """Let a computer player keep the seat until its person is back."""
    return (*seats.vacate_seat(record, seat, expires_at=idle_limit(record, now)), SeatKept(seat))


def apply_vote(record: TableState, vote: Vote, choice: AbsenceChoice, *, now: int) -> tuple[AnyEvent, ...]:
    """End the vote and carry out the choice."""
    over = (VoteDecided(choice), DeadlineSet(Deadline.VOTE, None))
    seat = vote.seat
    if choice is AbsenceChoice.WAIT:
        return (*over, *_grant_day(record, seat, now=now))
    if choice is AbsenceChoice.END:
        return (*over, *end_by_agreement(fold(record, over)))
    sought = (SubstituteSearchOpened(seat, now),) if choice is AbsenceChoice.SUBSTITUTE else ()
    return (*over, *reserve_seat(record, seat, now=now), *sought)


def clock_after_return(record: TableState, seat: int) -> tuple[AnyEvent, ...]:
    """Return the clock of a person who took the seat back: no extension or vacation in this game."""
    terms = record.settings.clock
    if terms is None or record.clocks is None:
        return ()
    clock = returned(record.clocks.seats[seat], terms)
    spent = max(clock.vacation_days, record.settings.vacation)
    return (ClockSet(seat, replace(clock, vacation_days=spent, counted_until=0)),)


def _grant_day(record: TableState, seat: int, *, now: int) -> tuple[AnyEvent, ...]:
    if record.clocks is None:
        return ()
    clock = record.clocks.seats[seat]
    return (ClockSet(seat, replace(clock, extension=DAY)), StageReached(seat, Stage.EXTENDED, now + DAY))


def forfeit_side(record: TableState, seat: int) -> tuple[AnyEvent, ...]:
    """Let the seat's side forfeit; of two sides the other wins.

    With more than two sides nothing ends: a computer player goes on and the side comes last.
    """
    side = record.rules.side_of(seat)
    if record.rules.sides > 2 or record.game is None:
        return ()
    return end_game(record, Conclusion("forfeited", 1 - side, record.game.scores, last=side))


EARLY: Final = 7 * DAY
LATE: Final = DAY
"""Time before the latest end of the last warning."""


def end_watch_events(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Set the alarm for the latest end of a running game, unless it is set.

    One person among computer players has no latest end. The games of a tournament end with its rounds.
    """
    if record.contest is not None:
        return ()
    events: list[AnyEvent] = []
    days = record.settings.latest_end_days
    if days is not None and record.absence.ends_at is None and not is_alone(record.seats):
        ends_at = now + days * DAY
        events += [EndTimeSet(ends_at, now, told=False), _latest_alarm(ends_at, now)]
    return tuple(events)


def postponed_end(record: TableState, away: Spans, *, now: int) -> int:
    """Return the latest end as calculated now: the time in which the table stood postpones it."""
    absence = record.absence
    ends_at = absence.ends_at or 0
    return reached(stood(record, away, now), absence.ends_since, ends_at - absence.ends_since)


def go_on(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Set all deadlines anew once a table goes on after it stood; the clock's is set with the clock."""
    if not before.stands or after.stands or after.status is not Status.PLAYING:
        return ()
    events: list[AnyEvent] = []
    for deadline in after.deadlines:
        moves = deadline not in {*MOVED_BY_OUTAGES, Deadline.CLOCK, Deadline.LATEST_END}
        if moves and before.deadlines.get(deadline) == after.deadlines[deadline]:
            events.append(DeadlineSet(deadline, over_at(after, deadline, at.away, at.now)))
    absence = after.absence
    if absence.ends_at is not None and not after.last_deal:
        ends_at = postponed_end(after, at.away, now=at.now)
        events += [EndTimeSet(ends_at, at.now, told=absence.ends_told), _latest_alarm(ends_at, at.now)]
    if absence.idle_at is not None and Deadline.IDLE in after.deadlines:
        events.append(IdleWarningSent(over_at(after, Deadline.IDLE, at.away, at.now)))
    return tuple(events)


def reset_ends(before: TableState, after: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Move the latest end after a change of the settings, by the difference in days."""
    days, then, ends_at = before.settings.latest_end_days, after.settings.latest_end_days, after.absence.ends_at
    if ends_at is None or days is None or then is None or days == then or after.last_deal:
        return ()
    ends_at += (then - days) * DAY
    told = after.absence.ends_told and now >= ends_at - EARLY
    return (EndTimeSet(ends_at, after.absence.ends_since, told=told), _latest_alarm(ends_at, now))


def _latest_alarm(ends_at: int, now: int) -> DeadlineSet:
    """Return the alarm for the next warning, or for the latest end."""
    coming = (at for at in (ends_at - EARLY, ends_at - LATE, ends_at) if at > now)
    return DeadlineSet(Deadline.LATEST_END, next(coming, now))


def end_time_due(record: TableState, away: Spans, *, now: int) -> tuple[AnyEvent, ...]:
    """Warn of the latest end, or apply it: the deal in play is the last; between deals the game is over.

    Somebody who is alone by now has none.
    """
    if is_alone(record.seats):
        return (DeadlineSet(Deadline.LATEST_END, now + DAY),)
    ends_at = postponed_end(record, away, now=now)
    grace = not_before(record.settings.clock, stood(record, away, now))
    if now < max(ends_at, grace):
        return (EndTimeSet(ends_at, now, told=now >= ends_at - EARLY), _latest_alarm(ends_at, now))
    if record.game is not None and record.game.phase is not Phase.BETWEEN:
        return (LastDealReached(), DeadlineSet(Deadline.LATEST_END, None))
    waits = (DeadlineSet(kind, None) for kind in record.deadlines)
    return (LastDealReached(), *waits, GameConcluded(timekeeping.conclusion(record, "latest_end")))


OPEN_FOR: Final = DAY
"""How long a vote stays open, in milliseconds."""


def is_vote_void(record: TableState, vote: Vote) -> bool:
    """Return whether the vote is void: the person is no longer absent, or has lost the seat."""
    if record.seats[vote.seat].person != vote.person:
        return True
    return vote.why is AbsenceReason.LAPSED and not (record.actor == vote.seat and is_out_of_time(record))


def vote_outcome(record: TableState, vote: Vote, more: Iterable[AbsenceChoice] = ()) -> AbsenceChoice:
    """Return the result of the votes cast and `more` further ones, if all other voters stay silent."""
    able = voters(record.seats, vote)
    cast = [one.choice for one in vote.ballots if one.seat in able]
    cast += more
    if (
        cast
        and cast == [AbsenceChoice.END] * len(able)
        and AbsenceChoice.END in choices(record.seats, record.rules, record.absence, vote)
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
        for more in combinations_with_replacement(choices(record.seats, record.rules, record.absence, vote), missing)
    }
    return possible.pop() if len(possible) == 1 else None


SOUGHT_FOR: Final = 2 * DAY
"""How long a substitute is sought, in milliseconds."""


def absence_events(
    keeper: Keeper, before: TableState, after: TableState, change: PendingChange
) -> tuple[AnyEvent, ...]:
    """Consequence: the effects of any change on votes, claims and ends."""
    caller = change.request.caller
    at = ChangeContext(change.now, None if caller is None else caller.person, keeper.away())
    return absence_consequences(before, after, at)


@dataclass(frozen=True, slots=True)
class ChangeContext:
    """The instant of a change, the person who caused it if any, and when the bot was away."""

    now: int
    by: int | None
    away: Spans


def absence_consequences(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Return the events about absence that follow a change."""
    if after.status is not Status.PLAYING or after.game is None:
        return _end_questions(before, after)
    happened: tuple[AnyEvent, ...] = ()
    for step in (
        go_on,
        _note_arrival,
        _update_ends,
        _handle_new_holders,
        _end_decided_vote,
        _apply_policy_after_vote,
        _open_next_vote,
        _update_claims,
        _set_search_deadline,
        _watch_opponents,
        _carry_out_end_choice,
        _watch_idle,
    ):
        happened += step(before, fold(after, happened), at)
    left = fold(after, happened)
    if left.status is not Status.PLAYING:  # the result of a vote may end the game
        return (*happened, *_end_questions(after, left))
    agreed = _apply_agreed_proposal(left, at)
    return (*happened, *agreed, *absence_consequences(left, fold(left, agreed), at)) if agreed else happened


def _end_questions(before: TableState, after: TableState) -> tuple[AnyEvent, ...]:
    """Cancel all questions of a finished game; a side that has forfeited does not win it."""
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


def _note_arrival(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Record that the player has arrived at a tournament's table."""
    seat = None if at.by is None else after.seat_of(at.by)
    return () if seat is None else person_arrived(after, seat, now=at.now)


def _update_ends(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Set or postpone the latest end."""
    return (*end_watch_events(after, now=at.now), *reset_ends(before, after, now=at.now))


def _watch_idle(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Set or cancel the end of a game that nobody touches."""
    return watch_idle(after, by=at.by, now=at.now) if after.status is Status.PLAYING else ()


def _handle_new_holders(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Set the clocks of players who took seats, and ask opponents whether they object."""
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
            events += clock_after_return(after, seat)
            events += () if after.contest is not None else claims.ask_for_objection(after, seat, new, now=at.now)
    return tuple(events)


def _end_decided_vote(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """End the open vote once missing votes cannot change it; while the table stands, only if it is void."""
    vote = after.absence.vote
    if vote is None:
        return ()
    if is_vote_void(after, vote) or (vote.why is AbsenceReason.GONE and at.by == vote.person):
        return (VoteDecided(None), DeadlineSet(Deadline.VOTE, None))
    if after.stands:
        return ()
    choice = AbsenceChoice.COMPUTER if after.last_deal else decided_choice(after, vote)
    return () if choice is None else apply_vote(after, vote, choice, now=at.now)


def _apply_policy_after_vote(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Apply the policy to a seat that was out of time while a vote ended without result."""
    seat = after.actor
    if seat is None or after.stands or not is_out_of_time(after) or after.seats[seat].person is None:
        return ()
    return time_ran_out(after, seat, now=at.now)


def _open_next_vote(before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Open the next waiting vote and set its deadline; a vote without voters ends at once."""
    events: tuple[AnyEvent, ...] = ()
    while after.absence.vote is None and after.absence.waiting and after.status is Status.PLAYING:
        coming = after.absence.waiting[0]
        step: tuple[AnyEvent, ...] = (VoteOpened(coming.seat, coming.why, at.now),)
        step += _end_decided_vote(before, fold(after, step), at)
        events, after = (*events, *step), fold(after, step)
    if after.absence.vote is not None and Deadline.VOTE not in after.deadlines:
        return (*events, DeadlineSet(Deadline.VOTE, at.now + OPEN_FOR))
    return events


def _update_claims(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """End decided claims, and set the deadline of open ones."""
    events: tuple[AnyEvent, ...] = ()
    for claim in after.absence.claims:
        now = fold(after, events)
        if claims.is_claim_void(now, claim):
            events += (ClaimEnded(claim.seat, granted=False),)
        elif not after.stands and (granted := claims.claim_result(now, claim)) is not None:
            events += end_claim(now, claim, granted=granted, at=at)
    left = fold(after, events)
    if left.absence.claims and Deadline.SEAT not in left.deadlines:
        events += (DeadlineSet(Deadline.SEAT, min(one.at for one in left.absence.claims) + claims.OPEN_FOR),)
    elif not left.absence.claims and Deadline.SEAT in left.deadlines:
        events += (DeadlineSet(Deadline.SEAT, None),)
    return events


def end_claim(record: TableState, claim: Claim, *, granted: bool, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """End a claim; if it was granted, carry it out."""
    ended = ClaimEnded(claim.seat, granted=granted)
    if not granted:
        return (ended,)
    if claim.kind is ClaimKind.OBJECT:
        return (ended, *seats.vacate_seat(record, claim.seat, expires_at=idle_limit(record, at.now)))
    taken = (ended, SeatChanged(claim.seat, claim.holder))
    return (*taken, *_handle_new_holders(record, fold(record, taken), at))


def _apply_agreed_proposal(after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Carry out a proposal once the last person who had not agreed has lost the seat.

    An undo needs the log, so it waits for the deadline of its proposal.
    """
    proposal = consent.accepted_proposal(after)
    if proposal is None or proposal.kind is ProposalKind.UNDO or after.stands:
        return ()
    instants = Timing(at.now, expires_at=idle_limit(after, at.now))
    return consent.apply_proposal(after, proposal, instants)


def _set_search_deadline(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Set the deadline of the searches for substitutes."""
    if after.sought and Deadline.SUBSTITUTE not in after.deadlines:
        return (DeadlineSet(Deadline.SUBSTITUTE, at.now + SOUGHT_FOR),)
    if not after.sought and Deadline.SUBSTITUTE in after.deadlines:
        return (DeadlineSet(Deadline.SUBSTITUTE, None),)
    return ()


CHOICE_AFTER: Final = 72 * HOUR
"""How long after the last opponent lost the seat those who are left may choose to end the game."""


def _watch_opponents(_before: TableState, after: TableState, at: ChangeContext) -> tuple[AnyEvent, ...]:
    """Note when nobody is left to play against, and when somebody is again."""
    unopposed = after.absence.unopposed
    is_so = after.contest is None and is_unopposed(after.seats, after.rules)
    if is_so and unopposed is None:
        return (OpponentsLost(at.now), DeadlineSet(Deadline.CHOICE, at.now + CHOICE_AFTER))
    if unopposed is None or is_so:
        return ()
    waits = (DeadlineSet(Deadline.CHOICE, None),) if Deadline.CHOICE in after.deadlines else ()
    return (OpponentReturned(), *waits)


def pick_end(table: Table, caller: Caller, choice: EndChoice) -> tuple[AnyEvent, ...]:
    """Choose what happens to a game whose opponents have left. Refusals: those of `AbsenceService.pick_end`."""
    seats.require_moving(table)
    seat, unopposed = seats.require_seat(table, caller.person), table.record.absence.unopposed
    if unopposed is None or unopposed.open_at is None:
        raise TableRefusal(TableCode.NO_END_CHOICE, {"table": table.id})
    return (EndPicked(seat, choice),)


def open_end_choice(record: TableState, *, now: int) -> tuple[AnyEvent, ...]:
    """Let those who are left choose how the game goes on."""
    cleared = DeadlineSet(Deadline.CHOICE, None)
    return (cleared,) if record.absence.unopposed is None else (EndChoiceOpened(now), cleared)


def _carry_out_end_choice(_before: TableState, after: TableState, _at: ChangeContext) -> tuple[AnyEvent, ...]:
    """End the game once all who are left have made the same choice."""
    unopposed, game = after.absence.unopposed, after.game
    left = [seat for seat, holder in enumerate(after.seats) if holder.person is not None]
    if unopposed is None or unopposed.open_at is None or game is None or after.stands or not left:
        return ()
    made = {unopposed.choice_of(seat) for seat in left}
    if made == {EndChoice.END}:
        return end_by_agreement(after) if game.results else close_table(after, ClosedBecause.AGREED)
    return _claim_win(after, after.rules.side_of(left[0])) if made == {EndChoice.CLAIM} else ()


def _claim_win(record: TableState, side: int) -> tuple[AnyEvent, ...]:
    """End the game as won by a side, since the persons of all others are away: those come last."""
    scores = timekeeping.conclusion(record, "forfeited").scores
    others = [one for one in range(record.rules.sides) if one != side]
    lost = (SideForfeited(one) for one in others if one not in record.absence.forfeited)
    last = others[0] if len(others) == 1 else None
    return (*lost, *end_game(record, Conclusion("forfeited", side, scores, last=last)))
