"""Hunt for dead ends: deals without end, at each minimum, for two and four players.

    python -m tests.support.soak --deals 100000
    python -m tests.support.soak --deals 20000 --level casual

The seats take random steps, or those of a computer player, which gets to places where chance does not.

Every step that is listed must be accepted, somebody must always be able to act, the deal must end, and its last
state must be sound. The first deal that breaks one of these is named by its form, minimum and seed. Not part of
`make test`: a hundred thousand deals take some minutes on a core.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from time import monotonic

from bot.computer.player import ALL_LEVELS, player_for
from bot.engine.actions import Step
from bot.engine.events import DealEnded
from bot.engine.invariants import problems
from bot.engine.refusals import Refusal
from bot.engine.rulesets import RULE_SETS, rule_set
from bot.engine.state import State
from bot.engine.viewing import seat_view
from tests.support.play import SCORES_BY_MINIMUM, Chooser, dealt, steps_of_a_deal

BATCH = 200


@dataclass(frozen=True)
class Batch:
    """Deals of one form, with seeds from `first` on."""

    rules: str
    players: int
    minimum: int
    first: int
    deals: int
    level: str


@dataclass(frozen=True)
class Outcome:
    """What became of a batch: how its deals ended, how many steps they took, and what went wrong."""

    batch: Batch
    ends: Counter[str]
    steps: int
    faults: tuple[str, ...]


def play(batch: Batch) -> Outcome:
    """Play a batch."""
    ends: Counter[str] = Counter()
    steps = 0
    faults: list[str] = []
    for seed in range(batch.first, batch.first + batch.deals):
        try:
            end, taken = _play_deal(batch, seed)
        except (AssertionError, Refusal, LookupError, ValueError) as error:
            faults.append(f"{batch.rules} for {batch.players}, minimum {batch.minimum}, seed {seed}: {error!r}")
            continue
        ends[end] += 1
        steps += taken
    return Outcome(batch, ends, steps, tuple(faults))


def _play_deal(batch: Batch, seed: int) -> tuple[str, int]:
    state = dealt(rule_set(batch.rules, batch.players), seed, minimum=batch.minimum, dealer=seed % batch.players)
    steps = 0
    for played in steps_of_a_deal(state, _chooser(batch.level, seed)):
        steps += 1
        state = played.after
    unsound = problems(state)
    if unsound:
        raise AssertionError("; ".join(unsound))
    ended: DealEnded = state.results[-1]
    return ended.reason.value, steps


def _chooser(level: str, seed: int) -> Random | Chooser:
    if level == "random":
        return Random(seed)
    player = player_for(level, seed)
    random = Random(seed)

    def choose(state: State, seat: int, legal: tuple[Step, ...]) -> Step:
        # One step in ten is random: a player that always does the right thing leaves much untried.
        return random.choice(legal) if random.random() < 0.1 else player.choose(seat_view(state, seat))

    return choose


def batches(deals: int, seed: int, level: str) -> Iterator[Batch]:
    """That many deals of every form at every minimum, a batch of each in turn."""
    for first in range(seed, seed + deals, BATCH):
        for name, forms in RULE_SETS.items():
            for players in forms:
                for minimum in SCORES_BY_MINIMUM:
                    yield Batch(name, players, minimum, first, min(BATCH, seed + deals - first), level)


def main(arguments: list[str] | None = None) -> int:
    """Play and tell; 1 when something went wrong."""
    parser = argparse.ArgumentParser(description="Hunt for dead ends in random deals.")
    parser.add_argument("--deals", type=int, default=100_000, help="deals of each form at each minimum")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--level", choices=ALL_LEVELS, default="random", help="who plays")
    parser.add_argument("--jobs", type=int, default=None, help="processes; as many as there are cores")
    parser.add_argument("--minutes", type=float, default=None, help="stop after so many minutes")
    options = parser.parse_args(arguments)
    began = monotonic()
    ends: dict[tuple[str, int, int], Counter[str]] = {}
    steps = 0
    faults: list[str] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(play, batches(options.deals, options.seed, options.level), chunksize=1)
        for outcome in outcomes:
            batch = outcome.batch
            ends.setdefault((batch.rules, batch.players, batch.minimum), Counter()).update(outcome.ends)
            steps += outcome.steps
            faults += outcome.faults
            for fault in outcome.faults:
                sys.stdout.write(f"FAULT {fault}\n")
            if options.minutes is not None and monotonic() - began > 60 * options.minutes:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    for (name, players, minimum), counted in ends.items():
        how = ", ".join(f"{end} {count}" for end, count in sorted(counted.items()))
        sys.stdout.write(f"{name} for {players}, minimum {minimum}: {counted.total()} deals ({how})\n")
    deals = sum(counted.total() for counted in ends.values())
    sys.stdout.write(f"{deals} deals, {steps} steps, {len(faults)} faults, {monotonic() - began:.0f} s\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
