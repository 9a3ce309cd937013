"""Closing a running game: what the board says while the persons seated are asked, and their buttons."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tables.looks import TableLook
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.layout import DANGER, Page, Part, button, buttons, page, text
from cogs.shared.telling import names


def closing_text(words: Words, look: TableLook) -> str:
    """Who would like to close the table, and who has not answered yet; empty where nobody asks."""
    vote = look.close_vote
    if vote is None:
        return ""
    asks = look.seat_of(vote.by)
    name = "?" if asks is None else names.of_seat(words, look, asks)
    waits = look.asked_to_close
    return words("closing.asks", name=name, names=_names(words, look, waits), count=len(waits))


def closing_buttons(words: Words, look: TableLook) -> tuple[ui.Button[Any], ...]:
    """*Agree* and *Go on playing*, which answer just this question; none where nobody asks."""
    vote = look.close_vote
    if vote is None:
        return ()
    return (
        button(ControlId(look.id, look.version, "close_yes", str(vote.at)), words("closing.agree"), style=DANGER),
        button(ControlId(look.id, look.version, "close_no", str(vote.at)), words("closing.play_on")),
    )


def waiting_text(words: Words, look: TableLook, key: str) -> str:
    """A sentence about those who have not answered yet: `closing.asked` or `closing.agreed`."""
    waits = look.asked_to_close
    return words(key, names=_names(words, look, waits), count=len(waits))


def alone_page(words: Words, look: TableLook) -> Page:
    """The one question to a person who sits alone at a table."""
    row = buttons(
        button(ControlId(look.id, look.version, "close_alone"), words("closing.close"), style=DANGER),
        button(ControlId(look.id, look.version, "close_keep"), words("closing.play_on")),
    )
    parts: list[Part | None] = [text(words("closing.alone", table=look.id)), row]
    return page([part for part in parts if part is not None])


def _names(words: Words, look: TableLook, persons: tuple[int, ...]) -> str:
    seats = (look.seat_of(person) for person in persons)
    return names.of_those(words, look, [seat for seat in seats if seat is not None])
