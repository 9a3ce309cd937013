"""The commands that Discord was told of: they are told again when they have changed."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path

import discord
from discord.ext import commands

from cogs.shared.door.calls import Failed, attempt
from cogs.shared.door.command_words import CatalogueTranslator

log = logging.getLogger("canasta.discord")


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
