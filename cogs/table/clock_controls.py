"""The controls with which a lobby's host chooses the clock and what goes with it; the panel comes back changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.clocks.written import CUSTOM
from bot.tables.refusals import TableRefusal
from bot.tables.timing.settings import Absent
from cogs.shared.interactions import clock_offers, patience, replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.inputs import InputCode, InputProblem
from cogs.shared.interactions.replies import Interaction
from cogs.shared.telling.explain import explain
from cogs.table.changing import host_look
from cogs.table.clock_panel import FULL, clock_form
from cogs.table.setup_controls import setup_page

Chosen = tuple[str, ...]


class ClockControls:
    """Answers the menus of the clock, of absent seats and of the length."""

    def __init__(self, context: Context) -> None:
        self.context = context
        for action in ("clock", "absent", "length", "clock_own"):
            context.router.add(action, getattr(self, action))

    async def clock(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """A clock with a name; the last choice opens a window for another one."""
        if chosen == (CUSTOM,):
            look = await host_look(self.context, interaction, control.table)
            await replies.ask(interaction, clock_form(replies.words_for(interaction), look))
            return
        await self._change(interaction, control, clock=clock_offers.typed_clock(_only(chosen)))

    async def clock_own(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        await self._change(interaction, control, clock=clock_offers.typed_clock(_only(chosen)))

    async def absent(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        known = {one.value: one for one in Absent}
        if _only(chosen) not in known:
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._change(interaction, control, absent=known[chosen[0]])

    async def length(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        count = _only(chosen)
        if not (count.isascii() and count.isdigit()) or len(count) > 2:
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._change(interaction, control, deals=None if count == FULL else int(count))

    async def _change(self, interaction: Interaction, control: ControlId, **values: Any) -> None:
        """Set the lobby otherwise; the panel with what it is set to, or with the reason why it is not."""
        words = replies.words_for(interaction)
        look = await host_look(self.context, interaction, control.table)
        try:
            asked = replace(look.settings, **values)
            await self.context.tables.choose_settings(replies.caller_of(interaction), control.table, asked)
            note = words("options.saved")
        except TableRefusal as refusal:
            note = explain(words, refusal)
        page = await setup_page(self.context, interaction, control.table, note=note)
        await replies.show(interaction, page, update=patience.in_panel(interaction))


def _only(chosen: Chosen) -> str:
    if len(chosen) != 1:
        raise InputProblem(InputCode.OLD_CONTROL)
    return chosen[0]
