"""Random house rules: random values for any parameters of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from bot.engine.law.rule_conflicts import UnplayableRules, with_house_rules
from bot.engine.rules.parameters import PARAMETERS, Parameter, ValueType
from bot.engine.rules.rule_set import RuleSet

TABLES = {
    "open_table": [
        [["neg", 0], [0, 50], [1500, 90], [3000, 120]],
        [["neg", 50], [0, 100]],
        [[0, 125], [3000, 155], [5000, 180]],
    ],
}
ROWS = {"red3_values": [[100] * 24, [100 * number for number in range(1, 25)], [0] * 24]}


def random_value(parameter: Parameter, random: Random) -> Any:
    """Return a random value of the parameter as in JSON; for numbers a usual one, or the least possible."""
    if parameter.may_be_none and random.random() < 0.3:
        return None
    match parameter.shape:
        case ValueType.FLAG:
            return random.random() < 0.5
        case ValueType.NUMBER:
            numbers = (*parameter.usual, parameter.lowest, parameter.lowest + parameter.multiple)
            several = parameter.may_differ_by_deal and random.random() < 0.5
            return random.choices(numbers, k=random.randint(2, 4)) if several else random.choice(numbers)
        case ValueType.WORD:
            return random.choice(parameter.words)
        case ValueType.WORDS:
            return [word for word in parameter.words if random.random() < 0.5]
        case ValueType.NUMBERS:
            return random.choice(ROWS.get(parameter.name, [[], [parameter.multiple] * parameter.most]))
        case ValueType.TABLE if parameter.name in TABLES:
            return random.choice(TABLES[parameter.name])
        case ValueType.TABLE:
            number = parameter.multiple if parameter.highest else -parameter.multiple
            return [[word, number * random.randint(1, 3)] for word in parameter.words if random.random() < 0.3]


def random_parameters(random: Random, count: int) -> dict[str, Any]:
    """Return that many parameters with random values as in JSON, whether they work together or not."""
    some = random.sample(PARAMETERS, count)
    return {one.name: random_value(one, random) for one in some}


def playable_rules(rules: RuleSet, random: Random, *, max_changes: int = 12) -> RuleSet:
    """Return the rules with at most `max_changes` parameters changed at random, so that they can still be played."""
    while True:
        try:
            return with_house_rules(rules, random_parameters(random, random.randint(1, max_changes)))
        except UnplayableRules:
            continue


def differing_parameters(rules: RuleSet, base: RuleSet) -> Mapping[str, Any]:
    """Return the parameters that have a different value in `rules` than in `base`, and an effect."""
    names = [one.name for one in PARAMETERS if one.value_in(rules) != one.value_in(base)]
    return {name: getattr(rules, name) for name in names}
