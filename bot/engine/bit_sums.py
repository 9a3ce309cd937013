"""Bit sums: sets of pairs of wild cards and canastas, a bit of one integer for each.

Families laid together come to the sums of theirs: with one number for each way of laying a family, adding the family
is a shift of the set by each of its numbers (`docs/decisions/0022-sums.md`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

CANASTA: Final = 256
"""What a canasta adds to the number of wild cards: more than two hands hold of them."""

_MOST_CANASTAS: Final = 64
_ANY_CANASTAS: Final = sum(1 << CANASTA * count for count in range(_MOST_CANASTAS))


@lru_cache(maxsize=256)
def within(wilds: int) -> int:
    """All sums of at most so many wild cards."""
    return _ANY_CANASTAS * ((2 << wilds) - 1)


def has_sum(sums: int, wilds: int, canastas: int) -> bool:
    """Whether one of the sums has exactly so many wild cards and at least so many canastas."""
    return sums >> wilds + CANASTA * max(0, canastas) & _ANY_CANASTAS != 0
