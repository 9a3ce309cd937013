"""Changing a lobby's rules from a panel: for whom it opens, and what it says of what was asked."""

from __future__ import annotations

from collections.abc import Awaitable

from bot.tables.looks import Status, TableSnapshot
from bot.tables.refusals import TableCode, TableRefusal
from cogs.shared.door import replies
from cogs.shared.door.replies import Interaction
from cogs.shared.serving.context import Context
from cogs.shared.telling.explain import explain


async def host_look(context: Context, interaction: Interaction, table: int) -> TableSnapshot:
    """A lobby for its host. Refusals: unknown_table, wrong_server, already_started, table_closed, not_host."""
    look = await context.tables.look_for(table, person=interaction.user.id, guild=interaction.guild_id)
    if look.status is Status.CLOSED:
        raise TableRefusal(TableCode.TABLE_CLOSED, {"table": table})
    if look.status is not Status.LOBBY:
        raise TableRefusal(TableCode.ALREADY_STARTED, {"table": table})
    if look.host != interaction.user.id:
        raise TableRefusal(TableCode.NOT_HOST, {"table": table, "host": look.host})
    return look


async def changed(
    context: Context, interaction: Interaction, table: int, asking: Awaitable[TableSnapshot]
) -> tuple[TableSnapshot, str, bool]:
    """The lobby after what is asked of it, what to say of that, and whether it was done."""
    words = replies.words_for(interaction)
    try:
        return await asking, words("options.saved"), True
    except TableRefusal as refusal:
        return await host_look(context, interaction, table), explain(words, refusal), False
