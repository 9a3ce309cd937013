"""Measure the computer players.

The figures are rollouts a second, the time of a decision, and how late the event loop is while experts think.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Final

from bot.computer.chosen_step import Choice
from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum
from bot.computer.expert_process import ExpertProcess
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.player import ComputerPlayer, player_for
from bot.computer.rollout import is_compiled
from bot.computer.rollout.engine_conversion import is_playable, world_of
from bot.computer.rollout.fitted_numbers import fitted_numbers_for
from bot.computer.rollout.rollouts import DRAW, ScoresBeforeDeal, sums_of_outcomes
from bot.computer.rollout.search import ExpertPlayer, hidden_cards_of
from bot.computer.seeded_random import shuffled_packs
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set
from bot.engine.table.views import SeatView
from bot.tables.state.clocks import LEVELS

EXPERTS: Final = 4
"""Experts who think at the same time while the loop's lag is measured."""

WINDOW: Final = 1.5
"""Seconds in which the loop's lag is measured, in turn without and with experts."""

TICK: Final = 0.005
"""Seconds between two timed wake-ups of the event loop."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this measurement."""
    parser.add_argument("--rules", default="classic", choices=sorted(RULE_SETS), help="which rules (default: classic)")
    parser.add_argument("--players", type=int, default=4, help="how many seats (default: 4)")
    parser.add_argument("--deals", type=int, default=4, help="deals that each level plays (default: 4)")
    parser.add_argument("--windows", type=int, default=12, help="times that the loop's lag is measured (default: 12)")
    parser.add_argument("--seed", type=int, default=1, help="which packs (default: 1)")
    parser.add_argument("--rollouts", type=int, help="rollouts of an expert's decision (default: as at tables)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a player: the view and memory it came from, and its processor time in milliseconds."""

    view: SeatView
    memory: Memory
    milliseconds: float


class TimedPlayer:
    """A computer player that records each decision with its processor time."""

    def __init__(self, player: ComputerPlayer) -> None:
        self._player = player
        self.decisions: list[Decision] = []

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        began = process_time()
        choice = self._player.choose(view, memory)
        self.decisions.append(Decision(view, memory, (process_time() - began) * 1000))
        return choice


def execute(arguments: argparse.Namespace) -> int:
    """Measure the computer players and print the figures.

    Return 0, or 2 for an unknown rule set or number of players.
    """
    if arguments.players not in player_counts(arguments.rules) or min(arguments.deals, arguments.windows) < 1:
        print("canasta-bot bench computer: takes a form of the rules, and one deal and one window at least")
        return 2
    rules = rule_set(arguments.rules, arguments.players)
    report: dict[str, object] = {"rules": rules.name, "players": rules.players, "compiled": is_compiled()}
    decisions: list[Decision] = []
    for level in LEVELS:
        player = ExpertPlayer(arguments.rollouts) if level == "expert" else player_for(level)
        decisions = record_decisions(rules, player, deals=arguments.deals, seed=arguments.seed)
        times = sorted(one.milliseconds for one in decisions)
        report[level] = {
            "mean_ms": round(fmean(times), 2),
            "p99_ms": round(times[int(len(times) * 0.99)], 2),
            "decisions": len(times),
        }
    if is_playable(rules):
        report["rollouts_per_second"] = round(rollouts_per_second(decisions))
    quiet, busy = asyncio.run(event_loop_delays(decisions, windows=arguments.windows))
    report["loop_lag_ms"] = {"alone": round(quiet, 1), f"beside_{EXPERTS}_experts": round(busy, 1)}
    print(json.dumps(report) if arguments.json else _report_text(report))
    return 0


def record_decisions(rules: RuleSet, player: ComputerPlayer, *, deals: int, seed: int) -> list[Decision]:
    """Play random deals with the player in every seat, and return all decisions."""
    timed = TimedPlayer(player)
    minimum = rules.initial_meld_minimum(0)
    for number, pack in enumerate(islice(shuffled_packs(rules, seed), deals)):
        play_deal(deal_with_opening_minimum(rules, pack, number, minimum=minimum), [timed] * rules.players)
    return timed.decisions


def rollouts_per_second(decisions: Sequence[Decision], *, each: int = 20) -> float:
    """Return the number of rollouts per second of processor time.

    Each rollout deals the hidden cards at random first.
    """
    random, played, seconds = Random(1), 0, 0.0
    for one in decisions[::7]:
        if one.view.table.phase is not Phase.DRAW or not one.view.table.stock:
            continue
        world = world_of(one.view, one.memory)
        numbers = fitted_numbers_for(one.view.table.rules, len(one.view.table.sides))
        hidden = hidden_cards_of(one.view, one.memory, world)
        scores_before = ScoresBeforeDeal(0, [0] * world.form.sides, one.view.table.rules.target)
        began = process_time()
        sums_of_outcomes(world, hidden, [(DRAW, 0, 0, 0, 0)], numbers, scores_before, count=each, random=random)
        seconds += process_time() - began
        played += each
    return played / max(seconds, 1e-9)


async def event_loop_delays(decisions: Sequence[Decision], *, windows: int) -> tuple[float, float]:
    """Return the longest delays of the event loop in milliseconds: alone, and while experts think.

    Both are the medians of windows of time that take turns, because other work on the machine delays the loop too.
    """
    chosen = cycle([one for one in decisions if len(one.view.legal) > 1][:200:7])
    experts = ExpertProcess()

    async def think(until: float) -> None:
        while perf_counter() < until:
            one = next(chosen)
            await experts.choose(one.view, one.memory)

    await think(perf_counter() + TICK)  # so that the experts' process has started
    quiet, busy = [], []
    for _ in range(windows):
        quiet.append(await _event_loop_delay(asyncio.sleep(WINDOW)))
        until = perf_counter() + WINDOW
        thinking = asyncio.gather(*(think(until) for _ in range(EXPERTS)))
        busy.append(await _event_loop_delay(asyncio.sleep(WINDOW)))
        await thinking
    experts.stop()
    return median(quiet), median(busy)


async def _event_loop_delay(work: Awaitable[object]) -> float:
    """Return the longest delay of the event loop during the work, in milliseconds."""
    running = asyncio.ensure_future(work)
    worst = 0.0
    while not running.done():
        began = perf_counter()
        await asyncio.sleep(TICK)
        worst = max(worst, perf_counter() - began - TICK)
    await running
    return worst * 1000


def _report_text(report: dict[str, object]) -> str:
    form = "compiled" if report["compiled"] else "plain"
    lines = [f"{report['rules']} for {report['players']} players; the rollout world is {form}"]
    for level in LEVELS:
        times = report[level]
        assert isinstance(times, dict)  # noqa: S101 - set above, for the type checker
        lines.append(
            f"{level:>7}: {times['mean_ms']} ms of processor a decision, p99 {times['p99_ms']} ({times['decisions']})"
        )
    if "rollouts_per_second" in report:
        lines.append(f"{report['rollouts_per_second']:,} rollouts a second")
    lines.append(f"the loop's longest lag, ms: {report['loop_lag_ms']}")
    return "\n".join(lines)
