"""Fixtures for tests of the bot as a process, which connects to a Discord on this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.loopback.rest import RestServer
from bot.loopback.server import loopback_discord
from bot.loopback.world import World
from tests.support.discord_schema import request_faults


@pytest.fixture
async def rest() -> AsyncIterator[RestServer]:
    """Yield a Discord with one server; at the end check that every request's route and body are valid."""
    async with loopback_discord(World()) as found:
        yield found
    assert [] == found.mistakes
    assert [] == request_faults(found.requests)
