"""The answer when a command could mean several tables: a button for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.components import Page, Part, button, button_row, page, text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.telling import names

MOST_BUTTONS: Final = 10
"""Maximum number of tables with a button."""

_IN_A_ROW: Final = 5


class AmbiguousTable(InputProblem):
    """A command could mean several tables."""

    def __init__(self, snapshots: Sequence[TableSnapshot]) -> None:
        super().__init__(
            InputCode.WHICH_TABLE, {"tables": ", ".join(str(snapshot.id) for snapshot in snapshots[:MOST_BUTTONS])}
        )
        self.looks = tuple(snapshots[:MOST_BUTTONS])


def which_table_page(words: Words, unclear: AmbiguousTable, sentence: str) -> Page:
    """Return a page with the sentence and one button per table that opens the person's hand."""
    ways = [
        button(
            ControlId(snapshot.id, snapshot.version, "hand"),
            words("list.choice", table=snapshot.id, names=_player_names(words, snapshot)),
        )
        for snapshot in unclear.looks
    ]
    rows: list[Part | None] = [button_row(*ways[first : first + _IN_A_ROW]) for first in range(0, len(ways), _IN_A_ROW)]
    return page([text(sentence), *(row for row in rows if row is not None)])


def _player_names(words: Words, snapshot: TableSnapshot) -> str:
    return ", ".join(names.holder_name(words, holder) for holder in snapshot.seats if holder.kind != "empty")
