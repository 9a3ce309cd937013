"""Record one deal of every rule set and player count, with every seat's view of each step.

python -m tests.support.recorded_deals writes `tests/data/playthroughs` again. The diff then shows changes of the rules
or the views.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.state import State
from tests.support.random_play import deal_with_minimum, play_scripted_steps
from tests.support.state_text import event_text, step_text, view_lines

FOLDER = Path(__file__).parents[1] / "data" / "playthroughs"

SEEDS = {"classic-2": (20, 50), "classic-4": (0, 50)}
"""The seed and the minimum of each form's deal; a form that is not named plays seed 0 at 50."""


def recorded_deal_file(rules: RuleSet) -> Path:
    """Return the file with the recorded deal of a form (rule set and number of players)."""
    return FOLDER / f"{rules.name}-{rules.players}.txt"


def lines_and_positions_of_deal(rules: RuleSet) -> Iterator[tuple[list[str], State]]:
    """Yield the lines that describe each step of the recorded deal, with the position after that step."""
    seed, minimum = SEEDS.get(f"{rules.name}-{rules.players}", (0, 50))
    state = deal_with_minimum(rules, seed, minimum=minimum)
    yield [f"# {rules.name} for {rules.players}: one deal, seed {seed}, minimum {minimum}"], state
    for number, played in enumerate(play_scripted_steps(state, seed, 3000)):
        happened = [f"  > {event_text(event)}" for event in played.events]
        yield [f"# {number}: seat {played.seat} · {step_text(played.action)}", *happened], played.after


def recorded_deal_lines(rules: RuleSet) -> Iterator[str]:
    """Yield all lines of a form's recorded deal."""
    for texts, state in lines_and_positions_of_deal(rules):
        yield from texts
        yield from view_lines(state)


def recorded_deal_text(rules: RuleSet) -> str:
    """Return the whole text of a form's recorded deal."""
    return "\n".join(recorded_deal_lines(rules)) + "\n"


def all_forms() -> list[RuleSet]:
    """Return every rule set for every number of players."""
    return [rules for forms in RULE_SETS.values() for rules in forms.values()]


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for form in all_forms():
        recorded_deal_file(form).write_text(recorded_deal_text(form))
        sys.stdout.write(f"{recorded_deal_file(form).name}\n")
