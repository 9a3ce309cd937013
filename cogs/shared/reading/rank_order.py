"""The order of ranks in pictures, menus and suggestions: ace to four, threes, joker, two."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.cards.cards import Kind
from render.layouts.hand import card_sort_key


def rank_sort_key(kind: Kind) -> int:
    """Return the number by which ranks are sorted in pictures and menus."""
    return card_sort_key(kind << 2)[0]


def sort_kinds(kinds: Iterable[Kind]) -> list[Kind]:
    """Return the ranks in the order of a hand's picture; a black three before a red one."""
    return sorted(kinds, key=lambda kind: (rank_sort_key(kind), kind))
