"""A simulated Discord for tests: the demo's own world, on SimCord's virtual clock."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import simcord

from bot.demo.world import World, found


@asynccontextmanager
async def simulated(client: discord.AutoShardedClient) -> AsyncIterator[tuple[simcord.Env, World]]:
    """The world with `client` connected to it; whatever the client raised inside is raised at the end.

    `environment.restart_bot(another)` puts a freshly built client in its place.
    """
    environment = simcord.Env(client, shard_count=1)
    world = found(environment)
    await environment.start()
    try:
        with environment.time_context():
            yield environment, world
    finally:
        await environment.shutdown()
    environment.raise_errors()
