"""A start without enough disk space or identifies never connects to Discord.

Discord is a local stand-in.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import discord
import pytest

from bot import run_command
from bot.app import Application, build_application
from bot.clocks.clock import SystemClock
from bot.config import Settings
from bot.heartbeat_file import is_alive, read_heartbeat
from bot.loopback.bootstrap import redirect_discord_library
from bot.loopback.rest import RestServer
from bot.loopback.server import loopback_discord
from bot.loopback.world import World
from bot.start_guard import LEAST_FREE
from bot.store.errors import StorageFailed
from tests.support.empty_database import write_empty_database
from tests.support.seeds import SEARCHING

STARTS: Final = 1_000 if SEARCHING else 4


@pytest.fixture
async def rest() -> AsyncIterator[RestServer]:
    """Yield a local stand-in for Discord to which the library connects."""
    base, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    async with loopback_discord(World()) as found:
        redirect_discord_library(found.address)
        try:
            yield found
        finally:
            discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


async def start_application(application: Application, *, seconds: float) -> BaseException | None:
    """Start as `serve_until_stopped` does; return the error that ended the start.

    Return None if it still waits after `seconds`.
    """
    serving = asyncio.create_task(run_command.connect_when_allowed(application))
    done, _ = await asyncio.wait({serving}, timeout=seconds)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    return serving.exception() if done else None


async def settings_in(folder: Path) -> Settings:
    database = folder / "canasta.db"
    await write_empty_database(database)
    return Settings(database=database, discord_token="none.of.yours", emojis="off")


async def test_on_a_full_disk_no_start_reaches_discord(tmp_path: Path, rest: RestServer) -> None:
    settings = await settings_in(tmp_path)
    for number in range(STARTS):
        async with build_application(settings) as application:
            guard: Any = application.guard
            if number % 2:  # one half of the starts finds too little space, in the other the first write fails
                guard._free = lambda _: LEAST_FREE - 1
            else:
                await guard._store._database.fetch("PRAGMA query_only = ON", {})
            assert isinstance(await start_application(application, seconds=10), StorageFailed)
    assert (0, 0) == (rest.gateway.identifies, len(rest.requests))


async def test_with_few_identifies_left_no_start_identifies(
    tmp_path: Path, rest: RestServer, caplog: pytest.LogCaptureFixture
) -> None:
    settings = await settings_in(tmp_path)
    rest.world.starts |= {"remaining": 20, "reset_after": 3_600_000}
    for _ in range(STARTS):
        async with build_application(settings) as application:
            await application.guard._store._database.run(_forget_starts)
            serving = asyncio.create_task(run_command.connect_when_allowed(application))
            async with asyncio.timeout(20):
                while "only 20 identifies are left" not in caplog.text:
                    await asyncio.sleep(0.005)
            caplog.clear()
            await asyncio.sleep(0.01)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
    assert 0 == rest.gateway.identifies


async def test_a_bot_that_waits_before_it_connects_is_healthy(tmp_path: Path, rest: RestServer) -> None:
    """A supervisor would restart an unhealthy bot, and each start would wait longer."""
    settings = await settings_in(tmp_path)
    rest.world.starts |= {"remaining": 20, "reset_after": 3_600_000}
    async with build_application(settings) as application:
        serving = asyncio.create_task(run_command.connect_when_allowed(application))
        async with asyncio.timeout(20):
            while not is_alive(read_heartbeat(settings.heartbeat_base), SystemClock().now()):
                await asyncio.sleep(0.05)
        sign = read_heartbeat(settings.heartbeat_base)
        assert sign is not None
        assert "pausing" == sign.state
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def test_a_start_with_enough_identifies_left_identifies_once(tmp_path: Path, rest: RestServer) -> None:
    """A control: in the other tests only the guard kept the bot from connecting."""
    async with build_application(await settings_in(tmp_path)) as application:
        serving = asyncio.create_task(run_command.connect_when_allowed(application))
        await asyncio.wait_for(rest.gateway.identified.wait(), 20)
        await application.client.close()
        await asyncio.gather(serving, return_exceptions=True)
    assert (1, 999) == (rest.gateway.identifies, rest.world.starts["remaining"])


async def test_garbage_collection_excludes_the_objects_that_exist_after_the_start(
    tmp_path: Path, rest: RestServer
) -> None:
    async with build_application(await settings_in(tmp_path)) as application:
        serving = asyncio.create_task(run_command.connect_when_allowed(application, settled_after=0.1))
        try:
            await asyncio.wait_for(rest.gateway.identified.wait(), 20)
            async with asyncio.timeout(20):
                while not gc.get_freeze_count():
                    await asyncio.sleep(0.05)
        finally:
            gc.unfreeze()
        await application.client.close()
        await asyncio.gather(serving, return_exceptions=True)


def _forget_starts(session: Any) -> None:
    """Delete the stored starts, so that the guard does not pause before it asks Discord."""
    session.execute("DELETE FROM starts")
