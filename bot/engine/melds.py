"""Melds as they lie on the table."""

from __future__ import annotations

from bot.engine.cards import Card, Kind
from bot.engine.values import value


@value
class TableMeld:
    """A meld on the table: its rank, how it is made up, and its cards in ascending order."""

    kind: Kind
    naturals: int
    wilds: int
    cards: tuple[Card, ...]

    @property
    def size(self) -> int:
        """How many cards lie in it."""
        return len(self.cards)
