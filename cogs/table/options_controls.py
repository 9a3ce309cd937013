"""The controls of the panel of house rules: each answers with the panel as it stands then."""

from __future__ import annotations

from typing import Any

from bot.engine.parameter_shapes import Shape
from bot.engine.parameters import BY_NAME, Parameter, Topic
from bot.tables.looks import Status, TableLook
from bot.tables.refusals import TableCode, TableRefusal
from cogs.shared import replies
from cogs.shared.context import Context
from cogs.shared.explain import explain
from cogs.shared.ids import ControlId
from cogs.shared.inputs import InputCode, InputProblem
from cogs.shared.replies import Interaction
from cogs.table import options_text
from cogs.table.options_panel import options_panel, typing_form

Chosen = tuple[str, ...]


class OptionsControls:
    """Answers everything in the panel; what it is asked for is checked again by the table service."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "options": self.open,
            "options_topic": self.topic,
            "options_pick": self.pick,
            "options_set": self.choose,
            "options_type": self.type,
            "options_typed": self.typed,
            "options_reset": self.reset,
            "options_reset_all": self.reset,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def open(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """From the lobby's board: the panel is the host's own, in a message of its own."""
        look = await host_look(self.context, interaction, control.table)
        await replies.show(interaction, options_panel(replies.words_for(interaction), look))

    async def topic(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        topic = next((one for one in Topic if one.value in chosen), None)
        look = await host_look(self.context, interaction, control.table)
        await self._show(interaction, look, topic=topic)

    async def pick(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        parameter = _parameter(chosen[0] if chosen else "")
        look = await host_look(self.context, interaction, control.table)
        await self._show(interaction, look, chosen=parameter)

    async def choose(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        parameter = _parameter_of(control)
        await self._change(interaction, control, parameter, options_text.chosen(parameter, chosen))

    async def type(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        parameter = _parameter_of(control)
        look = await host_look(self.context, interaction, control.table)
        await replies.ask(interaction, typing_form(replies.words_for(interaction), look, parameter))

    async def typed(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        parameter = _parameter_of(control)
        await self._change(interaction, control, parameter, options_text.typed(parameter, "".join(chosen[:1])))

    async def reset(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        parameter = _parameter_of(control) if control.argument else None
        names = () if parameter is None else (parameter.name,)
        note, look = replies.words_for(interaction)("options.saved"), None
        try:
            look = await self.tables.reset_rules(replies.caller_of(interaction), control.table, names)
        except TableRefusal as refusal:
            note = explain(replies.words_for(interaction), refusal)
        look = look or await host_look(self.context, interaction, control.table)
        await self._show(interaction, look, chosen=parameter, note=note)

    async def _change(self, interaction: Interaction, control: ControlId, parameter: Parameter, value: Any) -> None:
        """The panel with what was changed, or with the reason why it was not."""
        words = replies.words_for(interaction)
        note, look = words("options.saved"), None
        try:
            look = await self.tables.change_rules(
                replies.caller_of(interaction), control.table, {parameter.name: value}
            )
        except TableRefusal as refusal:
            note = explain(words, refusal)
            if parameter.shape in (Shape.NUMBERS, Shape.TABLE):
                note += "\n" + words(
                    f"options_typed.{parameter.shape.value}", lowest=parameter.lowest, highest=parameter.highest
                )
        look = look or await host_look(self.context, interaction, control.table)
        await self._show(interaction, look, chosen=parameter, note=note)

    async def _show(
        self,
        interaction: Interaction,
        look: TableLook,
        *,
        topic: Topic | None = None,
        chosen: Parameter | None = None,
        note: str = "",
    ) -> None:
        """In place of the panel that was used."""
        shown = options_panel(replies.words_for(interaction), look, topic=topic, chosen=chosen, note=note)
        await replies.show(interaction, shown, update=True)


async def host_look(context: Context, interaction: Interaction, table: int) -> TableLook:
    """A lobby for its host. Refusals: unknown_table, wrong_server, already_started, table_closed, not_host."""
    look = await context.tables.look_for(table, guild=interaction.guild_id)
    if look.status is Status.CLOSED:
        raise TableRefusal(TableCode.TABLE_CLOSED, {"table": table})
    if look.status is not Status.LOBBY:
        raise TableRefusal(TableCode.ALREADY_STARTED, {"table": table})
    if look.host != interaction.user.id:
        raise TableRefusal(TableCode.NOT_HOST, {"table": table, "host": look.host})
    return look


def _parameter_of(control: ControlId) -> Parameter:
    return _parameter(control.argument.replace(".", "_"))


def _parameter(name: str) -> Parameter:
    """The parameter of that name; a control of a later or earlier release may name one that is not there."""
    if name not in BY_NAME:
        raise InputProblem(InputCode.OLD_CONTROL)
    return BY_NAME[name]
