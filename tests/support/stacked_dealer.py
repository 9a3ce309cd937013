"""A dealer that deals cards chosen by a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.cards.cards import Card
from bot.tables.state.shuffle import deal_pack


@dataclass(slots=True)
class StackedDealer:
    """Deals `pack` every time; without one it shuffles as the program does."""

    pack: tuple[Card, ...] | None = None

    def __call__(
        self, seed: bytes, table: int, deal: int, contributions: Sequence[str], *, decks: int, jokers_per_deck: int
    ) -> tuple[Card, ...]:
        if self.pack is not None:
            return self.pack
        return deal_pack(seed, table, deal, contributions, decks=decks, jokers_per_deck=jokers_per_deck)
