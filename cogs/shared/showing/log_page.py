"""The page of a deal's log, with the ways to its other parts and to other deals."""

from __future__ import annotations

from typing import Final

from bot.i18n import Words
from bot.tables.past.past_looks import DealLog
from cogs.shared.door.components import Option, Page, Part, button, buttons, container, page, select, text
from cogs.shared.reading.discord_limits import MOST_OPTIONS
from cogs.shared.reading.ids import ControlId
from cogs.shared.telling import log_text, spoken

TURNED: Final = "log"
DEAL: Final = "log_deal"

ROOM: Final = 3500
"""Characters of a page's lines."""


def log_page(words: Words, log: DealLog, part: int | None = None, *, listens: bool = False) -> Page:
    """A part of the log, without a number the last; for who listens cards are words."""
    told = log_text.lines(words, log) or [words("past.nothing_yet")]
    if listens:
        told = [spoken.spelled(words, line) for line in told]
    pages = log_text.parts(told, room=ROOM)
    shown = len(pages) - 1 if part is None else max(0, min(part, len(pages) - 1))
    title = words("past.log_title", table=log.look.id, deal=log.deal)
    if len(pages) > 1:
        title = words("past.of_pages", title=title, page=shown + 1, pages=len(pages))
    body = container(text("\n".join([title, *pages[shown]])), _turning(log, shown, len(pages)), _deals(words, log))
    return page([body])


def _turning(log: DealLog, shown: int, pages: int) -> Part | None:
    if pages == 1:
        return None
    ways = ((shown - 1, "◀"), (shown + 1, "▶"))
    return buttons(*(button(_part(log, part), label, enabled=0 <= part < pages) for part, label in ways))


def _part(log: DealLog, part: int) -> ControlId:
    """The way to a part of the log; none leads before the first."""
    return ControlId(log.look.id, log.look.version, TURNED, f"{log.deal}.{part}" if part >= 0 else str(log.deal))


def _deals(words: Words, log: DealLog) -> Part | None:
    """The deals to choose from, the latest ones; none where there is only one."""
    if len(log.deals) < 2:
        return None
    options = [
        Option(str(deal), words("past.deal", deal=deal), chosen=deal == log.deal) for deal in log.deals[-MOST_OPTIONS:]
    ]
    return select(ControlId(log.look.id, log.look.version, DEAL), words("past.which_deal"), options)
