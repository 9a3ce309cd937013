"""Decides which persons to notify of which table events, besides turns. Pure.

Source: `docs/long-games.md`, 4 and 5. Each event has a name under which a sent notice is stored. A notice is deleted
once the table no longer lists its event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.clocks.time_rules import DAY, Stage
from bot.tables.state import absence as ballots
from bot.tables.state.absence import AbsenceReason, SeatReturn
from bot.tables.state.proposals import voters
from bot.tables.state.snapshots import ClosingReason, Status, TableSnapshot

OVER: Final = "over"
CLOSED: Final = "closed"
"""Names of the ends of a table; their notices are kept."""


class NoticeKind(StrEnum):
    """Kinds of events; an event's name begins with this value."""

    VOTE = "vote"  # the other players decide about an absent person's seat
    VOTED_ON = "voted"  # the notice of such a vote to the absent person
    ALLOWANCE = "allowance"  # the player in turn is out of time, and an extra day or a day of vacation begins
    UNOPPOSED = "unopposed"  # one side has no opponents left
    CHOICE = "choice"  # the remaining players may end the game or claim the win
    AWAY = "away"  # the notice of UNOPPOSED to the absent opponents
    AWAY_CHOICE = "away_choice"  # the notice of CHOICE to the absent opponents
    CLAIM = "claim"  # a person asks for a seat
    OFFER = "offer"  # a player makes a proposal to the others
    ENDS = "ends"  # the latest end of the game is near
    IDLE = "idle"  # no one has played for a long time
    OVER = "over"  # the game is over
    GIVEN = "given"  # a computer player keeps a seat
    BACK = "back"  # a person whose seat a computer player kept is back
    MOVED = "moved"  # the table's thread is gone
    GONE = "gone"  # the table's channel is gone
    MISSED = "missed"  # a player did not answer the roll call; the host decides
    WAIT_ON = "wait_on"  # a lobby waits for players: its people decide whether to start with computers or to wait
    SILENT = "silent"  # the notice to the player who did not answer the roll call
    CLOSED = "closed"  # the table was closed for inactivity


@dataclass(frozen=True, slots=True)
class PendingNotice:
    """A person to notify of an event at a table.

    `about` is the event's name and `seat` the seat it concerns. If the notice is no longer `needed`, it is not sent,
    but one that was sent is not deleted. With `directly` it is sent by direct message only. `since` is when the event
    happened (UTC milliseconds); 0 if unknown.
    """

    kind: NoticeKind
    about: str
    person: int
    seat: int = 0
    needed: bool = True
    directly: bool = False
    since: int = 0


def pending_notices(
    snapshot: TableSnapshot, *, now: int, lost_place: bool = False, moved_place: bool = False
) -> tuple[PendingNotice, ...]:
    """Return all event notices of a table.

    `lost_place`: its channel was deleted. `moved_place`: its thread was deleted.
    """
    if snapshot.status is not Status.PLAYING:
        return tuple(one for one in _STATUSES[snapshot.status](snapshot) if one.person > 0)
    asked = [
        *_vote_notices(snapshot),
        *_own_seat_vote_notices(snapshot),
        *_extra_time_notices(snapshot),
        *_unopposed_notices(snapshot),
        *_claim_notices(snapshot),
        *_proposal_notices(snapshot),
        *_latest_end_notices(snapshot, now),
        *_inactivity_notices(snapshot),
    ]
    found = [*(_notice_renamed_after_stop(one, snapshot.resumed_at) for one in asked), *_kept_seat_notices(snapshot)]
    # While the table is stopped no notices are sent, but those already sent stay.
    told = [replace(one, needed=one.needed and not snapshot.is_halted) for one in found]
    return tuple(
        one
        for one in (*told, *_lost_place_notices(snapshot, lost_place=lost_place, moved_place=moved_place))
        if one.person > 0
    )


def _notice_renamed_after_stop(notice: PendingNotice, went_on_at: int | None) -> PendingNotice:
    """Return the notice, renamed if the table was stopped for long after the event began.

    Under its new name it is sent again.
    """
    if went_on_at is None or notice.since >= went_on_at:
        return notice
    return replace(notice, about=f"{notice.about}.{went_on_at}")


def _game_over_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return notices of the end of a slow game, for everyone with a seat in it."""
    if snapshot.settings.is_slow:
        holders = (holder.person or holder.kept_for for holder in snapshot.seats)
        yield from (PendingNotice(NoticeKind.OVER, OVER, person) for person in holders if person is not None)


def _lobby_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return a lobby's notices: whether to keep waiting for players, and an unanswered roll call.

    Players who did not answer the roll call are notified of it, and the host until the host has decided.
    """
    yield from _lobby_wait_notices(snapshot)
    missed = snapshot.missed
    if missed is None or snapshot.is_full:
        return
    if not missed.waits and snapshot.roll is None:
        yield PendingNotice(NoticeKind.MISSED, f"{NoticeKind.MISSED}.{missed.at}", snapshot.host)
    for holder in missed.holders:
        if holder.person is not None:
            yield PendingNotice(NoticeKind.SILENT, f"{NoticeKind.SILENT}.{missed.at}", holder.person)


def _lobby_wait_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return notices asking the people of a lobby that lacks players whether to wait; none once answered."""
    question = snapshot.waiting
    if question is not None and not snapshot.is_full:
        for person in question.persons:
            if snapshot.seat_of(person) is not None:
                yield PendingNotice(NoticeKind.WAIT_ON, f"{NoticeKind.WAIT_ON}.{question.at}", person)


def _closing_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return notices that a table was closed.

    They go to the players of a game closed for inactivity, and of a slow game closed without a result; and, for a lobby
    closed after an unanswered roll call, to everyone in it and to those who did not answer.
    """
    idle = snapshot.closed_because is ClosingReason.IDLE and not ballots.has_one_player(snapshot.seats)
    ended = snapshot.settings.is_slow and snapshot.view is not None and snapshot.closed_because in _ENDED
    persons: tuple[int, ...] = ()
    if idle or ended:
        persons = persons_to_notify(snapshot)
    elif snapshot.missed is not None:
        persons = (*snapshot.persons, *(one.person for one in snapshot.missed.holders if one.person is not None))
    yield from (PendingNotice(NoticeKind.CLOSED, CLOSED, person) for person in persons)


_ENDED: Final = (ClosingReason.AGREED, ClosingReason.ASKED)
"""Reasons for which a person closes a game before any deal is finished."""

_STATUSES: Final[Mapping[Status, Callable[[TableSnapshot], Iterator[PendingNotice]]]] = {
    Status.FINISHED: _game_over_notices,
    Status.LOBBY: _lobby_notices,
    Status.CLOSED: _closing_notices,
}


def persons_to_notify(snapshot: TableSnapshot) -> tuple[int, ...]:
    """Return the persons who have a seat, and those for whom a computer player keeps one.

    Persons who left on purpose are not among them.
    """
    kept = (one.kept_for for seat, one in enumerate(snapshot.seats) if seat not in snapshot.absence.left)
    return (*snapshot.persons, *(person for person in kept if person is not None))


def _vote_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    vote = snapshot.vote
    if vote is None:
        return
    about = f"{NoticeKind.VOTE}.{vote.seat}.{vote.at}"
    for seat in ballots.voters(snapshot.seats, vote):
        person = snapshot.seats[seat].person
        if person is not None:
            yield PendingNotice(
                NoticeKind.VOTE, about, person, vote.seat, needed=vote.choice_of(seat) is None, since=vote.at
            )


def _own_seat_vote_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return notices to persons whose seat the others vote on, once per turn; they can end the vote."""
    absence = snapshot.absence
    for vote in (absence.vote, *absence.waiting):
        if vote is not None and vote.why is AbsenceReason.LAPSED and not _has_confirmed_return(snapshot, vote.seat):
            yield PendingNotice(
                NoticeKind.VOTED_ON,
                f"{NoticeKind.VOTED_ON}.{_turn_notice_name(snapshot)}",
                vote.person,
                vote.seat,
                since=vote.at,
            )


def _has_confirmed_return(snapshot: TableSnapshot, seat: int) -> bool:
    """Return whether the seat's person has already ended a vote in this turn by saying *I'm back*."""
    said, view = snapshot.absence.confirmed, snapshot.view
    return view is not None and said == SeatReturn(seat, (view.deal, view.turns))


def _extra_time_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return notices to the others at a slow table that the player in turn uses an extra day or vacation.

    Once per turn: a notice that was sent stays until the turn ends or its time runs out, even if the player goes on in
    the middle of the turn and then uses vacation again. There are no notices of an extra day that the others have
    granted themselves.
    """
    clocks, view = snapshot.clocks, snapshot.view
    seat = None if view is None else view.actor
    if clocks is None or seat is None or not snapshot.settings.is_slow or clocks.stage is Stage.LAPSED:
        return
    granted = clocks.stage is Stage.EXTENDED and seat in snapshot.absence.waits
    runs = clocks.owes == seat and clocks.decided_at is not None
    begins = runs and clocks.stage in (Stage.EXTENDED, Stage.VACATION) and not granted
    about = f"{NoticeKind.ALLOWANCE}.{_turn_notice_name(snapshot)}"
    for person in snapshot.persons:
        if person != snapshot.seats[seat].person:
            yield PendingNotice(
                NoticeKind.ALLOWANCE, about, person, seat, needed=begins, since=snapshot.waits_since or 0
            )


def _unopposed_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return notices to both sides that one has no opponents left, and later that it may end the game."""
    unopposed = snapshot.absence.unopposed
    if unopposed is None:
        return
    opens = unopposed.open_at is not None
    left, away = (NoticeKind.CHOICE, NoticeKind.AWAY_CHOICE) if opens else (NoticeKind.UNOPPOSED, NoticeKind.AWAY)
    since = unopposed.since if unopposed.open_at is None else unopposed.open_at
    for seat, holder in enumerate(snapshot.seats):
        if holder.person is not None:
            needed = unopposed.choice_of(seat) is None
            yield PendingNotice(left, f"{left}.{since}", holder.person, seat, needed=needed, since=since)
        elif holder.kept_for is not None and seat in absent_opponents(snapshot):
            yield PendingNotice(away, f"{away}.{since}", holder.kept_for, seat, since=since)


def absent_opponents(snapshot: TableSnapshot) -> tuple[int, ...]:
    """Return the seats kept for absent opponents of the players who are left.

    Seats of players who left on purpose are not among them. The result is empty while there is an opponent to play
    against.
    """
    if snapshot.absence.unopposed is None:
        return ()
    own = {snapshot.terms.side_of(seat) for seat, holder in enumerate(snapshot.seats) if holder.person is not None}
    return tuple(
        seat
        for seat, holder in enumerate(snapshot.seats)
        if holder.kept_for is not None and snapshot.terms.side_of(seat) not in own and seat not in snapshot.absence.left
    )


def _turn_notice_name(snapshot: TableSnapshot) -> str:
    return "" if snapshot.view is None else f"{snapshot.view.deal}.{snapshot.view.turns}"


def _claim_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    for claim in snapshot.absence.claims:
        about = f"{NoticeKind.CLAIM}.{claim.seat}.{claim.at}"
        for seat in ballots.answering_seats(snapshot.seats, snapshot.terms, claim):
            person = snapshot.seats[seat].person
            if person is not None:
                yield PendingNotice(
                    NoticeKind.CLAIM, about, person, claim.seat, needed=claim.answer_of(seat) is None, since=claim.at
                )


def _proposal_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    proposal = snapshot.proposal
    if proposal is None:
        return
    about, persons = f"{NoticeKind.OFFER}.{proposal.at}", [holder.person for holder in snapshot.seats]
    for person in voters(proposal, persons, snapshot.terms):
        if person != proposal.by:
            yield PendingNotice(
                NoticeKind.OFFER, about, person, needed=person in snapshot.unanswered_people, since=proposal.at
            )


def _latest_end_notices(snapshot: TableSnapshot, now: int) -> Iterator[PendingNotice]:
    """Return notices of the time by which the game must end, seven days and one day before.

    While the game is paused, the days are counted from the beginning of the pause.
    """
    absence = snapshot.absence
    if absence.ends_at is None or not absence.ends_told or snapshot.last_deal:
        return
    then = now if snapshot.pause is None else snapshot.pause.since
    days = 1 if then >= absence.ends_at - DAY else 7
    yield from (PendingNotice(NoticeKind.ENDS, f"{NoticeKind.ENDS}.{days}", person) for person in snapshot.persons)


def _inactivity_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return notices that a game will be closed for inactivity; not for players who always played alone."""
    if snapshot.absence.idle_at is not None and not ballots.has_one_player(snapshot.seats):
        yield from (PendingNotice(NoticeKind.IDLE, NoticeKind.IDLE, person) for person in persons_to_notify(snapshot))


def _kept_seat_notices(snapshot: TableSnapshot) -> Iterator[PendingNotice]:
    """Return notices to the host that a computer player keeps a seat, or that its player came back.

    Returns are reported until the end of the deal. At a fast table the players see who leaves, so only seats lost by
    absence are reported.
    """
    if snapshot.host not in snapshot.persons:
        return
    for seat, holder in enumerate(snapshot.seats):
        if snapshot.absence.unopposed is not None:  # the remaining players get a separate notice
            break
        tells = snapshot.settings.is_slow or seat in snapshot.absence.kept
        if tells and holder.kept_for is not None and holder.kept_for > 0:
            yield PendingNotice(NoticeKind.GIVEN, f"{NoticeKind.GIVEN}.{seat}", snapshot.host, seat)
    back, view = snapshot.absence.returned, snapshot.view
    if back is None or view is None or back.turn[0] != view.deal:
        return
    tells = snapshot.settings.is_slow or back.seat in snapshot.absence.kept
    if tells and snapshot.seats[back.seat].person not in (None, snapshot.host):
        about = f"{NoticeKind.BACK}.{back.seat}.{back.turn[0]}.{back.turn[1]}"
        yield PendingNotice(NoticeKind.BACK, about, snapshot.host, back.seat)


def _lost_place_notices(snapshot: TableSnapshot, *, lost_place: bool, moved_place: bool) -> tuple[PendingNotice, ...]:
    """Return notices to the host that the table's channel or thread was deleted.

    Both are always returned, so that a sent one is never deleted; only the one that applies is `needed`.
    """
    return (
        PendingNotice(
            NoticeKind.GONE, lost_channel_event_name(snapshot), snapshot.host, needed=lost_place, directly=True
        ),
        PendingNotice(NoticeKind.MOVED, moved_table_event_name(snapshot), snapshot.host, needed=moved_place),
    )


def lost_channel_event_name(snapshot: TableSnapshot) -> str:
    """Return the name of the event that the table's channel was deleted."""
    return f"{NoticeKind.GONE}.{snapshot.thread or snapshot.channel}"


def moved_table_event_name(snapshot: TableSnapshot) -> str:
    """Return the name of the event that the table's thread was deleted and the table moved to its channel."""
    return f"{NoticeKind.MOVED}.{snapshot.channel}"
