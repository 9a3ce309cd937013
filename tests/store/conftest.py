"""Fixtures: the path of a database file, and a store of every kind, on a file or a server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from bot.store.store import Store
from tests.support.empty_database import open_new_file_store
from tests.support.postgres import open_new_store_on_server

BACKENDS: dict[str, Callable[[Path], AbstractAsyncContextManager[Store]]] = {
    "sqlite": open_new_file_store,
    "postgres": open_new_store_on_server,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "canasta.db"


@pytest.fixture(params=sorted(BACKENDS))
async def store(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[Store]:
    async with BACKENDS[request.param](path) as opened:
        yield opened
