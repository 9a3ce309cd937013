"""The page that replaces a person's panel once they have lost their seat. Pure."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api.components import SUCCESS, Page, Part, button, button_row, page, text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.telling import names


def lost_seat_page(words: Words, snapshot: TableSnapshot, person: int) -> Page | None:
    """Return the page on who plays the seat that the person has lost, with a button to return.

    Return None if the person has lost no seat.
    """
    if snapshot.status is not Status.PLAYING or snapshot.seat_of(person) is not None:
        return None
    for seat, holder in enumerate(snapshot.seats):
        if holder.kept_for == person:
            left = seat in snapshot.absence.left
            message = words("lost_seat.left" if left else "lost_seat.computer", table=snapshot.id)
            label = words("lost_seat.ask" if left else "paused.back")
            return _one_button_page(
                message, button(ControlId(snapshot.id, snapshot.version, "back"), label, style=SUCCESS)
            )
    had = [one.seat for one in snapshot.sat if one.holder.person == person]
    if not had and person not in snapshot.absence.seen:
        return None
    # A seat held for less than one turn is not recorded, so its number may be unknown.
    name = names.seat_name(words, snapshot, had[-1]) if had else words("lost_seat.somebody")
    message = words("lost_seat.taken", name=name, table=snapshot.id)
    watch = button(ControlId(snapshot.id, snapshot.version, "watch"), words("watching.watch"))
    return _one_button_page(message, watch if snapshot.settings.watching else None)


def _one_button_page(message: str, way: ui.Button[Any] | None) -> Page:
    parts: list[Part | None] = [text(message), button_row(way)]
    return page([part for part in parts if part is not None])
