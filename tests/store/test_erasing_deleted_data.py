"""No trace of deleted data: the log is emptied and the file rewritten.

Both happen after a deletion, or at the next start.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.store.database import open_database
from bot.store.engines.sqlite_file import Erasure, FileEngine
from bot.store.errors import StorageFailed
from bot.store.notices import NoticeRow
from bot.store.store import Store, open_store
from tests.support.stored_tables import NORTH, SOUTH, create_tables, new_table

AFTER = 0.01
"""Seconds that replace `CHECKPOINT_RETRY` in these tests."""


def erasure_of(store: Store) -> Erasure:
    engine = store.players._database._engine
    assert isinstance(engine, FileEngine)
    return engine.erasure


def make_sqlite_fail(monkeypatch: pytest.MonkeyPatch, statement: str, text: str, *, after: int = 0) -> None:
    """Make SQLite refuse statements that begin with `statement`, as on a broken disk.

    The first `after` of them succeed.
    """
    carried_out = itertools.count()

    class FailingConnection(sqlite3.Connection):
        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            if sql.startswith(statement) and next(carried_out) >= after:
                raise sqlite3.OperationalError(text)
            return super().execute(sql, *given)

    # A patch, because no real file here fails like a broken disk.
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=FailingConnection))


def log_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def erasure_mark_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.erase")


def contains_number(path: Path, number: int) -> bool:
    """Return whether the database file or its log contains the number in binary form."""
    return any(number.to_bytes(8, "big") in file.read_bytes() for file in (path, log_path(path)) if file.exists())


PERSON = 710_000_000_000_000_001


async def write_scattered_rows(store: Store, path: Path) -> None:
    """Write the notices of three people in random order, so that pages split.

    Split pages keep copies of rows.
    """
    tables = await create_tables(store, 3)
    rows = [(table, person, turn) for table in tables for person in (NORTH, PERSON, SOUTH) for turn in range(60)]
    Random(0).shuffle(rows)
    for table, person, turn in rows:
        await store.notices.set_notice(NoticeRow(table, person, f"1.{turn:03}", "x" * (7 * turn % 50), None, None, 1))
    assert contains_number(path, PERSON)


async def test_deleted_data_is_overwritten(path: Path) -> None:
    opened = await open_database(path)
    try:
        assert [(1,)] == [tuple(row) for row in await opened.fetch("PRAGMA secure_delete", {})]
    finally:
        await opened.close()


async def test_the_log_of_a_killed_process_is_written_at_the_start(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "canasta.db"
    other.parent.mkdir()
    async with open_store(path) as store:
        table = await store.tables.create(new_table())
        for file in (path, log_path(path)):
            shutil.copy(file, other.with_name(file.name))
    assert log_path(other).stat().st_size
    async with open_store(other) as store:
        assert 0 == log_path(other).stat().st_size
        assert await store.tables.load(table)


async def test_a_deletion_empties_the_log(path: Path) -> None:
    async with open_store(path) as store:
        await store.players.block(NORTH, SOUTH, 1)
        assert log_path(path).stat().st_size
        await store.players.forget(NORTH)
        assert 0 == log_path(path).stat().st_size


async def test_the_log_is_emptied_once_nobody_reads_the_file(path: Path) -> None:
    async with open_store(path) as store:
        erasure_of(store).retry_after = AFTER
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM blocks").fetchone()
            await store.players.block(NORTH, SOUTH, 1)
            await store.players.forget(NORTH)
            await store.players.forget(SOUTH)
            assert log_path(path).stat().st_size
            await store.players.block(SOUTH, NORTH, 1)
            assert (NORTH,) == await store.players.blocked_people(SOUTH), "nobody waits for whoever reads"
        while log_path(path).stat().st_size:
            await asyncio.sleep(AFTER)


async def test_no_copy_of_a_deleted_row_stays_on_a_page_from_which_it_moved(path: Path) -> None:
    async with open_store(path) as store:
        await write_scattered_rows(store, path)
        await store.players.forget(PERSON)
        assert not contains_number(path, PERSON)
        assert not erasure_mark_path(path).exists()


async def test_a_large_file_is_rewritten_at_the_next_start(path: Path) -> None:
    async with open_store(path) as store:
        await write_scattered_rows(store, path)
        erasure_of(store).most_rewritten = 0
        await store.players.forget(PERSON)
        assert erasure_mark_path(path).exists()
        assert 0 == log_path(path).stat().st_size
    async with open_store(path):
        assert not erasure_mark_path(path).exists()
        assert not contains_number(path, PERSON)


async def test_a_deletion_interrupted_by_a_crash_is_finished_at_the_next_start(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "canasta.db"
    other.parent.mkdir()
    async with open_store(path) as store:
        await write_scattered_rows(store, path)
        store.players._database._engine.mark_erasure_pending()
        await store.players._database.run(lambda session: session.execute("DELETE FROM notices").changed)
        for file in (path, log_path(path), erasure_mark_path(path)):
            shutil.copy(file, other.with_name(file.name))
    assert contains_number(other, PERSON)
    async with open_store(other):
        assert not contains_number(other, PERSON)
        assert not erasure_mark_path(other).exists()


async def test_a_start_without_room_leaves_rewriting_the_file_to_the_next_one(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_sqlite_fail(monkeypatch, "VACUUM", "database or disk is full")
    async with open_store(path) as store:
        await store.players.block(NORTH, SOUTH, 1)
        await store.players.forget(NORTH)
        assert "cannot be rewritten: OperationalError" in caplog.text
        assert 0 == log_path(path).stat().st_size
        await store.players.block(SOUTH, NORTH, 1)
    monkeypatch.undo()
    async with open_store(path) as store:
        assert not erasure_mark_path(path).exists()
        assert (NORTH,) == await store.players.blocked_people(SOUTH)


async def test_closing_ends_the_attempts_to_empty_the_log(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        async with open_store(path) as store:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
            await store.players.block(NORTH, SOUTH, 1)
            await store.players.forget(NORTH)
        assert not [one for one in asyncio.all_tasks() if one.get_name() == "store-checkpoint"]


async def test_a_failing_checkpoint_stops_the_store(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_store(path) as store:
        await store.players.block(NORTH, SOUTH, 1)
    make_sqlite_fail(monkeypatch, "PRAGMA wal_checkpoint", "disk I/O error", after=1)
    async with open_store(path) as store:
        with pytest.raises(StorageFailed, match="a checkpoint failed: OperationalError"):
            await store.players.forget(NORTH)
        with pytest.raises(StorageFailed):
            await store.players.block(NORTH, SOUTH, 1)
