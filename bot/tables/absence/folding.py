"""What events make of what a table knows of absence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bot.tables.absence.events import (
    AbsenceEvent,
    ClaimAnswered,
    ClaimEnded,
    EndTimeSet,
    IdleWarningSent,
    SeatClaimed,
    SeatKept,
    SideForfeited,
    Voted,
    VoteDecided,
    VoteOpened,
    VoteWithdrawn,
)
from bot.tables.absence.values import Absence, AbsenceChoice, Ballot, Claim, ClaimAnswer, SeatReturn, Vote

if TYPE_CHECKING:
    from bot.tables.looks import SeatHolder


def evolve(absence: Absence, event: AbsenceEvent, seats: Sequence[SeatHolder]) -> Absence:
    """What the table knows after one event; `seats` are its holders."""
    if isinstance(event, VoteOpened):
        person = seats[event.seat].person
        return absence if person is None else _opened(absence, Vote(event.seat, person, event.why, event.at))
    return _HANDLERS[type(event)](absence, event)


def seat_changed(
    absence: Absence, before: SeatHolder, after: SeatHolder, *, seat: int, turn: tuple[int, int] | None
) -> Absence:
    """What the table knows once somebody else holds a seat, in that turn of the game; None before the first deal."""
    vote = absence.vote
    ballots = () if vote is None else tuple(one for one in vote.ballots if one.seat != seat)
    came_back = after.person is not None and before.kept_for == after.person and turn is not None
    new = after.person is not None and not came_back
    seen = () if before.person in (None, *absence.seen) or turn is None else (before.person,)
    left = () if after.kept_for is None or before.person is None else (seat,)
    return replace(
        absence,
        vote=None if vote is None else replace(vote, ballots=ballots),
        waiting=tuple(one for one in absence.waiting if one.seat != seat),
        left=(*_without(absence.left, seat), *left),
        seen=(*absence.seen, *seen),
        waits=_without(absence.waits, seat) if new else absence.waits,
        kept=_without(absence.kept, seat) if new else absence.kept,
        claims=tuple(_unanswered(one, seat) for one in absence.claims),
        returned=SeatReturn(seat, turn) if came_back and turn is not None else absence.returned,
    )


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(one for one in seats if one != seat)


def _unanswered(claim: Claim, seat: int) -> Claim:
    """The claim without what that seat has answered."""
    return replace(claim, answers=tuple(one for one in claim.answers if one.seat != seat))


def _opened(absence: Absence, vote: Vote) -> Absence:
    waiting = tuple(one for one in absence.waiting if one.seat != vote.seat)
    if absence.vote is None or absence.vote.seat == vote.seat:
        return replace(absence, vote=vote, waiting=waiting)
    return replace(absence, waiting=(*waiting, vote))


def _voted(absence: Absence, event: Voted) -> Absence:
    vote = absence.vote
    if vote is None:
        return absence
    others = tuple(one for one in vote.ballots if one.seat != event.seat)
    return replace(absence, vote=replace(vote, ballots=(*others, Ballot(event.seat, event.choice))))


def _decided(absence: Absence, event: VoteDecided) -> Absence:
    waited = () if absence.vote is None or event.choice is not AbsenceChoice.WAIT else (absence.vote.seat,)
    return replace(absence, vote=None, waits=(*absence.waits, *waited))


def _dropped(absence: Absence, event: VoteWithdrawn) -> Absence:
    return replace(absence, waiting=tuple(one for one in absence.waiting if one.seat != event.seat))


def _kept(absence: Absence, event: SeatKept) -> Absence:
    return replace(absence, kept=(*absence.kept, event.seat), left=_without(absence.left, event.seat))


def _forfeited(absence: Absence, event: SideForfeited) -> Absence:
    return replace(absence, forfeited=(*absence.forfeited, event.side))


def _claimed(absence: Absence, event: SeatClaimed) -> Absence:
    return replace(absence, claims=(*absence.claims, event.claim))


def _answered(absence: Absence, event: ClaimAnswered) -> Absence:
    answer = ClaimAnswer(event.voter, event.agrees)
    claims = (
        replace(one, answers=(*_unanswered(one, event.voter).answers, answer)) if one.seat == event.seat else one
        for one in absence.claims
    )
    return replace(absence, claims=tuple(claims))


def _claim_ended(absence: Absence, event: ClaimEnded) -> Absence:
    return replace(absence, claims=tuple(one for one in absence.claims if one.seat != event.seat))


def _latest_end(absence: Absence, event: EndTimeSet) -> Absence:
    return replace(absence, ends_at=event.at, ends_since=event.since, ends_told=event.told)


def _idle(absence: Absence, event: IdleWarningSent) -> Absence:
    return replace(absence, idle_at=event.at)


_HANDLERS: Final[Mapping[type[AbsenceEvent], Callable[[Absence, Any], Absence]]] = {
    Voted: _voted,
    VoteDecided: _decided,
    VoteWithdrawn: _dropped,
    SeatKept: _kept,
    SideForfeited: _forfeited,
    SeatClaimed: _claimed,
    ClaimAnswered: _answered,
    ClaimEnded: _claim_ended,
    EndTimeSet: _latest_end,
    IdleWarningSent: _idle,
}
