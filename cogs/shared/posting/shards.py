"""Connections: whether the bot reaches Discord, as every one of its connections tells."""

from __future__ import annotations

from collections.abc import Callable

from discord.ext import commands


class ShardStatus(commands.Cog):
    """Notes which connections are lost; `lost` is called when one is, before anything else happens."""

    def __init__(self, lost: Callable[[], None]) -> None:
        self._lost = lost
        self._missing: set[int] = set()

    @property
    def whole(self) -> bool:
        """Whether no connection that once stood is lost."""
        return not self._missing

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard: int) -> None:
        self._missing.add(shard)
        self._lost()

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard: int) -> None:
        self._missing.discard(shard)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        self._missing.discard(shard)
