"""The rules of ratings: which people of a match are rated, and how their ratings change. Pure.

A match has sides, a side has seats, and several people may have sat in a seat one after the other. The model is
Plackett–Luce of openskill, by ranks alone. It is imported with the first rated match, because that takes 50 ms at every
start otherwise. Source: `docs/tournaments.md` 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import floor, sqrt
from typing import TYPE_CHECKING, Final

from bot.engine.rules.sets.choice_data import FAMILIES
from bot.store.ratings import RatingPlace, RatingRow

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


MU: Final = 25.0
SIGMA: Final = 25 / 3
BETA: Final = 25 / 6
KAPPA: Final = 0.0001
TAU: Final = 25 / 300

MODEL: Final = "openskill 6.2.0 PlackettLuce"

PROVISIONAL: Final = 6.0
"""A rating is provisional while its deviation is above that."""

SPAN: Final = 30 * 24 * 60 * 60 * 1000
"""30 days in milliseconds; a rating gets less sure by such spans of absence."""

LEAST_SHARE: Final = 0.5
"""Who has played less of a match is not rated for it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's estimated strength, and its uncertainty."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain for a leaderboard."""
        return self.sigma > PROVISIONAL

    @property
    def shown(self) -> int:
        """The figure shown to people: 1000 at the start, rising with proven strength."""
        return floor(1000 + 40 * (self.mu - 3 * self.sigma) + 0.5)


START: Final = Rating()
"""What everybody has before the first match."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person in a match: the rating, and the share of its deals that the person played.

    A person who gave up (`lost`) is rated as if their side had come last, alone.
    """

    rating: Rating
    share: float = 1.0
    lost: bool = False


def decay(rating: Rating, last: int, at: int) -> Rating:
    """Return the rating at the instant `at`, less certain after absence since `last` (UTC milliseconds).

    The first 30 days have no effect.
    """
    months = max(0, (at - last) // SPAN - 1)
    return Rating(rating.mu, min(SIGMA, sqrt(rating.sigma**2 + months)))


def rate_match(sides: Sequence[Sequence[Player]], ranks: Sequence[int]) -> tuple[tuple[Rating | None, ...], ...]:
    """Return the ratings after a match, by side. The lowest rank is the best, equal ranks are a tie.

    A person who played less than half of it has None.
    """
    played = _rate_by_model(sides, ranks)
    found = []
    for number, side in enumerate(sides):
        given_up = _rate_by_model(sides, _ranks_with_last(ranks, number)) if any(one.lost for one in side) else played
        found.append(
            tuple(
                _interpolate(player, (given_up if player.lost else played)[number][place])
                for place, player in enumerate(side)
            )
        )
    return tuple(found)


def _ranks_with_last(ranks: Sequence[int], side: int) -> tuple[int, ...]:
    """Return the ranks with that side last, alone."""
    return tuple(max(ranks) + 1 if number == side else rank for number, rank in enumerate(ranks))


def _interpolate(player: Player, after: Rating) -> Rating | None:
    """Return the change scaled by the share of the match that was played."""
    if player.share < LEAST_SHARE:
        return None
    if player.share >= 1:
        return after
    before = player.rating
    mu = before.mu + player.share * (after.mu - before.mu)
    return Rating(mu, sqrt(before.sigma**2 + player.share * (after.sigma**2 - before.sigma**2)))


def _rate_by_model(sides: Sequence[Sequence[Player]], ranks: Sequence[int]) -> list[list[Rating]]:
    """Return the model's ratings for a match that everyone has played in full."""
    model = _model()
    teams = [[model.create_rating([one.rating.mu, one.rating.sigma]) for one in side] for side in sides]
    return [[Rating(one.mu, one.sigma) for one in team] for team in model.rate(teams, ranks=[float(r) for r in ranks])]


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # noqa: PLC0415 - slow to import, see the module's docstring

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU)


@dataclass(frozen=True, slots=True, order=True)
class Ladder:
    """A list of comparable ratings: a family of rule sets, and the number of players."""

    family: str
    players: int

    @property
    def name(self) -> str:
        """The stable name: ``classic-4``."""
        return f"{self.family}-{self.players}"


def ladder_of(rules: str, players: int) -> Ladder:
    """Return the ladder of a rule set with that many players. Raises `LookupError` if unknown."""
    for family, names in FAMILIES.items():
        if rules in names:
            return Ladder(family, players)
    raise LookupError(rules)


def ladder_named(name: str) -> Ladder:
    """Return the ladder with that stored name. Raises `LookupError`."""
    family, _, players = name.rpartition("-")
    if family not in FAMILIES or not players.isdecimal():
        raise LookupError(name)
    return Ladder(family, int(players))


@dataclass(frozen=True, slots=True, order=True)
class MatchId:
    """A match: its tournament and its number there; a casual table has tournament 0."""

    tournament: int
    number: int


@dataclass(frozen=True, slots=True)
class SeatPlayed:
    """Who played a seat: people in order, each with the number of deals, and the computer's deals.

    `lost` is the person who gave the seat up, for whom the match is lost whatever its result.
    """

    persons: tuple[tuple[int, int], ...]
    computer: int = 0
    lost: int | None = None

    @property
    def deals(self) -> int:
        """The number of deals played in the seat."""
        return self.computer + sum(deals for _, deals in self.persons)


@dataclass(frozen=True, slots=True)
class SidePlayed:
    """The seats of a side and its total; a side that gave up is ranked `last`."""

    seats: tuple[SeatPlayed, ...]
    total: int
    last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedMatch:
    """A match for ratings, finished at `at` (UTC milliseconds) in a guild."""

    id: MatchId
    at: int
    ladder: Ladder
    guild: int
    sides: tuple[SidePlayed, ...]

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each side from 1; equal totals share one."""
        worth = [(not side.last, 0 if side.last else side.total) for side in self.sides]
        return tuple(1 + sum(other > own for other in worth) for own in worth)


def row_of(match: RatedMatch) -> RatingRow | None:
    """Return the match as a log row without ratings yet; None if it is not rated."""
    places = tuple(_places(match))
    persons = [place.person for place in places]
    seats = sum(len(side.seats) for side in match.sides)
    if len(match.sides) < 2 or len(persons) != seats or len(set(persons)) != seats:
        return None
    if _by_computers(match):
        # If a computer played that much, only those who gave up are rated, so that nobody can gain or escape a loss.
        places = tuple(place if place.lost else _without_rating(place) for place in places)
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
    """Return one place for each seat that a person has played."""
    for number, (side, rank) in enumerate(zip(match.sides, match.ranks, strict=True)):
        for seat, played in enumerate(side.seats):
            person = _person_of(played)
            if person is not None:
                lost = person == played.lost
                yield RatingPlace(number, seat, person, rank, 1.0 if lost else _share(played, person), lost=lost)


def _person_of(seat: SeatPlayed) -> int | None:
    """Return the person rated for a seat: who gave it up, else who played most deals, else the first."""
    if seat.lost is not None:
        return seat.lost
    return max(seat.persons, key=lambda one: one[1])[0] if seat.persons and seat.deals else None


def _share(seat: SeatPlayed, person: int) -> float:
    return dict(seat.persons)[person] / seat.deals


def _by_computers(match: RatedMatch) -> bool:
    """Return whether a computer player has played more than half of some seat."""
    return any(2 * seat.computer > seat.deals for side in match.sides for seat in side.seats)


def _without_rating(place: RatingPlace) -> RatingPlace:
    return RatingPlace(place.side, place.seat, place.person, place.rank, 0.0)
