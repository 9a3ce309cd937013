"""What costs points at the end of a deal: unfinished melds, and cards still held.

Decides `docs/law/variants.md 3.2, 3.3, 3.10`. Reads `ace_value`, `black3_in_hand`, `canasta_size`, `hand_penalty`,
`incomplete_penalty`, `out_clean`, `red3_in_hand`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, SEVEN, Card, Kind
from bot.engine.cards.places import DEUCE_MELD, WILD_MELD, Family, is_run
from bot.engine.melds.melds import TableMeld
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.topics import Unfinished, Unlucky

SHORT_RUN: Final = 5
"""The fewest cards of a run that is not unfinished (`docs/law/variants.md 3.3`)."""

ALL_JOKERS: Final = 4
"""How many jokers in a meld of wild cards make leaving it unfinished dearer."""


def unfinished_points(rules: RuleSet, melds: Iterable[TableMeld]) -> int:
    """What a side's unfinished melds cost it together: a number below zero, or zero."""
    table = dict(rules.incomplete_penalty)
    return sum([table.get(name, 0) for meld in melds for name in _unfinished(rules, table, meld)])


def _unfinished(rules: RuleSet, table: Mapping[Unfinished, int], meld: TableMeld) -> tuple[Unfinished, ...]:
    """The word by which the rules call that meld unfinished; empty where they do not."""
    if is_run(meld.place):
        return ("seq",) if meld.size < SHORT_RUN else ()
    if meld.size >= rules.canasta_size:
        return ()
    if meld.kind in (WILD_MELD, DEUCE_MELD):
        dearer = "wild_4_jokers" in table and sum([card >> 2 == JOKER for card in meld.cards]) >= ALL_JOKERS
        return ("wild_4_jokers",) if dearer else ("wild",)
    return MUST_FINISH.get(meld.kind, ()) if not meld.wilds else ()


def keeps_in(rules: RuleSet, family: Family, naturals: int, wilds: int) -> bool:
    """Whether such a meld keeps its side from going out: wild cards, twos, or sevens or aces without a wild card."""
    if not rules.out_clean or naturals + wilds >= rules.canasta_size:
        return False
    return family in (WILD_MELD, DEUCE_MELD) or (family in MUST_FINISH and not wilds)


def why_kept_in(rules: RuleSet, melds: Iterable[TableMeld]) -> Refusal | None:
    """The refusal for a side that may not go out with such melds on the table (`docs/law/variants.md 3.10`)."""
    sizes = [meld.size for meld in melds if keeps_in(rules, meld.kind, meld.naturals, meld.wilds)]
    if not sizes:
        return None
    return Refusal(Code.OUT_UNFINISHED, {"melds": len(sizes), "count": sizes[0], "required": rules.canasta_size})


MUST_FINISH: Final[Mapping[Kind, tuple[Unfinished, ...]]] = {SEVEN: ("7",), ACE: ("A",)}
"""The ranks of which a meld without wild cards has to become a canasta.

Each stands with the word that the rules have for it.
"""


def held_points(rules: RuleSet, hand: Sequence[Card]) -> int:
    """What the cards of one hand cost its side, with what some of them cost beyond their values."""
    values = rules.held_values
    points = sum([values[card >> 2] for card in hand])
    if rules.hand_penalty:
        kinds = [card >> 2 for card in hand]
        points -= sum([cost for name, cost in rules.hand_penalty if _HOLDS[name](kinds)])
    return points


_HOLDS: Final[Mapping[Unlucky, Callable[[Sequence[Kind]], bool]]] = {
    "3_aces": lambda kinds: kinds.count(ACE) >= 3,
    "3_sevens": lambda kinds: kinds.count(SEVEN) >= 3,
    "4_black_threes": lambda kinds: kinds.count(BLACK_THREE) >= 4,
}
