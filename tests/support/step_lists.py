"""Digests of the lists of legal steps along deals of every form, a few hexadecimal digits per list.

python -m tests.support.step_lists writes `tests/data/lists.json` again after an intended change of a rule; only the
forms that it concerns may differ then. The first record was made when several implementations of the rules existed in
parallel.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

from bot.engine.moves.actions import Combine, LayRun, Meld, Reclaim, Show, Step, Take
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State, seat_to_act
from tests.support.random_play import apply_action, deal_with_score
from tests.support.recorded_deals import all_forms
from tests.support.state_text import step_text

PATH = Path(__file__).parents[1] / "data" / "lists.json"

DIGITS = 4
"""Hexadecimal digits that stand for one list."""

LAYS = 0.8
"""Probability that a seat lays or takes if it can; otherwise a deal rarely gets near its end."""

_LAYING = (Take, Meld, LayRun, Combine, Reclaim, Show)


def form_name(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}"


def positions_with_steps(rules: RuleSet, seed: int, *, score: int = 0) -> Iterator[tuple[State, tuple[Step, ...]]]:
    """Yield every position of one deal with its list of legal steps.

    Seats mostly meld what they can. Every side starts the deal with that score.
    """
    random = Random(f"{form_name(rules)} {seed}")
    state = deal_with_score(rules, seed, score)
    while (seat := seat_to_act(state)) is not None:
        legal = legal_actions(state)
        yield state, legal
        laying = [step for step in legal if isinstance(step, _LAYING)] if random.random() < LAYS else []
        state = apply_action(state, seat, random.choice(laying or legal))


def digest_of_steps(legal: tuple[Step, ...]) -> str:
    """Return a digest of a list of steps, which depends on their order."""
    return sha256("|".join(step_text(step) for step in legal).encode()).hexdigest()[:DIGITS]


def digests_of_step_lists(rules: RuleSet) -> str:
    """Return the digests of all lists of steps in a form's deal, joined to one text."""
    return "".join(digest_of_steps(legal) for _, legal in positions_with_steps(rules, 0))


if __name__ == "__main__":
    PATH.write_text(
        json.dumps({form_name(rules): digests_of_step_lists(rules) for rules in all_forms()}, indent=0) + "\n"
    )
