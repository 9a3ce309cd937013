"""Answers to late clicks on the buttons of a settled question: "Already decided: …"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from bot.i18n import Words
from bot.tables.state.absence import AbsenceChoice, ClaimEnded, VoteDecided
from bot.tables.state.events import ProposalAnswered, ProposalEnded, SettlingEvent
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.telling import names

Found = TypeVar("Found")

_CHOICES: Final = {
    AbsenceChoice.WAIT: "decided.wait",
    AbsenceChoice.COMPUTER: "decided.computer",
    AbsenceChoice.SUBSTITUTE: "decided.substitute",
}


def already_decided_text(words: Words, text: str) -> str:
    """Return the answer to a late click on a settled question; `text` says how it was settled."""
    return words("decided.already", told=text)


def decided_status_text(words: Words, snapshot: TableSnapshot, *, lobby: bool = False) -> str:
    """Return a sentence that the table is over or closed, or has begun; "" if none is true.

    That it has begun is said only for a question about a `lobby`.
    """
    if snapshot.status is Status.FINISHED:
        return words("decided.over", table=snapshot.id)
    if snapshot.status is Status.CLOSED:
        return words("decided.closed", table=snapshot.id)
    return words("decided.begun", table=snapshot.id) if lobby and snapshot.status is Status.PLAYING else ""


def decided_vote_text(words: Words, snapshot: TableSnapshot, seat: int, since: Iterable[SettlingEvent]) -> str:
    """Return a sentence on the result of the vote about a seat.

    `since` are the events that settled questions after the button was made.
    """
    found = _first_event(since, VoteDecided)
    if not 0 <= seat < len(snapshot.seats):
        return ""
    name = _seat_owner_name(words, snapshot, seat)
    if found is None or found.choice is AbsenceChoice.END:
        return ""
    if found.choice is not None:
        return words(_CHOICES[found.choice], name=name)
    return words("decided.computer" if snapshot.seats[seat].person is None else "decided.back", name=name)


def decided_claim_text(words: Words, snapshot: TableSnapshot, seat: int, since: Iterable[SettlingEvent]) -> str:
    """Return a sentence on the result of a claim to a seat, or of the objection to a return.

    `since` are the events that settled questions after the button was made.
    """
    found = next((one for one in since if isinstance(one, ClaimEnded) and one.seat == seat), None)
    if found is None or not 0 <= seat < len(snapshot.seats):
        return ""
    name, sits = _seat_owner_name(words, snapshot, seat), snapshot.seats[seat].person is not None
    if found.granted:
        return words("decided.sits" if sits else "decided.computer", name=name)
    return words("decided.sits", name=name) if sits else words("decided.refused")


def decided_proposal_text(words: Words, snapshot: TableSnapshot, since: Iterable[SettlingEvent]) -> str:
    """Return a sentence on how the proposal ended; "" if one is still open."""
    for one in since:
        if isinstance(one, ProposalEnded):
            return words("decided.agreed" if one.agreed else "decided.refused")
        if isinstance(one, ProposalAnswered) and not one.agrees:
            seat = snapshot.seat_of(one.person)
            return (
                words("decided.refused")
                if seat is None
                else words("decided.said_no", name=_seat_name(words, snapshot, seat))
            )
    return words("decided.gone") if snapshot.proposal is None else ""


def decided_seat_text(words: Words, snapshot: TableSnapshot, person: int) -> str:
    """Return a sentence on whether the person has their seat back or a computer player keeps it.

    Return "" for a person without a seat here.
    """
    if snapshot.seat_of(person) is not None:
        return words("decided.you_sit")
    return words("decided.computer_for_you") if any(one.kept_for == person for one in snapshot.seats) else ""


def opponent_back_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return a sentence that an opponent is back, for a game that can then not be ended alone.

    Return "" if none is back.
    """
    back = snapshot.absence.returned
    if back is None or snapshot.seats[back.seat].person is None:
        return ""
    return words("decided.back", name=_seat_name(words, snapshot, back.seat))


def _first_event(since: Iterable[SettlingEvent], kind: type[Found]) -> Found | None:
    return next((one for one in since if isinstance(one, kind)), None)


def _seat_name(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    return names.seat_name(words, snapshot, seat)


def _seat_owner_name(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    """Return the name of the person who holds the seat, or for whom it is kept."""
    holder = snapshot.seats[seat]
    return _seat_name(words, snapshot, seat) if holder.kept_for is None else names.escape_name(holder.kept_name)
