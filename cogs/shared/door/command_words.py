"""Commands in words: what Discord shows beside each of them, in every language there is a catalogue for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.i18n import DEFAULT, Words, locales, words

Told: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group

LONGEST: Final = 100
"""Characters Discord allows in a description."""

ABOUT: Final = "about"

_TOLD: Final = (Location.command_description, Location.group_description, Location.parameter_description)


def key_of(command: Told, option: str = ABOUT) -> str:
    """Where a command's own words stand in a catalogue, or those of an option by its name in the program."""
    return f"command.{command.qualified_name.replace(' ', '.')}.{option}"


def about(catalogue: Words, command: Told) -> str:
    """A command in a sentence."""
    key = key_of(command)
    return catalogue(key) if key in catalogue else command.description


def describe(commands: Iterator[Told]) -> None:
    """Give commands and their options the words of the default catalogue; a command that it lacks keeps its own."""
    catalogue = words()
    for command in commands:
        command.description = about(catalogue, command)
        if isinstance(command, app_commands.Command):
            keys = {option: key_of(command, option) for option in _options(command)}
            told = {option: app_commands.locale_str(catalogue(key)) for option, key in keys.items() if key in catalogue}
            if len(told) == len(keys) > 0:
                app_commands.describe(**told)(command)


def _options(command: app_commands.Command[Any, ..., Any]) -> list[str]:
    """The options of a command by their names in the program, which may differ from those that Discord shows."""
    return [parameter.name for parameter in command.parameters]


class CatalogueTranslator(app_commands.Translator):
    """Offers Discord the descriptions of commands, and the names of choices, in every language but the default one.

    Names of commands stay as they are, since texts cite them.
    """

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        # Discord's library asks for every text in each of its thirty languages, most of which nobody has written.
        catalogue = _catalogue_of(locale)
        if catalogue is None:
            return None
        key = _key_of(string, context)
        return catalogue(key) if key in catalogue else None


@cache
def _catalogue_of(locale: discord.Locale) -> Words | None:
    language = locale.value.partition("-")[0]
    return words(language) if language != DEFAULT and language in locales() else None


def _key_of(string: app_commands.locale_str, context: app_commands.TranslationContextTypes) -> str:
    if "key" in string.extras:
        return str(string.extras["key"])
    if context.location not in _TOLD:
        return ""
    if isinstance(context.data, app_commands.Parameter):
        return key_of(context.data.command, context.data.name)
    return key_of(context.data)
