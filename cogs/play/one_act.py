"""One action, from its wish to the player's fresh panel."""

from __future__ import annotations

from typing import Protocol

from bot.engine.moves.actions import Action, Attempt, LayMelds, TakePile
from bot.engine.moves.refusals import Refusal
from bot.tables.looks import ActionResult, Caller
from bot.tables.refusals import TableRefusal
from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.draft import NOTHING, Draft
from cogs.shared.serving import own_panel
from cogs.shared.serving.context import Context
from cogs.shared.showing.panels.view import View


class PlayCall(Protocol):
    """A method of the table service that plays for a caller and needs nothing else said."""

    async def __call__(self, caller: Caller, table: int, *, expected_version: int | None = None) -> ActionResult: ...


async def act(
    context: Context,
    interaction: Interaction,
    table: int,
    action: Action,
    *,
    expected_version: int | None = None,
    draft: Draft = NOTHING,
) -> Page:
    """Play, and answer with the fresh hand and a word on what came of it.

    What was put together and not laid is kept as far as the hand still holds it. Refusals of somebody without a seat
    here are raised.
    """
    try:
        outcome = await context.tables.act(
            replies.caller_of(interaction), table, action, expected_version=expected_version
        )
    except (Refusal, TableRefusal) as problem:
        return await own_panel.refused_page(context, interaction, table, problem, view=View(draft=draft), action=action)
    left = NOTHING if isinstance(action, LayMelds | TakePile | Attempt) else draft
    return await own_panel.outcome_page(context, interaction, outcome, draft=left)
