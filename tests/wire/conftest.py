"""The bot as a process of its own against a Discord on this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.loopback.rest import Rest
from tests.support.loopback.server import loopback_discord
from tests.support.loopback.world import World


@pytest.fixture
async def rest() -> AsyncIterator[Rest]:
    """Yield a Discord with one server; at the end check that no unknown request was made."""
    async with loopback_discord(World()) as found:
        yield found
    assert [] == found.mistakes
