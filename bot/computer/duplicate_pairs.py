"""Duplicate matches: each pack is played twice with seats swapped, so that cards favour neither level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import fmean
from typing import Final

from bot.computer.deals import Deal, PlayedDeal, play_deal
from bot.computer.player import ComputerPlayer, player_for
from bot.computer.seeded_random import shuffled_packs
from bot.computer.statistics import Estimate, estimate_mean
from bot.engine.cards.cards import Card
from bot.engine.rules.rule_set import RuleSet

POINTS_THRESHOLD: Final = 650
"""Points per deal by which an offered level must beat random play.

Compared with the lower end of the 95 % interval.
"""

DEALS_THRESHOLD: Final = 0.9
"""The share of deals that an offered level must win against random play.

Compared with the lower end of the 95 % interval.
"""

BELOW_ZERO: Final = -5


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """The result of one pack played twice, with seats swapped, for the first of two levels.

    It is the level's lead in points per deal, and the share of the two deals that it won; a tie counts half.
    """

    difference: float
    won: float
    actions: int
    illegal: int


@dataclass(frozen=True, slots=True)
class LevelComparison:
    """The result of many pairs of deals: how the first level did against the second."""

    pairs: int
    illegal: int
    difference: Estimate
    deals_won: Estimate

    @property
    def is_over_points_threshold(self) -> bool:
        """Whether the lower end of the interval of the points is at least `POINTS_THRESHOLD`."""
        return self.difference.low >= POINTS_THRESHOLD

    @property
    def is_over_deals_threshold(self) -> bool:
        """Whether the lower end of the interval of the deals won is at least `DEALS_THRESHOLD`."""
        return self.deals_won.low >= DEALS_THRESHOLD


def deal_with_opening_minimum(rules: RuleSet, pack: tuple[Card, ...], number: int, *, minimum: int) -> Deal:
    """Return a deal in which each side's initial meld needs `minimum` points.

    `number` decides the dealer. If the minimum depends on the deal's number, a deal with that number is returned, else
    one with totals that give the minimum. Raises `LookupError` for a minimum that the rules do not have.
    """
    dealer = number % rules.players
    starts = {points: start for start, points in reversed(rules.open_table)}
    if rules.open_by == "round":
        return Deal(rules, pack, dealer, (0,) * rules.sides, before=max(1, starts[minimum] or 1) - 1)
    start = 0 if rules.initial_meld_minimum(0) == minimum else starts[minimum]
    return Deal(rules, pack, dealer, (BELOW_ZERO if start is None else start,) * rules.sides)


def players_by_seat(rules: RuleSet, levels: Sequence[str], seed: int, deal: int) -> list[ComputerPlayer]:
    """Return a player for each seat, each with its own random seed.

    The levels alternate from side to side.
    """
    return [
        player_for(levels[rules.side_of(seat) % len(levels)], (seed * 1_000_003 + deal) * rules.players + seat)
        for seat in range(rules.players)
    ]


def play_pairs(rules: RuleSet, levels: tuple[str, str], *, minimum: int, pairs: int, seed: int) -> list[PlayedPair]:
    """Return the results of `pairs` packs, each played twice with the levels swapped.

    Seats keep their random seeds, so equal levels play identically.
    """
    dealt = enumerate(islice(shuffled_packs(rules, seed), pairs))
    return [
        _play_pair(deal_with_opening_minimum(rules, pack, number, minimum=minimum), levels, seed, number)
        for number, pack in dealt
    ]


def play_pairs_by_minimum(
    rules: RuleSet, levels: tuple[str, str], *, minimums: Sequence[int], pairs: int, seed: int
) -> dict[int, list[PlayedPair]]:
    """Return the results of `pairs` packs, each played twice, by the minimum of the initial meld.

    The minimums take turns from pack to pack.
    """
    played: dict[int, list[PlayedPair]] = {minimum: [] for minimum in minimums}
    for number, pack in enumerate(islice(shuffled_packs(rules, seed), pairs)):
        minimum = minimums[number % len(minimums)]
        played[minimum].append(
            _play_pair(deal_with_opening_minimum(rules, pack, number, minimum=minimum), levels, seed, number)
        )
    return {minimum: found for minimum, found in played.items() if found}


def _play_pair(deal: Deal, levels: tuple[str, str], seed: int, number: int) -> PlayedPair:
    """Return the result of playing the deal twice, the second time with the levels swapped."""
    first = play_deal(deal, players_by_seat(deal.rules, levels, seed, number))
    second = play_deal(deal, players_by_seat(deal.rules, levels[::-1], seed, number))
    return _pair_of_results(first, second)


def _pair_of_results(first: PlayedDeal, second: PlayedDeal) -> PlayedPair:
    """Return the results of the two deals as a pair."""
    differences = (_lead_of_even_sides(first.scores), -_lead_of_even_sides(second.scores))
    return PlayedPair(
        difference=sum(differences) / 2,
        won=sum((difference > 0) + (difference == 0) / 2 for difference in differences) / 2,
        actions=first.actions + second.actions,
        illegal=first.illegal + second.illegal,
    )


def _lead_of_even_sides(scores: Sequence[int]) -> float:
    """Return by how much the mean score of sides 0, 2, … exceeds that of sides 1, 3, ….

    With three sides, one computer level plays 0 and 2, the other 1. The mean counts 0 and 2 alike, because only one of
    them plays directly after side 1.
    """
    return fmean(scores[::2]) - fmean(scores[1::2])


def compare_levels(pairs: Iterable[PlayedPair]) -> LevelComparison:
    """Return the means of these pairs with their intervals, for the first level against the second."""
    listed = list(pairs)
    return LevelComparison(
        pairs=len(listed),
        illegal=sum(pair.illegal for pair in listed),
        difference=estimate_mean([pair.difference for pair in listed]),
        deals_won=estimate_mean([pair.won for pair in listed]),
    )
