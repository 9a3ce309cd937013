"""The panel with a lobby's further settings: a menu for each, as data; pure but for the words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.timing.settings import MOST_VACATION, ReplayFrom, TableSettings
from cogs.shared.door.components import GREEN, Option, Page, Part, button, buttons, container, page, select, text
from cogs.shared.reading.ids import ControlId

USUAL: Final = "usual"
_SWITCH: Final = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class Menu:
    """The values that a setting is offered with, by their stable names, and whether a table has it at all."""

    values: Mapping[str, Any]
    shown: Callable[[TableSettings], bool] = lambda _: True


def _days(*numbers: int) -> dict[str, int | None]:
    return {USUAL: None, **{str(number): number for number in numbers}}


MENUS: Final[Mapping[str, Menu]] = {
    "extension": Menu(_SWITCH, lambda settings: settings.clock is not None),
    "vacation": Menu({str(number): number for number in range(MOST_VACATION + 1)}, lambda settings: settings.slow),
    "latest_end": Menu(_days(14, 30, 60, 90, 120, 180), lambda settings: settings.clock is not None),
    "idle": Menu(_days(7, 14, 30, 60, 90)),
    "watching": Menu(_SWITCH),
    "replay": Menu({one.value: one for one in ReplayFrom}),
    "undo": Menu(_SWITCH),
    "rated": Menu(_SWITCH),
}
"""By the name of the field."""


def settings_panel(words: Words, look: TableSnapshot, *, note: str = "") -> Page:
    """Every further setting as it stands, in a menu that changes it, and the way back."""
    title = words("more_settings.title", table=look.id)
    told = "\n".join([title, words("panel.note", note=note)] if note else [title])
    menus = [_menu(words, look, name) for name, menu in MENUS.items() if menu.shown(look.settings)]
    back = buttons(button(ControlId(look.id, look.version, "setup"), words("picker.back")))
    return page([container(text(told), *menus, back, edge=GREEN)])


def _menu(words: Words, look: TableSnapshot, name: str) -> Part | None:
    chosen = getattr(look.settings, name)
    options = [
        Option(value, _label(words, look.settings, name, value), chosen=meant == chosen)
        for value, meant in MENUS[name].values.items()
    ]
    return select(ControlId(look.id, look.version, f"table_{name}"), words(f"more_settings.{name}"), options)


def _label(words: Words, settings: TableSettings, name: str, value: str) -> str:
    """What a table is like with that value; days that nobody chose are told as what they come to."""
    days = {
        "latest_end": replace(settings, latest_end=None).latest_end_days,
        "idle": replace(settings, idle=None).idle_days(alone=False),
    }
    if value == USUAL:
        return words("more_settings.usual", told=words(f"table_setting.{name}", count=days[name]))
    if value.isdigit():
        return words(f"table_setting.{name}", count=int(value))
    return words(f"table_setting.{name}.{value}")
