"""Who directs without playing: that one alone sees open hands, cases and sealed boards (`docs/tournaments.md` 7)."""

from __future__ import annotations

from bot.tournaments.event.entrants import Person
from bot.tournaments.event.event_steps import require_director
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.values import Tournament


def plays(tournament: Tournament, person: int) -> bool:
    """Whether the person has an entry, or sits in a match that is not over."""
    sits = (person in one.seats for one in tournament.matches if one.result is None and not one.voided)
    return tournament.entry_of(person) is not None or any(sits)


def impartial(tournament: Tournament) -> tuple[Person, ...]:
    """The directors who do not play; with none of them cases go to a moderator of the server."""
    return tuple(one for one in tournament.directors if not plays(tournament, one))


def may_look(tournament: Tournament, person: int) -> bool:
    """Whether open hands, cases and sealed boards are shown to that person."""
    return person in impartial(tournament)


def require_looking(tournament: Tournament, person: int) -> None:
    """Refuse with not_director, and with plays whoever directs and plays."""
    require_director(tournament, person)
    if plays(tournament, person):
        raise TournamentRefusal(TournamentCode.PLAYS)
