"""Leaving a card: which card a hand may keep to discard in going out.

Decides `docs/law/variants.md 3.10, 3.12`. Reads `discard_bans`, `out_discard`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal

from bot.engine.cards.cards import BLACK_THREE, JOKER, RED_THREE, SEVEN, Kind
from bot.engine.melds.shapes import stuck_black_threes
from bot.engine.reach.standing import Standing
from bot.engine.rules.rule_set import RuleSet

Ban = Literal["J", "threes", "wilds", "swad", "7_until_both", "7_last", "black3_first_round", "theme"]

NEVER_LAST: Final[Mapping[Ban, frozenset[Kind]]] = {
    "7_last": frozenset({SEVEN}),
    "J": frozenset({JOKER}),
    "threes": frozenset({BLACK_THREE, RED_THREE}),
}


@cache
def never_last(rules: RuleSet) -> frozenset[Kind]:
    """The kinds of cards that may not be the last discard, in going out."""
    return frozenset().union(*[kinds for ban, kinds in NEVER_LAST.items() if ban in rules.discard_bans])


def may_be_left(standing: Standing, held: Sequence[int], *, spare: int) -> list[Kind | None]:
    """The kinds of which one card may be left such that all other cards can leave the hand; None stands for no card.

    Threes and cards of closed kinds, which cannot be laid, have to be among what is left.
    """
    rules = standing.rules
    if rules.out_discard == "forbidden":
        spare = 0
    stuck = _stuck(standing, held)
    if stuck is None:
        found: list[Kind | None] = [None] if not spare or rules.out_discard != "mandatory" else []
        kinds = [kind for kind, count in enumerate(held) if count] if spare else []
        if BLACK_THREE in kinds and stuck_black_threes(rules, held[BLACK_THREE] - 1):
            kinds.remove(BLACK_THREE)
    elif len(stuck) == 1 and spare:
        found, kinds = [], stuck
    else:
        return []
    if rules.discard_bans:
        banned = never_last(rules)
        kinds = [kind for kind in kinds if kind not in banned]
    return [*found, *kinds]


def _stuck(standing: Standing, held: Sequence[int]) -> list[Kind] | None:
    """The kinds of the cards that can be laid nowhere; None where there are none.

    Those are threes that make no meld, and closed kinds.
    """
    closed = standing.closed
    found = [RED_THREE] * held[RED_THREE]
    if closed:
        found += [kind for kind in closed for _ in range(held[kind])]
    if BLACK_THREE not in closed:
        found += [BLACK_THREE] * stuck_black_threes(standing.rules, held[BLACK_THREE])
    return found or None
