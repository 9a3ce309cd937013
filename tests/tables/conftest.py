from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.tables.state import requests
from tests.support.tables import World, open_world


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db") as opened:
        yield opened


@pytest.fixture(autouse=True)
def same_cards_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use repeatable seeds; in the program they come from `secrets`."""
    chance = Random(1)
    monkeypatch.setattr(requests, "new_seed", lambda: chance.randbytes(32))
