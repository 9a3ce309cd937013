"""Which canastas a condition means: of which families, and natural or mixed (`bot.engine.themes`)."""

from __future__ import annotations

from bot.engine.cards import ACE
from bot.engine.melds import TableMeld
from bot.engine.places import Family, family_of
from bot.engine.rules import RuleSet


def is_canasta_of(rules: RuleSet, meld: TableMeld, families: frozenset[Family], kind: str) -> bool:
    """Whether a meld is such a canasta; ``any`` means runs and wild cards too."""
    family = family_of(meld.place)
    if meld.size < rules.canasta_size or family not in families:
        return False
    return kind == "any" or (family <= ACE and (kind == "natural") == (not meld.wilds))
