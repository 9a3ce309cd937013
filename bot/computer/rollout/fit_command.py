"""The command `canasta-bot fit`: adapts the strong player's numbers to a rule set, in the rollout world.

A result is accepted only after duplicate matches on the engine with fresh seeds: `canasta-bot simulate --duplicate`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import monotonic
from typing import Final

from bot.computer.rollout.engine_conversion import has_runs, is_playable
from bot.computer.rollout.fitted_numbers import file_content, fitted_numbers_for
from bot.computer.rollout.fitting import Generation, fit_numbers, leads_by_deal, make_deals, mean_numbers
from bot.computer.rollout.policy_numbers import numbers_before_fitting
from bot.computer.statistics import estimate_mean
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set

LAST: Final = 15
"""Number of generations averaged for the result, because single generations fluctuate."""

CHECKED: Final = 2_000
"""Number of new deals for comparing the result with the numbers before fitting."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the command's arguments."""
    parser.add_argument("--rules", default="classic", choices=sorted(RULE_SETS), help="which rules to fit")
    parser.add_argument("--players", type=int, default=4, help="how many seats")
    parser.add_argument("--seconds", type=float, default=600, help="how long to look (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="which deals and which steps are tried")
    parser.add_argument("--out", type=Path, help="the file to write; by default it is printed")
    parser.add_argument("--anew", action="store_true", help="begin with the numbers before fitting")


def execute(arguments: argparse.Namespace) -> int:
    """Fit the numbers, write them to a file, and return the exit status.

    It is 2 if the rollout world does not play the form.
    """
    if arguments.players not in player_counts(arguments.rules):
        print(f"canasta-bot fit: {arguments.rules} has no form for {arguments.players}", file=sys.stderr)
        return 2
    rules = rule_set(arguments.rules, arguments.players)
    if not is_playable(rules):
        print(f"canasta-bot fit: the rollout world does not play {arguments.rules}", file=sys.stderr)
        return 2
    sides = make_deals(rules, seed=1, count=1)[0].form.sides
    usual = numbers_before_fitting(runs=has_runs(rules))
    start = usual if arguments.anew else fitted_numbers_for(rules, sides)
    until, history = monotonic() + arguments.seconds, list[Generation]()
    for progress in fit_numbers(rules, seed=arguments.seed, start=start):
        history.append(progress)
        print(f"generation {progress.generation}: {progress.advantage:+.0f} points a deal", file=sys.stderr)
        if monotonic() >= until:
            break
    numbers = mean_numbers([progress.numbers for progress in history[-LAST:]])
    found = estimate_mean(
        leads_by_deal(make_deals(rules, seed=arguments.seed + 1_000_003, count=CHECKED), numbers, usual)
    )
    print(f"{found.mean:+.1f} ({found.low:+.1f} to {found.high:+.1f}) in {CHECKED} fresh deals", file=sys.stderr)
    text = json.dumps(file_content(rules, sides, numbers), indent=2) + "\n"
    if arguments.out is None:
        print(text, end="")
    else:
        arguments.out.write_text(text, encoding="utf-8")
    return 0
