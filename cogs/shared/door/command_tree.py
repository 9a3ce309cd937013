"""The commands as Discord sends them: an answer, too, for those that Discord still shows and that are no more.

Commands in words: what Discord shows beside each of them, in every language there is a catalogue for.

The commands that Discord was told of: they are told again when they have changed.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location
from discord.ext import commands

from bot.clocks.typed import CLOCKS
from bot.i18n import DEFAULT, Words, locales, words
from cogs.shared.door import interactions
from cogs.shared.door.calls import Failed, attempt
from cogs.shared.door.interactions import Interaction, unexpected

log = logging.getLogger("canasta.discord")


class CanastaTree(app_commands.CommandTree[Any]):
    """Answers what no command could: one that is unknown, or whose options have changed."""

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer in private with a sentence; autocompletion is answered with no offers."""
        if interaction.type is discord.InteractionType.autocomplete:
            return
        words = interactions.words_for(interaction)
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            log.info("a command that Discord shows and that is not known")
            await interactions.say(interaction, words("command_trouble.unknown"))
            return
        number = interaction.id % 1_000_000
        unexpected(error, "a command", number)
        await interactions.say(interaction, words("error.unexpected", id=number))


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
    return described(catalogue, key) if key in catalogue else command.description


def described(catalogue: Words, key: str) -> str:
    """A description of a command, an option or a choice, with the lists that some of them name."""
    return catalogue(key, clocks=", ".join(CLOCKS))


def describe(commands: Iterator[Told]) -> None:
    """Give commands and their options the words of the default catalogue; a command that it lacks keeps its own."""
    catalogue = words()
    for command in commands:
        command.description = about(catalogue, command)
        if isinstance(command, app_commands.Command):
            keys = {option: key_of(command, option) for option in _options(command)}
            told = {
                option: app_commands.locale_str(described(catalogue, key))
                for option, key in keys.items()
                if key in catalogue
            }
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
        return described(catalogue, key) if key in catalogue else None


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


class CommandSync:
    """The commands of a client, and the file `synced` that remembers which of them Discord was told of.

    With a `development_server` they are told for that server alone, where they can be used at once.
    """

    def __init__(self, client: commands.AutoShardedBot, synced: Path, *, development_server: int = 0) -> None:
        self._client = client
        self._synced = synced
        self._development = discord.Object(development_server) if development_server else None

    async def sync(self) -> None:
        """Tell Discord the commands if they differ from what it was told, or if it has others."""
        tree = self._client.tree
        if self._development is not None:
            tree.copy_global_to(guild=self._development)
        print_ = await self.fingerprint()
        if self._read_synced() == print_ and await self._known_to_discord():
            return
        told = await attempt(tree.sync(guild=self._development), "telling Discord the commands")
        if isinstance(told, Failed):
            log.warning("Discord did not take the commands", extra={"code": told.trouble.value})
            return
        try:
            self._synced.write_text(print_, encoding="ascii")
        except OSError as error:  # the commands are told again at the next start, and nothing else comes of it
            log.warning("%s cannot be written: %s", self._synced, error.strerror)
        log.info("told Discord %d commands", len(told))

    async def fingerprint(self) -> str:
        """A digest of everything Discord is told about the commands, in every language, and of where."""
        translator, tree = CatalogueTranslator(), self._client.tree
        told = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
        place = "" if self._development is None else str(self._development.id)
        text = json.dumps([place, str(self._client.application_id), told], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def _read_synced(self) -> str:
        """What was told the last time; empty where that cannot be read."""
        try:
            return self._synced.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    async def _known_to_discord(self) -> bool:
        """Whether Discord has commands of just these names."""
        tree = self._client.tree
        known = await attempt(tree.fetch_commands(guild=self._development), "asking Discord for the commands")
        if isinstance(known, Failed):
            return False
        return {command.name for command in known} == {command.name for command in tree.get_commands()}
