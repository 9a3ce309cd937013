"""A simulated Discord for every test; a log line above a warning fails the test."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.support.clock import ShiftedClock
from tests.support.discord import LIVELY, Discord, discord_world


@pytest.fixture(autouse=True)
def fail_on_logged_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    worse = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert [] == [f"{record.name}: {record.getMessage()}" for record in worse]


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[Discord]:
    async with discord_world(tmp_path) as world:
        yield world


@pytest.fixture
async def live_discord(tmp_path: Path) -> AsyncIterator[Discord]:
    """Yield a Discord in which panels update themselves as time passes."""
    async with discord_world(tmp_path, clock=ShiftedClock(), rhythm=LIVELY) as world:
        yield world
