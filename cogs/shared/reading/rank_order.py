"""The one order in which ranks stand, on pictures, in menus and in suggestions: ace to four, threes, joker, two."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.cards.cards import Kind
from render.layouts.hand import place_of


def place_of_kind(kind: Kind) -> int:
    """The number by which ranks are sorted."""
    return place_of(kind << 2)[0]


def in_order(kinds: Iterable[Kind]) -> list[Kind]:
    """The ranks as a picture of a hand has them; a black three before a red one."""
    return sorted(kinds, key=lambda kind: (place_of_kind(kind), kind))
