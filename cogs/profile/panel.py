"""The panel of one's settings: a pure rendering, with a menu for each choice and a preview."""

from __future__ import annotations

from bot.i18n import Words
from bot.profiles.preferences import CHOICES, Preferences
from cogs.shared.interactions import choices
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.layout import Option, Page, Part, Picture, container, gallery, page, select, text

PREFIX = "set_"
"""The control of a choice is named by this and the choice."""


def settings_panel(
    words: Words, preferences: Preferences, *, picture: Picture | None = None, told: str = "", note: str = ""
) -> Page:
    """What is chosen, what can be, and what it looks like: as `picture`, or `told` in words."""
    head = "\n".join([words("settings.title"), choices.in_words(words, preferences)])
    lines = [words("panel.note", note=note)] if note else []
    lines += [words("settings.preview"), *([told] if told else [])]
    menus = (_menu(words, name, getattr(preferences, name)) for name in CHOICES)
    shown = container(
        text(head), text("\n".join(lines)), gallery(picture), *menus, text(f"-# {words('settings.private')}")
    )
    return page([shown], () if picture is None else (picture,))


def _menu(words: Words, name: str, chosen: str) -> Part | None:
    label = words(f"settings.{name}")
    options = [
        Option(value, choices.value_name(words, name, value), label, chosen=value == chosen) for value in CHOICES[name]
    ]
    return select(ControlId(0, 0, f"{PREFIX}{name}"), label, options)
