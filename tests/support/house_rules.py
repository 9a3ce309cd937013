"""House rules by chance: for every parameter some value that it may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from bot.engine.house_rules import validate
from bot.engine.options import read_value
from bot.engine.parameter_shapes import Shape
from bot.engine.parameters import PARAMETERS, Parameter
from bot.engine.rules import RuleSet

TABLES = {
    "open_table": [
        [["neg", 0], [0, 50], [1500, 90], [3000, 120]],
        [["neg", 50], [0, 100]],
        [[0, 125], [3000, 155], [5000, 180]],
    ],
}
ROWS = {"red3_values": [[100] * 24, [100 * number for number in range(1, 25)], [0] * 24]}


def some_value(parameter: Parameter, random: Random) -> Any:
    """A value of the parameter as it stands in JSON; of numbers those that are usual, and the least."""
    if parameter.may_be_none and random.random() < 0.3:
        return None
    match parameter.shape:
        case Shape.FLAG:
            return random.random() < 0.5
        case Shape.NUMBER:
            return random.choice((*parameter.usual, parameter.lowest, parameter.lowest + 1))
        case Shape.WORD:
            return random.choice(parameter.words)
        case Shape.WORDS:
            return [word for word in parameter.words if random.random() < 0.5]
        case Shape.NUMBERS:
            return random.choice(ROWS[parameter.name])
        case Shape.TABLE:
            return random.choice(TABLES[parameter.name])


def changed(rules: RuleSet, random: Random, count: int) -> RuleSet:
    """The rules with so many parameters changed, whether they work together or not."""
    some = random.sample(PARAMETERS, count)
    return replace(rules, **{one.name: read_value(one, some_value(one, random), one.name) for one in some})


def playable(rules: RuleSet, random: Random, *, most: int = 12) -> RuleSet:
    """The rules with some parameters changed, that work together."""
    while True:
        found = changed(rules, random, random.randint(1, most))
        if not validate(found):
            return found


def differing(rules: RuleSet, base: RuleSet) -> Mapping[str, Any]:
    """In what rules differ, to be read where a test fails."""
    names = [one.name for one in PARAMETERS if getattr(rules, one.name) != getattr(base, one.name)]
    return {name: getattr(rules, name) for name in names}
