"""Counting: which persons of a match are rated, and for which share of it (`docs/tournaments.md` 5). Pure."""

from __future__ import annotations

from collections.abc import Iterator

from bot.ratings.values import RatedMatch, SeatPlayed
from bot.store.ratings import RatingPlace, RatingRow


def row_of(match: RatedMatch) -> RatingRow | None:
    """The match as it is noted, its ratings still unknown; None where it is not rated."""
    places = tuple(_places(match))
    persons = [place.person for place in places]
    seats = sum(len(side.seats) for side in match.sides)
    if len(match.sides) < 2 or len(persons) != seats or len(set(persons)) != seats:
        return None
    if _by_computers(match):
        # Nobody gains from a game that computer players have played, and nobody escapes from a lost one.
        places = tuple(place if place.lost else _unrated(place) for place in places)
        if not any(place.lost for place in places):
            return None
    return RatingRow(
        tournament=match.id.tournament,
        number=match.id.number,
        family=match.ladder.family,
        players=match.ladder.players,
        guild=match.guild,
        at=match.at,
        places=places,
    )


def _places(match: RatedMatch) -> Iterator[RatingPlace]:
    """One place for each seat in which a person has played."""
    for number, (side, rank) in enumerate(zip(match.sides, match.ranks, strict=True)):
        for seat, played in enumerate(side.seats):
            person = _person_of(played)
            if person is not None:
                lost = person == played.lost
                yield RatingPlace(number, seat, person, rank, 1.0 if lost else _share(played, person), lost=lost)


def _person_of(seat: SeatPlayed) -> int | None:
    """Who is rated for a seat: who gave it up, else who played most deals, of equals the first."""
    if seat.lost is not None:
        return seat.lost
    return max(seat.persons, key=lambda one: one[1])[0] if seat.persons and seat.deals else None


def _share(seat: SeatPlayed, person: int) -> float:
    return dict(seat.persons)[person] / seat.deals


def _by_computers(match: RatedMatch) -> bool:
    """Whether a computer player has played more than half of some seat."""
    return any(2 * seat.computer > seat.deals for side in match.sides for seat in side.seats)


def _unrated(place: RatingPlace) -> RatingPlace:
    return RatingPlace(place.side, place.seat, place.person, place.rank, 0.0)
