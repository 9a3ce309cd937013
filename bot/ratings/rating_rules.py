"""The rules of ratings: which people of a match are rated, and how their ratings change.

The functions are pure. The model is Plackett–Luce of openskill. A match of two sides is computed as won and as lost,
and the margin says how much of each counts; more sides count by their ranks. The model is loaded with the first match
that is rated, because that takes 50 ms.

A `RatedMatch` says who played how much of a match, and how it ended. It has sides, a side has seats, and in a seat
several persons may have sat one after the other. `unrated_row` decides which persons of a match are rated, and for
which share of it (`docs/tournaments.md` 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import floor, sqrt, tanh
from typing import TYPE_CHECKING, Final

from bot.engine.rules.sets.difficulty_and_length import FAMILIES
from bot.ratings.swing_units import UNITS_PER_DEVIATION
from bot.store.ratings import RatingMargin, RatingPlace, RatingRow

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


LAW: Final = 2
"""The version of these rules. Ratings stored under another version are computed again at the next start."""

MU: Final = 25.0
SIGMA: Final = 25 / 3
BETA: Final = 25 / 6
KAPPA: Final = 0.0001
TAU: Final = 25 / 300

MODEL: Final = "openskill 6.2.0 PlackettLuce"

PARAMETERS: Final = {"mu": MU, "sigma": SIGMA, "beta": BETA, "kappa": KAPPA, "tau": TAU}

PROVISIONAL_DEVIATION: Final = 7.0
"""A rating is provisional while its deviation is above that: for about ten matches at four seats."""

DECAY_SPAN: Final = 30 * 24 * 60 * 60 * 1000
"""30 days in milliseconds; a rating gets less certain with each such time of absence."""

LEAST_SHARE: Final = 0.5
"""The least share of a match that a player must have played to be rated for it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimated strength (`mu`) of a person or pair, and how uncertain it is (`sigma`)."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is too uncertain for a leaderboard."""
        return self.sigma > PROVISIONAL_DEVIATION

    @property
    def displayed_value(self) -> int:
        """The figure that people see: 1000 at the start and for average strength."""
        return floor(1000 + 40 * (self.mu - MU) + 0.5)


START: Final = Rating()
"""The rating of everybody before the first match."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person or pair in a match: their rating before it, and the share of its deals that they played.

    A player who `lost` gave up, and is rated as if their side had come last, alone.
    """

    rating: Rating
    share: float = 1.0
    lost: bool = False


def rating_after_absence(rating: Rating, last: int, at: int) -> Rating:
    """Return the rating at the instant `at`, less certain after absence since `last` (UTC milliseconds).

    The first 30 days have no effect.
    """
    months = max(0, (at - last) // DECAY_SPAN - 1)
    return Rating(rating.mu, min(SIGMA, sqrt(rating.sigma**2 + months)))


def score_by_margin(margin: int, deals: int, unit: int) -> float:
    """Return the score of the first of two sides, from 0 (lost) to 1 (won), by its lead in points.

    It is the logistic function of z = N / (250 U √d). `margin` is N, its total less the other's, in d `deals`; `unit`
    is U, the unit of swing of the rules.
    """
    return (1 + tanh(margin / (UNITS_PER_DEVIATION * unit * sqrt(deals)) / 2)) / 2


def rate_match(
    sides: Sequence[Sequence[Player]], ranks: Sequence[int], score: float | None = None
) -> tuple[tuple[Rating | None, ...], ...]:
    """Return the ratings after a match, one tuple for each side, None for players who are not rated.

    These played less than half of it. The lowest rank is the best, equal ranks are a tie. `score` is the score by
    margin of the first of two sides; without it that score is 1, ½ or 0 by the ranks.
    """
    if len(sides) == 2:
        return _rate_by_score(sides, _score_by_ranks(ranks) if score is None else score)
    played = _rate_by_model(sides, ranks)
    found = []
    for number, side in enumerate(sides):
        given_up = (
            _rate_by_model(sides, _ranks_with_side_last(ranks, number)) if any(one.lost for one in side) else played
        )
        found.append(
            tuple(
                _scale_by_share(player, (given_up if player.lost else played)[number][place])
                for place, player in enumerate(side)
            )
        )
    return tuple(found)


def _score_by_ranks(ranks: Sequence[int]) -> float:
    """Return the score of the first of two sides by the ranks: 1 won, ½ tied, 0 lost."""
    return (1 + (ranks[0] < ranks[1]) - (ranks[0] > ranks[1])) / 2


def _rate_by_score(sides: Sequence[Sequence[Player]], score: float) -> tuple[tuple[Rating | None, ...], ...]:
    """Return the ratings after a match of two sides, one tuple for each side.

    Each is between the rating after a win and that after a loss.
    """
    outcomes = _rate_by_model(sides, (1, 2)), _rate_by_model(sides, (2, 1))
    found = []
    for number, side in enumerate(sides):
        won, lost = outcomes[number][number], outcomes[1 - number][number]
        own = 1 - score if number else score
        found.append(
            tuple(
                _scale_by_share(player, _mix_ratings(won[place], lost[place], 0.0 if player.lost else own))
                for place, player in enumerate(side)
            )
        )
    return tuple(found)


def _mix_ratings(won: Rating, lost: Rating, score: float) -> Rating:
    """Return the rating between that after a win (score 1) and that after a loss (score 0)."""
    mu = score * won.mu + (1 - score) * lost.mu
    return Rating(mu, sqrt(score * won.sigma**2 + (1 - score) * lost.sigma**2))


def _ranks_with_side_last(ranks: Sequence[int], side: int) -> tuple[int, ...]:
    """Return the ranks of the sides if that side had come last, behind all others."""
    return tuple(max(ranks) + 1 if number == side else rank for number, rank in enumerate(ranks))


def _scale_by_share(player: Player, after: Rating) -> Rating | None:
    """Return the rating after the match, changed in proportion to the share that the player played.

    None if that is too small a share to be rated.
    """
    if player.share < LEAST_SHARE:
        return None
    if player.share >= 1:
        return after
    before = player.rating
    mu = before.mu + player.share * (after.mu - before.mu)
    return Rating(mu, sqrt(before.sigma**2 + player.share * (after.sigma**2 - before.sigma**2)))


def _rate_by_model(sides: Sequence[Sequence[Player]], ranks: Sequence[int]) -> list[list[Rating]]:
    """Return the ratings by the model, as if everyone had played the whole match."""
    model = _load_model()
    teams = [[model.create_rating([one.rating.mu, one.rating.sigma]) for one in side] for side in sides]
    return [[Rating(one.mu, one.sigma) for one in team] for team in model.rate(teams, ranks=[float(r) for r in ranks])]


@cache
def _load_model() -> PlackettLuce:
    """Return the model of openskill, loaded at the first use."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - slow to import, see the module's docstring

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU)


@dataclass(frozen=True, slots=True, order=True)
class Ladder:
    """A set of comparable ratings: those for a family of rule sets and a number of players."""

    family: str
    players: int

    @property
    def name(self) -> str:
        """The stored name, such as ``classic-4``."""
        return f"{self.family}-{self.players}"


def ladder_of(rules: str, players: int) -> Ladder:
    """Return the ladder of a rule set with that many players. Raises `LookupError` if unknown."""
    for family, names in FAMILIES.items():
        if rules in names:
            return Ladder(family, players)
    raise LookupError(rules)


def ladder_named(name: str) -> Ladder:
    """Return the ladder with that stored name. Raises `LookupError` for an invalid name."""
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
    """The people who played a seat, in order, each with a number of deals; and the computer's deals.

    `lost` is the person who gave the seat up, and therefore lost the match whatever its result.
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
    """The seats of a side and its total; with `last` it gave up, and is ranked last."""

    seats: tuple[SeatPlayed, ...]
    total: int
    last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedMatch:
    """A match that counts for ratings, finished at the instant `at` (UTC milliseconds) in a guild.

    `deals` is the number of deals that make up the totals, and `unit` the unit of swing; None if only the ranks count.
    """

    id: MatchId
    at: int
    ladder: Ladder
    guild: int
    sides: tuple[SidePlayed, ...]
    deals: int | None = None
    unit: int = 1

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each side from 1; equal totals share one."""
        worth = [(not side.last, 0 if side.last else side.total) for side in self.sides]
        return tuple(1 + sum(other > own for other in worth) for own in worth)

    @property
    def margin(self) -> RatingMargin | None:
        """The lead of the first of two sides; None for other matches, and if only the ranks count."""
        if len(self.sides) != 2 or not self.deals or any(side.last for side in self.sides):
            return None
        return RatingMargin(self.sides[0].total - self.sides[1].total, self.deals, self.unit)


def unrated_row(match: RatedMatch) -> RatingRow | None:
    """Return the match as a row of the log without ratings yet; None if it is not to be rated."""
    places = tuple(_rating_places(match))
    persons = [place.person for place in places]
    seats = sum(len(side.seats) for side in match.sides)
    if len(match.sides) < 2 or len(persons) != seats or len(set(persons)) != seats:
        return None
    if _is_played_by_computer(match):
        # After so much play by a computer, only those who gave up are rated: they must not escape the loss, and the
        # others must not gain by it.
        places = tuple(place if place.lost else _unrated_place(place) for place in places)
        if not any(place.lost for place in places):
            return None
    return RatingRow(
        tournament=match.id.tournament,
        number=match.id.number,
        family=match.ladder.family,
        players=match.ladder.players,
        guild=match.guild,
        at=match.at,
        margin=match.margin,
        places=places,
    )


def _rating_places(match: RatedMatch) -> Iterator[RatingPlace]:
    """Return one place for each seat that a person has played."""
    for number, (side, rank) in enumerate(zip(match.sides, match.ranks, strict=True)):
        for seat, played in enumerate(side.seats):
            person = _rated_person_of(played)
            if person is not None:
                lost = person == played.lost
                yield RatingPlace(number, seat, person, rank, 1.0 if lost else _share_of(played, person), lost=lost)


def _rated_person_of(seat: SeatPlayed) -> int | None:
    """Return the person rated for a seat: the one who gave it up, else the one with most deals."""
    if seat.lost is not None:
        return seat.lost
    return max(seat.persons, key=lambda one: one[1])[0] if seat.persons and seat.deals else None


def _share_of(seat: SeatPlayed, person: int) -> float:
    """Return the share of the seat's deals that the person played."""
    return dict(seat.persons)[person] / seat.deals


def _is_played_by_computer(match: RatedMatch) -> bool:
    """Return whether a computer player has played more than half of some seat."""
    return any(2 * seat.computer > seat.deals for side in match.sides for seat in side.seats)


def _unrated_place(place: RatingPlace) -> RatingPlace:
    """Return the place as that of a player who is not rated for the match."""
    return RatingPlace(place.side, place.seat, place.person, place.rank, 0.0)
