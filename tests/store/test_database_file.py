"""The database file: exclusive use, migrations, and disk failures."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.database import open_database
from bot.store.errors import DatabaseInUse, EarlierDatabase, NewerDatabase, NotOurDatabase, StorageFailed, StoreClosed
from bot.store.migrations import SCRIPTS, read_migrations
from bot.store.store import Store, open_store
from tests.support.stored_tables import new_change, new_table, read_log

ROOT = Path(__file__).parents[2]
KNOWN = read_migrations()[-1].version


def run_query(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def run_script(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def file_contents(path: Path) -> bytes:
    return path.read_bytes()


def write_file(path: Path, text: str) -> None:
    path.write_text(text)


def scramble_file(path: Path) -> None:
    """Overwrite the middle of the file with random bytes; the first pages hold the schema."""
    with path.open("r+b") as file:
        file.seek(4096 * 120)
        file.write(os.urandom(path.stat().st_size - 4096 * 121))


# --- opening ---------------------------------------------------------------------------------------------------------


async def test_commits_are_synchronised_and_use_a_write_ahead_log(path: Path) -> None:
    database = await open_database(path)
    try:
        assert [(2,)] == [tuple(row) for row in await database.fetch("PRAGMA synchronous", {})]
        assert [("wal",)] == [tuple(row) for row in await database.fetch("PRAGMA journal_mode", {})]
        assert [(1,)] == [tuple(row) for row in await database.fetch("PRAGMA foreign_keys", {})]
    finally:
        await database.close()


async def test_every_table_of_the_database_is_declared_strict(path: Path) -> None:
    async with open_store(path):
        pass
    listed = run_query(
        path, "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'"
    )
    assert len(listed) >= 7
    assert {1} == {strict for _, strict in listed}


async def test_written_data_is_there_after_reopening(path: Path) -> None:
    async with open_store(path) as store:
        table = await store.tables.create(new_table())
        await store.tables.commit(new_change(table, 1))
    async with open_store(path) as store:
        assert 2 == len(await read_log(store, table))
        assert table + 1 == await store.tables.create(new_table())


async def test_only_their_owner_may_read_the_created_file_and_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "canasta.db"
    async with open_store(path) as store:
        await store.tables.create(new_table())
        for file in path.parent.iterdir():
            assert 0o600 == stat.S_IMODE(file.stat().st_mode), file.name


async def test_an_impossible_path_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "folder.db").mkdir()
    for path in (tmp_path / "file" / "canasta.db", tmp_path / "folder.db"):
        with pytest.raises(StorageFailed, match="cannot be opened"):
            await open_database(path)


# --- one process at a time --------------------------------------------------------------------------------------------

SECOND = """
import asyncio, sys
from pathlib import Path
from bot.store.errors import DatabaseInUse
from bot.store.store import open_store

async def main():
    async with open_store(Path(sys.argv[1])):
        print("opened")

try:
    asyncio.run(main())
except DatabaseInUse as refusal:
    print("refused:", refusal)
"""


def open_in_second_process(path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SECOND, str(path)], cwd=ROOT, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout.strip()


async def test_a_second_process_is_refused_with_the_reason(path: Path) -> None:
    async with open_store(path) as store:
        text = await asyncio.to_thread(open_in_second_process, path)
        assert text.startswith(f"refused: {path} is in use by another process")
        assert "CANASTA_DATABASE" in text
        await store.tables.create(new_table())
    assert "opened" == await asyncio.to_thread(open_in_second_process, path)


async def test_the_same_file_by_another_name_is_refused_too(path: Path) -> None:
    async with open_store(path):
        other = path.with_name("other.db")
        other.symlink_to(path)
        with pytest.raises(DatabaseInUse):
            await open_database(other)


async def test_a_refused_file_is_not_kept_locked(path: Path) -> None:
    write_file(path, "this is no database at all, but it is long enough to look like one to a careless reader" * 9)
    for _ in range(2):
        with pytest.raises(NotOurDatabase):
            await open_database(path)


# --- migrations ------------------------------------------------------------------------------------------------------


def folder_with_script(folder: Path, script: str, name: str = "later.sql") -> Path:
    """Return a copy of the migrations' folder with one more script."""
    scripts = folder / "scripts"
    shutil.copytree(SCRIPTS, scripts)
    (scripts / f"{KNOWN + 1:04}_{name}").write_text(script)
    return scripts


async def test_an_empty_file_is_brought_to_the_newest_version(path: Path) -> None:
    write_file(path, "")
    async with open_store(path) as store:
        await store.tables.create(new_table())
    assert [(KNOWN,)] == run_query(path, "PRAGMA user_version")
    assert {"canasta.db", "canasta.db.lock"} == {file.name for file in path.parent.iterdir()}


def test_the_scripts_are_numbered_without_a_gap() -> None:
    assert list(range(1, KNOWN + 1)) == [step.version for step in read_migrations()]


async def test_an_existing_file_is_copied_before_it_is_migrated(path: Path, tmp_path: Path) -> None:
    async with open_store(path) as store:
        table = await store.tables.create(new_table())
    store = Store(await open_database(path, folder_with_script(tmp_path, "ALTER TABLE tables ADD COLUMN colour TEXT;")))
    assert 1 == len(await read_log(store, table))
    await store.close()
    copy = path.with_name(f"canasta.db.version-{KNOWN}")
    assert [(KNOWN + 1,)] == run_query(path, "PRAGMA user_version")
    assert [(KNOWN,)] == run_query(copy, "PRAGMA user_version")
    assert [(table,)] == run_query(copy, "SELECT id FROM tables")
    assert 0o600 == stat.S_IMODE(copy.stat().st_mode)


async def test_a_copy_never_replaces_an_earlier_one(path: Path, tmp_path: Path) -> None:
    async with open_store(path):
        pass
    earlier = path.with_name(f"canasta.db.version-{KNOWN}")
    earlier.write_text("an earlier copy")
    await (await open_database(path, folder_with_script(tmp_path, ""))).close()
    assert "an earlier copy" == earlier.read_text()
    assert [(KNOWN,)] == run_query(path.with_name(f"canasta.db.version-{KNOWN}.2"), "PRAGMA user_version")


@pytest.mark.parametrize(
    ("last", "text"),
    [
        ("INSERT INTO nowhere VALUES (1);", "cannot be prepared: OperationalError SQLITE_ERROR"),
        (
            "INSERT INTO heartbeat VALUES (0, 0, 1, 1);",
            f"{KNOWN + 1:04}_later.sql cannot be carried out: IntegrityError",
        ),
    ],
    ids=["no such table", "a constraint"],
)
async def test_a_migration_that_fails_changes_nothing(path: Path, tmp_path: Path, last: str, text: str) -> None:
    async with open_store(path) as store:
        table = await store.tables.create(new_table())
    with pytest.raises(StorageFailed, match=text):
        await open_database(path, folder_with_script(tmp_path, f"ALTER TABLE tables ADD COLUMN colour TEXT;\n{last}"))
    assert [(KNOWN,)] == run_query(path, "PRAGMA user_version")
    assert "colour" not in {name for _, name, *_ in run_query(path, "PRAGMA table_info(tables)")}
    async with open_store(path) as store:
        assert 1 == len(await read_log(store, table))


MIGRATION = """
import json, pathlib, time

def migrate(session):
    session.execute("ALTER TABLE tables ADD COLUMN size INTEGER NOT NULL DEFAULT 0")
    rows = session.execute("SELECT id, snapshot FROM tables ORDER BY id").rows
    for done, row in enumerate(rows, 1):
        try:
            size = len(json.loads(row["snapshot"]))
        except ValueError:
            continue
        session.execute("UPDATE tables SET size = :size WHERE id = :id", {"size": size, "id": row["id"]})
        if done == len(rows) // 2:
            pause()

def pause():
    halfway = pathlib.Path(HALFWAY)
    if not halfway.exists():
        halfway.touch()
        time.sleep(60)
"""

MIGRATING = """
import asyncio, sys
from pathlib import Path
from bot.store.database import open_database

asyncio.run(open_database(Path(sys.argv[1]), Path(sys.argv[2])))
"""


async def test_a_migration_that_is_killed_halfway_completes_at_the_next_start(path: Path, tmp_path: Path) -> None:
    async with open_store(path) as store:
        for number in range(6):
            await store.tables.create(new_table(snapshot="torn" if number == 5 else "[1, 2]"))
    halfway = tmp_path / "halfway"
    scripts = folder_with_script(tmp_path, MIGRATION.replace("HALFWAY", repr(str(halfway))), "sizes.py")
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", MIGRATING, path, scripts, cwd=ROOT)
    try:
        while not halfway.exists():
            assert process.returncode is None, "the process ended by itself"
            await asyncio.sleep(0.01)
    finally:
        process.kill()
        await process.wait()
    assert [(KNOWN,)] == run_query(path, "PRAGMA user_version")
    await (await open_database(path, scripts)).close()
    assert [(KNOWN + 1,)] == run_query(path, "PRAGMA user_version")
    assert [(2,)] * 5 + [(0,)] == run_query(path, "SELECT size FROM tables ORDER BY id")


async def test_a_file_from_before_version_1_is_refused_and_left_as_it_was(path: Path) -> None:
    run_script(
        path, f"CREATE TABLE tables (id INTEGER); PRAGMA application_id = {0x434E5354}; PRAGMA user_version = 16;"
    )
    before = file_contents(path)
    with pytest.raises(EarlierDatabase) as caught:
        await open_database(path)
    text = "This database was written before version 1 and cannot be read. Start with a new one."
    assert text == str(caught.value)
    assert before == file_contents(path)


async def test_a_newer_file_is_refused_and_left_as_it_was(path: Path) -> None:
    async with open_store(path):
        pass
    run_script(path, f"PRAGMA user_version = {KNOWN + 5};")
    before = file_contents(path)
    with pytest.raises(NewerDatabase) as caught:
        await open_database(path)
    assert (KNOWN + 5, KNOWN) == (caught.value.found, caught.value.known)
    assert before == file_contents(path)


@pytest.mark.parametrize(
    "script",
    ["CREATE TABLE notes (text);", "PRAGMA user_version = 1;", "PRAGMA application_id = 7;"],
    ids=["tables of its own", "a version of its own", "an application of its own"],
)
async def test_a_foreign_database_is_refused_and_left_unchanged(path: Path, script: str) -> None:
    run_script(path, script)
    before = file_contents(path)
    with pytest.raises(NotOurDatabase):
        await open_database(path)
    assert before == file_contents(path)


# --- failure ---------------------------------------------------------------------------------------------------------


async def test_a_full_disk_stops_the_store_for_good(path: Path) -> None:
    database = await open_database(path)
    store = Store(database)
    table = await store.tables.create(new_table())
    pages = (await database.fetch("PRAGMA page_count", {}))[0][0]
    await database.fetch(f"PRAGMA max_page_count = {pages + 8}", {})
    broken = asyncio.create_task(store.wait_for_failure())
    large = [new_change(table, 1, payload="x" * 100_000), *(new_change(table, version) for version in range(2, 30))]
    outcomes = await asyncio.gather(*map(store.tables.commit, large), return_exceptions=True)
    assert {StorageFailed} == {type(outcome) for outcome in outcomes}
    assert "the disk is full (OperationalError SQLITE_FULL)" in str(await broken)
    await check_database_refuses_everything(store, table)
    await store.close()
    async with open_store(path) as reopened:
        assert 1 == len(await read_log(reopened, table))
        await reopened.tables.commit(new_change(table, 1, payload="x" * 100_000))


async def check_database_refuses_everything(store: Store, table: int) -> None:
    for asked in (
        store.tables.commit(new_change(table, 1)),
        store.tables.load(table),
        store.times.note_heartbeat(1),
        store.tables.create(new_table()),
    ):
        with pytest.raises(StorageFailed, match="the disk is full"):
            await asked


async def test_a_damaged_file_stops_the_store_when_it_is_read(path: Path) -> None:
    async with open_store(path) as store:
        for _ in range(200):
            await store.tables.create(new_table(snapshot="x" * 3_000))
    scramble_file(path)
    async with open_store(path) as store:
        with pytest.raises(StorageFailed):
            await store.tables.tables_in_guild(900, ("lobby",))
        assert "the file is damaged (DatabaseError SQLITE_CORRUPT" in str(await store.wait_for_failure())
        with pytest.raises(StorageFailed):
            await store.times.note_heartbeat(1)


async def test_a_store_with_a_cancelled_task_ends_all_waiting_requests(path: Path) -> None:
    """A program that does not close its parts in order may cancel the task."""
    database = await open_database(path)
    store = Store(database)
    table = await store.tables.create(new_table())
    asked = asyncio.create_task(store.tables.commit(new_change(table, 1)))
    await asyncio.sleep(0)
    (task,) = (task for task in asyncio.all_tasks() if task.get_name() == "store-writer")
    task.cancel()
    assert [StoreClosed] == [type(one) for one in await asyncio.gather(asked, return_exceptions=True)]
    with pytest.raises(StoreClosed):
        await store.tables.commit(new_change(table, 1))
    await store.close()


FORGOTTEN = """
import asyncio, sys
from pathlib import Path
from bot.store.store import open_store

async def main():
    async with open_store(Path(sys.argv[1])) as store:
        await store.times.note_heartbeat(1)
        raise SystemExit(3)

asyncio.run(main())
"""


def test_a_program_that_does_not_close_its_store_still_ends(path: Path) -> None:
    """An open connection would keep the process alive for ever."""
    done = subprocess.run([sys.executable, "-c", FORGOTTEN, str(path)], cwd=ROOT, check=False, timeout=60)
    assert 3 == done.returncode
