"""The controls for a lobby's clock and other settings, and the panel of further settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.clocks.clock_notation import CUSTOM
from bot.computer.rollout.engine_conversion import is_searched_by_experts
from bot.i18n import Words
from bot.tables.state.clocks import (
    EXPERT,
    HINT_RULES,
    LEVELS,
    MOST_VACATION,
    PACES,
    AbsencePolicy,
    ReplayFrom,
    TableSettings,
)
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    GREEN,
    Option,
    Page,
    Part,
    button,
    button_row,
    container,
    page,
    select,
    text,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import option_choices
from cogs.shared.serving.context import Context
from cogs.shared.telling.explanations import explain_problem
from cogs.table.clock_panel import FULL, clock_form
from cogs.table.lobby_controls import require_lobby_host
from cogs.table.setup import setup_page

USUAL: Final = "usual"
_SWITCH: Final = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class SettingMenu:
    """The choices for one setting, by the names stored in controls, and which tables have that setting."""

    values: Mapping[str, Any]
    shown: Callable[[TableSettings], bool] = lambda _: True


def _day_choices(*numbers: int) -> dict[str, int | None]:
    return {USUAL: None, **{str(number): number for number in numbers}}


MENUS: Final[Mapping[str, SettingMenu]] = {
    "extension": SettingMenu(_SWITCH, lambda settings: settings.clock is not None),
    "vacation": SettingMenu(
        {str(number): number for number in range(MOST_VACATION + 1)}, lambda settings: settings.is_slow
    ),
    "latest_end": SettingMenu(_day_choices(14, 30, 60, 90, 120, 180), lambda settings: settings.clock is not None),
    "idle": SettingMenu(_day_choices(7, 14, 30, 60, 90)),
    "watching": SettingMenu(_SWITCH),
    "replay": SettingMenu({one.value: one for one in ReplayFrom}),
    "undo": SettingMenu(_SWITCH),
    "rated": SettingMenu(_SWITCH),
    "level": SettingMenu({level: level for level in LEVELS}),
    "pace": SettingMenu({pace: pace for pace in PACES}),
    "hints": SettingMenu({rule: rule for rule in HINT_RULES}),
}
"""The menu of each setting, by the name of its field in `TableSettings`."""


def settings_panel(words: Words, snapshot: TableSnapshot, *, note: str = "") -> Page:
    """Return the panel with a menu for each further setting, and a button back."""
    title = words("more_settings.title", table=snapshot.id)
    message = "\n".join([title, words("panel.note", note=note)] if note else [title])
    menus = [_setting_menu(words, snapshot, name) for name, menu in MENUS.items() if menu.shown(snapshot.settings)]
    back = button_row(button(ControlId(snapshot.id, snapshot.version, "setup"), words("picker.back")))
    return page([container(text(message), *menus, back, edge=GREEN)])


def _setting_menu(words: Words, snapshot: TableSnapshot, name: str) -> Part | None:
    chosen = getattr(snapshot.settings, name)
    options = [
        Option(
            value,
            _value_label(words, snapshot.settings, name, value),
            _level_note(words, snapshot, meant),
            chosen=meant == chosen,
        )
        for value, meant in MENUS[name].values.items()
    ]
    return select(ControlId(snapshot.id, snapshot.version, f"table_{name}"), words(f"more_settings.{name}"), options)


def _level_note(words: Words, snapshot: TableSnapshot, chosen: object) -> str | None:
    """Return the note that experts search no further than strong players in this game, or None."""
    return words("level_note.menu") if chosen == EXPERT and not is_searched_by_experts(snapshot.terms) else None


def _value_label(words: Words, settings: TableSettings, name: str, value: str) -> str:
    """Return the label of a setting's value; for the usual value it includes the number of days."""
    days = {
        "latest_end": replace(settings, latest_end=None).latest_end_days,
        "idle": replace(settings, idle=None).idle_days(alone=False),
    }
    if value == USUAL:
        return words("more_settings.usual", told=words(f"table_setting.{name}", count=days[name]))
    if value.isdigit():
        return words(f"table_setting.{name}", count=int(value))
    return words(f"table_setting.{name}.{value}")


Chosen = tuple[str, ...]


class ClockControls:
    """Handlers of the menus for clock, absent seats, length and further settings."""

    def __init__(self, context: Context) -> None:
        self.context = context
        handlers = {
            "clock": self.set_clock,
            "clock_own": self.set_custom_clock,
            "absent": self.set_absence_policy,
            "length": self.set_length,
            "table_settings": self.show_further_settings,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)
        for name in MENUS:
            context.router.add(f"table_{name}", self.set_further_setting)

    async def set_clock(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Set the chosen named clock; the last choice opens a form for a custom clock."""
        if values == (CUSTOM,):
            snapshot = await require_lobby_host(self.context, interaction, control.table)
            await interactions.show_form(interaction, clock_form(interactions.words_for(interaction), snapshot))
            return
        await self._change_and_show_panel(
            interaction, control, clock=option_choices.parse_clock(_single_choice(values))
        )

    async def set_custom_clock(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        await self._change_and_show_panel(
            interaction, control, clock=option_choices.parse_clock(_single_choice(values))
        )

    async def set_absence_policy(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        known = {one.value: one for one in AbsencePolicy}
        if _single_choice(values) not in known:
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._change_and_show_panel(interaction, control, absent=known[values[0]])

    async def set_length(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        count = _single_choice(values)
        if not (count.isascii() and count.isdigit()) or len(count) > 2:
            raise InputProblem(InputCode.OLD_CONTROL)
        await self._change_and_show_panel(interaction, control, deals=None if count == FULL else int(count))

    async def show_further_settings(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the panel of further settings."""
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        panel = settings_panel(interactions.words_for(interaction), snapshot)
        await interactions.show_page(interaction, panel, update=interactions.is_in_private_message(interaction))

    async def set_further_setting(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        name = control.action.removeprefix("table_")
        values = MENUS[name].values
        if _single_choice(chosen) not in values:
            raise InputProblem(InputCode.OLD_CONTROL)
        note = await self._change_settings(interaction, control, {name: values[chosen[0]]})
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        panel = settings_panel(interactions.words_for(interaction), snapshot, note=note)
        await interactions.show_page(interaction, panel, update=interactions.is_in_private_message(interaction))

    async def _change_and_show_panel(self, interaction: Interaction, control: ControlId, **values: Any) -> None:
        """Change the table's settings, then show the setup panel with the result or the reason for refusal."""
        note = await self._change_settings(interaction, control, values)
        page = await setup_page(self.context, interaction, control.table, note=note)
        await interactions.show_page(interaction, page, update=interactions.is_in_private_message(interaction))

    async def _change_settings(self, interaction: Interaction, control: ControlId, values: Mapping[str, Any]) -> str:
        """Change the table's settings and return a note on the result."""
        words = interactions.words_for(interaction)
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        try:
            settings = replace(snapshot.settings, **values)
            await self.context.tables.lobby.choose_settings(
                interactions.caller_of(interaction), control.table, settings
            )
        except TableRefusal as refusal:
            return explain_problem(words, refusal)
        return words("options.saved")


def _single_choice(values: Chosen) -> str:
    if len(values) != 1:
        raise InputProblem(InputCode.OLD_CONTROL)
    return values[0]
