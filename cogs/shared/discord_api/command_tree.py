"""Registers slash commands with Discord.

Contains their descriptions, the syncing after changes, and answers to unknown commands.
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

from bot.clocks.clock_notation import NAMED_CLOCKS
from bot.i18n import DEFAULT, Words, locales, words, words_about
from bot.outbox import DatabaseAway
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.discord_calls import FailedCall, attempt_call
from cogs.shared.discord_api.interactions import Interaction, log_unexpected_error
from cogs.shared.discord_api.serving_bot import ServingBot
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.telling.explanations import explain_problem

log = logging.getLogger("canasta.discord")


class CanastaTree(app_commands.CommandTree[ServingBot]):
    """Command tree that answers unknown commands and those whose options have changed."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return whether commands are accepted; during shutdown, answer that they are not."""
        if not interaction.client.stopping:
            return True
        if interaction.type is not discord.InteractionType.autocomplete:
            words = interactions.words_for(interaction)
            await interactions.answer_privately(interaction, explain_problem(words, InputProblem(InputCode.STOPPING)))
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer a failed command privately with an explanation; failed autocompletion shows no choices."""
        if interaction.type is discord.InteractionType.autocomplete:
            return
        words = interactions.words_for(interaction)
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            log.info("a command that Discord shows and that is not known")
            await interactions.answer_privately(interaction, words("command_trouble.unknown"))
            return
        cause = getattr(error, "original", error)
        if isinstance(cause, DatabaseAway):
            await interactions.answer_privately(
                interaction, words("error.away_unknown" if cause.is_unknown else "error.away")
            )
            return
        number = interaction.id % 1_000_000
        log_unexpected_error(cause, "a command", number)
        await interactions.answer_privately(interaction, words("error.unexpected", id=number))


AnyCommand: TypeAlias = app_commands.Command[Any, ..., Any] | app_commands.Group

LONGEST: Final = 100
"""Maximum characters of a description (Discord's limit)."""

ABOUT: Final = "about"

SUBJECTS: Final = ("command", "choice", "level", "proposable")
"""The subjects of what Discord is told about commands."""

_DESCRIPTION_LOCATIONS: Final = (
    Location.command_description,
    Location.group_description,
    Location.parameter_description,
)


def description_key(command: AnyCommand, option: str = ABOUT) -> str:
    """Return the catalogue key of a command's description, or of an option's."""
    return f"command.{command.qualified_name.replace(' ', '.')}.{option}"


def description_of(catalogue: Words, command: AnyCommand) -> str:
    """Return the description of a command."""
    key = description_key(command)
    return description_for_key(catalogue, key) if key in catalogue else command.description


def description_for_key(catalogue: Words, key: str) -> str:
    """Return the catalogue's description for the key, with the names of clocks where it lists them."""
    return catalogue(key, clocks=", ".join(NAMED_CLOCKS))


def set_descriptions(commands: Iterator[AnyCommand]) -> None:
    """Set the descriptions of commands and options from the default catalogue.

    A command that the catalogue lacks keeps its own description.
    """
    catalogue = words()
    for command in commands:
        command.description = description_of(catalogue, command)
        if isinstance(command, app_commands.Command):
            keys = {option: description_key(command, option) for option in _option_names(command)}
            told = {
                option: app_commands.locale_str(description_for_key(catalogue, key))
                for option, key in keys.items()
                if key in catalogue
            }
            if len(told) == len(keys) > 0:
                app_commands.describe(**told)(command)


def _option_names(command: app_commands.Command[Any, ..., Any]) -> list[str]:
    """Return the option names used in the program; Discord may show other names."""
    return [parameter.name for parameter in command.parameters]


class CatalogueTranslator(app_commands.Translator):
    """Translates descriptions and choice names for every language except the default one.

    Command names are not translated, because texts cite them.
    """

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        # The library asks for every text in each of Discord's thirty languages; most have no catalogue.
        language = _language_of(locale)
        key = "" if language is None else _translation_key(string, context)
        if language is None or not key:
            return None
        # At the start every language is asked for, so large subjects are read from their own files only if needed.
        catalogue = words_about(language, SUBJECTS) if key.partition(".")[0] in SUBJECTS else words(language)
        return description_for_key(catalogue, key) if key in catalogue else None


@cache
def _language_of(locale: discord.Locale) -> str | None:
    """Return the catalogue folder of the locale's language; None if there is none or it is the default."""
    language = locale.value.partition("-")[0]
    return language if language != DEFAULT and language in locales() else None


def _translation_key(string: app_commands.locale_str, context: app_commands.TranslationContextTypes) -> str:
    if "key" in string.extras:
        return str(string.extras["key"])
    if context.location not in _DESCRIPTION_LOCATIONS:
        return ""
    if isinstance(context.data, app_commands.Parameter):
        return description_key(context.data.command, context.data.name)
    return description_key(context.data)


class CommandSync:
    """Sends the commands to Discord when they have changed.

    The file `synced` stores a fingerprint of the last version sent. With a `development_server` the commands are sent
    to that guild alone, where they work at once.
    """

    def __init__(self, client: commands.AutoShardedBot, synced: Path, *, development_server: int = 0) -> None:
        self._client = client
        self._synced = synced
        self._development = discord.Object(development_server) if development_server else None

    async def sync(self) -> None:
        """Send the commands if they changed since the last sync, or if Discord has others."""
        tree = self._client.tree
        if self._development is not None:
            tree.copy_global_to(guild=self._development)
        print_ = await self.fingerprint()
        if self._read_stored_fingerprint() == print_ and await self._has_commands_on_discord():
            return
        told = await attempt_call(tree.sync(guild=self._development), "telling Discord the commands")
        if isinstance(told, FailedCall):
            log.warning("Discord did not take the commands", extra={"code": told.trouble.value})
            return
        try:
            self._synced.write_text(print_, encoding="ascii")
        except OSError as error:  # harmless: the commands are only sent again at the next start
            log.warning("%s cannot be written: %s", self._synced, error.strerror)
        log.info("told Discord %d commands", len(told))

    async def fingerprint(self, translator: app_commands.Translator | None = None) -> str:
        """Return a hash of the commands as sent in all languages, and of the server they are sent to."""
        translator, tree = translator or CatalogueTranslator(), self._client.tree
        told = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
        place = "" if self._development is None else str(self._development.id)
        text = json.dumps([place, str(self._client.application_id), told], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def _read_stored_fingerprint(self) -> str:
        """Return the stored fingerprint, or "" if it cannot be read."""
        try:
            return self._synced.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    async def _has_commands_on_discord(self) -> bool:
        """Return whether the commands that Discord has are named exactly like those of the tree."""
        tree = self._client.tree
        known = await attempt_call(tree.fetch_commands(guild=self._development), "asking Discord for the commands")
        if isinstance(known, FailedCall):
            return False
        return {command.name for command in known} == {command.name for command in tree.get_commands()}
