from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.tables import World, open_world


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db") as opened:
        yield opened
