"""The panel of one's settings: a pure rendering in three pages, with a menu for each choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.clocks.personal import PersonalHours
from bot.i18n import Words
from bot.profiles.preferences import CHOICES, Preferences
from cogs.profile import quiet_words
from cogs.shared.door.components import (
    PRIMARY,
    SECONDARY,
    Option,
    Page,
    Part,
    Picture,
    button,
    buttons,
    container,
    gallery,
    page,
    select,
    text,
)
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving import choices
from cogs.shared.serving.quiet_question import question

PREFIX: Final = "set_"
"""The control of a choice is named by this and the choice."""

TURN: Final = "settings_page"
"""Turns to the page that the argument names."""

VACATION: Final = "set_vacation"
"""Chooses whether days of vacation are taken by themselves."""

LOOK: Final = "look"
PLAY: Final = "play"
TIME: Final = "time"
PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    LOOK: ("language", "theme", "deck", "order", "pictures"),
    PLAY: ("drawing", "discarding", "joiners"),
    TIME: ("notices", "reminders", "digest", "pings"),
}
"""The pages in order, each with its choices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsView:
    """What the panel shows: a page, what has been chosen, and when that is looked at (UTC milliseconds).

    `picture` or `told` is what the look comes to; `note` says what just happened.
    """

    page: str
    preferences: Preferences
    personal: PersonalHours
    now: int
    picture: Picture | None = None
    told: str = ""
    note: str = ""


def page_of(name: str) -> str:
    """The page of a choice."""
    return next((page for page, names in PAGES.items() if name in names), TIME)


def settings_panel(words: Words, shown: SettingsView) -> Page:
    """What is chosen, what can be, and on the first page what it looks like."""
    names = PAGES[shown.page]
    head = "\n".join([words("settings.title"), choices.in_words(words, shown.preferences, names)])
    note = text(words("panel.note", note=shown.note)) if shown.note else None
    body = _BODIES[shown.page](words, shown)
    menus = (_menu(words, name, getattr(shown.preferences, name)) for name in names)
    foot = text(f"-# {words('settings.private')}") if shown.page == LOOK else None
    parts = container(text(head), note, *body, *menus, foot, _turning(words, shown.page))
    return page([parts], () if shown.picture is None else (shown.picture,))


def _look(words: Words, shown: SettingsView) -> list[Part | None]:
    lines = [words("settings.preview"), *([shown.told] if shown.told else [])]
    return [text("\n".join(lines)), gallery(shown.picture)]


def _play(_words: Words, _shown: SettingsView) -> list[Part | None]:
    return []


def _time(words: Words, shown: SettingsView) -> list[Part | None]:
    told = quiet_words.told(words, shown.personal, zone=shown.preferences.zone, now=shown.now)
    label = words("settings.vacation")
    automatic = "on" if shown.personal.automatic else "off"
    options = [Option(value, words(f"automatic.{value}"), label, chosen=value == automatic) for value in ("on", "off")]
    return [text("\n".join(told)), *question(words), select(ControlId(0, 0, VACATION), label, options)]


_BODIES: Final = {LOOK: _look, PLAY: _play, TIME: _time}


def _turning(words: Words, shown: str) -> Part | None:
    return buttons(
        *(
            button(
                ControlId(0, 0, TURN, name),
                words(f"settings_page.{name}"),
                style=PRIMARY if name == shown else SECONDARY,
                enabled=name != shown,
            )
            for name in PAGES
        )
    )


def _menu(words: Words, name: str, chosen: str) -> Part | None:
    label = words(f"settings.{name}")
    options = [
        Option(value, choices.value_name(words, name, value), label, chosen=value == chosen) for value in CHOICES[name]
    ]
    return select(ControlId(0, 0, f"{PREFIX}{name}"), label, options)
