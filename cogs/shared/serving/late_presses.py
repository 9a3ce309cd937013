"""Answers clicks on buttons of questions that are already settled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from bot.i18n import Words
from bot.tables.state.events import SettlingEvent
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context
from cogs.shared.telling.settled_question_text import already_decided_text, decided_status_text

Result: TypeAlias = Callable[[Words, TableSnapshot, Sequence[SettlingEvent]], str]
"""Returns a sentence on how a question was settled, or "" if that is unknown."""

TOO_LATE: Final = frozenset(
    {
        TableCode.STALE_REQUEST,
        TableCode.GAME_FINISHED,
        TableCode.TABLE_CLOSED,
        TableCode.ALREADY_STARTED,
        TableCode.NOT_CALLED,
        TableCode.NOT_SEATED,
        TableCode.NO_END_CHOICE,
    }
)
"""Refusals of a request that came after its question was settled."""


async def request_unless_already_decided(
    context: Context,
    interaction: Interaction,
    control: ControlId,
    request: Awaitable[TableSnapshot],
    result: Result,
    *,
    lobby: bool = False,
) -> TableSnapshot | None:
    """Await a request that answers a question; return the table after it.

    If the question is already settled, tell the user the result and return None. With `lobby` the question is about a
    lobby, so the start of the game settles it too. A refusal for any other reason is raised.
    """
    try:
        return await request
    except TableRefusal as refusal:
        if refusal.code not in TOO_LATE:
            raise
        guild, words = interaction.guild_id, interactions.words_for(interaction)
        snapshot = await context.tables.reading.snapshot_for(control.table, person=interaction.user.id, guild=guild)
        since = await context.tables.reading.settling_events_since(control.table, control.version, guild=guild)
        text = decided_status_text(words, snapshot, lobby=lobby) or result(words, snapshot, since)
        if not text:
            raise
        await interactions.answer_privately(interaction, already_decided_text(words, text))
        return None
