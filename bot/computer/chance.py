"""Chance for simulations: repeatable on every version of Python, and never used for cards dealt to persons."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.engine.cards.cards import Card, full_pack
from bot.engine.rules.rule_set import RuleSet


def below(source: Random, limit: int) -> int:
    """Return a whole number from 0 to `limit` - 1.

    Only `Random.random` is promised to give the same numbers for a seed in every version, so nothing else is used.
    """
    return int(source.random() * limit)


def packs(rules: RuleSet, seed: int) -> Iterator[tuple[Card, ...]]:
    """Shuffled packs without end, always the same ones for a seed (Fisher and Yates, from the last card down)."""
    source = Random(seed)
    ordered = full_pack(rules.decks, rules.jokers_per_deck)
    while True:
        pack = list(ordered)
        for last in range(len(pack) - 1, 0, -1):
            chosen = below(source, last + 1)
            pack[last], pack[chosen] = pack[chosen], pack[last]
        yield tuple(pack)
