"""Playthroughs: one deal of every form, step by step with every seat's view.

    python -m tests.support.playthrough

writes them to `tests/data/playthroughs` anew. What changed in the rules or the views is then seen in the diff.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.state import State
from tests.support.play import dealt, scripted
from tests.support.told import event_text, step_text, view_lines

FOLDER = Path(__file__).parents[1] / "data" / "playthroughs"

SEEDS = {"classic-2": (20, 50), "classic-4": (0, 50)}
"""The seed and the minimum of each form's deal; a form that is not named plays seed 0 at 50."""


def path_of(rules: RuleSet) -> Path:
    """The file of a form."""
    return FOLDER / f"{rules.name}-{rules.players}.txt"


def positions_of(rules: RuleSet) -> Iterator[tuple[list[str], State]]:
    """Every position of the deal, each with the lines that tell how it came about."""
    seed, minimum = SEEDS.get(f"{rules.name}-{rules.players}", (0, 50))
    state = dealt(rules, seed, minimum=minimum)
    yield [f"# {rules.name} for {rules.players}: one deal, seed {seed}, minimum {minimum}"], state
    for number, played in enumerate(scripted(state, seed, 3000)):
        happened = [f"  > {event_text(event)}" for event in played.events]
        yield [f"# {number}: seat {played.seat} · {step_text(played.action)}", *happened], played.after


def lines_of(rules: RuleSet) -> Iterator[str]:
    """The whole playthrough of a form."""
    for told, state in positions_of(rules):
        yield from told
        yield from view_lines(state)


def text_of(rules: RuleSet) -> str:
    """The file's whole text."""
    return "\n".join(lines_of(rules)) + "\n"


def forms() -> list[RuleSet]:
    """Every form of every rule set."""
    return [rules for forms in RULE_SETS.values() for rules in forms.values()]


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for form in forms():
        path_of(form).write_text(text_of(form))
        sys.stdout.write(f"{path_of(form).name}\n")
