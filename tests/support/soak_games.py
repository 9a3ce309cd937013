"""Look for positions without a legal move: deals of every rule set and form, at every initial minimum.

    make soak
    make soak SOAK="--rules samba,bolivia --seconds 600"
    python -m tests.support.soak_games --rules all --seed 10000 --deals 5000 --computer-deals 0

The seats take random steps, or those of a computer player, which reaches places that chance does not. Without numbers
of deals, those of the published aim are played: 10,000 random and 2,000 computer deals of each form, and of the classic
game for four 100,000 and 20,000 at each minimum.

Every listed step must be accepted, a computer player must choose one of them, a player must always be able to act, the
deal must end, no card may be lost, and the last state must be valid (in every twentieth deal, every state). A deal that
breaks one of these is reported by its form, minimum and seed, with the position that it reached. Seeds decide
everything: `--seed` continues where another run has ended. It is not part of `make test`, because all of it takes
hours.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from random import Random
from time import monotonic
from typing import Any, Final

from bot.computer.player import ALL_LEVELS, player_for
from bot.engine.moves.actions import StartDeal, Step
from bot.engine.moves.events import DealEnded
from bot.engine.moves.refusals import Refusal
from bot.engine.play.building_views import seat_view
from bot.engine.play.invariants import broken_invariants
from bot.engine.positions.position_reading import write_position
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set
from bot.engine.table.state import State, new_game
from bot.tables.state.clocks import DEFAULT_LEVEL
from tests.support.random_play import Chooser, apply_action, seeded_pack, steps_of_a_deal

BATCH: Final = 50
MOST_STEPS: Final = 6000
"""A deal that takes more steps counts as one that never ends."""

EVERY_STATE: Final = 20
"""One deal in this many is checked after every step."""

AIM: Final = {"random": 10_000, "computer": 2_000}
CLASSIC_AIM: Final = {"random": 100_000, "computer": 20_000}


@dataclass(frozen=True)
class DealBatch:
    """Deals of one form (rule set and number of players), with seeds counted from `first`.

    They are played at one row of the form's minimums, or at each row in turn.
    """

    rules: str
    players: int
    row: int | None
    first: int
    deals: int
    level: str
    most_steps: int = MOST_STEPS

    @property
    def form(self) -> str:
        """Return the name of the form (rule set and number of players) that is played."""
        at = "" if self.row is None else f", minimum {rule_set(self.rules, self.players).open_table[self.row][1]}"
        return f"{self.rules} for {self.players}{at}, {self.level}"


@dataclass(frozen=True)
class FailedDeal:
    """A failed deal, with the position in which it failed."""

    told: str
    position: dict[str, Any]


@dataclass(frozen=True)
class BatchOutcome:
    """The outcome of a batch: how its deals ended, how many steps they took, and their faults."""

    batch: DealBatch
    ends: Counter[str]
    steps: int
    faults: tuple[FailedDeal, ...]


def play_batch(batch: DealBatch) -> BatchOutcome:
    """Play all deals of a batch, and return their outcome."""
    ends: Counter[str] = Counter()
    steps = 0
    faults: list[FailedDeal] = []
    for seed in range(batch.first, batch.first + batch.deals):
        rules = rule_set(batch.rules, batch.players)
        row = seed % len(rules.open_table) if batch.row is None else batch.row
        states = [deal_with_minimum_row(rules, row, seed)]
        try:
            chooser, watched = _chooser_for_level(batch.level, seed), seed % EVERY_STATE == 0
            ends[_play_deal(states, chooser, max_steps=batch.most_steps, watched=watched)] += 1
        except (AssertionError, Refusal, LookupError, ValueError, TypeError, AttributeError) as error:
            text = f"{batch.form}, row {row}, seed {seed}, step {len(states) - 1}: {error!r}"
            faults.append(FailedDeal(text, write_position(states[-1])))
        steps += len(states) - 1
    return BatchOutcome(batch, ends, steps, tuple(faults))


def deal_with_minimum_row(rules: RuleSet, minimum_row: int, seed: int) -> State:
    """Return a deal at its first turn, with every side at that row of the table of minimums."""
    start = rules.open_table[minimum_row][0]
    by_round = rules.open_by == "round"
    score = 0 if by_round else -100 if start is None else start
    game = new_game(rules, dealer=seed // len(rules.open_table) % rules.players, scores=(score,) * rules.sides)
    if by_round:
        game = replace(game, deal=(start or 1) - 1)
    return apply_action(game, None, StartDeal(seeded_pack(rules, seed)))


def _play_deal(states: list[State], choose: Random | Chooser, *, max_steps: int, watched: bool) -> str:
    """Play on from the last of `states`, append each new state, and return how the deal ended."""
    for played in steps_of_a_deal(states[-1], choose, max_steps=max_steps):
        states.append(played.after)
        if watched:
            _check_invariants(played.after)
    _check_invariants(states[-1])
    ended: DealEnded = states[-1].results[-1]
    return ended.reason.value


def _check_invariants(state: State) -> None:
    """Fail if the position has any of the `broken_invariants`."""
    unsound = broken_invariants(state)
    assert not unsound, "; ".join(unsound)


def _chooser_for_level(level: str, seed: int) -> Random | Chooser:
    if level == "random":
        return Random(seed)
    player = player_for(level, seed)
    random = Random(seed)

    def choose_step(state: State, seat: int, legal: tuple[Step, ...]) -> Step:
        # One step in ten is random: a player that always makes the best move leaves much untried.
        if random.random() < 0.1:
            return random.choice(legal)
        step = player.choose(seat_view(state, seat)).step
        assert step in legal, f"seat {seat} chose {step}, which is not legal"
        return step

    return choose_step


def split_plan(batch_plan: Iterable[DealBatch]) -> Iterator[DealBatch]:
    """Yield the same deals in small batches, some of every form in turn, so that a short run has all."""
    left = list(batch_plan)
    while left:
        for batch in left:
            yield replace(batch, deals=min(BATCH, batch.deals))
        left = [replace(one, first=one.first + BATCH, deals=one.deals - BATCH) for one in left if one.deals > BATCH]


def plan_batches(options: argparse.Namespace) -> Iterator[DealBatch]:
    """Yield the requested batches, form by form; random deals come before those of computer players."""
    asked = {"random": options.deals, "computer": options.computer_deals}
    for name, players in forms_of(options.rules, options.players):
        thorough = name == "classic" and players == 4 and options.deals is None and options.computer_deals is None
        rows = range(len(rule_set(name, players).open_table)) if thorough else (None,)
        for who, level in (("random", "random"), ("computer", options.level)):
            count = asked[who]
            if count is None:
                count = (CLASSIC_AIM if thorough else AIM)[who]
            for row in rows:
                if count:
                    yield DealBatch(name, players, row, options.seed, count, level, options.most_steps)


def forms_of(rules: str, players: int | None) -> Iterator[tuple[str, int]]:
    """Yield the forms that are named on the command line: rule set and number of players.

    ``all`` means every rule set; otherwise their names have commas between. With `players`, only that number is played.
    """
    for name in RULE_SETS if rules == "all" else rules.split(","):
        for count in player_counts(name):
            if players in (None, count):
                yield name, count


def main(arguments: list[str] | None = None) -> int:
    """Play the requested deals and print how they ended; return 1 if a deal failed."""
    options = read_options(arguments)
    began = monotonic()
    ends: dict[str, Counter[str]] = {}
    seeds: dict[str, int] = {}
    steps = faults = 0
    with ExitStack() as stack:
        for outcome in _play_batches(split_plan(list(plan_batches(options))), options.jobs, stack):
            form = outcome.batch.form
            ends.setdefault(form, Counter()).update(outcome.ends)
            seeds[form] = outcome.batch.first + outcome.batch.deals
            steps += outcome.steps
            for fault in outcome.faults:
                faults += 1
                _print_line(f"FAULT {fault.told}\n{json.dumps(fault.position)}")
            if options.seconds is not None and monotonic() - began > options.seconds:
                break
    for form, counted in ends.items():
        how = ", ".join(f"{end} {count}" for end, count in sorted(counted.items()))
        _print_line(f"{form}: {counted.total()} deals to seed {seeds[form]} ({how})")
    deals = sum(counted.total() for counted in ends.values())
    _print_line(f"{deals} deals, {steps} steps, {faults} faults, {monotonic() - began:.0f} s")
    return 1 if faults or not ends else 0


def _play_batches(batches: Iterator[DealBatch], jobs: int, stack: ExitStack) -> Iterator[BatchOutcome]:
    """Yield the outcome of each batch, played in this process or, if `jobs` is more than 1, in that many.

    Batches that have not begun are cancelled when `stack` closes.
    """
    if jobs == 1:
        return map(play_batch, batches)
    pool = stack.enter_context(ProcessPoolExecutor(jobs))
    stack.callback(pool.shutdown, wait=False, cancel_futures=True)
    return pool.map(play_batch, batches)


def _print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Look for positions without a legal move in whole deals.")
    parser.add_argument("--rules", default="all", help="rule sets with commas between (default: all)")
    parser.add_argument("--players", type=int, default=None, help="only the form for that many players")
    parser.add_argument("--deals", type=int, default=None, help="random deals of each form")
    parser.add_argument("--computer-deals", type=int, default=None, help="deals of each form by computer players")
    parser.add_argument("--level", choices=ALL_LEVELS, default=DEFAULT_LEVEL, help="which computer player")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--most-steps", type=int, default=MOST_STEPS, help="a longer deal is a fault")
    parser.add_argument("--seconds", type=float, default=None, help="stop after so many seconds")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
