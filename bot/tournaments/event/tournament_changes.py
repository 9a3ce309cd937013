"""Changes of a tournament that many steps need: replace a part, add news, check permissions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypedDict, Unpack

from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.match_state import MatchState, RoundState
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, News, Stage, Tournament


class NewsFields(TypedDict, total=False):
    """Optional fields of a news item (`bot.tournaments.event.tournament.News`)."""

    audience: Audience
    match: int | None
    entries: tuple[int, ...]
    numbers: Mapping[str, int]
    texts: Mapping[str, str]
    pings: bool


LIVE: Final = (Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING)
"""Stages from opening to the last round."""


def with_entrant(tournament: Tournament, changed: Entrant) -> Tournament:
    """Return the tournament with `changed` in place of the entry of that number; if there is none, add it."""
    others = tuple(changed if one.number == changed.number else one for one in tournament.entrants)
    if any(one.number == changed.number for one in tournament.entrants):
        return replace(tournament, entrants=others)
    return replace(tournament, entrants=tuple(sorted((*others, changed), key=lambda one: one.number)))


def with_match(tournament: Tournament, changed: MatchState) -> Tournament:
    """Return the tournament with `changed` in place of the match of the same number."""
    known, place = tournament.matches, bisect_left(tournament.matches, changed.id, key=lambda one: one.id)
    return replace(tournament, matches=(*known[:place], changed, *known[place + 1 :]))


def with_matches(tournament: Tournament, changed: Iterable[MatchState]) -> Tournament:
    """Return the tournament with each of these matches in place of the match of the same number."""
    by_number = {one.id: one for one in changed}
    return replace(tournament, matches=tuple(by_number.get(one.id, one) for one in tournament.matches))


def with_round(tournament: Tournament, changed: RoundState) -> Tournament:
    """Return the tournament with `changed` in place of the round of the same number."""
    return replace(
        tournament, rounds=tuple(changed if one.number == changed.number else one for one in tournament.rounds)
    )


def add_news(
    tournament: Tournament,
    code: str,
    now: int,
    *,
    persons: Iterable[int] = (),
    about: Iterable[int] = (),
    **said: Unpack[NewsFields],
) -> Tournament:
    """Return the tournament with a news item added."""
    news = News(
        number=len(tournament.news) + 1,
        code=code,
        at=now,
        persons=tuple(Person(one) for one in persons),
        about=tuple(Person(one) for one in about),
        **said,
    )
    return replace(tournament, news=(*tournament.news, news))


def require_stage(tournament: Tournament, *stages: Stage) -> None:
    """Raise `TournamentRefusal` wrong_stage unless the tournament is in one of the given stages."""
    if tournament.stage not in stages:
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})


def require_guild(tournament: Tournament, guild: int | None) -> Tournament:
    """Return the tournament if it is in that guild, or if `guild` is None. Refusal: unknown_tournament."""
    if guild is not None and tournament.guild != guild:
        raise TournamentRefusal(TournamentCode.UNKNOWN_TOURNAMENT, {"tournament": tournament.id})
    return tournament


def require_director(tournament: Tournament, person: int) -> None:
    """Raise `TournamentRefusal` not_director unless the person is a director."""
    if person not in tournament.directors:
        raise TournamentRefusal(TournamentCode.NOT_DIRECTOR)


def is_entered(tournament: Tournament, person: int) -> bool:
    """Return whether the person is in an entry.

    An entry that has left and an unanswered invitation do not count.
    """
    entry = tournament.entry_of(person)
    return entry is not None and (entry.stage is not EntryStage.ASKED or person in entry.agreed)


def require_director_not_playing(tournament: Tournament, person: int, match: MatchState | None = None) -> None:
    """Raise `TournamentRefusal` unless the person directs and does not play in the tournament.

    A substitute in `match` plays too. Refusals: not_director, director_plays, own_match (`docs/tournaments.md` 7).
    """
    require_director(tournament, person)
    if is_entered(tournament, person):
        raise TournamentRefusal(TournamentCode.DIRECTOR_PLAYS)
    if match is not None:
        require_impartial(tournament, person, match)


def require_impartial(tournament: Tournament, person: int, match: MatchState) -> None:
    """Raise `TournamentRefusal` unless the person directs and is not in the match.

    Refusals: not_director, own_match (`docs/tournaments.md` 7).
    """
    require_director(tournament, person)
    if person in persons_of(tournament, match):
        raise TournamentRefusal(TournamentCode.OWN_MATCH, {"match": match.id})


def persons_of(tournament: Tournament, match: MatchState) -> tuple[Person, ...]:
    """Return the persons of a match: those in its seats, or of its entries before it is called."""
    seated = tuple(one for one in match.seats if one is not None)
    entered = (person for side in match.sides for entry in side for person in tournament.entrant(entry).players)
    return seated or tuple(entered)


def find_match(tournament: Tournament, match_number: int) -> MatchState:
    """Return the match of that number. Refusal: no_such_match."""
    try:
        return tournament.match(match_number)
    except KeyError:
        raise TournamentRefusal(TournamentCode.NO_SUCH_MATCH, {"match": match_number}) from None


def find_entrant(tournament: Tournament, entry_number: int) -> Entrant:
    """Return the entry of that number. Refusal: no_such_entry."""
    try:
        return tournament.entrant(entry_number)
    except KeyError:
        raise TournamentRefusal(TournamentCode.NO_SUCH_ENTRY, {"entry": entry_number}) from None


def require_entry_size(tournament: Tournament, entries: Iterable[int]) -> None:
    """Raise `TournamentRefusal` entry_size if one of these entries has too few or too many persons."""
    needed = tournament.plan.persons_in_entry
    for entry in entries:
        given = len(find_entrant(tournament, entry).people)
        if given != needed:
            detail: dict[str, int | str] = {"entry": entry, "needed": needed, "given": given}
            raise TournamentRefusal(TournamentCode.ENTRY_SIZE, detail)


def open_match_of(tournament: Tournament, entry: int) -> MatchState | None:
    """Return the entry's unfinished match of the current round, or None."""
    turn = tournament.current_round
    if turn is None:
        return None
    return next(
        (
            one
            for one in tournament.matches_of(turn.number)
            if one.result is None and any(entry in side for side in one.sides)
        ),
        None,
    )


def active_entrants(tournament: Tournament) -> tuple[Entrant, ...]:
    """Return the entries that take part in future rounds, in start order."""
    return tuple(sorted((one for one in tournament.entrants if one.is_active), key=lambda one: one.rank))


def continuing_entries(tournament: Tournament) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the entries that play on, each with the rounds it announced to skip."""
    return tuple((one.number, one.sits_out) for one in active_entrants(tournament))


def places_left(tournament: Tournament) -> int:
    """Return how many more persons get a place; entries that still wait for a partner's answer take none."""
    inside = (EntryStage.ENTERED, EntryStage.HERE, EntryStage.PLAYING)
    taken = sum(len(one.people) for one in tournament.entrants if one.stage in inside)
    return max(0, tournament.plan.places - taken)
