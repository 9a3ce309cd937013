"""The rule sets a table can play, by name and number of players.

A second form for the same number of players has a name of its own: `classic-13`, `classic-trios`, `singkep-13`.
"""

from __future__ import annotations

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import (
    afrikaans,
    bicycle,
    classic,
    cuban,
    gamerules,
    hand_and_foot,
    italian,
    italian_club,
    modern_american,
    samba,
    singkep,
    uruguay,
)
from bot.engine.rules.sets.notes import RuleSetNotes

RULE_SETS: dict[str, dict[int, RuleSet]] = {
    "classic": classic.CLASSIC,
    "classic-13": classic.CLASSIC_13,
    "classic-cut-throat": classic.CLASSIC_CUT_THROAT,
    "classic-rotating": classic.CLASSIC_ROTATING,
    "classic-trios": classic.CLASSIC_TRIOS,
    "bicycle": bicycle.BICYCLE,
    "bicycle-13": bicycle.BICYCLE_13,
    "bicycle-cut-throat": bicycle.BICYCLE_CUT_THROAT,
    "bicycle-rotating": bicycle.BICYCLE_ROTATING,
    "bicycle-trios": bicycle.BICYCLE_TRIOS,
    "singkep": singkep.SINGKEP,
    "singkep-13": singkep.SINGKEP_13,
    "singkep-alone": singkep.SINGKEP_ALONE,
    "singkep-rotating": singkep.SINGKEP_ROTATING,
    "italian-club": italian_club.ITALIAN_CLUB,
    "gamerules": gamerules.GAMERULES,
    "afrikaans": afrikaans.AFRIKAANS,
    "british": classic.BRITISH,
    "hand-and-foot": hand_and_foot.HAND_AND_FOOT,
    "hand-and-foot-alone": hand_and_foot.HAND_AND_FOOT_ALONE,
    "hand-and-foot-us": hand_and_foot.HAND_AND_FOOT_US,
    "hand-and-foot-us-trios": hand_and_foot.HAND_AND_FOOT_US_TRIOS,
    "hand-and-foot-pagat": hand_and_foot.HAND_AND_FOOT_PAGAT,
    "hand-and-foot-pagat-trios": hand_and_foot.HAND_AND_FOOT_PAGAT_TRIOS,
    "pennies": hand_and_foot.PENNIES,
    "samba": samba.SAMBA,
    "bolivia": samba.BOLIVIA,
    "brazilian": samba.BRAZILIAN,
    "chilean": samba.CHILEAN,
    "tampa": samba.TAMPA,
    "mexicana": samba.MEXICANA,
    "cuban": cuban.CUBAN,
    "italian": italian.ITALIAN,
    "canastone": italian.CANASTONE,
    "uruguay": uruguay.URUGUAY,
    "uruguay-modern": uruguay.URUGUAY_MODERN,
    "joker": cuban.JOKER,
    "modern-american": modern_american.MODERN_AMERICAN,
    "modern-american-13": modern_american.MODERN_AMERICAN_13,
    "modern-american-pagat": modern_american.MODERN_AMERICAN_PAGAT,
}
"""Every rule set: its name, then its form for each number of players."""

NOTES: dict[str, RuleSetNotes] = {
    "classic": classic.CLASSIC_NOTES,
    "classic-13": classic.CLASSIC_13_NOTES,
    "classic-cut-throat": classic.CLASSIC_CUT_THROAT_NOTES,
    "classic-rotating": classic.CLASSIC_ROTATING_NOTES,
    "classic-trios": classic.CLASSIC_TRIOS_NOTES,
    "bicycle": bicycle.BICYCLE_NOTES,
    "bicycle-13": bicycle.BICYCLE_13_NOTES,
    "bicycle-cut-throat": bicycle.BICYCLE_CUT_THROAT_NOTES,
    "bicycle-rotating": bicycle.BICYCLE_ROTATING_NOTES,
    "bicycle-trios": bicycle.BICYCLE_TRIOS_NOTES,
    "singkep": singkep.SINGKEP_NOTES,
    "singkep-13": singkep.SINGKEP_13_NOTES,
    "singkep-alone": singkep.SINGKEP_ALONE_NOTES,
    "singkep-rotating": singkep.SINGKEP_ROTATING_NOTES,
    "italian-club": italian_club.ITALIAN_CLUB_NOTES,
    "gamerules": gamerules.GAMERULES_NOTES,
    "afrikaans": afrikaans.AFRIKAANS_NOTES,
    "british": classic.BRITISH_NOTES,
    "hand-and-foot": hand_and_foot.HAND_AND_FOOT_NOTES,
    "hand-and-foot-alone": hand_and_foot.HAND_AND_FOOT_ALONE_NOTES,
    "hand-and-foot-us": hand_and_foot.HAND_AND_FOOT_US_NOTES,
    "hand-and-foot-us-trios": hand_and_foot.HAND_AND_FOOT_US_TRIOS_NOTES,
    "hand-and-foot-pagat": hand_and_foot.HAND_AND_FOOT_PAGAT_NOTES,
    "hand-and-foot-pagat-trios": hand_and_foot.HAND_AND_FOOT_PAGAT_TRIOS_NOTES,
    "pennies": hand_and_foot.PENNIES_NOTES,
    "samba": samba.SAMBA_NOTES,
    "bolivia": samba.BOLIVIA_NOTES,
    "brazilian": samba.BRAZILIAN_NOTES,
    "chilean": samba.CHILEAN_NOTES,
    "tampa": samba.TAMPA_NOTES,
    "mexicana": samba.MEXICANA_NOTES,
    "cuban": cuban.CUBAN_NOTES,
    "italian": italian.ITALIAN_NOTES,
    "canastone": italian.CANASTONE_NOTES,
    "uruguay": uruguay.URUGUAY_NOTES,
    "uruguay-modern": uruguay.URUGUAY_MODERN_NOTES,
    "joker": cuban.JOKER_NOTES,
    "modern-american": modern_american.MODERN_AMERICAN_NOTES,
    "modern-american-13": modern_american.MODERN_AMERICAN_13_NOTES,
    "modern-american-pagat": modern_american.MODERN_AMERICAN_PAGAT_NOTES,
}
"""Where each rule set comes from, how sure that is, and what is open."""


def rule_set(name: str, players: int) -> RuleSet:
    """The form of a rule set for that many players.

    Raises `LookupError` when there is no such rule set or it has no such form.
    """
    return RULE_SETS[name][players]


def player_counts(name: str) -> tuple[int, ...]:
    """How many may play that rule set, ascending; empty when there is no such rule set."""
    return tuple(sorted(RULE_SETS.get(name, {})))
