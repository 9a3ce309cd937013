"""Simulated leagues that measure how well ratings match true strengths (`docs/tournaments.md` 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import correlation, fmean
from typing import Final

from bot.ratings.rating_rules import START, Player, Rating, rate_match, score_by_margin

PERSONS: Final = 40
DEALS: Final = 3
STRENGTH: Final = 100
"""The standard deviation of one person's contribution to a side's result of a deal, in card points."""

LUCK: Final = 541
"""The standard deviation of a side's net in a deal between equals, at which U is 2."""


@dataclass(slots=True)
class League:
    """Players with their true strengths, ratings, and numbers of matches played.

    A player is a person, or a pair that always plays together. With `margins`, ratings use the difference of scores,
    otherwise only ranks.
    """

    chance: Random
    players: int = PERSONS
    margins: bool = True
    strengths: list[float] = field(default_factory=list)
    ratings: list[Rating] = field(default_factory=list)
    matches: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.strengths = [self.chance.gauss(0, STRENGTH) for _ in range(self.players)]
        self.ratings = [START] * self.players
        self.matches = [0] * self.players

    def play_match(self, first: Sequence[int], second: Sequence[int]) -> None:
        """Play a match between two sides with a random result, and rate it."""
        ahead = sum(self.strengths[one] for one in first) - sum(self.strengths[one] for one in second)
        margin = round(sum(self.chance.gauss(ahead, LUCK) for _ in range(DEALS)))
        ranks = (1 + (margin < 0), 1 + (margin > 0))
        before = [[Player(self.ratings[one]) for one in side] for side in (first, second)]
        after = rate_match(before, ranks, score_by_margin(margin, DEALS, 2) if self.margins else None)
        for side, news in zip((first, second), after, strict=True):
            for one, new in zip(side, news, strict=True):
                assert new is not None
                self.ratings[one] = new
                self.matches[one] += 1

    def play_round(self, present: Sequence[int], each: int) -> None:
        """Let all players who are present play a match.

        Partners and opponents are drawn by lot, with `each` players on a side.
        """
        drawn = self.chance.sample(present, len(present))
        for at in range(0, len(drawn) - 2 * each + 1, 2 * each):
            self.play_match(drawn[at : at + each], drawn[at + each : at + 2 * each])

    def strength_correlation(self) -> float:
        """Return the rank correlation of ratings with true strengths."""
        return correlation(_rank_numbers([one.mu for one in self.ratings]), _rank_numbers(self.strengths))

    def activity_correlation(self) -> float:
        """Return the correlation of displayed ratings with the number of matches played."""
        return correlation([one.displayed_value for one in self.ratings], self.matches)


def _rank_numbers(figures: Sequence[float]) -> list[int]:
    order = sorted(figures)
    return [order.index(one) for one in figures]


def correlation_with_changing_partners(seeds: range, rounds: int, *, margins: bool = True) -> float:
    """Return how well ratings match strengths if partners change: the mean rank correlation.

    There are 40 players in a league, and one league for each seed.
    """
    return fmean(_correlation_after(League(Random(seed), margins=margins), rounds, each=2) for seed in seeds)


def correlation_with_fixed_pairs(seeds: range, rounds: int) -> float:
    """Return how well ratings match strengths for fixed pairs: the mean rank correlation.

    There are 20 pairs in a league, each rated as one player, and one league for each seed.
    """
    return fmean(_correlation_after(_league_of_pairs(seed), rounds, each=1) for seed in seeds)


def _league_of_pairs(seed: int) -> League:
    league = League(Random(seed), players=PERSONS // 2)
    league.strengths = [sum(league.chance.gauss(0, STRENGTH) for _ in range(2)) for _ in league.strengths]
    return league


def _correlation_after(league: League, rounds: int, *, each: int) -> float:
    """Play that many rounds; return the rank correlation of ratings with true strengths then."""
    for _ in range(rounds):
        league.play_round(range(league.players), each)
    return league.strength_correlation()


def correlation_with_activity(seeds: range, rounds: int) -> float:
    """Return the mean correlation of ratings with the number of matches played, over one league a seed.

    Players miss up to 90 % of the rounds.
    """
    return fmean(_activity_correlations(seeds, rounds))


def _activity_correlations(seeds: range, rounds: int) -> Iterator[float]:
    for seed in seeds:
        league = League(Random(seed))
        activity = [league.chance.uniform(0.1, 1) for _ in range(PERSONS)]
        for _ in range(rounds):
            league.play_round([one for one in range(PERSONS) if league.chance.random() < activity[one]], 2)
        yield league.activity_correlation()
