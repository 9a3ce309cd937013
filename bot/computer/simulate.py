"""The command `canasta-bot simulate`: play computer players against each other and report figures."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import islice
from statistics import fmean
from time import process_time
from typing import Any

from bot.computer.deals import PlayedDeal, play_deal
from bot.computer.duplicate_pairs import (
    DEALS_THRESHOLD,
    POINTS_THRESHOLD,
    LevelComparison,
    PlayedPair,
    compare_levels,
    deal_with_opening_minimum,
    play_pairs,
    play_pairs_by_minimum,
    players_by_seat,
)
from bot.computer.player import ALL_LEVELS
from bot.computer.seeded_random import shuffled_packs
from bot.computer.statistics import mean_and_deviation
from bot.computer.whole_games import mean_length, play_games
from bot.engine.moves.events import DealEnd
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set

Report = dict[str, Any]

DEALS = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the command's arguments."""
    parser.add_argument(
        "--rules", default="classic", choices=sorted(RULE_SETS), metavar="RULES", help="rule set (default: classic)"
    )
    parser.add_argument("--players", type=int, default=4, help="number of players")
    parser.add_argument(
        "--deals", type=_parse_positive, default=DEALS, help="how many packs to play (for each minimum)"
    )
    parser.add_argument(
        "--games", type=_parse_positive, help="number of whole games to play instead; counts their deals"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same number gives the same packs")
    parser.add_argument(
        "--level",
        type=_parse_levels,
        default=("casual",),
        metavar="LEVEL[,LEVEL]",
        help="level of all players, or of each side",
    )
    parser.add_argument(
        "--duplicate", action="store_true", help="play each pack twice, with the levels in exchanged seats"
    )
    parser.add_argument("--in-turn", action="store_true", help="with --duplicate: one of the minimums for each pack")
    parser.add_argument(
        "--minimum",
        type=_parse_minimums,
        metavar="POINTS[,POINTS…]",
        help="minimum of the first melds (default: 50; with --duplicate 50, 90 and 120, or that of each round)",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def _parse_positive(text: str) -> int:
    """Return the whole number in the text; it must be at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("takes a whole number from 1")
    return int(text)


def _parse_levels(text: str) -> tuple[str, ...]:
    """Return the one or two levels in the text, which a comma separates."""
    levels = tuple(text.split(","))
    unknown = [level for level in levels if level not in ALL_LEVELS]
    if unknown or len(levels) > 2:
        raise argparse.ArgumentTypeError(f"takes one or two of {', '.join(ALL_LEVELS)}")
    return levels


def _parse_minimums(text: str) -> tuple[int, ...]:
    """Return the initial minimums in the text, which commas separate."""
    words = text.split(",")
    if not all(word.isdecimal() for word in words):
        raise argparse.ArgumentTypeError("takes whole numbers, separated by commas")
    return tuple(map(int, words))


def execute(arguments: argparse.Namespace) -> int:
    """Run the command, print its report, and return the exit status: 2 for inconsistent arguments."""
    complaint = _argument_error(arguments)
    if complaint is not None:
        print(f"canasta-bot simulate: {complaint}", file=sys.stderr)
        return 2
    rules = rule_set(arguments.rules, arguments.players)
    count, text = _report_functions(arguments)
    report = count(rules, arguments)
    print(json.dumps(report, indent=2) if arguments.json else text(report))
    return 0


def _report_functions(
    arguments: argparse.Namespace,
) -> tuple[Callable[[RuleSet, argparse.Namespace], Report], Callable[[Report], str]]:
    """Return the functions that compute and print the requested report."""
    if arguments.duplicate:
        return _compare_levels, _comparison_text
    return (_measure_deals, _deals_text) if arguments.games is None else (_measure_games, _games_text)


def _argument_error(arguments: argparse.Namespace) -> str | None:
    """Return the error message if the command's arguments contradict each other, else None."""
    offered = player_counts(arguments.rules)
    if arguments.players not in offered:
        return f"{arguments.rules} is played by {' or '.join(map(str, offered))}"
    known = [points for _, points in rule_set(arguments.rules, arguments.players).open_table]
    if any(points not in known for points in arguments.minimum or ()):
        return f"the initial meld of {arguments.rules} needs one of {', '.join(map(str, known))}"
    if arguments.duplicate and len(arguments.level) != 2:
        return "--duplicate compares two levels: --level casual,random"
    if arguments.duplicate and arguments.games is not None:
        return "--duplicate compares deals, not games"
    return None


# --- measuring the length of whole games -----------------------------------------------------------------------------


def _measure_games(rules: RuleSet, arguments: argparse.Namespace) -> Report:
    """Play whole games and return a report of their average length."""
    found = mean_length(play_games(rules, games=arguments.games, seed=arguments.seed, levels=arguments.level))
    return {
        "rules": rules.name,
        "players": rules.players,
        "levels": list(arguments.level),
        "seed": arguments.seed,
        "games": found.games,
        "deals_per_game": round(found.deals, 2),
        "turns_per_deal": round(found.turns, 1),
    }


def _games_text(report: Report) -> str:
    """Return the report of `_measure_games` as text."""
    return (
        f"{report['games']} games of {report['rules']} for {report['players']} players, "
        f"played by {' against '.join(report['levels'])}: "
        f"{report['deals_per_game']} deals a game, {report['turns_per_deal']} turns a deal"
    )


# --- measuring single deals ------------------------------------------------------------------------------------------


def _measure_deals(rules: RuleSet, arguments: argparse.Namespace) -> Report:
    """Play single deals and return a report of their figures."""
    minimums = arguments.minimum or (rules.initial_meld_minimum(0),)
    began = process_time()
    played = [
        play_deal(
            deal_with_opening_minimum(rules, pack, number, minimum=minimums[number % len(minimums)]),
            players_by_seat(rules, arguments.level, arguments.seed, number),
        )
        for number, pack in enumerate(islice(shuffled_packs(rules, arguments.seed), arguments.deals))
    ]
    return _deals_report(rules, arguments, played, process_time() - began)


def _deals_report(rules: RuleSet, arguments: argparse.Namespace, played: list[PlayedDeal], seconds: float) -> Report:
    """Return the figures of the deals played in `seconds` of processor time."""
    reasons = Counter(deal.reason for deal in played)
    actions = sum(deal.actions for deal in played)
    return {
        "rules": rules.name,
        "players": rules.players,
        "levels": list(arguments.level),
        "seed": arguments.seed,
        "deals": len(played),
        "illegal": sum(deal.illegal for deal in played),
        **{reason.value: reasons[reason] for reason in DealEnd},
        "turns_per_deal": _rounded_mean_and_deviation([deal.turns for deal in played]),
        "actions_per_deal": _rounded_mean_and_deviation([deal.actions for deal in played]),
        "score": _rounded_mean_and_deviation([score for deal in played for score in deal.scores]),
        "canastas_per_side": round(fmean(count for deal in played for count in deal.canastas), 2),
        "opened_share": round(fmean(opened for deal in played for opened in deal.opened), 4),
        "penalties_per_side": round(fmean(points for deal in played for points in deal.penalties), 1),
        "feet_left_share": round(sum(deal.feet_left for deal in played) / (len(played) * rules.playing), 4),
        "canastas_given_per_deal": round(fmean(deal.given for deal in played), 2),
        "actions_per_second": round(actions / seconds),
    }


def _usual_minimums(rules: RuleSet) -> tuple[int, ...]:
    """Return the default minimums: at most three of those for scores from zero on, or of all deals."""
    minimums = dict.fromkeys(points for _, points in rules.open_table if points >= rules.initial_meld_minimum(0))
    return tuple(minimums)[: None if rules.open_by == "round" else 3]


def _rounded_mean_and_deviation(values: list[int]) -> Report:
    """Return mean and spread of the values, rounded."""
    return {name: round(value, 1) for name, value in asdict(mean_and_deviation(values)).items()}


def _deals_text(report: Report) -> str:
    """Return the report of `_measure_deals` as text."""
    lines = [
        f"{report['deals']} deals of {report['rules']} for {report['players']} players",
        f"played by: {' against '.join(report['levels'])}; illegal steps: {report['illegal']}",
        f"ended: out {report['out']}, stock {report['stock']}, last red three {report['last_red_three']}",
        *(
            f"{label}: {report[name]['mean']} (spread {report[name]['spread']})"
            for label, name in (
                ("turns a deal", "turns_per_deal"),
                ("actions a deal", "actions_per_deal"),
                ("points a side and deal", "score"),
            )
        ),
        f"canastas a side: {report['canastas_per_side']}; sides that opened: {report['opened_share']:.1%}",
        f"penalties a side: {report['penalties_per_side']}; feet never taken up: {report['feet_left_share']:.1%}",
        f"last cards of canastas given away: {report['canastas_given_per_deal']} a deal",
        f"{report['actions_per_second']:,} actions a second",
    ]
    return "\n".join(lines)


# --- comparing two levels --------------------------------------------------------------------------------------------


def _compare_levels(rules: RuleSet, arguments: argparse.Namespace) -> Report:
    """Play duplicate pairs of two levels and return a report, by minimum of the initial meld."""
    minimums = arguments.minimum or _usual_minimums(rules)
    began = process_time()
    by_minimum: dict[int, list[PlayedPair]]
    if arguments.in_turn:
        by_minimum = play_pairs_by_minimum(
            rules, arguments.level, minimums=minimums, pairs=arguments.deals, seed=arguments.seed
        )
    else:
        by_minimum = {
            minimum: play_pairs(rules, arguments.level, minimum=minimum, pairs=arguments.deals, seed=arguments.seed)
            for minimum in minimums
        }
    seconds = process_time() - began
    comparisons = {minimum: compare_levels(pairs) for minimum, pairs in by_minimum.items()}
    everything = [pair for pairs in by_minimum.values() for pair in pairs]
    overall = compare_levels(everything)
    return {
        "rules": rules.name,
        "players": rules.players,
        "levels": list(arguments.level),
        "seed": arguments.seed,
        "duplicate": True,
        "minimums": [{"minimum": minimum, **_rounded_comparison(found)} for minimum, found in comparisons.items()],
        "overall": _rounded_comparison(overall),
        "thresholds": {
            "points": all(found.is_over_points_threshold for found in (*comparisons.values(), overall)),
            "deals": all(found.is_over_deals_threshold for found in (*comparisons.values(), overall)),
        },
        "actions_per_second": round(sum(pair.actions for pair in everything) / seconds),
    }


def _rounded_comparison(comparison: LevelComparison) -> Report:
    """Return the figures of a comparison, rounded."""
    return {
        "pairs": comparison.pairs,
        "illegal": comparison.illegal,
        "difference": {name: round(value, 1) for name, value in asdict(comparison.difference).items()},
        "deals_won": {name: round(value, 4) for name, value in asdict(comparison.deals_won).items()},
    }


def _comparison_text(report: Report) -> str:
    """Return the report of `_compare_levels` as text."""
    first, second = report["levels"]
    lines = [
        f"{first} against {second}, {report['rules']} for {report['players']} players; every pack played twice",
        "minimum   pairs   points a deal (95 % interval)   deals won (95 % interval)   illegal",
        *(_comparison_row(f"{row['minimum']}", row) for row in report["minimums"]),
        _comparison_row("all", report["overall"]),
        _threshold_text(f"{POINTS_THRESHOLD} points a deal", reached=report["thresholds"]["points"]),
        _threshold_text(f"{DEALS_THRESHOLD:.0%} of deals", reached=report["thresholds"]["deals"]),
        f"{report['actions_per_second']:,} actions a second",
    ]
    return "\n".join(lines)


def _comparison_row(label: str, row: Mapping[str, Any]) -> str:
    """Return one row of the comparison table."""
    points, won = row["difference"], row["deals_won"]
    return (
        f"{label:>7} {row['pairs']:>7}   {points['mean']:>+7.1f} ({points['low']:+.1f} to {points['high']:+.1f})"
        f"   {won['mean']:>6.1%} ({won['low']:.1%} to {won['high']:.1%})   {row['illegal']}"
    )


def _threshold_text(threshold: str, *, reached: bool) -> str:
    """Return the sentence that says whether the threshold was reached."""
    return (
        f"the threshold of {threshold} is {'reached' if reached else 'NOT reached'} at the lower end of every interval"
    )
