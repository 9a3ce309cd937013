"""The strong player's habits by family of rules, read from small files that list the parameters they apply to."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from bot.computer.heuristics.habits import STRONG, Habits
from bot.engine.rules.rule_set import RuleSet

FOLDER: Final = "families"


@cache
def strong_habits(rules: RuleSet) -> Habits:
    """Return the strong player's habits for these rules: the default, changed by every family that fits."""
    habits = STRONG
    for family in _families():
        if all(getattr(rules, name) == value for name, value in family["when"].items()):
            habits = replace(habits, **family["habits"])
    return habits


@cache
def _families() -> tuple[dict[str, Any], ...]:
    """Return the contents of all files, by name."""
    folder = files("bot.computer.heuristics").joinpath(FOLDER)
    named = sorted((one for one in folder.iterdir() if one.name.endswith(".json")), key=lambda one: one.name)
    return tuple(json.loads(one.read_text(encoding="utf-8")) for one in named)
