"""Post separate messages in the channel or thread of a table."""

from __future__ import annotations

from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import table_places
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.discord_calls import FailedCall, attempt_call
from cogs.shared.discord_api.interactions import Interaction


async def post_at_table(interaction: Interaction, snapshot: TableSnapshot, page: Page) -> bool:
    """Post a page in the table's channel or thread with its mentions; return whether that succeeded."""
    channel = interaction.client.get_partial_messageable(
        table_places.place_of_table(snapshot).post_channel, guild_id=snapshot.guild
    )
    sending = channel.send(view=page.view, allowed_mentions=page.allowed_mentions)
    return not isinstance(await attempt_call(sending, "telling a table", table=snapshot.id), FailedCall)
