"""Consequences of any change for absent players: votes, claims, returns and ends of games. Pure.

`absence_consequences` is called after every change. It decides votes, ends claims and sets alarms, so the modules that
make the changes need not do this.
"""

from __future__ import annotations

from bot.tables.absence import claims, latest_end, lost_seats, no_opponents, returning_players, votes
from bot.tables.absence.circumstances_of_change import ChangeCircumstances
from bot.tables.absence.idle_games import idle_alarm_events
from bot.tables.consent import accepted_proposals as consent
from bot.tables.consent.accepted_proposals import ProposalTiming
from bot.tables.seating import seats
from bot.tables.state.absence import (
    Claim,
    ClaimEnded,
    ClaimKind,
    EndTimeSet,
    IdleWarningSent,
)
from bot.tables.state.clocks import Conclusion
from bot.tables.state.events import (
    MOVED_BY_OUTAGES,
    AnyEvent,
    Deadline,
    DeadlineSet,
    GameConcluded,
    SeatChanged,
)
from bot.tables.state.fold import apply_table_events
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.requests import PendingChange
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState
from bot.tables.timing.halted_tables import deadline_passes_at
from bot.tables.timing.idle_limit import idle_limit
from bot.tables.timing.timekeeping import TimeLookup


def absence_consequences(
    time_lookup: TimeLookup, before: TableState, after: TableState, change: PendingChange
) -> tuple[AnyEvent, ...]:
    """Return the effects of a table's change on votes, claims to seats, and the end of the game.

    One of the consequences that are computed after every change.
    """
    caller = change.request.caller
    circumstances = ChangeCircumstances(change.now, None if caller is None else caller.person, time_lookup.away_spans())
    return absence_events(before, after, circumstances)


def absence_events(before: TableState, after: TableState, circumstances: ChangeCircumstances) -> tuple[AnyEvent, ...]:
    """Return the events about absent players that follow a change."""
    if after.status is not Status.PLAYING or after.game is None:
        return _end_questions(before, after)
    happened: tuple[AnyEvent, ...] = ()
    for step in (
        reset_deadlines,
        returning_players.record_arrival,
        latest_end.update_latest_end,
        returning_players.handle_new_holders,
        votes.end_decided_vote,
        lost_seats.apply_policy_after_vote,
        votes.open_next_vote,
        _update_claims,
        lost_seats.set_search_deadline,
        no_opponents.track_opponents,
        no_opponents.carry_out_end_choice,
        _update_idle_alarm,
    ):
        happened += step(before, apply_table_events(after, happened), circumstances)
    left = apply_table_events(after, happened)
    if left.status is not Status.PLAYING:  # the result of a vote may end the game
        return (*happened, *_end_questions(after, left))
    agreed = _apply_agreed_proposal(left, circumstances)
    return (
        (*happened, *agreed, *absence_events(left, apply_table_events(left, agreed), circumstances))
        if agreed
        else happened
    )


def reset_deadlines(before: TableState, after: TableState, circumstances: ChangeCircumstances) -> tuple[AnyEvent, ...]:
    """Reset the deadlines, except the clock's, when a paused table, or one without a channel, goes on.

    The clock's own consequences reset its deadline.
    """
    if not before.is_halted or after.is_halted or after.status is not Status.PLAYING:
        return ()
    events: list[AnyEvent] = []
    for deadline in after.deadlines:
        moves = deadline not in {*MOVED_BY_OUTAGES, Deadline.CLOCK, Deadline.LATEST_END}
        if moves and before.deadlines.get(deadline) == after.deadlines[deadline]:
            events.append(
                DeadlineSet(deadline, deadline_passes_at(after, deadline, circumstances.away, circumstances.now))
            )
    absence = after.absence
    if absence.ends_at is not None and not after.last_deal:
        ends_at = latest_end.postponed_end(after, circumstances.away, now=circumstances.now)
        events += [
            EndTimeSet(ends_at, circumstances.now, told=absence.ends_told),
            latest_end.next_end_alarm(ends_at, circumstances.now),
        ]
    if absence.idle_at is not None and Deadline.IDLE in after.deadlines:
        events.append(IdleWarningSent(deadline_passes_at(after, Deadline.IDLE, circumstances.away, circumstances.now)))
    return tuple(events)


def _end_questions(before: TableState, after: TableState) -> tuple[AnyEvent, ...]:
    """Cancel the open votes, claims and choices of a finished game.

    If a side that forfeited would win, let the best other side win.
    """
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


def _update_claims(_before: TableState, after: TableState, circumstances: ChangeCircumstances) -> tuple[AnyEvent, ...]:
    """End decided claims, and set the deadline of open ones."""
    events: tuple[AnyEvent, ...] = ()
    for claim in after.absence.claims:
        now = apply_table_events(after, events)
        if claims.is_claim_void(now, claim):
            events += (ClaimEnded(claim.seat, granted=False),)
        elif not after.is_halted and (granted := claims.claim_result(now, claim)) is not None:
            events += end_claim(now, claim, granted=granted, circumstances=circumstances)
    left = apply_table_events(after, events)
    if left.absence.claims and Deadline.SEAT not in left.deadlines:
        events += (DeadlineSet(Deadline.SEAT, min(one.at for one in left.absence.claims) + claims.OPEN_FOR),)
    elif not left.absence.claims and Deadline.SEAT in left.deadlines:
        events += (DeadlineSet(Deadline.SEAT, None),)
    return events


def end_claim(
    record: TableState, claim: Claim, *, granted: bool, circumstances: ChangeCircumstances
) -> tuple[AnyEvent, ...]:
    """End a claim; if it was granted, carry it out."""
    ended = ClaimEnded(claim.seat, granted=granted)
    if not granted:
        return (ended,)
    if claim.kind is ClaimKind.OBJECT:
        return (ended, *seats.vacate_seat(record, claim.seat, expires_at=idle_limit(record, circumstances.now)))
    taken = (ended, SeatChanged(claim.seat, claim.holder))
    return (*taken, *returning_players.handle_new_holders(record, apply_table_events(record, taken), circumstances))


def _apply_agreed_proposal(after: TableState, circumstances: ChangeCircumstances) -> tuple[AnyEvent, ...]:
    """Return the events of the open proposal if all players have agreed who still have a seat after the change.

    Players who lose their seats may be the last whose answer was missing. An undo needs the log, so it is carried out
    at the proposal's deadline instead.
    """
    proposal = consent.accepted_proposal(after)
    if proposal is None or proposal.kind is ProposalKind.UNDO or after.is_halted:
        return ()
    instants = ProposalTiming(circumstances.now, expires_at=idle_limit(after, circumstances.now))
    return consent.apply_proposal(after, proposal, instants)


def _update_idle_alarm(
    _before: TableState, after: TableState, circumstances: ChangeCircumstances
) -> tuple[AnyEvent, ...]:
    """Set or cancel the deadline that closes an idle game."""
    return (
        idle_alarm_events(after, person=circumstances.by, now=circumstances.now)
        if after.status is Status.PLAYING
        else ()
    )
