"""Games that rest: what the board says in a pause and when nobody is seated any more, and the way back to a seat."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tables.masters.rules import LONGEST_REASON
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.door.components import SUCCESS, Page, Part, button, buttons, page, text
from cogs.shared.reading.ids import ControlId
from cogs.shared.telling import names


def paused_text(words: Words, look: TableSnapshot) -> str:
    """That a game rests as nobody is seated, or stands still in a pause, and until when; empty where it goes on."""
    if not look.paused:
        return _standing_still(words, look)
    lines = [words("paused.paused")]
    if look.expires_at is not None:
        lines.append(words("paused.expires", when=f"<t:{look.expires_at // 1000}:R>"))
    return "\n".join(lines)


def _standing_still(words: Words, look: TableSnapshot) -> str:
    """Until when a pause lasts and who may end it; empty where there is none."""
    pause = look.pause
    if pause is None:
        return ""
    if pause.until is not None:
        return words("consent.paused_until", until=f"<t:{pause.until // 1000}:F>")
    if pause.reason:
        return words("consent.paused_reason", reason=names.shown(pause.reason, longest=LONGEST_REASON))
    return words("consent.paused_by_master")


def back_button(words: Words, look: TableSnapshot) -> ui.Button[Any] | None:
    """*Back to my seat*, where a computer player keeps one for somebody."""
    kept = any(holder.kept_for is not None for holder in look.seats)
    if look.status is not Status.PLAYING or not kept:
        return None
    return button(ControlId(look.id, look.version, "back"), words("paused.back"), style=SUCCESS)


def left_page(words: Words, look: TableSnapshot) -> Page:
    """What somebody is told who has left a table; if it plays, the way back, and who goes on while others are there."""
    back = back_button(words, look)
    said = words("done.left", table=look.id)
    if back is None:
        return page([text(said)])
    said = f"{said} {words('more.leave_sure')}" if look.persons else f"{said} {words('paused.paused')}"
    parts: list[Part | None] = [text(said), buttons(back)]
    return page([part for part in parts if part is not None])
