"""The write-ahead log is emptied at the start and after a deletion, or once nothing else reads the file."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import checkpoint
from bot.store.database import open_database
from bot.store.errors import StorageFailed
from bot.store.store import open_store
from tests.support.stored import NORTH, SOUTH, new_table

AFTER = 0.01
"""Seconds in the place of `checkpoint.AGAIN`."""


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


async def test_what_is_deleted_is_overwritten(path: Path) -> None:
    database = await open_database(path)
    try:
        assert [(1,)] == [tuple(row) for row in await database.fetch("PRAGMA secure_delete", {})]
    finally:
        await database.close()


async def test_what_a_killed_process_left_in_the_log_is_written_at_the_start(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "canasta.db"
    other.parent.mkdir()
    async with open_store(path) as store:
        table = await store.tables.create(new_table())
        for file in (path, log_of(path)):
            shutil.copy(file, other.with_name(file.name))
    assert log_of(other).stat().st_size
    async with open_store(other) as store:
        assert 0 == log_of(other).stat().st_size
        assert await store.tables.load(table)


async def test_a_deletion_empties_the_log(path: Path) -> None:
    async with open_store(path) as store:
        await store.players.block(NORTH, SOUTH, 1)
        assert log_of(path).stat().st_size
        await store.players.forget(NORTH)
        assert 0 == log_of(path).stat().st_size


async def test_while_the_file_is_read_the_log_is_emptied_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "AGAIN", AFTER)
    async with open_store(path) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM blocks").fetchone()
            await store.players.block(NORTH, SOUTH, 1)
            await store.players.forget(NORTH)
            await store.players.forget(SOUTH)
            assert log_of(path).stat().st_size
            await store.players.block(SOUTH, NORTH, 1)
            assert (NORTH,) == await store.players.blocks(SOUTH), "nobody waits for whoever reads"
        while log_of(path).stat().st_size:
            await asyncio.sleep(AFTER)


async def test_closing_ends_the_attempts(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        async with open_store(path) as store:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
            await store.players.block(NORTH, SOUTH, 1)
            await store.players.forget(NORTH)
        assert not [one for one in asyncio.all_tasks() if one.get_name() == "store-checkpoint"]


async def test_a_failing_checkpoint_stops_the_store(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> bool:
        raise sqlite3.OperationalError("disk I/O error")

    async with open_store(path) as store:
        monkeypatch.setattr(checkpoint, "_truncate", fail)
        with pytest.raises(StorageFailed, match="a checkpoint failed: OperationalError"):
            await store.players.forget(NORTH)
        with pytest.raises(StorageFailed):
            await store.players.block(NORTH, SOUTH, 1)
