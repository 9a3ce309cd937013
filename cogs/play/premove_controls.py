"""The controls with which a person prepares their own next turn. What they answer only that person sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.tables.looks import SeatSnapshot
from bot.tables.premoves.values import PlannedTurn
from bot.tables.refusals import TableRefusal
from cogs.play.premove_page import ANY, EMPTY, black_threes, premove_page, ranks, standing
from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.card_signs import KIND_LETTERS
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import own_panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.routing import Handler
from cogs.shared.showing.panels.stages import Stage, stage_of

Chosen = tuple[str, ...]
Changing = Callable[[SeatSnapshot, PlannedTurn], PlannedTurn]
"""What a control makes of a wish. Raises `InputProblem`."""


class PremoveControls:
    """Answers `premove` and the controls of its page."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers: dict[str, Handler] = {
            "premove": self.show,
            "premove_draw": self.draw,
            "premove_discard": self.discard,
            "premove_agree": self.agree,
            "premove_cancel": self.cancel,
        }
        for name, handler in handlers.items():
            context.router.add(name, handler)

    async def show(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The page; in one's own turn the panel."""
        await own_panel.answer(self.context, interaction, self._shown(interaction, control.table))

    async def _shown(self, interaction: Interaction, table: int) -> Page:
        return await self._page(interaction, await own_panel.look_of(self.context, interaction, table))

    async def draw(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """Draw unless the pile can be taken with one of these ranks, or at all."""

        def changed(look: SeatSnapshot, wish: PlannedTurn) -> PlannedTurn:
            open_to = () if look.view is None else ranks(look.view)
            named = tuple(kind for kind in open_to if KIND_LETTERS[kind] in chosen)
            return replace(wish, draw=True, ranks=() if ANY in chosen else named)

        await self._wishes(interaction, control, changed)

    async def discard(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Discard that black three after drawing; pressed again, not."""

        def changed(look: SeatSnapshot, wish: PlannedTurn) -> PlannedTurn:
            held = () if look.view is None else black_threes(look.view)
            card = next((card for card in held if str(card) == control.argument), None)
            if card is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return replace(wish, discard=None if card == wish.discard else card)

        await self._wishes(interaction, control, changed)

    async def agree(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Say yes if the partner asks; pressed again, not."""
        await self._wishes(interaction, control, lambda _look, wish: replace(wish, agree=not wish.agree))

    async def cancel(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Prepare nothing."""
        await self._wishes(interaction, control, lambda _look, _wish: EMPTY)

    async def _wishes(self, interaction: Interaction, control: ControlId, changed: Changing) -> None:
        await own_panel.answer(self.context, interaction, self._wished(interaction, control, changed))

    async def _wished(self, interaction: Interaction, control: ControlId, changed: Changing) -> Page:
        look = await own_panel.look_of(self.context, interaction, control.table)
        caller = replies.caller_of(interaction)
        try:
            wish = changed(look, standing(look))
            if wish:
                look = await self.tables.prepare(caller, control.table, wish)
            else:
                look = await self.tables.forget_premove(caller, control.table)
        except (InputProblem, TableRefusal) as problem:
            return await own_panel.refused_page(self.context, interaction, control.table, problem)
        return await self._page(interaction, look)

    async def _page(self, interaction: Interaction, look: SeatSnapshot) -> Page:
        view = look.view
        if view is None or stage_of(look) is not Stage.WAITING:
            return await own_panel.page_of(self.context, interaction, look)
        preferences = await self.context.profiles.person(interaction.user.id)
        return premove_page(replies.words_for(interaction), look, view, text_only=preferences.text_only)
