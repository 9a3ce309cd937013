"""What special hands are worth: as the Canasta League has it, or as a rule set says (`docs/law/variants.md 3.10`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.rules import RuleSet

USUAL: Final[Mapping[str, int]] = {
    "pairs": 2500,
    "wild_pairs": 2000,
    "miami_pairs": 2500,
    "zip_code": 2500,
    "straight": 3000,
    "garbage": 3000,
    "blast_off": 3000,
    "triples": 3500,
    "quads": 3500,
    "dream_4": 8500,
    "dream_5": 8500,
}
"""The points of each special hand, by its name in `special_hands`."""


def special_points(rules: RuleSet, name: str) -> int:
    """What a special hand is worth at a table (`special_values`)."""
    told: Mapping[str, int] = dict(rules.special_values)
    return told.get(name, USUAL[name])
