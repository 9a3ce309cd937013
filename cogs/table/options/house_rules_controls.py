"""The controls of the house rules panel; each one shows the updated panel."""

from __future__ import annotations

from typing import Any

from bot.engine.rules.parameter_declarations import Topic
from bot.engine.rules.parameters import BY_NAME, Parameter, ValueType
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.table.lobby_controls import apply_lobby_change, require_lobby_host
from cogs.table.options import house_rules
from cogs.table.options.house_rules import THEMES, house_rule_value_form, house_rules_panel, typing_help
from cogs.table.options.theme_panel import themes_panel

Chosen = tuple[str, ...]


class HouseRulesControls:
    """Handlers of the controls of the house rules panel; the table service checks every request again."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "options": self.open_panel,
            "options_topic": self.show_topic,
            "options_pick": self.show_rule,
            "options_set": self.set_chosen_value,
            "options_type": self.ask_for_value,
            "options_typed": self.set_typed_value,
            "options_reset": self.reset_rules,
            "options_reset_all": self.reset_rules,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def open_panel(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the panel in place of the clicked private panel, or in a new private message."""
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        page = house_rules_panel(interactions.words_for(interaction), snapshot)
        await interactions.show_page(interaction, page, update=interactions.is_in_private_message(interaction))

    async def show_topic(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        topic = next((one for one in Topic if one.value in values), None)
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        if THEMES in values:
            await interactions.show_page(
                interaction, themes_panel(interactions.words_for(interaction), snapshot), update=True
            )
            return
        await self._show_panel(interaction, snapshot, topic=topic)

    async def show_rule(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        parameter = _parse_parameter(values[0] if values else "")
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        await self._show_panel(interaction, snapshot, chosen=parameter)

    async def set_chosen_value(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        parameter = _parameter_of_control(control)
        await self._change_rule(interaction, control, parameter, house_rules.parse_chosen_value(parameter, values))

    async def ask_for_value(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        parameter = _parameter_of_control(control)
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        await interactions.show_form(
            interaction, house_rule_value_form(interactions.words_for(interaction), snapshot, parameter)
        )

    async def set_typed_value(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        parameter = _parameter_of_control(control)
        await self._change_rule(
            interaction, control, parameter, house_rules.parse_typed_value(parameter, "".join(values[:1]))
        )

    async def reset_rules(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        parameter = _parameter_of_control(control) if control.argument else None
        names = () if parameter is None else (parameter.name,)
        asking = self.tables.rules.reset_rules(interactions.caller_of(interaction), control.table, names)
        snapshot, note, _ = await apply_lobby_change(self.context, interaction, control.table, asking)
        await self._show_panel(interaction, snapshot, chosen=parameter, note=note)

    async def _change_rule(
        self, interaction: Interaction, control: ControlId, parameter: Parameter, value: Any
    ) -> None:
        """Change a rule, then show the panel with a note or the reason for refusal."""
        asking = self.tables.rules.change_rules(
            interactions.caller_of(interaction), control.table, {parameter.name: value}
        )
        snapshot, note, done = await apply_lobby_change(self.context, interaction, control.table, asking)
        if not done and (parameter.shape in (ValueType.NUMBERS, ValueType.TABLE) or parameter.may_differ_by_deal):
            note += "\n" + typing_help(interactions.words_for(interaction), parameter)
        await self._show_panel(interaction, snapshot, chosen=parameter, note=note)

    async def _show_panel(
        self,
        interaction: Interaction,
        snapshot: TableSnapshot,
        *,
        topic: Topic | None = None,
        chosen: Parameter | None = None,
        note: str = "",
    ) -> None:
        """Show the updated panel in place of the clicked one."""
        page = house_rules_panel(interactions.words_for(interaction), snapshot, topic=topic, chosen=chosen, note=note)
        await interactions.show_page(interaction, page, update=True)


def _parameter_of_control(control: ControlId) -> Parameter:
    return _parse_parameter(control.argument.replace(".", "_"))


def _parse_parameter(name: str) -> Parameter:
    """Return the parameter of that name. Raises `InputProblem` if there is none."""
    if name not in BY_NAME:
        raise InputProblem(InputCode.OLD_CONTROL)
    return BY_NAME[name]
