"""The button with which a player gives a word of their own to the shuffle, for lobbies and boards between deals."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from cogs.shared.door.components import button
from cogs.shared.reading.ids import ControlId

WORD = "word"
"""The action of the control that opens the form."""

WORD_TYPED = "word_typed"
"""The action of the form when it is sent."""


def word_button(words: Words, look: TableSnapshot) -> ui.Button[Any]:
    """*Add a word*."""
    return button(ControlId(look.id, look.version, WORD), words("own_word.add"))
