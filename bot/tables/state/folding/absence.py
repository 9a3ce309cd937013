"""The effects of the events about absent players: votes, claims to seats, ends of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, get_args

from bot.tables.state.absence import (
    Absence,
    AbsenceChoice,
    AbsenceEvent,
    Ballot,
    Claim,
    ClaimAnswer,
    ClaimAnswered,
    ClaimEnded,
    EndChoiceOpened,
    EndPick,
    EndPicked,
    EndTimeSet,
    IdleWarningSent,
    OpponentReturned,
    OpponentsLost,
    ReturnConfirmed,
    SeatClaimed,
    SeatKept,
    SeatReturn,
    SideForfeited,
    SubstituteSearchEnded,
    Unopposed,
    Vote,
    Voted,
    VoteDecided,
    VoteOpened,
    VoteWithdrawn,
)
from bot.tables.state.snapshots import SeatHolder
from bot.tables.state.table import TableState


def absence_after_event(absence: Absence, event: AbsenceEvent, seats: Sequence[SeatHolder]) -> Absence:
    """Return the absence state after one event; `seats` are the holders of the seats."""
    if isinstance(event, VoteOpened):
        person = seats[event.seat].person
        return absence if person is None else _open_vote(absence, Vote(event.seat, person, event.why, event.at))
    return _HANDLERS[type(event)](absence, event)


def absence_with_new_holder(
    absence: Absence, before: SeatHolder, after: SeatHolder, *, seat: int, turn: tuple[int, int] | None
) -> Absence:
    """Return the absence state after a seat got another holder.

    `turn` is the turn in which that happened, None before the first deal.
    """
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
        left=(*_without_seat(absence.left, seat), *left),
        seen=(*absence.seen, *seen),
        waits=_without_seat(absence.waits, seat) if new else absence.waits,
        kept=_without_seat(absence.kept, seat) if new else absence.kept,
        claims=tuple(_without_answer(one, seat) for one in absence.claims),
        returned=SeatReturn(seat, turn) if came_back and turn is not None else absence.returned,
        unopposed=_without_pick(absence.unopposed, seat),
    )


def _without_seat(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return the seats without that one."""
    return tuple(one for one in seats if one != seat)


def _without_answer(claim: Claim, seat: int) -> Claim:
    """Return the claim without the answer of that seat's person."""
    return replace(claim, answers=tuple(one for one in claim.answers if one.seat != seat))


def _open_vote(absence: Absence, vote: Vote) -> Absence:
    """Open a vote about a seat, or let it wait if a vote is open already."""
    waiting = tuple(one for one in absence.waiting if one.seat != vote.seat)
    if absence.vote is None or absence.vote.seat == vote.seat:
        return replace(absence, vote=vote, waiting=waiting)
    return replace(absence, waiting=(*waiting, vote))


def _record_vote(absence: Absence, event: Voted) -> Absence:
    """Record a ballot, replacing the seat's earlier one."""
    vote = absence.vote
    if vote is None:
        return absence
    others = tuple(one for one in vote.ballots if one.seat != event.seat)
    return replace(absence, vote=replace(vote, ballots=(*others, Ballot(event.seat, event.choice))))


def _decide_vote(absence: Absence, event: VoteDecided) -> Absence:
    """Remove the open vote; if it was decided to wait, count a day granted to the seat."""
    waited = () if absence.vote is None or event.choice is not AbsenceChoice.WAIT else (absence.vote.seat,)
    return replace(absence, vote=None, waits=(*absence.waits, *waited))


def _withdraw_vote(absence: Absence, event: VoteWithdrawn) -> Absence:
    """Remove a vote that waits for another vote to end."""
    return replace(absence, waiting=tuple(one for one in absence.waiting if one.seat != event.seat))


def _keep_seat(absence: Absence, event: SeatKept) -> Absence:
    """Mark the seat as kept for its absent person."""
    return replace(absence, kept=(*absence.kept, event.seat), left=_without_seat(absence.left, event.seat))


def _forfeit_side(absence: Absence, event: SideForfeited) -> Absence:
    """Mark the side as having forfeited."""
    return replace(absence, forfeited=(*absence.forfeited, event.side))


def _open_claim(absence: Absence, event: SeatClaimed) -> Absence:
    """Add the claim to a seat."""
    return replace(absence, claims=(*absence.claims, event.claim))


def _answer_claim(absence: Absence, event: ClaimAnswered) -> Absence:
    """Record an answer to a claim, replacing the seat's earlier one."""
    answer = ClaimAnswer(event.voter, event.agrees)
    claims = (
        replace(one, answers=(*_without_answer(one, event.voter).answers, answer)) if one.seat == event.seat else one
        for one in absence.claims
    )
    return replace(absence, claims=tuple(claims))


def _end_claim(absence: Absence, event: ClaimEnded) -> Absence:
    """Remove the claim to the seat."""
    return replace(absence, claims=tuple(one for one in absence.claims if one.seat != event.seat))


def _set_latest_end(absence: Absence, event: EndTimeSet) -> Absence:
    """Set the latest end of the game."""
    return replace(absence, ends_at=event.at, ends_since=event.since, ends_told=event.told)


def _record_idle_warning(absence: Absence, event: IdleWarningSent) -> Absence:
    """Record the announced end of an idle game; None removes it."""
    return replace(absence, idle_at=event.at)


def _confirm_return(absence: Absence, event: ReturnConfirmed) -> Absence:
    """Record that the seat's person returned in that turn."""
    return replace(absence, confirmed=SeatReturn(event.seat, event.turn))


def _record_lost_opponents(absence: Absence, event: OpponentsLost) -> Absence:
    """Record that no opponent is left, and since when."""
    return replace(absence, unopposed=Unopposed(event.at))


def _record_opponent_returned(absence: Absence, _event: OpponentReturned) -> Absence:
    """Record that an opponent is back, or that no opponent's seat is kept any more."""
    return replace(absence, unopposed=None)


def _open_end_choice(absence: Absence, event: EndChoiceOpened) -> Absence:
    """Record the time from which the remaining players may choose how the game goes on."""
    found = absence.unopposed
    return absence if found is None else replace(absence, unopposed=replace(found, open_at=event.at))


def _pick_end(absence: Absence, event: EndPicked) -> Absence:
    """Record a player's choice of how the game ends, replacing the player's earlier choice."""
    found = _without_pick(absence.unopposed, event.seat)
    if found is None:
        return absence
    return replace(absence, unopposed=replace(found, picks=(*found.picks, EndPick(event.seat, event.choice))))


def _without_pick(unopposed: Unopposed | None, seat: int) -> Unopposed | None:
    """Return `unopposed` without the choice of that seat's person."""
    if unopposed is None:
        return None
    return replace(unopposed, picks=tuple(one for one in unopposed.picks if one.seat != seat))


_HANDLERS: Final[Mapping[type[AbsenceEvent], Callable[[Absence, Any], Absence]]] = {
    Voted: _record_vote,
    VoteDecided: _decide_vote,
    VoteWithdrawn: _withdraw_vote,
    SeatKept: _keep_seat,
    SideForfeited: _forfeit_side,
    SeatClaimed: _open_claim,
    ClaimAnswered: _answer_claim,
    ClaimEnded: _end_claim,
    EndTimeSet: _set_latest_end,
    IdleWarningSent: _record_idle_warning,
    ReturnConfirmed: _confirm_return,
    OpponentsLost: _record_lost_opponents,
    OpponentReturned: _record_opponent_returned,
    EndChoiceOpened: _open_end_choice,
    EndPicked: _pick_end,
}


def _apply_absence_event(record: TableState, event: AbsenceEvent) -> TableState:
    """Apply an event of this module to the record."""
    return replace(record, absence=absence_after_event(record.absence, event, record.seats))


def _end_substitute_search(record: TableState, event: SubstituteSearchEnded) -> TableState:
    """Remove the search for a substitute for the seat."""
    return replace(record, sought=tuple(one for one in record.sought if one.seat != event.seat))


FOLDS: Final[Mapping[type[AbsenceEvent], Callable[[TableState, Any], TableState]]] = {
    **dict.fromkeys(get_args(AbsenceEvent), _apply_absence_event),
    SubstituteSearchEnded: _end_substitute_search,
}
