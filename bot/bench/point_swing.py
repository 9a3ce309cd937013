"""Measure how much a deal's points vary: the deviation of a side's net points with computer players.

`docs/tournaments.md` 4 defines U, the unit of points for IMPs and caps, as that deviation divided by 250.
"""

from __future__ import annotations

import argparse
import json
from itertools import islice
from statistics import fmean
from typing import Final

from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum, players_by_seat
from bot.computer.seeded_random import shuffled_packs
from bot.computer.statistics import mean_and_deviation
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set

USUAL_PLAYERS: Final = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--rules", choices=sorted(RULE_SETS), nargs="+", help="these rule sets (default: all)")
    parser.add_argument("--deals", type=int, default=300, help="deals for each rule set, 2 at least (default: 300)")
    parser.add_argument("--seed", type=int, default=1, help="which packs (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def execute(arguments: argparse.Namespace) -> int:
    """Measure each rule set and print a line for it; return 0, or 2 for fewer than two deals."""
    if arguments.deals < 2:
        print("canasta-bot bench swing: --deals takes 2 at least")
        return 2
    for name in arguments.rules or RULE_SETS:
        offered = player_counts(name)
        rules = rule_set(name, USUAL_PLAYERS if USUAL_PLAYERS in offered else offered[0])
        deviation = measure_swing(rules, deals=arguments.deals, seed=arguments.seed)
        print_measurement(rules, deviation, deals=arguments.deals, as_json=arguments.json)
    return 0


def measure_swing(rules: RuleSet, *, deals: int, seed: int) -> float:
    """Return the standard deviation, over deals, of the first side's points minus the others' mean."""
    minimums = minimums_to_measure(rules)
    nets = []
    for number, pack in enumerate(islice(shuffled_packs(rules, seed), deals)):
        deal = deal_with_opening_minimum(rules, pack, number, minimum=minimums[number % len(minimums)])
        own, *others = play_deal(deal, players_by_seat(rules, ("casual",), seed, number)).scores
        nets.append(own - fmean(others))
    return mean_and_deviation(nets).spread


def minimums_to_measure(rules: RuleSet) -> tuple[int, ...]:
    """Return the minimums of the initial meld in a match: that at zero points, or those of all deals.

    The latter holds for rule sets in which the minimum depends on the number of the deal.
    """
    if rules.open_by == "round":
        return tuple(dict.fromkeys(points for _, points in rules.open_table))
    return (rules.initial_meld_minimum(0),)


def print_measurement(rules: RuleSet, deviation: float, *, deals: int, as_json: bool) -> None:
    """Print the deviation of one rule set, as JSON or as a line of text."""
    if as_json:
        figures = {"rules": rules.name, "players": rules.players, "deals": deals, "deviation": round(deviation)}
        print(json.dumps(figures), flush=True)
    else:
        print(f"{rules.name} for {rules.players}: {deviation:.0f} points in {deals} deals", flush=True)
