"""A new database that is ready at once.

Creating a database carries out every migration, each with its own synchronisation. That takes thirty milliseconds of
processor and much longer waiting for the disk. So each process creates one, and copies its bytes for every test.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.store.store import Store, open_store
from tests.support import storeless_tests
from tests.support.postgres import reused_database

_on_server: dict[Path, str] = {}
"""URLs of databases on the test server, by the path of the file that each replaces."""

_made: list[bytes] = []
"""The bytes of an empty database, cached once it has been created."""


async def write_empty_database(path: Path) -> None:
    """Put an empty database of the newest version at that path, unless there is a file already."""
    if not _made:
        with TemporaryDirectory() as folder:
            new = Path(folder) / "canasta.db"
            async with open_store(new):
                pass
            _made.append(new.read_bytes())
    _copy_bytes(path)


def _copy_bytes(path: Path) -> None:
    """Copy the bytes, unless a database or the journal of one is already there.

    A test of damage leaves a journal alone on purpose.
    """
    if not path.exists() and not path.with_name(f"{path.name}-wal").exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_made[0])


@asynccontextmanager
async def open_new_store(path: Path) -> AsyncIterator[Store]:
    """Yield the store on that file, created empty if it does not exist.

    With `CANASTA_TEST_ENGINE=postgres`, as in the second half of `make test`, a database on the test server replaces
    the file.
    """
    storeless_tests.note_opened_store()
    if storeless_tests.ON_SERVER:
        if path not in _on_server:
            _on_server[path] = await reused_database()
        async with open_store(_on_server[path]) as store:
            yield store
        return
    async with open_new_file_store(path) as store:
        yield store


@asynccontextmanager
async def open_new_file_store(path: Path) -> AsyncIterator[Store]:
    """Yield the store on that file, even in a run on PostgreSQL; it is created empty if it does not exist."""
    await write_empty_database(path)
    async with open_store(path) as store:
        yield store
