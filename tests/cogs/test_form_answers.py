"""The bot answers sent forms (dialogs) by their custom ids, after a restart too; no form object waits."""

from __future__ import annotations

from cogs.shared.discord_api.components import Form, form
from cogs.shared.reading.custom_ids import ControlId
from cogs.tournament.desk.forms import FormLine, lines_form

CONTROL = ControlId(1, 2, "typed", "")


def form_of_each_kind() -> list[Form]:
    """Return a form of each kind."""
    one = form(CONTROL, "A word", hint="Any word", filled="", required=True)
    return [one, lines_form(CONTROL, "Lines", [FormLine("reason", "Why", "In a line")])]


async def test_answering_with_a_form_keeps_no_form_object_in_memory() -> None:
    """The bot would answer a kept form twice, and keep it in memory until a person sends it."""
    assert [True, True] == [one.is_finished() for one in form_of_each_kind()]
    assert [None, None] == [one.timeout for one in form_of_each_kind()]
