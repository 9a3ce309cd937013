"""The controls of the themes panel; each one shows the updated panel."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace

from bot.engine.rules.themes.conditions import CANASTAS
from bot.engine.rules.themes.named_themes import GROUPS, theme_names
from bot.engine.rules.themes.own_themes import OWN_THEMES
from bot.tables.seating.lobby_rules import THEMES_OF_RULES
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.table.lobby_controls import apply_lobby_change, require_lobby_host
from cogs.table.options import theme_draft
from cogs.table.options.theme_draft import Draft
from cogs.table.options.theme_panel import OWN_DEAL, condition_panel, seat_ranks_form, themes_panel

Chosen = tuple[str, ...]


class ThemesControls:
    """Handlers of the controls of the themes panel; the table service checks every request again."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "themes": self.open_panel,
            "themes_group": self.show_group,
            "themes_choose": self.set_themes,
            "themes_sort": self.begin_condition,
            "themes_drop": self.remove_condition,
            "themes_reset": self.reset_themes,
            "theme_ranks": self.set_ranks,
            "theme_canasta": self.set_canasta_kind,
            "theme_number": self.set_number,
            "theme_end": self.set_end,
            "theme_deals": self.set_deals,
            "theme_seats": self.ask_for_seat_ranks,
            "theme_seated": self.set_seat_ranks,
            "theme_add": self.add_condition,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    # --- the library -------------------------------------------------------------------------------------------------

    async def open_panel(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        await self.show_panel(interaction, await require_lobby_host(self.context, interaction, control.table))

    async def show_group(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        await self.show_panel(interaction, snapshot, group=_require_group(values[0] if values else ""))

    async def set_themes(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Replace the table's themes of this group by the chosen ones; other groups are unchanged."""
        group = _require_group(control.argument.replace(".", "_"))
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        others = [name for name in theme_names(snapshot.terms) if name not in (*GROUPS[group], *OWN_THEMES)]
        caller = interactions.caller_of(interaction)
        asking = self.tables.rules.choose_themes(caller, control.table, [*others, *values])
        await self._change_and_show_panel(interaction, control, asking, group=group)

    async def reset_themes(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        caller = interactions.caller_of(interaction)
        await self._change_and_show_panel(
            interaction, control, self.tables.rules.reset_rules(caller, control.table, (THEMES_OF_RULES,))
        )

    # --- custom conditions -------------------------------------------------------------------------------------------

    async def begin_condition(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        await self._show_draft(interaction, control, theme_draft.new_draft(values[0] if values else ""))

    async def remove_condition(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        draft = theme_draft.read_draft(values[0] if values else "")
        caller = interactions.caller_of(interaction)
        asking = self.tables.rules.drop_condition(caller, control.table, draft.condition, by_deal=draft.by_deal)
        await self._change_and_show_panel(interaction, control, asking)

    async def set_ranks(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        await self._show_draft(
            interaction, control, theme_draft.draft_with_ranks(theme_draft.read_draft(control.argument), values)
        )

    async def set_canasta_kind(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        draft = theme_draft.read_draft(control.argument)
        kind = next((one for one in CANASTAS if one in values), draft.condition.canasta)
        await self._show_draft(interaction, control, replace(draft, condition=replace(draft.condition, canasta=kind)))

    async def set_number(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        draft = theme_draft.read_draft(control.argument)
        count = int(values[0]) if values and values[0].isdecimal() else 0
        await self._show_draft(interaction, control, replace(draft, condition=replace(draft.condition, number=count)))

    async def set_end(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        draft = theme_draft.read_draft(control.argument)
        await self._show_draft(interaction, control, theme_draft.draft_with_end(draft, values[0] if values else ""))

    async def set_deals(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        draft = theme_draft.read_draft(control.argument)
        await self._show_draft(interaction, control, replace(draft, by_deal=OWN_DEAL in values))

    async def ask_for_seat_ranks(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        words = interactions.words_for(interaction)
        await interactions.show_form(
            interaction, seat_ranks_form(words, snapshot, theme_draft.read_draft(control.argument))
        )

    async def set_seat_ranks(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        draft = theme_draft.read_draft(control.argument)
        await self._show_draft(interaction, control, theme_draft.draft_with_seat_ranks(draft, "".join(values[:1])))

    async def add_condition(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Add the composed condition, or show its panel again with the reason why it is impossible."""
        draft = theme_draft.read_draft(control.argument)
        caller = interactions.caller_of(interaction)
        asking = self.tables.rules.add_condition(caller, control.table, draft.condition, by_deal=draft.by_deal)
        snapshot, note, done = await apply_lobby_change(self.context, interaction, control.table, asking)
        words = interactions.words_for(interaction)
        page = themes_panel(words, snapshot, note=note) if done else condition_panel(words, snapshot, draft, note=note)
        await interactions.show_page(interaction, page, update=True)

    # --- helpers -----------------------------------------------------------------------------------------------------

    async def show_panel(
        self, interaction: Interaction, snapshot: TableSnapshot, *, group: str = "", note: str = ""
    ) -> None:
        """Show the updated panel in place of the clicked one."""
        page = themes_panel(interactions.words_for(interaction), snapshot, group=group, note=note)
        await interactions.show_page(interaction, page, update=True)

    async def _change_and_show_panel(
        self, interaction: Interaction, control: ControlId, change: Awaitable[TableSnapshot], *, group: str = ""
    ) -> None:
        snapshot, note, _ = await apply_lobby_change(self.context, interaction, control.table, change)
        await self.show_panel(interaction, snapshot, group=group, note=note)

    async def _show_draft(self, interaction: Interaction, control: ControlId, draft: Draft) -> None:
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        await interactions.show_page(
            interaction, condition_panel(interactions.words_for(interaction), snapshot, draft), update=True
        )


def _require_group(name: str) -> str:
    if name not in GROUPS:
        raise InputProblem(InputCode.OLD_CONTROL)
    return name
