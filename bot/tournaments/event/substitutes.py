"""Substitutes: another person plays a seat for the rest of a match (`docs/tournaments.md` 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.tournaments.event.entries import Entrant, Person
from bot.tournaments.event.joining.former_entries import was_removed
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.matches import require_open_match, side_of_seat
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Audience, Tournament
from bot.tournaments.event.tournament_changes import add_news, find_match, require_impartial, with_entrant, with_match


def substitute_person(
    tournament: Tournament, *, match: int, seat: int, person: int, director: int, seen_boards: Sequence[int], now: int
) -> Tournament:
    """Put another person in a seat for the rest of the match; the result still counts for the entry.

    `seen_boards` are the boards of which the person has seen a card. Refusals: not_director, own_match, match_over,
    was_removed, substitute_plays, substitute_too_often, substitute_knows.
    """
    match_state = find_match(tournament, match)
    require_impartial(tournament, director, match_state)
    require_open_match(match_state)
    if was_removed(tournament, person):
        raise TournamentRefusal(TournamentCode.WAS_REMOVED, {"own": 0})
    if (
        any(person in one.seats for one in tournament.matches_of(match_state.round))
        or tournament.entry_of(person) is not None
    ):
        raise TournamentRefusal(TournamentCode.SUBSTITUTE_PLAYS)
    known = set(seen_boards) & set(match_state.boards)
    if known:
        raise TournamentRefusal(TournamentCode.SUBSTITUTE_KNOWS, {"board": min(known)})
    if not 0 <= seat < len(match_state.seats):
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": match_state.stage.value})
    absentee, entrant = match_state.seats[seat], _entry_at_seat(tournament, match_state, seat)
    again = any(
        one is not None and one not in entrant.present_and_former_members
        for one in _persons_in_seats_of_entry(tournament, match_state, entrant)
    )
    most = max(1, (tournament.rounds_planned or 1) // 2)
    if entrant.substituted >= most and not again:
        raise TournamentRefusal(TournamentCode.SUBSTITUTE_TOO_OFTEN, {"matches": most})
    seats = tuple(Person(person) if number == seat else one for number, one in enumerate(match_state.seats))
    changed = replace(match_state, seats=seats)
    if absentee in match_state.arrived:  # a present person's time runs at the table; no forfeit is pending
        changed = replace(changed, arrived=(*match_state.arrived, Person(person)))
    else:
        turns = tuple(replace(one, since=now, waited=0) if one.seat == seat else one for one in changed.turns)
        changed = replace(changed, turns=turns)
    after = with_match(tournament, changed)
    after = with_entrant(after, replace(entrant, substituted=entrant.substituted + (not again)))
    return add_news(
        after,
        "substituted",
        now,
        audience=Audience.MATCH,
        match=match,
        persons=(person, *(() if absentee is None else (absentee,))),
        pings=True,
    )


def _entry_at_seat(tournament: Tournament, match: MatchState, seat: int) -> Entrant:
    """Return the entry that plays that seat; entries of one side alternate in its seats."""
    entries = match.sides[side_of_seat(tournament, match, seat)]
    known = (tournament.entrant(entry) for entry in entries)
    return next(
        (one for one in known if match.seats[seat] in one.present_and_former_members),
        tournament.entrant(entries[seat // len(match.sides) % len(entries)]),
    )


def _persons_in_seats_of_entry(
    tournament: Tournament, match: MatchState, entrant: Entrant
) -> tuple[Person | None, ...]:
    """Return the persons in the match's seats who play for the entry."""
    return tuple(one for seat, one in enumerate(match.seats) if _entry_at_seat(tournament, match, seat) == entrant)


def seats_of_substitutes(tournament: Tournament, match: MatchState) -> Iterator[tuple[int, Person]]:
    """Yield the seats of the match in which substitutes sit.

    A substitute is in none of its entries, or is a member who took over an absent person's seat.
    """
    entered = {
        person
        for side in match.sides
        for entry in side
        for person in tournament.entrant(entry).present_and_former_members
    }
    for seat, person in enumerate(match.seats):
        if person is not None and (person not in entered or person in match.stood_in):
            yield seat, person
