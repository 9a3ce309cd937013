"""Shapes: which cards make a meld, and which cards may join one.

The number of wild cards that a meld takes may depend on its naturals (`wild_ratio`), on its size (`meld_max`), and on
whether it is a canasta (`wild_on_canasta`). The order in which cards are laid matters only if a finished canasta takes
no wild cards, or if a canasta of naturals alone takes none (`wild_reclaim`). So the wild cards of an act are laid
first.

Decides `docs/law/classic.md 1.8, 1.10`. Reads `black3_meld`, `canasta_size`, `max_wilds`, `meld_max`, `meld_min`,
`min_naturals`, `wild_on_canasta`, `wild_ratio`, `wild_reclaim`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import JOKER, TWO, Kind
from bot.engine.cards.packed_counts import Counts, numbers_by_kind
from bot.engine.moves.refusals import Code, Detail, Refusal, kind_name
from bot.engine.rules.rule_set import RuleSet

_BLACK_THREES_PER_MELD: Final = (0, 3, 4)


def sizes_of_black_three_melds(rules: RuleSet) -> Sequence[int]:
    """Return the numbers of black threes that may be melded in going out, ascending, including zero.

    Source: `docs/law/classic.md 1.8`.
    """
    return _BLACK_THREES_PER_MELD[:1] if rules.black3_meld == "never" else _BLACK_THREES_PER_MELD


def number_of_unmeldable_black_threes(rules: RuleSet, held: int) -> int:
    """Return the number of `held` black threes that must stay in the hand even if the others are melded."""
    return held - max([count for count in sizes_of_black_three_melds(rules) if count <= held]) if held else 0


def most_wilds(rules: RuleSet, naturals: int) -> int:
    """Return the most wild cards allowed with `naturals` naturals, before the canasta is finished."""
    ratio = rules.wild_ratio
    if ratio == "none":
        return rules.max_wilds
    if ratio == "nat>=2w":
        return min(rules.max_wilds, naturals // 2)
    return min(rules.max_wilds, naturals if ratio == "nat>=w" else max(0, naturals - 1))


def may_take_any_wild(rules: RuleSet, naturals: int) -> bool:
    """Return whether a meld with that many naturals can become a canasta that takes any number of wilds."""
    return rules.wild_on_canasta == "free" and naturals + most_wilds(rules, naturals) >= rules.canasta_size


def is_meld(rules: RuleSet, naturals: int, wilds: int) -> bool:
    """Return whether these numbers of naturals and wild cards of one rank make a meld."""
    size = naturals + wilds
    if naturals < rules.min_naturals or size < rules.meld_min or (rules.meld_max is not None and size > rules.meld_max):
        return False
    return wilds <= most_wilds(rules, naturals) or may_take_any_wild(rules, naturals)


def can_join_meld(rules: RuleSet, before: tuple[int, int], naturals: int, wilds: int) -> bool:
    """Return whether a meld of that size may get these further naturals and wild cards.

    `before` holds the meld's numbers of naturals and wild cards, zeros for a new meld.
    """
    return why_not_join_meld(rules, before, naturals, wilds) is None


def why_not_join_meld(rules: RuleSet, before: tuple[int, int], naturals: int, wilds: int) -> Refusal | None:
    """Return the refusal if a meld may not get these further cards (`can_join_meld`), else None."""
    naturals += before[0]
    lie = before[1] + wilds
    size = naturals + lie
    if naturals < rules.min_naturals:
        few: Detail = {"few": int(size < rules.meld_min), "count": size, "least": rules.meld_min}
        return Refusal(Code.MELD_TOO_FEW_NATURALS, {"naturals": naturals, "required": rules.min_naturals, **few})
    allowed = most_wilds(rules, naturals)
    if wilds and lie > allowed and not may_take_any_wild(rules, naturals):
        ratio: Detail = {"ratio": naturals} if allowed < rules.max_wilds else {}
        return Refusal(Code.MELD_TOO_MANY_WILDS, {"wilds": lie, "allowed": allowed, **ratio})
    if size < rules.meld_min:
        return Refusal(Code.MELD_TOO_SMALL, {"count": size, "required": rules.meld_min})
    if rules.meld_max is not None and size > rules.meld_max:
        return Refusal(Code.MELD_TOO_LARGE, {"count": size, "allowed": rules.meld_max})
    if rules.wild_on_canasta == "never" and wilds and sum(before) + wilds > rules.canasta_size:
        return Refusal(Code.WILD_ON_CANASTA, {"size": rules.canasta_size})
    if wilds and rules.wild_reclaim != "none" and before[0] >= rules.canasta_size:
        return Refusal(Code.WILD_WOULD_COME_BACK, {"naturals": before[0]})
    return None


def why_cards_not_held(counts: Counts, kind: Kind, naturals: int, twos: int, jokers: int) -> Refusal | None:
    """Return the refusal if the hand does not hold these cards, else None."""
    held = numbers_by_kind(counts)
    if naturals <= held[kind] and twos <= held[TWO] and jokers <= held[JOKER]:
        return None
    wanted = ((kind, naturals), (TWO, twos), (JOKER, jokers))
    lacking, needed = next((kind, needed) for kind, needed in wanted if needed > held[kind])
    return Refusal(Code.CARD_NOT_HELD, {"kind": kind_name(lacking), "held": held[lacking], "needed": needed})
