"""Text about paused games and games without players, and the button to return to a seat."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tables.masters.interventions import LONGEST_REASON
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api.components import SUCCESS, Page, Part, button, button_row, page, text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.telling import names


def paused_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return a sentence saying that the game is paused or has no players, and until when.

    Return "" for any other game.
    """
    if not snapshot.has_no_people:
        return _pause_text(words, snapshot)
    lines = [words("paused.paused")]
    if snapshot.expires_at is not None:
        lines.append(words("paused.expires", when=f"<t:{snapshot.expires_at // 1000}:R>"))
    return "\n".join(lines)


def _pause_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return a sentence on how long a pause lasts and who may end it; "" without a pause."""
    pause = snapshot.pause
    if pause is None:
        return ""
    if pause.until is not None:
        return words("consent.paused_until", until=f"<t:{pause.until // 1000}:F>")
    if pause.reason:
        return words("consent.paused_reason", reason=names.escape_name(pause.reason, longest=LONGEST_REASON))
    return words("consent.paused_by_master")


def return_to_seat_button(words: Words, snapshot: TableSnapshot) -> ui.Button[Any] | None:
    """Return the button *Back to my seat* if a computer player keeps a seat, else None."""
    kept = any(holder.kept_for is not None for holder in snapshot.seats)
    if snapshot.status is not Status.PLAYING or not kept:
        return None
    return button(ControlId(snapshot.id, snapshot.version, "back"), words("paused.back"), style=SUCCESS)


def already_decided_page(words: Words, snapshot: TableSnapshot, message: str) -> Page:
    """Return the answer to a late click on a question about the reader's seat.

    `message` is how the question was settled. There is a button to return if the seat is kept.
    """
    parts: list[Part | None] = [
        text(words("decided.already", told=message)),
        button_row(return_to_seat_button(words, snapshot)),
    ]
    return page([part for part in parts if part is not None])


def page_after_leaving(words: Words, snapshot: TableSnapshot) -> Page:
    """Return the page for a person who left: who plays on, and a button to return to the seat."""
    back = return_to_seat_button(words, snapshot)
    message = words("done.left", table=snapshot.id)
    if back is None:
        return page([text(message)])
    message = f"{message} {words('more.leave_sure')}" if snapshot.persons else f"{message} {words('paused.paused')}"
    parts: list[Part | None] = [text(message), button_row(back)]
    return page([part for part in parts if part is not None])
