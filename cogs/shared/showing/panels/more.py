"""What is rarely wanted: the page behind ⋯, in the panel or beside the board, and the question before leaving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.moves.phases import Phase
from bot.i18n import Words
from bot.tables.looks import Status, TableSnapshot
from cogs.shared.door.components import DANGER, GREY, RED, SECONDARY, Page, Part, button, container, page, rows, text
from cogs.shared.door.panel_shown import PanelState
from cogs.shared.reading.draft import NOTHING
from cogs.shared.reading.ids import ControlId

_GAME: Final = {
    "score": "more.score",
    "board_text": "more.board_text",
    "fair": "more.fair",
}
_ALWAYS: Final = {"rules": "more.rules", "settings": "more.settings"}
_SEATED: Final = {"leave_ask": "more.leave_ask", "close_game": "more.close"}
"""The labels of buttons for somebody seated, by the actions they ask for."""


def more_page(words: Words, look: TableSnapshot, *, seated: bool, back: bool) -> Page:
    """Buttons for all that stands behind ⋯; for somebody `seated` leaving too, with `back` the way to the panel."""
    playing = look.status is Status.PLAYING
    wanted = _ALWAYS if look.view is None else _GAME | _ALWAYS
    wanted = wanted | _SEATED if playing and seated else wanted
    those = [button(_control(look, action), words(key)) for action, key in wanted.items()]
    if back:
        those.append(button(_control(look, "refresh"), words("panel.back")))
    title = words("more.title", table=look.id)
    return _page(look, [container(text(title), *rows(those), edge=GREY)])


def leaving_page(words: Words, look: TableSnapshot, *, back: bool) -> Page:
    """The question before somebody leaves a running game."""
    between = look.view is not None and look.view.phase is Phase.BETWEEN
    those = [button(_control(look, "leave"), words("more.leave"), style=DANGER)]
    if back:
        those.append(button(_control(look, "refresh"), words("panel.back"), style=SECONDARY))
    said = words("more.leave_between" if between else "more.leave_sure")
    return _page(look, [container(text(said), *rows(those), edge=RED)])


def _control(look: TableSnapshot, action: str) -> ControlId:
    return ControlId(look.id, look.version, action)


def _page(look: TableSnapshot, parts: Sequence[Part]) -> Page:
    """A page that takes the panel's place; the panel comes back with the next thing that happens."""
    made = page(parts)
    return Page(made.view, shown=PanelState(look.id, look.version, NOTHING, waits=True))
