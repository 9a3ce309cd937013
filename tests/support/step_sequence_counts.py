"""Perft: count the sequences of legal steps, and list the first ones in order.

    python -m tests.support.step_sequence_counts

writes `tests/data/perft` again, one file per form. A count that changes means that the rules changed; the same count
after a change of their implementation means that they did not.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from tests.support.random_play import deal_with_minimum, play_scripted_steps
from tests.support.recorded_deals import all_forms
from tests.support.state_text import step_text

FOLDER = Path(__file__).parents[1] / "data" / "perft"
DEPTH = 4
MOST = 4_000
"""Counting stops after a depth with more sequences than this, so that all files take only seconds."""

ROOTS = [(seed, minimum, steps) for seed, minimum in ((1, 15), (2, 50), (3, 90), (4, 120)) for steps in (0, 9, 33, 80)]
"""Seed of the pack and of the steps, minimum, and how many steps were played before counting."""


@dataclass(frozen=True)
class StartPosition:
    """A position from which sequences of steps are counted."""

    rules: RuleSet
    seed: int
    minimum: int
    steps: int

    def state(self) -> State:
        """Return the position after `steps` steps, or the deal's last one if the deal ends sooner."""
        walked = _deal_positions(self.rules, self.seed, self.minimum)
        return walked[min(self.steps, len(walked) - 1)]


@lru_cache(maxsize=len(ROOTS))
def _deal_positions(rules: RuleSet, seed: int, minimum: int) -> tuple[State, ...]:
    """Return the positions of a deal from its first turn on, as many as the start positions in `ROOTS` need."""
    states = [deal_with_minimum(rules, seed, minimum=minimum)]
    for played in play_scripted_steps(states[0], seed, max(steps for _, _, steps in ROOTS)):
        if seat_to_act(played.after) is None:
            break
        states.append(played.after)
    return tuple(states)


def count_step_sequences(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` legal steps from this state.

    A deal that ends sooner counts as none.
    """
    steps = legal_actions(state)
    if depth == 1:
        return len(steps)
    return sum(count_step_sequences(fold(state, decide(state, seat_to_act(state), step)), depth - 1) for step in steps)


def count_from_position(root: StartPosition) -> dict[str, Any]:
    """Return the entry of the file for a position: its legal steps, and the number of sequences by length."""
    state = root.state()
    counts = [count_step_sequences(state, 1)]
    while len(counts) < DEPTH and counts[-1] <= MOST:
        counts.append(count_step_sequences(state, len(counts) + 1))
    return {
        "seed": root.seed,
        "minimum": root.minimum,
        "steps": root.steps,
        "counts": counts,
        "legal": [step_text(step) for step in legal_actions(state)],
    }


def start_positions(rules: RuleSet) -> list[StartPosition]:
    """Return the positions of a form from which sequences are counted."""
    return [StartPosition(rules, *root) for root in ROOTS]


def counts_file(rules: RuleSet) -> Path:
    """Return the file with the counts of a form."""
    return FOLDER / f"{rules.name}-{rules.players}.json"


def counts_text(rules: RuleSet) -> str:
    """Return the whole text of a form's file, one line per position."""
    return "[\n" + ",\n".join("  " + json.dumps(count_from_position(root)) for root in start_positions(rules)) + "\n]\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for form in all_forms():
        counts_file(form).write_text(counts_text(form))
        sys.stdout.write(f"{counts_file(form).name}\n")
