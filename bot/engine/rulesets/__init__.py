"""The rule sets a table can play, by name and number of players."""

from __future__ import annotations

from bot.engine.rules import RuleSet
from bot.engine.rulesets.classic import CLASSIC

RULE_SETS: dict[str, dict[int, RuleSet]] = {"classic": CLASSIC}
"""Every rule set: its name, then its form for each number of players."""


def rule_set(name: str, players: int) -> RuleSet:
    """The form of a rule set for that many players.

    Raises `LookupError` when there is no such rule set or it has no such form.
    """
    return RULE_SETS[name][players]


def player_counts(name: str) -> tuple[int, ...]:
    """How many may play that rule set, ascending; empty when there is no such rule set."""
    return tuple(sorted(RULE_SETS.get(name, {})))
