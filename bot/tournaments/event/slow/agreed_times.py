"""Agreed times of slow matches: offering, accepting, keeping and missing them.

Source: `docs/tournaments.md` 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.tournaments.event.entries import Person
from bot.tournaments.event.match_state import MatchStage, MatchState, OfferedTime
from bot.tournaments.event.matches import require_open_match, side_of_seat
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, Tournament
from bot.tournaments.event.tournament_changes import add_news, find_match, with_match

AT_ONCE: Final = 5
"""Maximum of times in one offer."""

MOST_OPEN: Final = 20
"""Maximum of offered times stored for a match."""

REMINDED: Final = (24 * HOUR, 15 * MINUTE)
"""Times before an agreed time at which the match is reminded."""

LASTS: Final = 3 * HOUR
"""Time after an agreed time until an absence counts as missing it."""

MISSES: Final = 2
"""A side that misses this many agreed times forfeits."""

OFFERS: Final = 3
OFFER_DAYS: Final = 2
OFFERED_BEFORE: Final = 48 * HOUR
"""Offers that suffice to win against a silent side: number of times, of days, and the time before the
end.
"""


def require_slow_match(tournament: Tournament, match: MatchState, person: int) -> None:
    """Raise unless the person plays in that open slow match: not_entered, match_over, times_live."""
    if person not in match.seats:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    require_open_match(match)
    if tournament.plan.live:
        raise TournamentRefusal(TournamentCode.TIMES_LIVE)


def offer_times(tournament: Tournament, *, match: int, person: int, instants: Sequence[int], now: int) -> Tournament:
    """Offer times for a match. Offering a time that another person has offered accepts it.

    Refusals: not_entered, match_over, times_live, time_unfit.
    """
    match_state = find_match(tournament, match)
    require_slow_match(tournament, match_state, person)
    for one in instants:
        if not now < one < (match_state.due or now):
            raise TournamentRefusal(TournamentCode.TIME_UNFIT, {"at": one, "until": match_state.due or now})
    known = {one.at for one in match_state.times}
    new = tuple(
        OfferedTime(at=one, by=Person(person), offered_at=now) for one in sorted(set(instants)) if one not in known
    )
    kept = (*match_state.times, *new)[-MOST_OPEN:]
    after = with_match(tournament, replace(match_state, times=kept))
    for one in instants:
        after = _record_acceptance(after, match, person, one, now)
    if not new or after.match(match).agreed_at is not None:
        return after
    others = tuple(one for one in match_state.seats if one is not None and one != person)
    return add_news(
        after,
        "times_offered",
        now,
        audience=Audience.MATCH,
        match=match,
        persons=others,
        about=(person,),
        numbers={f"at{place}": one.at for place, one in enumerate(new, 1)},
        pings=True,
    )


def accept_time(tournament: Tournament, *, match: int, person: int, at: int, now: int) -> Tournament:
    """Accept an offered time for a person; the first time that suits everyone is agreed.

    Refusals: not_entered, match_over, times_live, time_unfit.
    """
    match_state = find_match(tournament, match)
    require_slow_match(tournament, match_state, person)
    if at <= now or all(one.at != at for one in match_state.times):
        raise TournamentRefusal(TournamentCode.TIME_UNFIT, {"at": at, "until": match_state.due or now})
    return _record_acceptance(tournament, match, person, at, now)


def _record_acceptance(tournament: Tournament, match: int, person: int, at: int, now: int) -> Tournament:
    """Accept an offered time for a person; if it now suits everyone, it is the agreed time."""
    found = tournament.match(match)
    times = tuple(
        replace(one, suits=(*one.suits, Person(person))) if one.at == at and person not in one.suits else one
        for one in found.times
    )
    if times == found.times:
        return tournament
    changed = replace(found, times=times)
    everybody = {one for one in found.seats if one is not None}
    agreed = next((one.at for one in times if one.at == at and everybody <= set(one.suits)), None)
    if agreed is None or found.agreed_at is not None:
        return with_match(tournament, changed)
    reminded = sum(now >= agreed - before for before in REMINDED)
    after = with_match(tournament, replace(changed, agreed_at=agreed, reminded=reminded))
    persons = tuple(one for one in found.seats if one is not None)
    return add_news(
        after, "time_agreed", now, audience=Audience.MATCH, match=match, persons=persons, numbers={"at": agreed}
    )


def next_time_alarm(match: MatchState) -> int | None:
    """Return the instant of the next reminder, of the agreed time, or of the end of its three hours.

    None if no time is agreed.
    """
    if match.agreed_at is None or match.stage is not MatchStage.PLAYING:
        return None
    if match.reminded < len(REMINDED):
        return match.agreed_at - REMINDED[match.reminded]
    return match.agreed_at if match.hours_until is None else match.hours_until


def begin_agreed_time(tournament: Tournament, *, match: int, now: int) -> Tournament:
    """Begin the three hours of an agreed time.

    The live clock then runs for persons who are known to be present since.
    """
    match_state = tournament.match(match)
    until = (match_state.agreed_at or now) + LASTS
    return add_news(
        with_match(tournament, replace(match_state, hours_until=until, came=())),
        "time_begins",
        now,
        audience=Audience.MATCH,
        match=match,
        persons=tuple(one for one in match_state.seats if one is not None),
        numbers={"until": until},
    )


def remind_match(tournament: Tournament, *, match: int, now: int) -> Tournament:
    """Remind a match of its agreed time."""
    match_state = tournament.match(match)
    agreed = match_state.agreed_at or now
    reminded = max(match_state.reminded + 1, sum(now >= agreed - before for before in REMINDED))
    persons = tuple(one for one in match_state.seats if one is not None)
    after = with_match(tournament, replace(match_state, reminded=reminded))
    return add_news(
        after,
        "time_near",
        now,
        audience=Audience.MATCH,
        match=match,
        persons=persons,
        numbers={"at": agreed},
        pings=True,
    )


def end_agreed_time(tournament: Tournament, *, match: int, missing: int | None, now: int) -> Tournament:
    """End an agreed time. The person `missing`, if any, has missed it, which counts against their side."""
    match_state = tournament.match(match)
    # The time to wait for absent persons begins only now.
    turns = tuple(replace(one, since=now, waited=0) for one in match_state.turns)
    over = replace(match_state, agreed_at=None, reminded=0, hours_until=None, came=(), turns=turns)
    if missing is None or missing not in match_state.seats:
        return with_match(tournament, over)
    side = side_of_seat(tournament, match_state, match_state.seats.index(Person(missing)))
    after = with_match(tournament, replace(over, missed=(*match_state.missed, side)))
    return add_news(
        after,
        "time_missed",
        now,
        audience=Audience.MATCH,
        match=match,
        persons=(missing,),
        numbers={"at": match_state.agreed_at or now, "times": sum(one == side for one in (*match_state.missed, side))},
    )


def side_absent_twice(match: MatchState) -> int | None:
    """Return the side that has missed two agreed times, or None."""
    return next((side for side in match.missed if match.missed.count(side) >= MISSES), None)


def silent_sides(tournament: Tournament, match: MatchState) -> tuple[int, ...]:
    """Return the sides that neither offered nor accepted a time although another side offered enough.

    Source: `docs/tournaments.md` 2.
    """
    due = match.due or 0
    days: dict[int, set[int]] = {}
    counts: dict[int, int] = {}
    active = set[int | None]()
    for one in match.times:
        for person in {one.by, *one.suits}:
            active.add(_side_of_person(tournament, match, person))
        side = _side_of_person(tournament, match, one.by)
        if side is not None and one.offered_at <= due - OFFERED_BEFORE:
            counts[side] = counts.get(side, 0) + 1
            days.setdefault(side, set()).add(datetime.fromtimestamp(one.at / 1000, UTC).toordinal())
    enough = {side for side, count in counts.items() if count >= OFFERS and len(days[side]) >= OFFER_DAYS}
    return tuple(side for side in range(len(match.sides)) if side not in active) if enough else ()


def _side_of_person(tournament: Tournament, match: MatchState, person: Person) -> int | None:
    """Return the side for which a person sits, or to one of whose entries they belong; None for others."""
    if person in match.seats:
        return side_of_seat(tournament, match, match.seats.index(person))
    belonging = [
        {one for entry in side for one in tournament.entrant(entry).present_and_former_members} for side in match.sides
    ]
    return next((side for side, those in enumerate(belonging) if person in those), None)
