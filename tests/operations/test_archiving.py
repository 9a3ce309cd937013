"""Finished tables are packed after a week, without effect on replay, export, deletion and checks."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.archiving import A_MINUTE, Archiver
from bot.clocks.clock import SystemClock
from bot.clocks.time_rules import DAY
from bot.operations.table_rebuilding import table_fault
from bot.store.errors import InvalidWrite, UndecodableData
from bot.store.upkeep.offline_databases import open_file_for_changes, open_file_for_reading
from bot.store.upkeep.table_archives import ARCHIVES, TableContents
from bot.tables.state.refusals import TableCode
from tests.support.clock import ManualClock
from tests.support.command_runner import run_and_read_report
from tests.support.database_search import columns_containing
from tests.support.project_files import ROOT
from tests.support.seeds import seeds
from tests.support.stored_tables import new_change
from tests.support.tables import EAST, GUILD, NORTH, World, open_world, refusal_of

ZOE = 740_000_000_000_000_001


async def write_games(path: Path, game_count: int, *, ago: int = 8 * DAY) -> list[int]:
    """Write `game_count` finished games from `ago` milliseconds ago and a running one.

    Return the tables of the finished ones.
    """
    async with open_world(path, clock=ManualClock(SystemClock().now() - ago)) as world:
        world.names[ZOE] = f"Zoe{ZOE}"
        tables = []
        for seed in range(game_count):
            tables.append((await world.start_game(ZOE, EAST, target=100)).id)
            await world.finish_game(tables[-1], Random(seed))
        await world.take_random_step((await world.start_game(NORTH, EAST)).id, Random(1))
        await world.store.times.note_heartbeat(world.clock.now())
    return tables


def present_clock() -> ManualClock:
    return ManualClock(SystemClock().now())


async def readable_data_of_table(world: World, table: int) -> list[Any]:
    """Return everything that can be read of a table's past."""
    service = world.service
    rows = await world.store.tables.actions(table)
    return [
        await service.reading.snapshot(table),
        [replace(row, request=None) for row in rows],
        await service.past.deal_log(table, None, person=EAST, guild=GUILD),
        await service.past.replay(table, None, person=EAST, guild=GUILD),
        (await service.past.game_file(table, person=EAST, guild=GUILD)).text,
        await service.reading.settling_events_since(table, 3, guild=GUILD),
    ]


async def test_a_packed_table_reads_as_before(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    (table,) = await write_games(path, 1)
    async with open_world(path, clock=present_clock()) as world:
        before = await readable_data_of_table(world, table)
        exported = await world.service.people.export(replace(world.caller(EAST), person=EAST))
        assert 1 == await Archiver(world.store, world.clock).archive_batch()
    with closing(sqlite3.connect(path)) as connection:
        assert [(table,)] == connection.execute("SELECT table_id FROM archives").fetchall()
        assert [(2,)] == connection.execute("SELECT DISTINCT table_id FROM actions").fetchall()
    async with open_world(path, clock=present_clock(), first_request=8_000_000) as world:
        assert before == await readable_data_of_table(world, table)
        world.clock.advance(DAY)
        again = await world.service.people.export(replace(world.caller(EAST), person=EAST))
        assert exported["tables"] == again["tables"]
    with open_file_for_reading(path) as file:
        assert "" == table_fault(file, table)


async def test_only_games_that_ended_a_week_ago_are_packed_a_few_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    await write_games(path, 1, ago=6 * DAY)
    async with open_world(path, clock=present_clock()) as world:
        archiver = Archiver(world.store, world.clock)
        assert 0 == await archiver.archive_batch()
        world.clock.advance(DAY)
        assert 1 == await archiver.archive_batch() <= A_MINUTE
        assert 0 == await archiver.archive_batch()


async def test_a_deleted_person_is_in_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    (table,) = await write_games(path, 1)
    async with open_world(path, clock=present_clock()) as world:
        await Archiver(world.store, world.clock).archive_batch()
        assert "archive_people.person_id" in columns_containing(path, str(ZOE))
        await world.service.people.forget(replace(world.caller(EAST), person=ZOE))
        assert set() == columns_containing(path, str(ZOE), f"Zoe{ZOE}")
        former = (await world.service.reading.snapshot(table)).seats[0]
        assert former.is_former
        acted = {row.person for row in await world.store.tables.actions(table)}
        assert {former.person, EAST, None} >= acted


async def test_a_packed_table_is_unpacked_before_it_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    (table,) = await write_games(path, 1)
    async with open_world(path, clock=present_clock()) as world:
        before = await readable_data_of_table(world, table)
        await Archiver(world.store, world.clock).archive_batch()
        stored = await world.store.tables.load(table)
        assert stored is not None
        with pytest.raises(InvalidWrite):
            await world.store.tables.commit(new_change(table, stored.version, snapshot=None))
        assert before[1] == (await readable_data_of_table(world, table))[1]
        one = new_change(table, stored.version, status="finished", snapshot=stored.snapshot, payload='{"format":1}')
        assert stored.version + 1 == await world.store.tables.commit(one)
        rows = await world.store.tables.actions(table)
        assert before[1] == [replace(row, request=None) for row in rows[:-1]]


async def test_a_damaged_archive_is_set_aside_alone(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    first, second = await write_games(path, 2)
    async with open_world(path, clock=present_clock()) as world:
        assert 2 == await Archiver(world.store, world.clock).archive_batch()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE archives SET packed = x'00' WHERE table_id = ?", (first,))
        connection.commit()
    async with open_world(path, clock=present_clock(), first_request=8_000_000) as world:
        assert TableCode.UNREADABLE_TABLE is (await refusal_of(world.service.reading.snapshot(first)))[0]
        await readable_data_of_table(world, second)
        with pytest.raises(UndecodableData):
            await world.store.tables.actions(first)


async def test_compact_packs_everything_at_once_and_shrinks_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"
    tables = await write_games(path, 3)
    report = await asyncio.to_thread(run_and_read_report, capsys, path, "compact", "--vacuum")
    assert (0, 3) == (report["status"], report["packed"])
    assert report["bytes"] < report["bytes_before"]
    with open_file_for_reading(path) as file:
        assert [""] * 3 == [table_fault(file, table) for table in tables]
    assert 0 == (await asyncio.to_thread(run_and_read_report, capsys, path, "compact"))["packed"]


async def test_a_migration_can_change_what_is_packed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "canasta.db"
    (table,) = await write_games(path, 1)
    await asyncio.to_thread(run_and_read_report, capsys, path, "compact")

    def put_kinds_in_capitals(contents: TableContents) -> TableContents:
        return replace(contents, rows=tuple(replace(row, kind=row.kind.upper()) for row in contents.rows))

    with open_file_for_changes(path) as file:
        assert 1 == ARCHIVES.rewrite(file.session, put_kinds_in_capitals)
        assert 0 == ARCHIVES.rewrite(file.session, put_kinds_in_capitals)
        assert all(row.kind.isupper() for row in file.actions(table))


@pytest.mark.parametrize("seed", seeds(2))
async def test_packing_that_is_killed_loses_nothing(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"
    tables = await write_games(path, 2)
    command = [sys.executable, "-m", "bot", "compact", "--vacuum", "--database", str(path)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL)
    await asyncio.sleep(Random(seed).uniform(0.2, 0.9))
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
    with open_file_for_reading(path) as file:
        assert not file.find_damage()
        assert [""] * 2 == [table_fault(file, table) for table in tables]
    await asyncio.to_thread(run_and_read_report, capsys, path, "compact", "--vacuum")
    with closing(sqlite3.connect(path)) as connection:
        archives = connection.execute("SELECT packed, sha256, rows FROM archives").fetchall()
    assert [rows for _, _, rows in archives] == [
        len(ARCHIVES.unpack(packed, sha256).rows) for packed, sha256, _ in archives
    ]
