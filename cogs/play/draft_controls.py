"""The controls of the private panel that only change the draft of melds or switch its lower part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from bot.engine.table.views import SeatView
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading.card_text import DISCARD_VALUES
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import Draft
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.routing import Handler
from cogs.shared.showing.panels.panel import PanelPart, PanelView
from cogs.shared.telling.explanations import explain_problem

Chosen: TypeAlias = tuple[str, ...]
DraftChange: TypeAlias = Callable[[Draft, SeatView, Chosen], Draft]


class DraftControls:
    """Handlers of the controls that change the draft or switch the panel's part.

    They update the panel's message and never change the table.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        for name, change in _CHANGES.items():
            context.router.add(
                name, self._make_handler(change, PanelPart.OTHER if name in _IN_MENUS else PanelPart.PLAY)
            )

    def _make_handler(self, change: DraftChange, side: PanelPart) -> Handler:
        """Return a handler that changes the draft by `change` and shows this part of the panel."""

        async def handle(interaction: Interaction, control: ControlId, values: Chosen) -> None:
            await panel.answer_with_panel(
                self.context, interaction, self._changed_page(interaction, control, values, change=change, side=side)
            )

        return handle

    async def _changed_page(
        self, interaction: Interaction, control: ControlId, values: Chosen, *, change: DraftChange, side: PanelPart
    ) -> Page:
        snapshot = await panel.load_seat(self.context, interaction, control.table)
        draft, note = drafts.read_draft(control.argument), ""
        if snapshot.view is not None:
            draft = drafts.fit_draft_to_hand(draft, snapshot.view.hand)
            try:
                draft = change(draft, snapshot.view, values)
            except InputProblem as problem:
                note = explain_problem(interactions.words_for(interaction), problem, snapshot.table)
        return await panel.panel_page(self.context, interaction, snapshot, PanelView(note=note, draft=draft, side=side))


def _keep_draft(draft: Draft, _view: SeatView, _values: Chosen) -> Draft:
    """Return the draft unchanged, for controls that only switch the panel's part."""
    return draft


def _join_wild_cards(draft: Draft, _view: SeatView, values: Chosen) -> Draft:
    letter = values[0] if values else ""
    if letter not in DISCARD_VALUES:
        raise InputProblem(InputCode.OLD_CONTROL)
    return drafts.join_waiting_wild_cards(draft, DISCARD_VALUES.index(letter))


def _clear_draft(_draft: Draft, _view: SeatView, _values: Chosen) -> Draft:
    return drafts.NOTHING


def _change_meld(draft: Draft, view: SeatView, values: Chosen) -> Draft:
    return drafts.fit_draft_to_hand(drafts.replace_meld(draft, values[0] if values else ""), view.hand)


_CHANGES: Final[dict[str, DraftChange]] = {
    "choose": drafts.add_cards,
    "change": _change_meld,
    "target": _join_wild_cards,
    "other": _keep_draft,
    "stage": _keep_draft,
    "panel": _keep_draft,
    "refresh": _keep_draft,
    "clear": _clear_draft,
}
"""For each control, the change of the draft that it carries."""

_IN_MENUS: Final = frozenset({"choose", "change", "target", "other"})
"""The controls that lead to the page of menus; all others lead to the panel."""
