"""Measure the pairing of Swiss rounds with many entries, next to a random matching.

Machines differ, so it prints not only the seconds but also their ratio to a matching by networkx in the same run, with
random weights from 1 to 1000.
"""

from __future__ import annotations

import argparse
import json
import random
from itertools import combinations
from time import perf_counter

from bot.tournaments.counted_results import Course, Entry, Match, ResultKind, Round, Side
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.pairing.drawn_round import DrawnRound
from bot.tournaments.pairing.matching import cheapest_perfect_matching
from bot.tournaments.pairing.standing_order import OrderedEntry
from bot.tournaments.pairing.swiss import draw_swiss_round
from bot.tournaments.seeded_draw import SeededDraw


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--entries", type=int, default=256, help="how many play (default: 256)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds to draw one after the other (default: 9)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random results (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(arguments: argparse.Namespace) -> int:
    """Measure the pairing of Swiss rounds and print the figures."""
    if arguments.entries < 2 or arguments.rounds < 1:
        print("canasta-bot bench pairing: at least two entries and one round")
        return 2
    chance = random.Random(arguments.seed)
    yardstick = _seconds_of_matching(arguments.entries, chance)
    seconds = _seconds_of_rounds(arguments.entries, arguments.rounds, chance)
    figures = {
        "entries": arguments.entries,
        "seconds": [round(one, 2) for one in seconds],
        "slowest_seconds": round(max(seconds), 2),
        "random_matching_seconds": round(yardstick, 2),
        "ratio": round(max(seconds) / yardstick, 2),
    }
    if arguments.json:
        print(json.dumps(figures), flush=True)
    else:
        for name, value in figures.items():
            print(f"{name.replace('_', ' ')}: {value}")
    return 0


def _seconds_of_matching(entries: int, rng: random.Random) -> float:
    """Return the seconds that networkx takes to match at most 256 entries with random weights."""
    vertices = min(entries - entries % 2, 256)
    costs = {pair: (rng.randint(1, 1000),) for pair in combinations(range(vertices), 2)}
    began = perf_counter()
    cheapest_perfect_matching(costs)
    return perf_counter() - began


def _seconds_of_rounds(entries: int, rounds: int, rng: random.Random) -> list[float]:
    """Return the seconds that the pairing of each round takes, in a tournament with random results."""
    everybody = range(1, entries + 1)
    course = Course(
        kind=FormatKind.SWISS,
        entries=tuple(Entry(number=number, people=(number,), rank=number) for number in everybody),
    )
    points = dict.fromkeys(everybody, 0)
    seconds: list[float] = []
    for number in range(1, rounds + 1):
        standing = [OrderedEntry(entry, points[entry]) for entry in sorted(points, key=lambda one: (-points[one], one))]
        began = perf_counter()
        drawn_round = draw_swiss_round(course, standing, present=everybody, draws=SeededDraw(b"bench"))
        seconds.append(perf_counter() - began)
        done = _round_with_random_results(number, drawn_round, rng)
        for match in done.matches:
            for side in match.sides:
                points[side.entries[0]] += side.points
        for out in done.unpaired:
            points[out.entry] += out.points
        course = Course(kind=course.kind, entries=course.entries, rounds=(*course.rounds, done))
    return seconds


def _round_with_random_results(number: int, drawn_round: DrawnRound, rng: random.Random) -> Round:
    """Return a drawn round with random results for all matches, one in ten a tie."""
    matches: list[Match] = []
    for table, pairing in enumerate(drawn_round.matches, 1):
        points = rng.choices(((2, 0), (0, 2), (1, 1)), (45, 45, 10))[0]
        sides = tuple(Side(entries=side, points=won) for side, won in zip(pairing.sides, points, strict=True))
        matches.append(Match(id=table, table=table, kind=ResultKind.PLAYED, sides=sides))
    return Round(number=number, matches=tuple(matches), unpaired=drawn_round.unpaired)
