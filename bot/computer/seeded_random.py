"""Repeatable random numbers for simulations; never used for real deals."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.engine.cards.cards import Card, full_pack
from bot.engine.rules.rule_set import RuleSet


def random_below(source: Random, limit: int) -> int:
    """Return an integer from 0 to `limit` - 1.

    Only `Random.random` is guaranteed to be the same in every Python version, so nothing else is used.
    """
    return int(source.random() * limit)


def shuffled_packs(rules: RuleSet, seed: int) -> Iterator[tuple[Card, ...]]:
    """Yield shuffled packs without end, always the same for a seed (Fisher and Yates)."""
    source = Random(seed)
    ordered = full_pack(rules.decks, rules.jokers_per_deck)
    while True:
        pack = list(ordered)
        for last in range(len(pack) - 1, 0, -1):
            chosen = random_below(source, last + 1)
            pack[last], pack[chosen] = pack[chosen], pack[last]
        yield tuple(pack)
