"""The button *Hint*: a plan for the player's turn, why, and a button for its first act."""

from __future__ import annotations

from bot.engine.moves.refusals import Refusal
from bot.tables.state.refusals import TableRefusal
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.showing.panels.buttons import HINT
from cogs.shared.showing.panels.hint_page import hint_display
from cogs.shared.showing.panels.panel import PanelPart, PanelView


class HintControls:
    """The handler of *Hint*; it answers with the panel, which shows the hint until *Back*."""

    def __init__(self, context: Context) -> None:
        self.context = context
        context.router.add(HINT, self.show_hint)

    async def show_hint(self, interaction: Interaction, control: ControlId, _chosen: tuple[str, ...]) -> None:
        await panel.answer_with_panel(self.context, interaction, self._hint_page(interaction, control.table))

    async def _hint_page(self, interaction: Interaction, table: int) -> Page:
        """Return the panel with a hint, or with a note that there is none and why."""
        try:
            hint = await self.context.hints.plan_hint(interactions.caller_of(interaction), table)
        except (Refusal, TableRefusal) as problem:
            return await panel.refusal_page(self.context, interaction, table, problem)
        words = interactions.words_for(interaction)
        if not hint.plan:
            return await panel.panel_page(self.context, interaction, hint.snapshot, PanelView(note=words("hint.none")))
        shown = hint_display(words, hint.snapshot, hint.plan)
        return await panel.panel_page(
            self.context, interaction, hint.snapshot, PanelView(side=PanelPart.HINT, hint=shown)
        )
