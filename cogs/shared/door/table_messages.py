"""Telling a whole table something: a message of its own where the table lives."""

from __future__ import annotations

from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door import places
from cogs.shared.door.calls import Failed, attempt
from cogs.shared.door.components import Page, text_page
from cogs.shared.door.interactions import Interaction


async def tell_table(interaction: Interaction, look: TableSnapshot, told: str) -> bool:
    """Post a sentence where the table lives, notifying nobody; False where that was not possible."""
    return await post(interaction, look, text_page(told))


async def post(interaction: Interaction, look: TableSnapshot, page: Page) -> bool:
    """Post a page where the table lives, notifying whom it mentions; False where that was not possible."""
    channel = interaction.client.get_partial_messageable(places.of_table(look).posts_in, guild_id=look.guild)
    sending = channel.send(view=page.view, allowed_mentions=page.allowed_mentions)
    return not isinstance(await attempt(sending, "telling a table", table=look.id), Failed)
