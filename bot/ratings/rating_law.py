"""The law of ratings: what one match does to the ratings of its persons (`docs/tournaments.md` 5). Pure.

The model is Plackett–Luce of openskill, by ranks alone. It is loaded with the first match that is rated: that takes
50 ms, which no start has to wait for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import floor, sqrt
from typing import TYPE_CHECKING, Final

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
    """How strong somebody is, and how unsure that is."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def provisional(self) -> bool:
        """Whether too little is known for a board."""
        return self.sigma > PROVISIONAL

    @property
    def shown(self) -> int:
        """The figure that people see: 1000 for nobody knows, and more for those who surely are stronger."""
        return floor(1000 + 40 * (self.mu - 3 * self.sigma) + 0.5)


START: Final = Rating()
"""What everybody has before the first match."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody in a match: the rating that counts for it, the share of its deals that was played, and who gave up.

    Whoever `lost` is rated as if their side had come last, alone.
    """

    rating: Rating
    share: float = 1.0
    lost: bool = False


def decayed(rating: Rating, last: int, at: int) -> Rating:
    """The rating at an instant, when the last match was at another (UTC milliseconds): less sure after absence.

    Of the whole spans of 30 days in between the first one is free.
    """
    months = max(0, (at - last) // SPAN - 1)
    return Rating(rating.mu, min(SIGMA, sqrt(rating.sigma**2 + months)))


def rated(sides: Sequence[Sequence[Player]], ranks: Sequence[int]) -> tuple[tuple[Rating | None, ...], ...]:
    """The ratings after a match, side by side; the lowest rank is the best, equal ranks are a tie.

    None for who has played less than half of it.
    """
    played = _played(sides, ranks)
    found = []
    for number, side in enumerate(sides):
        given_up = _played(sides, _last(ranks, number)) if any(one.lost for one in side) else played
        found.append(
            tuple(
                _interpolated(player, (given_up if player.lost else played)[number][place])
                for place, player in enumerate(side)
            )
        )
    return tuple(found)


def _last(ranks: Sequence[int], side: int) -> tuple[int, ...]:
    """The ranks with that side behind all others."""
    return tuple(max(ranks) + 1 if number == side else rank for number, rank in enumerate(ranks))


def _interpolated(player: Player, after: Rating) -> Rating | None:
    """So much of a change as the player has played of the match."""
    if player.share < LEAST_SHARE:
        return None
    if player.share >= 1:
        return after
    before = player.rating
    mu = before.mu + player.share * (after.mu - before.mu)
    return Rating(mu, sqrt(before.sigma**2 + player.share * (after.sigma**2 - before.sigma**2)))


def _played(sides: Sequence[Sequence[Player]], ranks: Sequence[int]) -> list[list[Rating]]:
    """What the model makes of a match that everybody has played whole."""
    model = _model()
    teams = [[model.create_rating([one.rating.mu, one.rating.sigma]) for one in side] for side in sides]
    return [[Rating(one.mu, one.sigma) for one in team] for team in model.rate(teams, ranks=[float(r) for r in ranks])]


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # noqa: PLC0415 - see above

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU)
