"""Point sums: the most points that ranks come to together, by how many wild cards lie with them.

Ranks share nothing but the wild cards, as long as it does not matter how many cards stay in the hand. So of each the
dearest naturals for each number of wild cards are enough, and what a hand comes to is their sum, taken rank by rank.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from operator import add
from typing import Final, TypeAlias

from bot.engine.cards import JOKER, TWO
from bot.engine.rules import RuleSet

NEVER: Final = -(10**6)
"""Points of what cannot be laid: whatever is added, less than any minimum."""

Points: TypeAlias = tuple[int, ...]
"""By number of wild cards, the most points of the naturals that lie with exactly as many."""


def joined(own: Points, others: Points) -> Points:
    """What a rank and others come to together, for as many wild cards as that rank tells of."""
    if len(own) == 1:
        return (own[0] + others[0],)
    return tuple([max(map(add, own, others[used::-1])) for used in range(len(own))])


@cache
def worth_of_wilds(rules: RuleSet, twos: int, jokers: int) -> Points:
    """What so many of the wild cards count, the dearest first, by their number."""
    values = rules.card_values
    dearest = sorted([values[TWO]] * twos + [values[JOKER]] * jokers, reverse=True)
    return tuple(accumulate(dearest, initial=0))


@cache
def nothing(wilds: int) -> Points:
    """What no rank comes to: no wild card lies with it."""
    return (0, *(NEVER,) * wilds)
