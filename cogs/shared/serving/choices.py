"""The choices of persons and servers in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from discord import app_commands

from bot.i18n import Words, words
from bot.profiles.preferences import CHOICES, Preferences

HOURLY: Final = "digest"
"""The choice whose values are hours of the day."""

_ENGLISH: Final = words()


def value_name(catalogue: Words, name: str, value: str) -> str:
    """A value of a choice in words; an hour of the day as a clock shows it."""
    if name == HOURLY and value.isdecimal():
        return f"{int(value):02}:00"
    return catalogue(f"choice.{name}_{value}")


def offered(name: str) -> list[app_commands.Choice[str]]:
    """The values of a choice, for a command's option."""
    return [
        app_commands.Choice(
            name=app_commands.locale_str(value_name(_ENGLISH, name, value), key=f"choice.{name}_{value}"), value=value
        )
        for value in CHOICES[name]
    ]


def in_words(catalogue: Words, preferences: Preferences, names: Iterable[str]) -> str:
    """What is chosen of these, one line each."""
    lines = (
        catalogue(
            "settings.chosen",
            name=catalogue(f"settings.{name}"),
            value=value_name(catalogue, name, getattr(preferences, name)),
        )
        for name in names
    )
    return "\n".join(lines)
