"""Lists of legal steps along deals of every form, kept as data: each list as a few hexadecimal digits.

    python -m tests.support.lists

writes them to `tests/data/lists.json` anew, where a rule was meant to change; only the forms that it concerns may
differ then. The first record was made when several implementations of the law stood side by side.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

from bot.engine.moves.actions import Combine, LayRun, Meld, Reclaim, Show, Step, Take
from bot.engine.play.legal import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State, actor
from tests.support.play import acted, dealt_at
from tests.support.playthrough import forms
from tests.support.told import step_text

PATH = Path(__file__).parents[1] / "data" / "lists.json"

DIGITS = 4
"""Hexadecimal digits that stand for one list."""

LAYS = 0.8
"""How often a seat lays or takes something where it can; chance alone seldom gets near the end of a deal."""

_LAYING = (Take, Meld, LayRun, Combine, Reclaim, Show)


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}"


def walk(rules: RuleSet, seed: int, *, score: int = 0) -> Iterator[tuple[State, tuple[Step, ...]]]:
    """Every position of one deal with its list of legal steps, in which seats mostly lay what they can.

    Every side has that score before the deal.
    """
    chance = Random(f"{name_of(rules)} {seed}")
    state = dealt_at(rules, seed, score)
    while (seat := actor(state)) is not None:
        legal = legal_actions(state)
        yield state, legal
        laying = [step for step in legal if isinstance(step, _LAYING)] if chance.random() < LAYS else []
        state = acted(state, seat, chance.choice(laying or legal))


def digits(legal: tuple[Step, ...]) -> str:
    """What stands for a list: its steps in their order."""
    return sha256("|".join(step_text(step) for step in legal).encode()).hexdigest()[:DIGITS]


def recorded(rules: RuleSet) -> str:
    """The digits of every list of a form's deal, one after the other."""
    return "".join(digits(legal) for _, legal in walk(rules, 0))


if __name__ == "__main__":
    PATH.write_text(json.dumps({name_of(rules): recorded(rules) for rules in forms()}, indent=0) + "\n")
