"""Perft: how many sequences of legal steps there are, and in which order the first are listed.

    python -m tests.support.perft

writes `tests/data/perft` anew, a file a form. A count that changes means that the rules changed; the same count
after a change of their implementation says that they did not.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.engine.play.decide import decide
from bot.engine.play.legal import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.evolve import fold
from bot.engine.table.state import State, actor
from tests.support.play import dealt, scripted
from tests.support.playthrough import forms
from tests.support.told import step_text

FOLDER = Path(__file__).parents[1] / "data" / "perft"
DEPTH = 4
MOST = 4_000
"""No depth is counted after one that has more, so that all files are counted in seconds."""

ROOTS = [(seed, minimum, steps) for seed, minimum in ((1, 15), (2, 50), (3, 90), (4, 120)) for steps in (0, 9, 33, 80)]
"""Seed of the pack and of the steps, minimum, and how many steps were played before counting."""


@dataclass(frozen=True)
class Root:
    """A position to count from."""

    rules: RuleSet
    seed: int
    minimum: int
    steps: int

    def state(self) -> State:
        """The position; the last one of the deal where it is over by then."""
        walked = _walked(self.rules, self.seed, self.minimum)
        return walked[min(self.steps, len(walked) - 1)]


@lru_cache(maxsize=len(ROOTS))
def _walked(rules: RuleSet, seed: int, minimum: int) -> tuple[State, ...]:
    """The positions of a deal, as far as any root lies."""
    states = [dealt(rules, seed, minimum=minimum)]
    for played in scripted(states[0], seed, max(steps for _, _, steps in ROOTS)):
        if actor(played.after) is None:
            break
        states.append(played.after)
    return tuple(states)


def perft(state: State, depth: int) -> int:
    """How many sequences of that many legal steps there are; a deal that ends sooner counts as none."""
    steps = legal_actions(state)
    if depth == 1:
        return len(steps)
    return sum(perft(fold(state, decide(state, actor(state), step)), depth - 1) for step in steps)


def counted(root: Root) -> dict[str, Any]:
    """What the file says of a root."""
    state = root.state()
    counts = [perft(state, 1)]
    while len(counts) < DEPTH and counts[-1] <= MOST:
        counts.append(perft(state, len(counts) + 1))
    return {
        "seed": root.seed,
        "minimum": root.minimum,
        "steps": root.steps,
        "counts": counts,
        "legal": [step_text(step) for step in legal_actions(state)],
    }


def roots(rules: RuleSet) -> list[Root]:
    """The positions of a form."""
    return [Root(rules, *root) for root in ROOTS]


def path_of(rules: RuleSet) -> Path:
    """The file of a form."""
    return FOLDER / f"{rules.name}-{rules.players}.json"


def text_of(rules: RuleSet) -> str:
    """The file's whole text, a line a position."""
    return "[\n" + ",\n".join("  " + json.dumps(counted(root)) for root in roots(rules)) + "\n]\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for form in forms():
        path_of(form).write_text(text_of(form))
        sys.stdout.write(f"{path_of(form).name}\n")
