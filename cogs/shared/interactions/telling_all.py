"""Telling a whole table something: a message of its own where the table lives."""

from __future__ import annotations

from dataclasses import replace

from bot.tables.looks import TableLook
from cogs.shared.interactions import places
from cogs.shared.interactions.calls import Failed, attempt
from cogs.shared.interactions.layout import text_page
from cogs.shared.interactions.replies import Interaction


async def tell_table(interaction: Interaction, look: TableLook, told: str, *, calls: tuple[int, ...] = ()) -> bool:
    """Post a sentence where the table lives, notifying those persons; False where that was not possible."""
    page = replace(text_page(told), mentions=calls)
    channel = interaction.client.get_partial_messageable(places.of_table(look).posts_in, guild_id=look.guild)
    sending = channel.send(view=page.view, allowed_mentions=page.allowed_mentions)
    return not isinstance(await attempt(sending, "telling a table", table=look.id), Failed)
