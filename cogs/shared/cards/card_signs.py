"""Cards in controls: the sign of each rank, and the emoji of a card where there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import discord

from bot.engine.cards.cards import Card

KIND_LETTERS: Final = "456789TJQKA3203"
"""The letter of each kind in menus where melds are put together."""

DISCARD_VALUES: Final[tuple[str, ...]] = (*"456789TJQKA32", "JK", "R3")
"""The sign of each kind in a control that discards."""

EmojiOf: TypeAlias = Callable[[Card | None], discord.PartialEmoji | None]
"""The emoji of a card, if there is one."""


def no_emoji(_card: Card | None) -> discord.PartialEmoji | None:
    """Cards stand in text as they are."""
    return None
