"""Damaged files and rows: reports name the damage, but not the content."""

from __future__ import annotations

import logging
import sqlite3
import traceback
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.database import open_database
from bot.store.engines.interface import Session
from bot.store.errors import DAMAGED, DamagedDatabase, NotOurDatabase, StorageFailed, UndecodableData
from bot.store.store import open_store
from bot.tables.core.stored_forms import read_record
from bot.tables.state.table import TablePersons
from tests.store.test_database_file import KNOWN, folder_with_script
from tests.support.stored_tables import new_table

HAND = "KsQh7d"


def run_script(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def truncate_file(path: Path, size: int) -> bytes:
    """Cut the file to its first `size` bytes, and return these."""
    path.write_bytes(path.read_bytes()[:size])
    return file_contents(path)


def file_contents(path: Path) -> bytes:
    return path.read_bytes()


def journal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def leave_only_journal(path: Path) -> None:
    path.write_bytes(b"")
    journal_of(path).write_bytes(b"what was written last")


def make_world_readable(path: Path) -> None:
    path.chmod(0o644)


async def read_whole_database(path: Path) -> None:
    database = await open_database(path)
    try:
        await database.fetch("SELECT * FROM tables", {})
    finally:
        await database.close()


async def create_filled_database(path: Path) -> int:
    """Create a database with one large table; return the table's number."""
    async with open_store(path) as store:
        return await store.tables.create(new_table(snapshot=HAND * 2_000))


@pytest.mark.parametrize("left", [0.05, 0.3, 0.6, 0.9])
async def test_a_truncated_database_is_reported_as_damaged_and_left_alone(path: Path, left: float) -> None:
    await create_filled_database(path)
    before = truncate_file(path, int(len(file_contents(path)) * left))
    with pytest.raises((DamagedDatabase, StorageFailed), match="damaged"):
        await read_whole_database(path)
    assert before == file_contents(path)


@pytest.mark.parametrize("kept", [10, 60, 99, 600])
async def test_the_first_bytes_identify_a_database(path: Path, kept: int) -> None:
    await create_filled_database(path)
    truncate_file(path, kept)
    with pytest.raises(DamagedDatabase, match="damaged or cut short"):
        await open_database(path)


async def test_a_database_with_only_its_journal_left_is_not_recreated(path: Path) -> None:
    leave_only_journal(path)
    with pytest.raises(DamagedDatabase):
        await open_database(path)
    assert b"what was written last" == file_contents(journal_of(path))


async def test_a_damaged_foreign_file_is_reported_as_foreign(path: Path) -> None:
    run_script(path, "CREATE TABLE theirs (a TEXT); PRAGMA application_id = 7;")
    truncate_file(path, 5000)
    with pytest.raises(NotOurDatabase):
        await open_database(path)


async def test_a_migration_that_cannot_make_its_copy_is_reported(path: Path, tmp_path: Path) -> None:
    await create_filled_database(path)
    scripts = folder_with_script(tmp_path, "")
    path.with_name(f"canasta.db.version-{KNOWN}.unfinished").mkdir()
    with pytest.raises(StorageFailed, match="cannot be prepared: Is a directory"):
        await open_database(path, scripts)


# --- rows ------------------------------------------------------------------------------------------------------------


async def test_an_undecodable_row_harms_only_itself_and_is_not_logged(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = await create_filled_database(path)
    # KsQh, an invalid character, 7d
    run_script(path, "UPDATE tables SET snapshot = CAST(x'4B735168' || x'FF3764' AS TEXT)")
    async with open_store(path) as store:
        stored = await store.tables.load(table)
        assert stored is not None
        assert DAMAGED == stored.snapshot
        with pytest.raises(UndecodableData) as caught:
            read_record(stored.snapshot, TablePersons())
        assert [table] == [one.id for one in await store.tables.tables_in_guild(900, ("lobby",))]
        await store.times.note_heartbeat(1)
    text = "".join(traceback.format_exception(caught.value)) + caplog.text
    assert "KsQh" not in text


async def test_texts_of_database_errors_are_never_shown(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def read_missing_table(session: Session) -> None:
        session.execute(f'SELECT 1 FROM "{HAND}"')  # noqa: S608 - the error names the table

    async with open_store(path) as store:
        with pytest.raises(StorageFailed) as caught:
            await store.run_upkeep(read_missing_table)
        broken = await store.wait_for_failure()
    text = "".join(traceback.format_exception(caught.value)) + str(broken) + caplog.text
    assert HAND not in text
    assert "the database failed: OperationalError" in caplog.text


# --- file permissions -------------------------------------------------------------------------------------------------


async def test_a_file_readable_by_others_causes_a_warning(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        await create_filled_database(path)
        assert "" == caplog.text
        make_world_readable(path)
        async with open_store(path):
            pass
    assert "can be read by others (mode 0644)" in caplog.text
    assert "chmod 600" in caplog.text
