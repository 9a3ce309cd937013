"""Autocompletion of seat numbers in commands about a table."""

from __future__ import annotations

from collections.abc import Collection

from discord import app_commands

from bot.i18n import Words
from bot.tables.service import TableService
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import LONGEST_OPTION, fit_text
from cogs.shared.discord_api.interactions import Interaction, ignore_problems
from cogs.shared.serving import which_table
from cogs.shared.showing.lobby import seat_label
from cogs.shared.telling import names


async def seat_choices(
    tables: TableService,
    interaction: Interaction,
    typed: str,
    *,
    holder_kinds: Collection[str],
    status: Status = Status.LOBBY,
) -> list[app_commands.Choice[int]]:
    """Return the seats of the command's table, counted from 1, whose `SeatHolder.kind` is in `holder_kinds`."""
    named = getattr(interaction.namespace, "table", None)
    found: list[tuple[str, int]] = []
    async with ignore_problems():
        number = await which_table.find_any_table(tables, interaction, named or None)
        snapshot = await tables.reading.snapshot_for(number, person=interaction.user.id, guild=interaction.guild_id)
        if snapshot.status is status:
            words = interactions.words_for(interaction)
            chosen = [seat for seat, holder in enumerate(snapshot.seats) if holder.kind in holder_kinds]
            found = [(_seat_label(words, snapshot, seat), seat + 1) for seat in chosen]
    wanted = str(typed).casefold()
    return [
        app_commands.Choice(name=fit_text(label, LONGEST_OPTION), value=value)
        for label, value in found
        if wanted in label.casefold()
    ]


def _seat_label(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    """Return a label with the seat, the players of its side, and its holder."""
    label = seat_label(words, snapshot, seat)
    if snapshot.seats[seat].kind == "empty":
        return label
    return words("setup.held", name=names.holder_name(words, snapshot.seats[seat]), seat=label)
