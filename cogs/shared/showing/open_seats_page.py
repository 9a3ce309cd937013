"""The message that lists a server's open seats. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from bot.i18n import Words
from bot.tables.open_seats import count_free_seats
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.components import (
    GREEN,
    LONGEST_TEXT,
    SUCCESS,
    Page,
    Part,
    button,
    button_row,
    container,
    page,
    section,
    text,
)
from cogs.shared.discord_api.table_places import place_of_table
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.telling import names, status_text

OPEN: Final = "open_table"
"""Action of *Open a table*."""

CALL_ME: Final = "call_me"
"""Action of *Call me for a game*, which gives the role that is called, or takes it back."""

MOST_LISTED: Final = 10
"""Lobbies listed by name: each has three components, and a message at most 40."""


ROOM: Final = LONGEST_TEXT - 600
"""Characters for the lobbies of a message, which leave room for its title, a call and the line of how many more."""


def open_seats_page(
    words: Words, snapshots: Sequence[TableSnapshot], *, has_role_button: bool, role_mention: str = ""
) -> Page:
    """Return the message that lists these lobbies, as many as fit, and says how many more there are.

    With `has_role_button` it has the button *Call me for a game*. `role_mention` is a line that mentions a role, or "".
    """
    texts = _texts_that_fit([_lobby_text(words, snapshot) for snapshot in snapshots[:MOST_LISTED]])
    more = len(snapshots) - len(texts)
    parts: list[Part | None] = [
        text(words("open_seats.title")) if snapshots else text(words("open_seats.none")),
        *(
            section(one, button(ControlId(snapshot.id, 0, "join"), words("lobby.sit")))
            for one, snapshot in zip(texts, snapshots, strict=False)
        ),
        text(words("open_seats.more", count=more)) if more > 0 else None,
        button_row(
            button(ControlId(0, 0, OPEN), words("open_seats.open"), style=SUCCESS),
            button(ControlId(0, 0, CALL_ME), words("open_seats.call_me")) if has_role_button else None,
        ),
    ]
    return page([*([text(role_mention)] if role_mention else []), container(*parts, edge=GREEN)])


def role_mention_text(words: Words, snapshot: TableSnapshot, role: int) -> str:
    """Return the line that mentions the role and describes the lobby."""
    return words(
        "open_seats.call", role=f"<@&{role}>", rules=names.table_rules_name(words, snapshot), table=snapshot.id
    )


def _texts_that_fit(texts: Sequence[str]) -> list[str]:
    """Return as many of these texts as fit into a message beside its other parts, from the first on."""
    lengths = accumulate(len(one) for one in texts)
    return [one for one, length in zip(texts, lengths, strict=True) if length <= ROOM]


def _lobby_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return text on a lobby: its game, pace, people and free seats."""
    seated = ", ".join(
        names.escape_name(names.holder_name(words, one)) for one in snapshot.seats if one.person is not None
    )
    texts = [
        words(
            "open_seats.game",
            rules=names.table_rules_name(words, snapshot),
            table=snapshot.id,
            place=f"<#{place_of_table(snapshot).post_channel}>",
        ),
        words(
            "open_seats.seats",
            pace=status_text.clock_name(words, snapshot.settings.clock),
            free=words("open_seats.free", count=count_free_seats(snapshot), players=snapshot.players),
            names=seated,
        ),
    ]
    if snapshot.settings.rated:
        texts.append(words("lobby.rated"))
    return "\n".join(texts)
