"""Preferences: every choice there is, with its values, the default one first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

THEMES: Final = ("dark", "light", "contrast", "large")
DECKS: Final = ("four", "two")
ORDERS: Final = ("rank", "value", "drawn")
PICTURES: Final = ("pictures", "text")
DRAWING: Final = ("touch", "itself")
DISCARDING: Final = ("wild", "always")

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": THEMES,
    "deck": DECKS,
    "order": ORDERS,
    "pictures": PICTURES,
    "drawing": DRAWING,
    "discarding": DISCARDING,
}
"""The values of each choice by its name, which is that of its field; both are stored and stay as they are."""

SERVER_CHOICES: Final = ("theme", "deck")
"""What a server chooses, for its boards."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What somebody has chosen: the look of pictures, the deck's colours, the order of the hand, pictures or text.

    `drawing` tells whether cards are drawn at a touch, or by themselves where the pile cannot be taken by anybody;
    `discarding` whether only a wild card is asked about before it is discarded, or every card.
    """

    theme: str = THEMES[0]
    deck: str = DECKS[0]
    order: str = ORDERS[0]
    pictures: str = PICTURES[0]
    drawing: str = DRAWING[0]
    discarding: str = DISCARDING[0]

    @property
    def text_only(self) -> bool:
        """Whether everything is told in words, without a picture."""
        return self.pictures == "text"


DEFAULTS: Final = Preferences()


def read(stored: Mapping[str, str]) -> Preferences:
    """The preferences of what is stored; a value that this release does not know counts as the default."""
    known = {one.name: stored[one.name] for one in fields(Preferences) if one.name in stored}
    return Preferences(**{name: value for name, value in known.items() if value in CHOICES[name]})
