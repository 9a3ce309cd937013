"""The controls of the panel of themes: each answers with the panel as it stands then."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace

from bot.engine.rules.themes.composing import OWN_THEMES
from bot.engine.rules.themes.conditions import CANASTAS
from bot.engine.rules.themes.library import GROUPS, theme_names
from bot.tables.seating.rules import THEMES_OF_RULES
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door import interactions
from cogs.shared.door.interactions import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.table.lobby_controls import changed, host_look
from cogs.table.options import theme_draft
from cogs.table.options.theme_draft import Draft
from cogs.table.options.themes_panel import OWN_DEAL, composing_panel, seats_form, themes_panel

Chosen = tuple[str, ...]


class ThemesControls:
    """Answers everything in the panel; what it is asked for is checked again by the table service."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "themes": self.open,
            "themes_group": self.group,
            "themes_choose": self.choose,
            "themes_sort": self.sort,
            "themes_drop": self.drop,
            "themes_reset": self.reset,
            "theme_ranks": self.ranks,
            "theme_canasta": self.canasta,
            "theme_number": self.number,
            "theme_end": self.end,
            "theme_deals": self.deals,
            "theme_seats": self.seats,
            "theme_seated": self.seated,
            "theme_add": self.add,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    # --- the library -------------------------------------------------------------------------------------------------

    async def open(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await self.show(interaction, await host_look(self.context, interaction, control.table))

    async def group(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        look = await host_look(self.context, interaction, control.table)
        await self.show(interaction, look, group=_group(chosen[0] if chosen else ""))

    async def choose(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """What is chosen in a group takes the place of what lay there of it; the other groups stay."""
        group = _group(control.argument.replace(".", "_"))
        look = await host_look(self.context, interaction, control.table)
        others = [name for name in theme_names(look.terms) if name not in (*GROUPS[group], *OWN_THEMES)]
        caller = interactions.caller_of(interaction)
        asking = self.tables.rules.choose_themes(caller, control.table, [*others, *chosen])
        await self._changed(interaction, control, asking, group=group)

    async def reset(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        caller = interactions.caller_of(interaction)
        await self._changed(
            interaction, control, self.tables.rules.reset_rules(caller, control.table, (THEMES_OF_RULES,))
        )

    # --- conditions of the table's own -------------------------------------------------------------------------------

    async def sort(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        await self._compose(interaction, control, theme_draft.begun(chosen[0] if chosen else ""))

    async def drop(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        draft = theme_draft.read(chosen[0] if chosen else "")
        caller = interactions.caller_of(interaction)
        asking = self.tables.rules.drop_condition(caller, control.table, draft.condition, by_deal=draft.by_deal)
        await self._changed(interaction, control, asking)

    async def ranks(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        await self._compose(interaction, control, theme_draft.with_ranks(theme_draft.read(control.argument), chosen))

    async def canasta(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        draft = theme_draft.read(control.argument)
        kind = next((one for one in CANASTAS if one in chosen), draft.condition.canasta)
        await self._compose(interaction, control, replace(draft, condition=replace(draft.condition, canasta=kind)))

    async def number(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        draft = theme_draft.read(control.argument)
        count = int(chosen[0]) if chosen and chosen[0].isdecimal() else 0
        await self._compose(interaction, control, replace(draft, condition=replace(draft.condition, number=count)))

    async def end(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        draft = theme_draft.read(control.argument)
        await self._compose(interaction, control, theme_draft.with_end(draft, chosen[0] if chosen else ""))

    async def deals(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        draft = theme_draft.read(control.argument)
        await self._compose(interaction, control, replace(draft, by_deal=OWN_DEAL in chosen))

    async def seats(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await host_look(self.context, interaction, control.table)
        words = interactions.words_for(interaction)
        await interactions.ask(interaction, seats_form(words, look, theme_draft.read(control.argument)))

    async def seated(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        draft = theme_draft.read(control.argument)
        await self._compose(interaction, control, theme_draft.with_seats(draft, "".join(chosen[:1])))

    async def add(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The panel of themes with one condition more, or the one being composed with the reason why it cannot be."""
        draft = theme_draft.read(control.argument)
        caller = interactions.caller_of(interaction)
        asking = self.tables.rules.add_condition(caller, control.table, draft.condition, by_deal=draft.by_deal)
        look, note, done = await changed(self.context, interaction, control.table, asking)
        words = interactions.words_for(interaction)
        page = themes_panel(words, look, note=note) if done else composing_panel(words, look, draft, note=note)
        await interactions.show(interaction, page, update=True)

    # --- steps -------------------------------------------------------------------------------------------------------

    async def show(self, interaction: Interaction, look: TableSnapshot, *, group: str = "", note: str = "") -> None:
        """In place of the panel that was used."""
        page = themes_panel(interactions.words_for(interaction), look, group=group, note=note)
        await interactions.show(interaction, page, update=True)

    async def _changed(
        self, interaction: Interaction, control: ControlId, asking: Awaitable[TableSnapshot], *, group: str = ""
    ) -> None:
        look, note, _ = await changed(self.context, interaction, control.table, asking)
        await self.show(interaction, look, group=group, note=note)

    async def _compose(self, interaction: Interaction, control: ControlId, draft: Draft) -> None:
        look = await host_look(self.context, interaction, control.table)
        await interactions.show(
            interaction, composing_panel(interactions.words_for(interaction), look, draft), update=True
        )


def _group(name: str) -> str:
    if name not in GROUPS:
        raise InputProblem(InputCode.OLD_CONTROL)
    return name
