"""How fast the engine plays random legal deals, next to python-chess pushing random legal moves in the same run.

Machines differ and drift, so slices of both take turns and what counts is the ratio of their medians.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
from collections.abc import Callable, Sequence
from functools import partial
from statistics import mean, median
from time import perf_counter, process_time

from bot.engine.actions import StartDeal, Step
from bot.engine.cards import Card
from bot.engine.decide import decide
from bot.engine.evolve import evolve, fold
from bot.engine.legal import legal_actions
from bot.engine.packs import full_pack
from bot.engine.rules import RuleSet
from bot.engine.rulesets import rule_set
from bot.engine.state import State, actor, new_game

SLICES = 7
PLIES_A_GAME = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this measurement."""
    parser.add_argument("--rules", default="classic", help="rule set (default: classic)")
    parser.add_argument("--players", type=int, default=4, help="how many play (default: 4)")
    parser.add_argument("--deals", type=int, default=100, help="deals a slice (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random play (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    rules = rule_set(arguments.rules, arguments.players)
    chance = random.Random(arguments.seed)
    engine_rates: list[float] = []
    chess_rates: list[float] = []
    push_random_moves = chess_player()
    play_deals(rules, chance, packs(rules, chance, arguments.deals // 4 + 1))  # warm the caches
    for _ in range(SLICES):
        deals = packs(rules, chance, arguments.deals)
        engine_rates.append(rate(partial(play_deals, rules, chance, deals)))
        if push_random_moves is not None:
            chess_rates.append(rate(partial(push_random_moves, chance, arguments.deals // 20 + 1)))
    legal_times, act_times = time_calls(rules, chance, arguments.deals)
    chess_rate = median(chess_rates) if chess_rates else None
    report(
        {
            "rules": rules.name,
            "players": rules.players,
            "actions_per_second": round(median(engine_rates)),
            "python_chess_per_second": round(chess_rate) if chess_rate else None,
            "ratio": round(median(engine_rates) / chess_rate, 2) if chess_rate else None,
            "legal_actions_us": {"mean": round(mean(legal_times), 2), "p99": round(percentile(legal_times, 99), 2)},
            "decide_evolve_us": {"mean": round(mean(act_times), 2), "p99": round(percentile(act_times, 99), 2)},
        },
        as_json=arguments.json,
    )
    return 0


def report(figures: dict[str, object], *, as_json: bool) -> None:
    """Print the figures, as JSON or a line each."""
    if as_json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' ')}: {value}")


def rate(play: Callable[[], int]) -> float:
    """Actions a second of processor time."""
    start = process_time()
    actions = play()
    return actions / (process_time() - start)


def packs(rules: RuleSet, chance: random.Random, deals: int) -> list[tuple[Card, ...]]:
    """That many shuffled packs."""
    pack = list(full_pack(rules.decks, rules.jokers_per_deck))
    shuffled: list[tuple[Card, ...]] = []
    for _ in range(deals):
        chance.shuffle(pack)
        shuffled.append(tuple(pack))
    return shuffled


def play_deals(rules: RuleSet, chance: random.Random, deals: Sequence[tuple[Card, ...]]) -> int:
    """Play those packs by random legal steps; how many steps that took."""
    actions = 0
    draw_lot = chance.random
    for number, pack in enumerate(deals):
        state = dealt(rules, pack, dealer=number % rules.players)
        seat = actor(state)
        while seat is not None:
            legal = legal_actions(state)
            for event in decide(state, seat, legal[int(draw_lot() * len(legal))]):
                state = evolve(state, event)
            actions += 1
            seat = actor(state)
    return actions


def dealt(rules: RuleSet, pack: tuple[Card, ...], *, dealer: int) -> State:
    """The first deal of a game, from that pack."""
    game = new_game(rules, dealer=dealer)
    return fold(game, decide(game, None, StartDeal(pack)))


def time_calls(rules: RuleSet, chance: random.Random, deals: int) -> tuple[list[float], list[float]]:
    """Microseconds of every `legal_actions` and of every validated `decide` and `evolve` in random play."""
    legal_times: list[float] = []
    act_times: list[float] = []
    for number, pack in enumerate(packs(rules, chance, deals)):
        state = dealt(rules, pack, dealer=number % rules.players)
        while (seat := actor(state)) is not None:
            start = perf_counter()
            legal: tuple[Step, ...] = legal_actions(state)
            listed = perf_counter()
            step = legal[int(chance.random() * len(legal))]
            chosen = perf_counter()
            for event in decide(state, seat, step):
                state = evolve(state, event)
            done = perf_counter()
            legal_times.append((listed - start) * 1e6)
            act_times.append((done - chosen) * 1e6)
    return legal_times, act_times


def percentile(values: list[float], percent: int) -> float:
    """The value that so many per cent of the values do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def chess_player() -> Callable[[random.Random, int], int] | None:
    """Random legal chess, the yardstick; None where python-chess is not installed."""
    if importlib.util.find_spec("chess") is None:
        return None
    import chess  # noqa: PLC0415 - a development dependency, loaded for this measurement only

    def push_random_moves(chance: random.Random, games: int) -> int:
        moves = 0
        for _ in range(games):
            board = chess.Board()
            for _ in range(PLIES_A_GAME):
                legal = list(board.legal_moves)
                if not legal:
                    break
                board.push(legal[int(chance.random() * len(legal))])
                moves += 1
        return moves

    return push_random_moves
