"""Habits by level and family of rules, read from small files that list the parameters they apply to."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from bot.computer.chosen_step import Choice
from bot.computer.heuristics.habits import BY_LEVEL, Habits
from bot.computer.heuristics.rule_of_thumb_player import RuleOfThumbPlayer
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import SeatView

FOLDER: Final = "families"


@cache
def habits_for(level: str, rules: RuleSet) -> Habits:
    """Return the habits of an easy, casual or strong player for these rules.

    They are the level's, changed for each family of rules that these belong to.
    """
    habits = BY_LEVEL[level]
    for family in _load_families():
        if all(_has_wanted_value(getattr(rules, name), value) for name, value in family["when"].items()):
            habits = replace(habits, **family.get(level, {}))
    return habits


class LevelPlayer:
    """A computer player by the rules of thumb of its level; a strong one remembers what it has seen."""

    def __init__(self, level: str) -> None:
        self._level = level

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        """Return the player's choice for its turn; the step is always one of `view.legal`."""
        habits = habits_for(self._level, view.table.rules)
        return RuleOfThumbPlayer(habits, remembers=self._level == "strong").choose(view, memory)


def _has_wanted_value(value: object, wanted: object) -> bool:
    """Return whether a parameter's value is the wanted one, or is a set with all the wanted values."""
    return value >= frozenset(wanted) if isinstance(value, frozenset) and isinstance(wanted, list) else value == wanted


@cache
def _load_families() -> tuple[dict[str, Any], ...]:
    """Return the contents of the files of habits, one for each family of rules, sorted by name."""
    folder = files("bot.computer.heuristics").joinpath(FOLDER)
    named = sorted((one for one in folder.iterdir() if one.name.endswith(".json")), key=lambda one: one.name)
    return tuple(json.loads(one.read_text(encoding="utf-8")) for one in named)
