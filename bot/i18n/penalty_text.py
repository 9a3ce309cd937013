"""Penalties as sentences: turn the price of an irregularity into words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bot.i18n.catalogue import Words


class PenaltyPrice(Protocol):
    """The price of an irregularity, paid or still to pay."""

    @property
    def points(self) -> int: ...
    @property
    def raised(self) -> int: ...
    @property
    def exposed(self) -> tuple[int, ...]: ...
    @property
    def until_opened(self) -> bool: ...
    @property
    def binds(self) -> bool: ...


def cost_sentence(words: Words, paid: PenaltyPrice, *, card_name: Callable[[int], str]) -> str:
    """Return the price of an irregularity in words, part by part.

    `card_name` returns the name of a card in the reader's language.
    """
    parts = []
    if paid.points:
        parts.append(words("penalty.points", points=paid.points))
    if paid.raised:
        parts.append(words("penalty.raised", points=paid.raised))
    if paid.exposed:
        key = "penalty.exposed_until_opened" if paid.until_opened else "penalty.exposed"
        parts.append(words(key, cards=" ".join(map(card_name, paid.exposed))))
    if paid.binds:
        parts.append(words("penalty.binds"))
    return ", ".join(parts)
