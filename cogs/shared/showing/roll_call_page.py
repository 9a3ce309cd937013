"""Roll calls: what a lobby says of those who are asked whether they are in, and the message that calls them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.roll_call import OPEN_FOR
from cogs.shared.door.components import SUCCESS, Page, button, buttons, page, text
from cogs.shared.reading.ids import ControlId
from cogs.shared.telling import names
from cogs.shared.telling.time_lines import instant


def asked_text(words: Words, look: TableSnapshot) -> str:
    """Who is asked, and until when; empty where nobody is."""
    roll = look.roll
    if roll is None:
        return ""
    told = names.of_those(words, look, list(roll.seats))
    return words("roll_call.asked", names=told, count=len(roll.seats), when=instant(roll.at + OPEN_FOR))


def present_button(words: Words, look: TableSnapshot) -> ui.Button[Any] | None:
    """*I'm in*, where anybody is asked."""
    if look.roll is None:
        return None
    return button(ControlId(look.id, look.version, "present"), words("roll_call.present"), style=SUCCESS)


def calling_page(words: Words, look: TableSnapshot) -> Page | None:
    """What calls those who are asked; None where nobody is."""
    roll = look.roll
    if roll is None:
        return None
    persons = tuple(person for seat in roll.seats if (person := look.seats[seat].person) is not None)
    mentions = " ".join(f"<@{person}>" for person in persons)
    told = words("roll_call.call", mentions=mentions, table=look.id, when=instant(roll.at + OPEN_FOR))
    return replace(page([text(told), *filter(None, (buttons(present_button(words, look)),))]), mentions=persons)
