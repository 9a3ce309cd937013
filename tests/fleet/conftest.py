"""Several processes' stores on one database of the test server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.fleet import Fleet
from tests.support.postgres import new_database, server


@pytest.fixture
async def fleet() -> AsyncIterator[Fleet]:
    async with Fleet(server(), await new_database()) as opened:
        yield opened
