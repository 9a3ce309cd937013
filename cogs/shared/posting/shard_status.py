"""Track which Discord connections (shards) are up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from discord.ext import commands


class ShardStatus(commands.Cog):
    """Tracks disconnected shards; when one disconnects, calls `lost` before anything else."""

    def __init__(self, lost: Callable[[], None]) -> None:
        self._lost = lost
        self._missing: set[int] = set()

    @property
    def is_fully_connected(self) -> bool:
        """Return whether no shard has lost its connection."""
        return not self._missing

    def count_by_state(self, shards: int) -> Mapping[str, int]:
        """Return how many of these shards are connected, and how many are disconnected."""
        return {"connected": max(0, shards - len(self._missing)), "lost": len(self._missing)}

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
