"""A new database that is ready at once.

Making one carries out every migration, each with its own synchronisation: thirty milliseconds of processor and many
times that of waiting for the disk. It is made once a process, and its bytes are copied for every test after that.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.store.store import Store, open_store
from tests.support import second_engine
from tests.support.postgres import reused_database

_on_server: dict[Path, str] = {}
"""The databases on the test server by the path of the file for which they stand."""

_made: list[bytes] = []
"""The bytes of an empty database, cached once it has been created."""


async def write_empty_database(path: Path) -> None:
    """Put an empty database of the newest version at that path unless a file is there."""
    if not _made:
        with TemporaryDirectory() as folder:
            new = Path(folder) / "canasta.db"
            async with open_store(new):
                pass
            _made.append(new.read_bytes())
    _copy_bytes(path)


def _copy_bytes(path: Path) -> None:
    """Copy the bytes. A journal without its database is left on purpose by a test of damage."""
    if not path.exists() and not path.with_name(f"{path.name}-wal").exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_made[0])


@asynccontextmanager
async def open_new(path: Path) -> AsyncIterator[Store]:
    """Open the store on that file; create it empty if it does not exist.

    With `CANASTA_TEST_ENGINE=postgres`, as in the second half of `make test`, a database on the test server stands for
    the file.
    """
    second_engine.note_opened_store()
    if second_engine.ON_SERVER:
        if path not in _on_server:
            _on_server[path] = await reused_database()
        async with open_store(_on_server[path]) as store:
            yield store
        return
    async with open_new_file(path) as store:
        yield store


@asynccontextmanager
async def open_new_file(path: Path) -> AsyncIterator[Store]:
    """Open the store on that file on either run; create it empty if it does not exist."""
    await write_empty_database(path)
    async with open_store(path) as store:
        yield store
