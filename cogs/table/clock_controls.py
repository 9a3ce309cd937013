"""The controls with which a lobby's host chooses the clock and what goes with it; the panel comes back changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.clocks.written import CUSTOM
from bot.tables.refusals import TableRefusal
from bot.tables.timing.settings import Absent
from cogs.shared.door import patience, replies
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import clock_offers
from cogs.shared.serving.context import Context
from cogs.shared.telling.explain import explain
from cogs.table.clock_panel import FULL, clock_form
from cogs.table.lobby_changes import host_look
from cogs.table.settings_panel import MENUS, settings_panel
from cogs.table.setup_controls import setup_page

Chosen = tuple[str, ...]


class ClockControls:
    """Answers the menus of the clock, of absent seats, of the length and of everything else."""

    def __init__(self, context: Context) -> None:
        self.context = context
        for action in ("clock", "absent", "length", "clock_own", "table_settings"):
            context.router.add(action, getattr(self, action))
        for name in MENUS:
            context.router.add(f"table_{name}", self.other)

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

    async def table_settings(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The panel with everything else that a table can be set to."""
        look = await host_look(self.context, interaction, control.table)
        panel = settings_panel(replies.words_for(interaction), look)
        await replies.show(interaction, panel, update=patience.in_panel(interaction))

    async def other(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        name = control.action.removeprefix("table_")
        values = MENUS[name].values
        if _only(chosen) not in values:
            raise InputProblem(InputCode.OLD_CONTROL)
        note = await self._set(interaction, control, {name: values[chosen[0]]})
        look = await host_look(self.context, interaction, control.table)
        panel = settings_panel(replies.words_for(interaction), look, note=note)
        await replies.show(interaction, panel, update=patience.in_panel(interaction))

    async def _change(self, interaction: Interaction, control: ControlId, **values: Any) -> None:
        """Set the lobby otherwise; the panel with what it is set to, or with the reason why it is not."""
        note = await self._set(interaction, control, values)
        page = await setup_page(self.context, interaction, control.table, note=note)
        await replies.show(interaction, page, update=patience.in_panel(interaction))

    async def _set(self, interaction: Interaction, control: ControlId, values: Mapping[str, Any]) -> str:
        """Set the lobby otherwise; what to say of that."""
        words = replies.words_for(interaction)
        look = await host_look(self.context, interaction, control.table)
        try:
            asked = replace(look.settings, **values)
            await self.context.tables.choose_settings(replies.caller_of(interaction), control.table, asked)
        except TableRefusal as refusal:
            return explain(words, refusal)
        return words("options.saved")


def _only(chosen: Chosen) -> str:
    if len(chosen) != 1:
        raise InputProblem(InputCode.OLD_CONTROL)
    return chosen[0]
