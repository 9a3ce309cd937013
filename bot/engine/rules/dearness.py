"""Dearness: what would make the rules take long to answer, and how far a table may go with it.

Where runs are melded, or twos as a rank, a hand has so many ways to be laid that each card more in it doubles the work;
games of those kinds are played with hands of fifteen. No law stands behind these limits; a table that asks for more is
told why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.engine.cards.values import value
from bot.engine.rules.rule_set import RuleSet, of_all_deals

MANY_WAYS: Final = frozenset({"seq", "deuce"})
HIGHEST_MINIMUM: Final = 250


@value
class TooMuch:
    """A parameter, its number that is too large, and the largest number that it may have."""

    parameter: str
    number: int
    most: int


def too_much(rules: RuleSet) -> Iterator[TooMuch]:
    """The parameters whose numbers are too large; none where every meld is of one rank or of wild cards."""
    if not rules.meld_kinds & MANY_WAYS:
        return
    most = {
        "decks": max(4, rules.players + 1),
        "hand_size": 20,
        "foot_size": 20,
        "draw": 3,
        "meld_max": 20,
    }
    for name, limit in most.items():
        given = getattr(rules, name)
        number = 0 if given is None else max(of_all_deals(given))
        if number > limit:
            yield TooMuch(name, number, limit)
    minimum = max([points for _, points in rules.open_table], default=0)
    if minimum > HIGHEST_MINIMUM:  # nobody opens then, and hands grow all deal long
        yield TooMuch("open_table", minimum, HIGHEST_MINIMUM)
