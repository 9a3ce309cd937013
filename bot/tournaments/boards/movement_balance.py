"""The balance of a movement, which says how evenly it treats its pairs, and directions chosen for it.

Source: `docs/tournaments.md` 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from operator import mul
from random import Random
from typing import Final, TypeAlias

Seating: TypeAlias = tuple[tuple[int, int], ...]
"""The tables of a round: the pairs at North–South and East–West of each."""

FAIR: Final = 0.55
"""The highest balance at which a single ranking list of all pairs is fair."""

STARTS: Final = 24
"""Number of starting points from which directions are improved, always the same ones."""

_NO_CHANGE: Final = 1e-12


def imbalance_of_movement(rounds: Sequence[Seating]) -> float:
    """Return how unfair a movement is; 0 is perfectly fair.

    The result is the typical shift of a pair's score, in standard deviations of strength.
    """
    compared = _Comparisons(rounds)
    return sqrt(compared.squared_imbalance(_directions_by_round(rounds)) / compared.count)


def choose_directions(rounds: Sequence[Seating]) -> tuple[Seating, ...]:
    """Return the rounds with directions swapped at some tables, so that the balance is low.

    It is the lowest that `STARTS` searches find.
    """
    compared = _Comparisons(rounds)
    source = Random(len(rounds))  # noqa: S311 - not secret, and every run must find the same
    found = [_improve_directions(compared, _swap_directions_at_random(rounds, source)) for _ in range(STARTS)]
    directions = min(found, key=compared.squared_imbalance)
    return tuple(
        tuple(
            table if round_directions[ns] > 0 else table[::-1] for table, (ns, _) in zip(seating, counted, strict=True)
        )
        for seating, counted, round_directions in zip(rounds, compared.rounds, directions, strict=True)
    )


class _Comparisons:
    """Counts of how often pairs are compared in a movement, before their directions are chosen.

    Pairs are counted from 0. `even` has for each pair how often a perfect movement would compare it with every other
    pair; `weights` has the weight of its deviations from that.
    """

    def __init__(self, rounds: Sequence[Seating]) -> None:
        names = sorted({pair for seating in rounds for table in seating for pair in table})
        place = {name: number for number, name in enumerate(names)}
        self.rounds = [tuple((place[ns], place[ew]) for ns, ew in seating) for seating in rounds]
        self.count, self.others = len(names), len(rounds[0]) - 1
        played = [0] * self.count
        for seating in self.rounds:
            for table in seating:
                for pair in table:
                    played[pair] += 1
        self.even = [one * self.others / (self.count - 1) for one in played]
        self.weights = [1 / (one * self.others + even) ** 2 for one, even in zip(played, self.even, strict=True)]

    def count_comparisons(self, directions: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return for every two pairs how often they are compared with these directions.

        This is C of `docs/tournaments.md` 3.
        """
        rows = [[0] * self.count for _ in range(self.count)]
        for seating, round_directions in zip(self.rounds, directions, strict=True):
            for one, row in enumerate(rows):
                for other, its in enumerate(round_directions):
                    row[other] += round_directions[one] * its
            for ns, ew in seating:  # opponents at a table are compared through all other tables
                rows[ns][ew] += self.others + 1
                rows[ew][ns] += self.others + 1
        return rows

    def squared_imbalance(self, directions: Sequence[Sequence[int]]) -> float:
        """Return the square of the balance, summed over pairs instead of averaged."""
        return sum(
            weight * sum((value - even) ** 2 for place, value in enumerate(row) if place != one)
            for one, (weight, even, row) in enumerate(
                zip(self.weights, self.even, self.count_comparisons(directions), strict=True)
            )
        )


def _directions_by_round(rounds: Sequence[Seating]) -> list[list[int]]:
    """Return, for each round and pair, 1 if the pair sits North–South, -1 East–West, 0 if it is free."""
    names = sorted({pair for seating in rounds for table in seating for pair in table})
    directions = []
    for seating in rounds:
        round_directions = dict.fromkeys(names, 0)
        for ns, ew in seating:
            round_directions[ns], round_directions[ew] = 1, -1
        directions.append(list(round_directions.values()))
    return directions


def _swap_directions_at_random(rounds: Iterable[Seating], source: Random) -> list[list[int]]:
    """Return the directions of all rounds after swapping them at random tables."""
    return _directions_by_round(
        [tuple((ew, ns) if source.random() < 0.5 else (ns, ew) for ns, ew in seating) for seating in rounds]
    )


def _improve_directions(compared: _Comparisons, directions: list[list[int]]) -> list[list[int]]:
    """Return the directions after swapping them at single tables as long as that lowers the balance."""
    weights, shares = compared.weights, [a * b for a, b in zip(compared.weights, compared.even, strict=True)]
    slopes = [
        [
            0.0 if one == other else (weights[one] + weights[other]) * value - shares[one] - shares[other]
            for other, value in enumerate(row)
        ]
        for one, row in enumerate(compared.count_comparisons(directions))
    ]
    better = True
    while better:
        better = False
        for seating, round_directions in zip(compared.rounds, directions, strict=True):
            playing = sum(weights[one] for table in seating for one in table)
            for one, other in seating:
                if _change_in_imbalance(compared, slopes, round_directions, (one, other), playing) < -_NO_CHANGE:
                    _swap_directions(compared, slopes, round_directions, (one, other))
                    better = True
    return directions


def _change_in_imbalance(
    compared: _Comparisons,
    slopes: list[list[float]],
    round_directions: list[int],
    table: tuple[int, int],
    playing: float,
) -> float:
    """Return the change in squared imbalance from swapping directions at that table.

    `playing` is the round's total weight.
    """
    one, other = table
    both = compared.weights[one] + compared.weights[other]
    constant = 2 * compared.others * both + 2 * (playing - both)
    along: float = sum(map(mul, round_directions, slopes[one])) - sum(map(mul, round_directions, slopes[other]))
    return 4 * (
        constant
        - round_directions[one] * (along - slopes[one][other] * (round_directions[other] - round_directions[one]))
    )


def _swap_directions(
    compared: _Comparisons, slopes: list[list[float]], round_directions: list[int], table: tuple[int, int]
) -> None:
    """Swap the directions at a table, and update the slopes."""
    for pair in table:
        for third, its in enumerate(round_directions):
            if its and third not in table:
                slopes[pair][third] -= (
                    2 * round_directions[pair] * its * (compared.weights[pair] + compared.weights[third])
                )
                slopes[third][pair] = slopes[pair][third]
    one, other = table
    round_directions[one], round_directions[other] = round_directions[other], round_directions[one]
