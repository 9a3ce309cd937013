"""Fit the numbers of the rollout player to a form by an evolution strategy, in the rollout world alone.

A result counts only after duplicate matches on the engine with fresh seeds (`canasta-bot simulate`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp, log, sqrt
from random import Random
from typing import Final

from bot.computer.rollout.engine_conversion import deal_world, has_runs
from bot.computer.rollout.policy_numbers import default_numbers, numbers_before_fitting
from bot.computer.rollout.rollouts import play_to_end
from bot.computer.rollout.scores import score_of_side
from bot.computer.rollout.world import World, copy_world
from bot.computer.seeded_random import shuffled_packs
from bot.engine.rules.rule_set import RuleSet

STEPS: Final = 0.35
"""The first step size, as a part of each number's scale."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation of a fit: its number, its mean numbers, and their advantage over the opponents.

    The advantage is in points per deal.
    """

    generation: int
    advantage: float
    numbers: tuple[float, ...]


def step_sizes_of_numbers(*, runs: bool) -> list[float]:
    """Return by how much to vary each number in a fit, with those for runs if the form has any."""
    return [max(1.0, abs(usual) * 0.5) if abs(usual) < 1000 else 400.0 for _, usual in default_numbers(runs=runs)]


def make_deals(rules: RuleSet, *, seed: int, count: int) -> list[World]:
    """Return `count` new deals, whose initial minimums take turns.

    They are the minimums of the rules at scores of zero or more.
    """
    starts = [start or 0 for start, _ in rules.open_table if start is not None] or [0]
    dealt = enumerate(islice(shuffled_packs(rules, seed), count))
    return [
        deal_world(rules, pack, dealer=number % rules.playing, totals=(starts[number % len(starts)],) * rules.sides)[0]
        for number, pack in dealt
    ]


def leads_by_deal(worlds: Sequence[World], numbers: list[float], opposing_numbers: list[float]) -> list[float]:
    """Return, for each deal, the mean lead of a side playing `numbers` over sides playing `opposing_numbers`."""
    found = []
    for world in worlds:
        sides = world.form.sides
        total = 0.0
        for own in range(sides):
            played = copy_world(world)
            play_to_end(played, [numbers if side == own else opposing_numbers for side in range(sides)])
            scores = [score_of_side(played, side) for side in range(sides)]
            total += scores[own] - (sum(scores) - scores[own]) / (sides - 1)
        found.append(total / sides)
    return found


def mean_numbers(lists: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean of several lists of policy numbers, entry by entry."""
    return [sum(values) / len(values) for values in zip(*lists, strict=True)]


def fit_numbers(
    rules: RuleSet, *, seed: int, count: int = 600, start: list[float] | None = None
) -> Iterator[Generation]:
    """Yield the generations of a separable CMA-ES without end; the caller decides when to stop.

    The opponents are the numbers before fitting and, for half of the deals, the current mean.
    """
    random = Random(seed)
    usual = numbers_before_fitting(runs=has_runs(rules))
    mean = list(start or usual)
    size = len(mean)
    scale = step_sizes_of_numbers(runs=has_runs(rules))
    offspring = 4 + int(3 * log(size))
    parents = offspring // 2
    weights = [log(parents + 0.5) - log(place + 1) for place in range(parents)]
    weights = [weight / sum(weights) for weight in weights]
    effective = 1 / sum(weight * weight for weight in weights)
    sigma, spread = STEPS, [1.0] * size
    path_sigma, path = [0.0] * size, [0.0] * size
    c_sigma = (effective + 2) / (size + effective + 5)
    damping = 1 + c_sigma + 2 * max(0.0, sqrt((effective - 1) / (size + 1)) - 1)
    c_path = 4 / (size + 4)
    c_one = 2 / ((size + 1.3) ** 2 + effective) * (size + 2) / 3
    c_mu = min(1 - c_one, 2 * (effective - 2 + 1 / effective) / ((size + 2) ** 2 + effective) * (size + 2) / 3)
    expected = sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size * size))
    generation = 0
    while True:
        generation += 1
        dealt = make_deals(rules, seed=random.randrange(1 << 30), count=count)
        half = len(dealt) // 2
        drawn = []
        for _ in range(offspring):
            noise = [random.gauss(0, 1) for _ in range(size)]
            tried = [mean[place] + sigma * sqrt(spread[place]) * scale[place] * noise[place] for place in range(size)]
            gained = leads_by_deal(dealt[:half], tried, usual) + leads_by_deal(dealt[half:], tried, mean)
            drawn.append((sum(gained) / len(gained), noise, tried))
        drawn.sort(key=lambda one: -one[0])
        best = drawn[:parents]
        step = [sum(w * one[1][place] for w, one in zip(weights, best, strict=True)) for place in range(size)]
        mean = [sum(w * one[2][place] for w, one in zip(weights, best, strict=True)) for place in range(size)]
        path_sigma = [
            (1 - c_sigma) * path_sigma[place] + sqrt(c_sigma * (2 - c_sigma) * effective) * step[place]
            for place in range(size)
        ]
        norm = sqrt(sum(value * value for value in path_sigma))
        path = [
            (1 - c_path) * path[place] + sqrt(c_path * (2 - c_path) * effective) * sqrt(spread[place]) * step[place]
            for place in range(size)
        ]
        spread = [
            (1 - c_one - c_mu) * spread[place]
            + c_one * path[place] ** 2
            + c_mu * spread[place] * sum(w * one[1][place] ** 2 for w, one in zip(weights, best, strict=True))
            for place in range(size)
        ]
        sigma *= exp((c_sigma / damping) * (norm / expected - 1))
        gained = leads_by_deal(dealt[:half], mean, usual)
        yield Generation(generation, sum(gained) / len(gained), tuple(mean))
