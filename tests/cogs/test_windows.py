"""Windows to type in are answered by the router, after a restart too; none waits for its own answer."""

from __future__ import annotations

from cogs.shared.door.components import Form, form
from cogs.shared.reading.ids import ControlId
from cogs.tournament.desk.forms import Line, lines_form

CONTROL = ControlId(1, 2, "typed", "")


def windows() -> list[Form]:
    one = form(CONTROL, "A word", hint="Any word", filled="", required=True)
    return [one, lines_form(CONTROL, "Lines", [Line("reason", "Why", "In a line")])]


async def test_no_window_keeps_anything_waiting_for_it() -> None:
    """A window that were kept would be answered twice, and hold its memory until somebody sent it."""
    assert [True, True] == [one.is_finished() for one in windows()]
    assert [None, None] == [one.timeout for one in windows()]
