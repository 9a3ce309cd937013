"""Measure the engine by random legal deals, beside random legal moves of python-chess.

Machines differ and drift, so slices of both alternate in one run, and the result is the ratio of their medians.
`--all` measures several rule sets and compares their ratios with that of the classic game for four:
`ratio_to_classic`.
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
from typing import Final

from bot.engine.cards.cards import Card, full_pack
from bot.engine.moves.actions import StartDeal, Step
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.state import State, new_game, seat_to_act

SLICES = 7
PLIES_A_GAME = 200
YARDSTICK: Final = ("classic", 4)
"""The form every other is compared with."""
FORMS: Final = (YARDSTICK, ("classic", 2), ("samba", 4), ("hand-and-foot", 4), ("modern-american", 4))
"""The forms measured with `--all`: the plainest, and those with most rules beyond the classic game."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--rules", default=None, help="rule set (default: classic)")
    parser.add_argument("--players", type=int, default=None, help="how many play (default: 4)")
    parser.add_argument("--all", action="store_true", help="one after the other, classic first, each beside it")
    parser.add_argument("--deals", type=int, default=100, help="deals a slice (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random play (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object, with --all one on each line")


def execute(arguments: argparse.Namespace) -> int:
    """Measure the engine for each rule set and number of players, and print the figures."""
    named = arguments.rules is not None or arguments.players is not None
    if arguments.all and named:
        print("canasta-bot bench engine: --all measures a list of its own; leave out --rules and --players")
        return 2
    forms = FORMS if arguments.all else ((arguments.rules or "classic", arguments.players or 4),)
    unknown = [why for why in (unknown_form_error(*form) for form in forms) if why]
    if unknown:
        print(f"canasta-bot bench engine: {unknown[0]}")
        return 2
    yardstick: float | None = None
    for number, (name, players) in enumerate(forms):
        figures, relative = measure_rule_set(rule_set(name, players), deals=arguments.deals, seed=arguments.seed)
        if arguments.all:
            yardstick = relative if yardstick is None else yardstick
            figures["ratio_to_classic"] = round(relative / yardstick, 2)
            if number and not arguments.json:
                print()
        print_figures(figures, as_json=arguments.json)
    return 0


def unknown_form_error(name: str, players: int) -> str | None:
    """Return the error message for an unknown rule set or number of players, else None."""
    if name not in RULE_SETS:
        return f"there is no rule set {name!r}; there are {', '.join(RULE_SETS)}"
    if players not in player_counts(name):
        return f"{name} is played by {', '.join(map(str, player_counts(name)))}, not by {players}"
    return None


def measure_rule_set(rules: RuleSet, *, deals: int, seed: int) -> tuple[dict[str, object], float]:
    """Return the figures of one rule set by name, and its rate.

    The rate is the engine's number of steps per second, divided by that of python-chess's moves if it is installed.
    """
    chance = random.Random(seed)
    engine_rates: list[float] = []
    chess_rates: list[float] = []
    push_random_moves = random_chess_player()
    play_deals(rules, chance, shuffled_packs(rules, chance, deals // 4 + 1))  # warm the caches
    for _ in range(SLICES):
        shuffled = shuffled_packs(rules, chance, deals)
        engine_rates.append(actions_per_second(partial(play_deals, rules, chance, shuffled)))
        if push_random_moves is not None:
            chess_rates.append(actions_per_second(partial(push_random_moves, chance, deals // 20 + 1)))
    legal_times, act_times = time_calls(rules, chance, deals)
    engine_rate = median(engine_rates)
    chess_rate = median(chess_rates) if chess_rates else None
    figures: dict[str, object] = {
        "rules": rules.name,
        "players": rules.players,
        "actions_per_second": round(engine_rate),
        "python_chess_per_second": round(chess_rate) if chess_rate else None,
        "ratio": round(engine_rate / chess_rate, 2) if chess_rate else None,
        "legal_actions_us": {"mean": round(mean(legal_times), 2), "p99": round(percentile(legal_times, 99), 2)},
        "decide_evolve_us": {"mean": round(mean(act_times), 2), "p99": round(percentile(act_times, 99), 2)},
    }
    return figures, engine_rate / chess_rate if chess_rate else engine_rate


def print_figures(figures: dict[str, object], *, as_json: bool) -> None:
    """Print the figures, as JSON or one line each."""
    if as_json:
        print(json.dumps(figures), flush=True)
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' ')}: {value}")


def actions_per_second(play: Callable[[], int]) -> float:
    """Return how many actions per second of processor time `play` performs; it returns their number."""
    start = process_time()
    actions = play()
    return actions / (process_time() - start)


def shuffled_packs(rules: RuleSet, rng: random.Random, deals: int) -> list[tuple[Card, ...]]:
    """Return a shuffled pack for each of `deals` deals."""
    pack = list(full_pack(rules.decks, rules.jokers_per_deck))
    shuffled: list[tuple[Card, ...]] = []
    for _ in range(deals):
        rng.shuffle(pack)
        shuffled.append(tuple(pack))
    return shuffled


def play_deals(rules: RuleSet, rng: random.Random, deals: Sequence[tuple[Card, ...]]) -> int:
    """Play a deal with each pack by random legal steps, and return the number of steps."""
    actions = 0
    draw_lot = rng.random
    for number, pack in enumerate(deals):
        state = first_deal(rules, pack, dealer=number % rules.players)
        seat = seat_to_act(state)
        while seat is not None:
            legal = legal_actions(state)
            for event in decide(state, seat, legal[int(draw_lot() * len(legal))]):
                state = evolve(state, event)
            actions += 1
            seat = seat_to_act(state)
    return actions


def first_deal(rules: RuleSet, pack: tuple[Card, ...], *, dealer: int) -> State:
    """Return the first deal of a game, dealt from that pack."""
    game = new_game(rules, dealer=dealer)
    return fold(game, decide(game, None, StartDeal(pack)))


def time_calls(rules: RuleSet, rng: random.Random, deals: int) -> tuple[list[float], list[float]]:
    """Return how many microseconds each call takes in random play.

    The first list is for `legal_actions`, the second for a step, which is `decide` with `evolve`.
    """
    legal_times: list[float] = []
    act_times: list[float] = []
    for number, pack in enumerate(shuffled_packs(rules, rng, deals)):
        state = first_deal(rules, pack, dealer=number % rules.players)
        while (seat := seat_to_act(state)) is not None:
            start = perf_counter()
            legal: tuple[Step, ...] = legal_actions(state)
            listed = perf_counter()
            step = legal[int(rng.random() * len(legal))]
            chosen = perf_counter()
            for event in decide(state, seat, step):
                state = evolve(state, event)
            done = perf_counter()
            legal_times.append((listed - start) * 1e6)
            act_times.append((done - chosen) * 1e6)
    return legal_times, act_times


def percentile(values: list[float], percent: int) -> float:
    """Return the value below which `percent` per cent of the values lie."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def random_chess_player() -> Callable[[random.Random, int], int] | None:
    """Return a function that plays random legal chess, or None if python-chess is not installed."""
    if importlib.util.find_spec("chess") is None:
        return None
    import chess  # noqa: PLC0415 - a development dependency, loaded for this measurement only

    def push_random_moves(rng: random.Random, games: int) -> int:
        moves = 0
        for _ in range(games):
            board = chess.Board()
            for _ in range(PLIES_A_GAME):
                legal = list(board.legal_moves)
                if not legal:
                    break
                board.push(legal[int(rng.random() * len(legal))])
                moves += 1
        return moves

    return push_random_moves
