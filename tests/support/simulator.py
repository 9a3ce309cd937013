"""SimCord as the tests use it. This file alone uses private parts of it, each for the reason given.

SimCord is pinned, so a new version breaks this file and no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from discord import Client
from simcord import ChannelHandle, Env
from simcord.results import to_discord_message

IDLE = 0.005
"""Seconds between checks whether the bot has settled; a tenth of SimCord's own interval."""

BUSY = 10.0
"""Longest time in seconds for any action of the bot, even on a busy machine."""

FIRST_ID = 31
"""The last bits of the first id that a test's people cause."""


class Simulator(Env):
    """The environment of one bot."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, shard_count=1, settle_timeout=BUSY)
        self._held = False

    async def _settle_internal(self, **options: Any) -> None:
        """Settle with frequent checks; overrides the private method that clicks and commands use."""
        if not self._held:
            await super()._settle_internal(**options | {"idle": IDLE})

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let clicks and commands in this context return before the bot has done anything."""
        self._held = True
        try:
            yield
        finally:
            self._held = False

    @contextmanager
    def commands_apart(self) -> Iterator[None]:
        """Give commands registered in this context separate ids, so that the first id afterwards is always the same.

        Ids of interactions are contributions to shuffles: a further command would deal other cards in every test.
        Private, because SimCord counts all ids of one instant together.
        """
        backend = self.backend
        register, allocate = backend.register_commands, backend.snowflake
        (instant,) = backend._sequences

        def registered(guild: int | None, payloads: list[dict[str, Any]]) -> list[dict[str, Any]]:
            vars(backend)["snowflake"] = lambda: backend._allocate_at(instant - 1)
            try:
                return register(guild, payloads)
            finally:
                vars(backend)["snowflake"] = allocate

        vars(backend)["register_commands"] = registered
        try:
            yield
        finally:
            del vars(backend)["register_commands"]
            vars(backend).pop("snowflake", None)
        # If the bot creates emojis, their ids come first.
        backend._sequences[instant] = max(FIRST_ID, backend._sequences[instant])


def stored(channel: ChannelHandle) -> list[Any]:
    """Return every message of a channel as the simulator keeps it, oldest first, to search for one among many.

    Private, because `ChannelHandle.history` copies every message whole, which costs a hundred times as much.
    """
    return sorted(channel._env.backend.messages.get(channel.id, {}).values(), key=lambda message: message.id)


def as_read(channel: ChannelHandle, message: Any) -> Any:
    """Return a message that the simulator keeps as a person's client holds it. Private for the reason of `stored`."""
    return to_discord_message(channel._env, message)
