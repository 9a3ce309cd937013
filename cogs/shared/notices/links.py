"""Links from notices to the messages of tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from discord import ui

from bot.i18n import Words
from bot.tables.state.snapshots import BoardMessage, TableSnapshot
from cogs.shared.discord_api import table_places
from cogs.shared.discord_api.components import link_button

Links: TypeAlias = Mapping[int, str]
"""The addresses of tables' messages, by table."""

DISCORD: Final = "https://discord.com/channels"

MOST: Final = 5
"""Maximum number of tables to which one notice links: a row of buttons."""


def address_of_board(snapshot: TableSnapshot, board_message: BoardMessage | None) -> str:
    """Return the address of the table's message, or of its channel if no message is known."""
    place = table_places.place_of_table(snapshot)
    if board_message is None:
        return f"{DISCORD}/{place.guild}/{place.post_channel}"
    return f"{DISCORD}/{place.guild}/{board_message.channel}/{board_message.message}"


def table_button(words: Words, snapshot: TableSnapshot, links: Links) -> ui.Button[Any]:
    """Return the button that opens the table's message."""
    return link_button(links.get(snapshot.id) or address_of_board(snapshot, None), words("notices.open"))


def table_buttons(words: Words, snapshots: list[TableSnapshot], links: Links) -> list[ui.Button[Any]]:
    """Return one button per table, which opens the table's message."""
    return [
        link_button(
            links.get(snapshot.id) or address_of_board(snapshot, None), words("notices.open_table", table=snapshot.id)
        )
        for snapshot in snapshots[:MOST]
    ]


def open_server_button(words: Words, snapshot: TableSnapshot) -> ui.Button[Any]:
    """Return the button that opens the table's server, for a table whose channel was deleted."""
    return link_button(f"{DISCORD}/{snapshot.guild}", words("notices.open_server"))
