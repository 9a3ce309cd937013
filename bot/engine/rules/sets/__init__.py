"""The rule sets a table can play, by name and number of players.

A second form for the same number of players has its own name: `classic-13`, `classic-trios`, `singkep-13`.
"""

from __future__ import annotations

from typing import Final

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import classic, classic_by_books, hand_and_foot, modern_american, samba, singkep, wild_melds
from bot.engine.rules.sets.forms import RuleSetNotes

_ALL: Final = {
    "classic": (classic.CLASSIC, classic.CLASSIC_NOTES),
    "classic-13": (classic.CLASSIC_13, classic.CLASSIC_13_NOTES),
    "classic-cut-throat": (classic.CLASSIC_CUT_THROAT, classic.CLASSIC_CUT_THROAT_NOTES),
    "classic-rotating": (classic.CLASSIC_ROTATING, classic.CLASSIC_ROTATING_NOTES),
    "classic-trios": (classic.CLASSIC_TRIOS, classic.CLASSIC_TRIOS_NOTES),
    "bicycle": (classic_by_books.BICYCLE, classic_by_books.BICYCLE_NOTES),
    "bicycle-13": (classic_by_books.BICYCLE_13, classic_by_books.BICYCLE_13_NOTES),
    "bicycle-cut-throat": (classic_by_books.BICYCLE_CUT_THROAT, classic_by_books.BICYCLE_CUT_THROAT_NOTES),
    "bicycle-rotating": (classic_by_books.BICYCLE_ROTATING, classic_by_books.BICYCLE_ROTATING_NOTES),
    "bicycle-trios": (classic_by_books.BICYCLE_TRIOS, classic_by_books.BICYCLE_TRIOS_NOTES),
    "singkep": (singkep.SINGKEP, singkep.SINGKEP_NOTES),
    "singkep-13": (singkep.SINGKEP_13, singkep.SINGKEP_13_NOTES),
    "singkep-alone": (singkep.SINGKEP_ALONE, singkep.SINGKEP_ALONE_NOTES),
    "singkep-rotating": (singkep.SINGKEP_ROTATING, singkep.SINGKEP_ROTATING_NOTES),
    "italian-club": (classic_by_books.ITALIAN_CLUB, classic_by_books.ITALIAN_CLUB_NOTES),
    "gamerules": (classic_by_books.GAMERULES, classic_by_books.GAMERULES_NOTES),
    "afrikaans": (classic_by_books.AFRIKAANS, classic_by_books.AFRIKAANS_NOTES),
    "british": (classic.BRITISH, classic.BRITISH_NOTES),
    "hand-and-foot": (hand_and_foot.HAND_AND_FOOT, hand_and_foot.HAND_AND_FOOT_NOTES),
    "hand-and-foot-alone": (hand_and_foot.HAND_AND_FOOT_ALONE, hand_and_foot.HAND_AND_FOOT_ALONE_NOTES),
    "hand-and-foot-us": (hand_and_foot.HAND_AND_FOOT_US, hand_and_foot.HAND_AND_FOOT_US_NOTES),
    "hand-and-foot-us-trios": (hand_and_foot.HAND_AND_FOOT_US_TRIOS, hand_and_foot.HAND_AND_FOOT_US_TRIOS_NOTES),
    "hand-and-foot-pagat": (hand_and_foot.HAND_AND_FOOT_PAGAT, hand_and_foot.HAND_AND_FOOT_PAGAT_NOTES),
    "hand-and-foot-pagat-trios": (
        hand_and_foot.HAND_AND_FOOT_PAGAT_TRIOS,
        hand_and_foot.HAND_AND_FOOT_PAGAT_TRIOS_NOTES,
    ),
    "pennies": (hand_and_foot.PENNIES, hand_and_foot.PENNIES_NOTES),
    "samba": (samba.SAMBA, samba.SAMBA_NOTES),
    "bolivia": (samba.BOLIVIA, samba.BOLIVIA_NOTES),
    "brazilian": (samba.BRAZILIAN, samba.BRAZILIAN_NOTES),
    "chilean": (samba.CHILEAN, samba.CHILEAN_NOTES),
    "tampa": (samba.TAMPA, samba.TAMPA_NOTES),
    "mexicana": (samba.MEXICANA, samba.MEXICANA_NOTES),
    "cuban": (wild_melds.CUBAN, wild_melds.CUBAN_NOTES),
    "italian": (wild_melds.ITALIAN, wild_melds.ITALIAN_NOTES),
    "canastone": (wild_melds.CANASTONE, wild_melds.CANASTONE_NOTES),
    "uruguay": (wild_melds.URUGUAY, wild_melds.URUGUAY_NOTES),
    "uruguay-modern": (wild_melds.URUGUAY_MODERN, wild_melds.URUGUAY_MODERN_NOTES),
    "joker": (wild_melds.JOKER, wild_melds.JOKER_NOTES),
    "modern-american": (modern_american.MODERN_AMERICAN, modern_american.MODERN_AMERICAN_NOTES),
    "modern-american-13": (modern_american.MODERN_AMERICAN_13, modern_american.MODERN_AMERICAN_13_NOTES),
    "modern-american-pagat": (modern_american.MODERN_AMERICAN_PAGAT, modern_american.MODERN_AMERICAN_PAGAT_NOTES),
}

RULE_SETS: Final[dict[str, dict[int, RuleSet]]] = {name: forms for name, (forms, _) in _ALL.items()}
"""Every rule set: its name, then its form for each number of players."""

NOTES: Final[dict[str, RuleSetNotes]] = {name: notes for name, (_, notes) in _ALL.items()}
"""For each rule set: its source, how reliable that is, and open questions."""


def rule_set(name: str, players: int) -> RuleSet:
    """Return the form of a rule set for that number of players.

    Raises `LookupError` for an unknown rule set or form.
    """
    return RULE_SETS[name][players]


def player_counts(name: str) -> tuple[int, ...]:
    """Return the possible numbers of players, ascending; empty for an unknown rule set."""
    return tuple(sorted(RULE_SETS.get(name, {})))
