"""Matters: what persons at a table are told of besides turns (`docs/long-games.md`, 4 and 5). Pure.

A matter has a name of its own, under which it is noted that somebody was told; it is told as long as the table says so,
and once that is over the notice goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.clocks.law import DAY
from bot.tables.absence import ballots
from bot.tables.consent.proposal import voters
from bot.tables.looks import Status, TableLook

OVER: Final = "over"
"""The name of the end of a game, which stays noted."""


class Kind(StrEnum):
    """What a matter is about; the value begins its name."""

    VOTE = "vote"  # the others decide about an absent person's seat
    CLAIM = "claim"  # somebody would like to have a seat
    OFFER = "offer"  # somebody proposes something to the others
    ENDS = "ends"  # the latest end is near
    IDLE = "idle"  # nobody has played for long
    OVER = "over"  # the game is over
    GIVEN = "given"  # a computer player keeps a seat
    BACK = "back"  # its person is there again
    MOVED = "moved"  # the table's thread is gone
    GONE = "gone"  # the table's channel is gone


@dataclass(frozen=True, slots=True)
class Matter:
    """A person is to be told of something at a table.

    `about` is the matter's name, `seat` the one it is about. Who is not `needed` any more is not told, and what was
    told stands. What is to be told `directly` cannot be told at the table.
    """

    kind: Kind
    about: str
    person: int
    seat: int = 0
    needed: bool = True
    directly: bool = False


def matters(look: TableLook, *, now: int, lost: bool = False, moved: bool = False) -> tuple[Matter, ...]:
    """All that persons are to be told of at a table; `lost` is its channel, and `moved` it is out of its thread."""
    if look.status is Status.FINISHED:
        return tuple(_over(look))
    if look.status is not Status.PLAYING:
        return ()
    found = [*_vote(look), *_claims(look), *_offer(look), *_ends(look, now), *_idle(look), *_seats(look)]
    # What stands in a pause stands after it.
    told = [replace(one, needed=one.needed and look.pause is None) for one in found]
    return tuple(one for one in (*told, *_place(look, lost=lost, moved=moved)) if one.person > 0)


def _over(look: TableLook) -> Iterator[Matter]:
    """The end of a slow game, for all who have a seat in it."""
    if look.settings.slow:
        holders = (holder.person or holder.kept_for for holder in look.seats)
        yield from (Matter(Kind.OVER, OVER, person) for person in holders if person is not None and person > 0)


def _vote(look: TableLook) -> Iterator[Matter]:
    vote = look.vote
    if vote is None:
        return
    about = f"{Kind.VOTE}.{vote.seat}.{vote.at}"
    for seat in ballots.voters(look.seats, vote):
        person = look.seats[seat].person
        if person is not None:
            yield Matter(Kind.VOTE, about, person, vote.seat, needed=vote.choice_of(seat) is None)


def _claims(look: TableLook) -> Iterator[Matter]:
    for claim in look.absence.claims:
        about = f"{Kind.CLAIM}.{claim.seat}.{claim.at}"
        for seat in ballots.asked(look.seats, look.terms, claim):
            person = look.seats[seat].person
            if person is not None:
                yield Matter(Kind.CLAIM, about, person, claim.seat, needed=claim.answer_of(seat) is None)


def _offer(look: TableLook) -> Iterator[Matter]:
    proposal = look.proposal
    if proposal is None:
        return
    about, persons = f"{Kind.OFFER}.{proposal.at}", [holder.person for holder in look.seats]
    for person in voters(proposal, persons, look.terms):
        if person != proposal.by:
            yield Matter(Kind.OFFER, about, person, needed=person in look.awaited)


def _ends(look: TableLook, now: int) -> Iterator[Matter]:
    """The latest end seven days and one day before it, a pause not counted."""
    absence = look.absence
    if absence.ends_at is None or not absence.ends_told or look.last_deal:
        return
    then = now if look.pause is None else look.pause.since
    days = 1 if then >= absence.ends_at - DAY else 7
    yield from (Matter(Kind.ENDS, f"{Kind.ENDS}.{days}", person) for person in look.persons)


def _idle(look: TableLook) -> Iterator[Matter]:
    """A game that is to be closed; who has always played alone is told nothing."""
    absence = look.absence
    if absence.idle_at is not None and not ballots.always_alone(look.seats, (one.holder for one in look.sat)):
        yield from (Matter(Kind.IDLE, f"{Kind.IDLE}.{absence.idle_at}", person) for person in look.persons)


def _seats(look: TableLook) -> Iterator[Matter]:
    """For the host, seats that computer players keep, and in the same deal who is back.

    At a table that is not slow those who are there see who leaves: only what comes of absence is told.
    """
    if look.host not in look.persons:
        return
    for seat, holder in enumerate(look.seats):
        tells = look.settings.slow or seat in look.absence.kept
        if tells and holder.kept_for is not None and holder.kept_for > 0:
            yield Matter(Kind.GIVEN, f"{Kind.GIVEN}.{seat}", look.host, seat)
    back, view = look.absence.returned, look.view
    if back is None or view is None or back.turn[0] != view.deal:
        return
    tells = look.settings.slow or back.seat in look.absence.kept
    if tells and look.seats[back.seat].person not in (None, look.host):
        about = f"{Kind.BACK}.{back.seat}.{back.turn[0]}.{back.turn[1]}"
        yield Matter(Kind.BACK, about, look.host, back.seat)


def _place(look: TableLook, *, lost: bool, moved: bool) -> tuple[Matter, ...]:
    """For the host: that the table's channel or its thread was deleted; noted for as long as it lives there."""
    return (
        Matter(Kind.GONE, gone_name(look), look.host, needed=lost, directly=True),
        Matter(Kind.MOVED, moved_name(look), look.host, needed=moved),
    )


def gone_name(look: TableLook) -> str:
    """The name of the matter that the table's channel is gone."""
    return f"{Kind.GONE}.{look.thread or look.channel}"


def moved_name(look: TableLook) -> str:
    """The name of the matter that the table has lost its thread in that channel."""
    return f"{Kind.MOVED}.{look.channel}"
