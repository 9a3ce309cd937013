"""`canasta-bot copy` copies a whole database to a server, row by row.

The commands for fleets are tested here too.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.fleet import state_text
from bot.store.engines.interface import ShardPlan
from bot.store.store import Store, open_store
from bot.store.upkeep.deletions import read_deletions
from tests.support.postgres import new_database, new_empty_database, open_autocommit_connection
from tests.support.stored_tables import create_tables, new_change

Run = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command on a database and returns its status and report."""

    def run_main(*arguments: str, url: str = "") -> tuple[int, dict[str, Any]]:
        monkeypatch.setenv("CANASTA_DATABASE", url)
        capsys.readouterr()
        status = main([*arguments, "--json"])
        return status, json.loads(capsys.readouterr().out or "{}")

    return run_main


@pytest.fixture
async def address() -> str:
    return new_empty_database()


async def fill_database(path: Path) -> None:
    async with open_store(path) as store:
        for table in await create_tables(store, 3):
            await store.tables.commit(new_change(table, 1, snapshot='{"é": "\U0001f0cf"}'))
        await store.players.block(5, 6, 7)
        await store.players.note_deletion(9, 1_000)


async def test_a_copy_holds_every_row_and_new_rows_get_new_numbers(
    tmp_path: Path, address: str, run_command: Run
) -> None:
    path = tmp_path / "canasta.db"
    await fill_database(path)
    status, report = run_command("copy", str(path), address)
    assert (0, 0) == (status, report["status"]), report
    assert report["rows"] > 10
    async with open_store(address) as store:
        assert [4] == await create_tables(store, 1)
        loaded = await store.tables.load(2)
        assert loaded is not None
        assert '{"é": "\U0001f0cf"}' == loaded.snapshot
        assert (6,) == await store.players.blocked_people(5)
    assert 1 == run_command("fleet", url=address)[0], "nobody runs"
    status, _ = run_command("copy", str(path), address)
    assert 4 == status, "the database is not empty"


async def test_copying_a_file_for_a_fleet_begins_an_outage_of_every_server(
    tmp_path: Path, address: str, run_command: Run
) -> None:
    path = tmp_path / "canasta.db"
    await fill_database(path)
    async with open_store(path) as store:
        await store.times.note_heartbeat(1_000)
    assert 0 == run_command("copy", str(path), address)[0]
    async with open_store(address, plan=ShardPlan(2, 4, "a")) as store:
        assert [1_000] == [outage.start_at for outage in await store.times.outages()]
        status, report = run_command("fleet", url=address)
    assert (1, 4, 2) == (status, report["count"], report["held"]), "nobody holds the other two"


async def test_a_copy_that_fails_names_the_obstacle_and_keeps_nothing(
    tmp_path: Path, address: str, run_command: Run
) -> None:
    path = tmp_path / "canasta.db"
    await fill_database(path)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE tables SET snapshot = CAST(x'FF' AS TEXT) WHERE id = 2")
    status, report = run_command("copy", str(path), address)
    assert 0 != status
    assert "tables.snapshot is damaged" in report["findings"][0]["text"]
    with open_autocommit_connection(address) as server:
        assert server.execute("SELECT to_regclass('tables')").fetchone() == (None,)


async def test_a_fleet_is_shown_with_its_processes(run_command: Run, capsys: pytest.CaptureFixture[str]) -> None:
    address = await new_database()
    async with open_store(address, plan=ShardPlan(1, 2, "machine/1")) as one:
        await one.publish_state(state_text("ready", 7.42, 962))
        async with open_store(address, plan=ShardPlan(1, 2, "a-very-long-name-" * 5 + "/2")) as other:
            await other.publish_state(state_text("connecting", 0, None))
            status, report = run_command("fleet", url=address)
            assert (0, 2, 2) == (status, report["count"], report["held"])
            assert (7.4, 962) == (report["requests_per_second"], report["identifies_left"])
            assert [("0-0", "ready", 7.4), ("1-1", "connecting", 0.0)] == sorted(
                (one["shards"], one["state"], one["requests_per_second"]) for one in report["processes"]
            )
            told = [one["text"] for one in report["findings"]]
            assert "2 shards, schema" in told[0]
            assert "7.4 requests a second, 962 identifies left" in told[0]
            assert "machine/1 0-0 ready, 7.4 requests a second" in told
    capsys.readouterr()
    assert 2 == main(["backup"]), "a server is saved by its own means"


async def test_people_deleted_after_a_backup_are_deleted_again(
    tmp_path: Path, run_command: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    address = await new_database()
    async with open_store(address) as store:
        await block_and_delete_a_person(store)
    listed = tmp_path / "list"
    capsys.readouterr()
    run_command("fleet", url=address)
    assert 0 == main(["deletions"])
    listed.write_text(capsys.readouterr().out)
    assert [5_000_000_000_000] == [one.at for one in read_deletions(listed)]
    status, report = await asyncio.to_thread(run_command, "restored", "--deletions", str(listed), url=address)
    assert (0, 1) == (status, report["people_deleted"]), report
    async with open_store(address) as store:
        assert () == await store.players.blocked_people(5)
        assert ["restored"] == [row.kind for row in await store.outbox.all_promises()]


async def block_and_delete_a_person(store: Store) -> None:
    """Let a person block another one and then be deleted, dated after any backup."""
    await create_tables(store, 1)
    await store.players.block(5, 6, 7)
    await store.times.note_heartbeat(4_000_000_000_000)
    await store.players.note_deletion(5, 5_000_000_000_000)
