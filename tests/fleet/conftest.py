"""Fixtures for a fleet: stores on one database, a local Discord, a server that survives a kill."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from bot.loopback.rest import RestServer
from bot.loopback.server import loopback_discord
from bot.loopback.world import World
from tests.support.discord_schema import request_faults
from tests.support.fleet import Fleet
from tests.support.postgres import Server, new_database, running_server


@pytest.fixture
def print_past_capture(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Return a function that prints figures even while pytest captures output."""

    def print_figures(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}")  # noqa: T201 - prints what a test counted

    return print_figures


@pytest.fixture
async def fleet() -> AsyncIterator[Fleet]:
    async with Fleet(running_server(), await new_database()) as opened:
        yield opened


@pytest.fixture
async def rest() -> AsyncIterator[RestServer]:
    async with loopback_discord(World()) as found:
        yield found
    assert [] == found.mistakes
    assert [] == request_faults(found.requests)


@pytest.fixture
def safe_server() -> Iterator[Server]:
    """Yield a PostgreSQL server that synchronises each commit to the disk, with an empty database."""
    made = Server(is_safe=True)
    made.run_sql("CREATE DATABASE canasta")
    try:
        yield made
    finally:
        made.stop()
