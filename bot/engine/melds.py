"""Melds as they lie on the table."""

from __future__ import annotations

from bot.engine.cards import Card
from bot.engine.places import Family, Place
from bot.engine.values import value


@value
class TableMeld:
    """A meld on the table: its place, how it is made up, and its cards in ascending order."""

    place: Place
    naturals: int
    wilds: int
    cards: tuple[Card, ...]

    @property
    def kind(self) -> Family:
        """What kind of meld it is: its rank, or another family (`bot.engine.places`)."""
        return self.place & 31

    @property
    def size(self) -> int:
        """How many cards lie in it."""
        return len(self.cards)
