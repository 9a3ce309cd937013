"""The side effects that a step promises. They are stored with it and performed later (`bot.outbox`)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.store.outbox import EVENT, LETTER, MEMBER, RATE, Promise
from bot.tournaments.event.boards import persons_in_room, rooms_of
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.tournament import Audience, News, Stage, Tournament

_BEFORE_ITS_ROUNDS = (Stage.OPEN, Stage.CHECK_IN)
_OVER = (Stage.CLOSING, Stage.CLOSED)


def promises_of_change(before: Tournament, after: Tournament) -> tuple[Promise, ...]:
    """Return the side effects that a step promises.

    They are ratings, direct messages, the scheduled event, and members of private threads.
    """
    return (
        *_rating_promises(before, after),
        *_message_promises(before, after),
        *_scheduled_event_promises(before, after),
        *_thread_promises(before, after),
    )


def _rating_promises(before: Tournament, after: Tournament) -> Iterator[Promise]:
    """Yield a promise to rate the tournament if the step changes what ratings depend on.

    That is which matches are final, or how they count.
    """
    if after.plan.counts_for_ratings and _rating_basis(before) != _rating_basis(after):
        yield Promise(kind=RATE, key=f"t{after.id}", guild=after.guild)


def _rating_basis(tournament: Tournament) -> object:
    """Return what ratings depend on: final rounds, rulings, and whether the tournament is closed.

    In a ladder, which has no rounds, they depend on every result and on the rulings.
    """
    if not tournament.plan.traits.has_rounds:
        results = tuple((one.id, one.result, one.voided) for one in tournament.matches if one.result is not None)
        return results, tournament.rulings
    final = tuple(one.number for one in tournament.rounds if one.stage is RoundStage.FINAL)
    return final, tournament.rulings if final else (), tournament.stage is Stage.CLOSED


def _message_promises(before: Tournament, after: Tournament) -> Iterator[Promise]:
    """Yield a promise of a direct message to each recipient of a new news item."""
    same = before.news is after.news
    known = set() if same else {news.number for news in before.news}
    for news in () if same else after.news:
        if news.number not in known:
            for person in direct_message_recipients(after, news):
                key = f"{after.id}:{news.number}:{person}"
                yield Promise(kind=LETTER, key=key, guild=after.guild, person=person)


def direct_message_recipients(tournament: Tournament, news: News) -> tuple[int, ...]:
    """Return the persons who get a news item as a direct message; none if it is for a channel."""
    if news.audience not in (Audience.PERSONS, Audience.DIRECTORS):
        return ()
    to = news.persons if news.audience is Audience.PERSONS else tournament.directors
    return tuple(person for person in dict.fromkeys(to) if person > 0)


def _scheduled_event_promises(before: Tournament, after: Tournament) -> Iterator[Promise]:
    """Yield a promise to update the scheduled event if its content has changed."""
    if after.commitment and scheduled_event_content(before) != scheduled_event_content(after):
        yield Promise(kind=EVENT, key=f"t{after.id}", guild=after.guild)


def scheduled_event_content(tournament: Tournament) -> tuple[str, int, str]:
    """Return the content of a tournament's scheduled event: name, start and stage; no name for a draft."""
    stage = tournament.stage
    if not tournament.commitment:
        return "", 0, ""
    text = "over" if stage in _OVER else "soon" if stage in _BEFORE_ITS_ROUNDS else stage.value
    return tournament.plan.name, tournament.plan.starts_at, text


def _thread_promises(before: Tournament, after: Tournament) -> Iterator[Promise]:
    """Yield a promise for each person to be added to a match's private thread."""
    known = set(private_thread_members(before))
    for thread, person in private_thread_members(after):
        if (thread, person) not in known:
            key, about = f"{thread}:{person}", {"tournament": after.id}
            yield Promise(kind=MEMBER, key=key, guild=after.guild, person=person, args=about)


def private_thread_members(tournament: Tournament) -> Iterator[tuple[int, int]]:
    """Yield (thread, person) for each seat of a duplicate's matches that have a thread."""
    if tournament.plan.duplicate is None:
        return
    for match in tournament.matches:
        for room in rooms_of(match):
            thread = match.channel_of_room(room)
            if thread not in (None, tournament.channel):
                yield from ((thread or 0, person) for person in persons_in_room(match, room) if person and person > 0)
