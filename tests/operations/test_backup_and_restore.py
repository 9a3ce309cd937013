"""Backups made during play are whole, and a killed restore loses nothing.

Deleted people stay deleted.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, SystemClock
from bot.clocks.time_rules import DAY
from bot.operations.table_rebuilding import table_fault
from bot.store.engines import sqlite_copies as copies
from bot.store.upkeep.deletions import deletion_list_path, drop_old_deletion_lines, note_deletion, read_deletions
from bot.store.upkeep.offline_databases import open_file_for_reading
from bot.tables.state.snapshots import Status
from bot.tournaments.service import TournamentService
from tests.support.clock import ManualClock
from tests.support.command_runner import run_and_read_report
from tests.support.database_search import columns_containing, files_containing
from tests.support.project_files import ROOT
from tests.support.seeds import TIMES, seeds
from tests.support.tables import CHANNEL, EAST, NORTH, SOUTH, WEST, World, open_world
from tests.support.tournaments import usual_plan

ZOE = 730_000_000_000_000_000


def present_clock() -> ManualClock:
    """Return a clock set to the machine's time, because commands use that."""
    return ManualClock(SystemClock().now())


async def play_steps(world: World, table: int, random: Random, steps: int) -> None:
    for _ in range(steps):
        if (await world.service.reading.snapshot(table)).actor is None:
            await world.service.play.begin_next_deal(world.caller(NORTH), table)
        await world.take_random_step(table, random)


@pytest.mark.parametrize("seed", seeds(2))
async def test_a_backup_in_play_holds_whole_tables_and_can_be_restored(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Restored tables match their logs and are played on; a nightly run makes a hundred backups."""
    path, random = tmp_path / "canasta.db", Random(seed)
    async with open_world(path, clock=present_clock()) as world:
        tables = [(await world.start_game(NORTH, EAST)).id for _ in range(3)]
        playing = [asyncio.create_task(play_steps(world, table, random, 40)) for table in tables]
        reports = []
        for _ in range(2):
            await asyncio.sleep(0.02)
            reports.append(
                await asyncio.to_thread(
                    run_and_read_report, capsys, path, "backup", tmp_path / "kept", "--verify", "all"
                )
            )
        await asyncio.gather(*playing)
    assert ["ok"] * 2 == [report["level"] for report in reports]
    for number, report in enumerate(reports):
        with open_file_for_reading(Path(report["backup"])) as file:
            assert [""] * 3 == [table_fault(file, table) for table in tables]
            versions = [stored and stored.version for stored in map(file.table, tables)]
        restored = tmp_path / f"restored-{number}" / "canasta.db"
        restored.parent.mkdir()
        done = await asyncio.to_thread(run_and_read_report, capsys, restored, "restore", report["backup"])
        assert (0, "ok") == (done["status"], done["level"])
        with open_file_for_reading(restored) as file:
            assert [""] * 3 == [table_fault(file, table) for table in tables]
            assert versions == [stored and stored.version for stored in map(file.table, tables)]
        async with open_world(restored, clock=present_clock(), first_request=8_000_000) as world:
            for table in tables:
                await play_steps(world, table, random, 1)


def test_a_copy_of_the_file_alone_is_no_backup(tmp_path: Path) -> None:
    """`cp` copies the file without its log, so the last acknowledged writes are missing."""

    async def copy_with_game() -> tuple[int, int]:
        async with open_world(tmp_path / "canasta.db", clock=present_clock()) as world:
            table = (await world.start_game(NORTH, EAST)).id
            shutil.copy(tmp_path / "canasta.db", tmp_path / "copy.db")
            copies.copy_database(tmp_path / "canasta.db", tmp_path / "backup.db")
            return table, (await world.service.reading.snapshot(table)).version

    table, version = asyncio.run(copy_with_game())
    found = {}
    for name in ("copy.db", "backup.db"):
        with open_file_for_reading(tmp_path / name) as file:
            stored = file.table(table)
            found[name] = 0 if stored is None else stored.version
    assert version == found["backup.db"]
    assert version != found["copy.db"]


def test_a_damaged_database_makes_no_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "canasta.db"

    async def begin_game() -> int:
        async with open_world(path, clock=present_clock()) as world:
            return (await world.start_game(NORTH, EAST)).id

    table = asyncio.run(begin_game())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tables SET snapshot = '{' WHERE id = ?", (table,))
        connection.commit()
    report = run_and_read_report(capsys, path, "backup", tmp_path / "kept")
    assert (1, "bad") == (report["status"], report["level"])
    assert [] == [*(tmp_path / "kept").iterdir()]


def test_old_backups_are_removed_and_the_latest_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, kept = tmp_path / "canasta.db", tmp_path / "kept"
    asyncio.run(_make_database(path))
    kept.mkdir()
    for day in range(1, 6):
        (kept / f"canasta-2026010{day}T000000Z.db").touch()
    (kept / "canasta-notes.db").touch()
    assert 4 == run_and_read_report(capsys, path, "backup", kept, "--keep", 2)["removed"]
    names = sorted(file.name for file in kept.glob("*.db"))
    assert ["canasta-20260105T000000Z.db", "canasta-notes.db"] == [names[0], names[-1]]
    assert 3 == len(names)


async def _make_database(path: Path) -> None:
    async with open_world(path, clock=present_clock()) as world:
        await world.store.times.note_heartbeat(world.clock.now())


# --- restoring elsewhere ---------------------------------------------------------------------------------------------


async def _people_play_and_leave(path: Path, kept: Path, capsys: pytest.CaptureFixture[str], count: int) -> str:
    """Play with `count` people, make a backup during play, delete them all; return the backup's path."""
    clock = present_clock()
    async with open_world(path, clock=clock) as world:
        events = TournamentService(world.store, clock, world.service, away=world.readiness.outages, dealer=world.dealer)
        world.service.people.subscribe_before_deletion(events.entering.withdraw_all_entries)
        world.service.people.subscribe_after_deletion(events.forget)
        plan = usual_plan(starts_at=clock.now() + 20 * HOUR, drawn=True)
        cup = await events.entering.create(world.caller(EAST), channel=CHANNEL, plan=plan)
        await events.entering.publish(world.caller(EAST), cup.id)
        for number in range(count):
            person = ZOE + number
            world.names[person] = f"Zoe{person}"
            await events.entering.enter(world.caller(person), cup.id)
            table = (await world.start_game(person, (EAST, SOUTH, WEST)[number // 2 % 3], target=100)).id
            if number % 2:
                await world.finish_game(table, Random(number))
            await world.store.preferences.set("person", person, {"theme": "light"})
        await world.store.times.note_heartbeat(clock.now())
        report = await asyncio.to_thread(run_and_read_report, capsys, path, "backup", kept)
        assert "ok" == report["level"]
        clock.advance(HOUR)
        for number in range(count):
            await world.service.people.forget(replace(world.caller(EAST), person=ZOE + number))
        await world.store.times.note_heartbeat(clock.now())
    return str(report["backup"])


def _places_with_deleted_people(path: Path, count: int) -> set[str]:
    names = [f"Zoe{ZOE + number}" for number in range(count)]
    places = columns_containing(path, *names, *(str(ZOE + number) for number in range(count)))
    return places | set().union(*(files_containing(path, ZOE + number) for number in range(count)))


async def test_a_backup_is_restored_elsewhere_and_deleted_people_stay_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twenty people are deleted after the backup, which was made during play.

    It is restored on another machine, and all is sound there.
    """
    count = 20 if TIMES > 1 else 4
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    path, elsewhere = tmp_path / "here" / "canasta.db", tmp_path / "there" / "canasta.db"
    backup = await _people_play_and_leave(path, tmp_path / "kept", capsys, count)
    shutil.copy(deletion_list_path(path), deletion_list_path(elsewhere))
    report = await asyncio.to_thread(run_and_read_report, capsys, elsewhere, "restore", backup)
    assert (0, "ok", count) == (report["status"], report["level"], report["people_deleted"])
    assert set() == _places_with_deleted_people(elsewhere, count)
    assert "bad" not in [
        one["level"] for one in (await asyncio.to_thread(run_and_read_report, capsys, elsewhere, "doctor"))["findings"]
    ]
    with open_file_for_reading(elsewhere) as file:
        assert [] == [number for number in file.table_numbers() if table_fault(file, number)]
        assert not file.find_damage()
    async with open_world(elsewhere, clock=present_clock(), first_request=8_000_000) as world:
        for one in await world.service.reading.open_tables_in(900):
            assert one.status is Status.PLAYING
            assert ZOE not in one.persons
            await world.take_random_step(one.id, Random(1))


async def test_without_the_list_of_deletions_deleted_people_are_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The backup itself still contains them."""
    (tmp_path / "there").mkdir()
    path, elsewhere = tmp_path / "canasta.db", tmp_path / "there" / "canasta.db"
    backup = await _people_play_and_leave(path, tmp_path / "kept", capsys, 1)
    await asyncio.to_thread(run_and_read_report, capsys, elsewhere, "restore", backup)
    assert _places_with_deleted_people(elsewhere, 1)


async def test_a_restored_file_stands_in_the_place_of_the_old_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"
    backup = await _people_play_and_leave(path, tmp_path / "kept", capsys, 2)
    report = await asyncio.to_thread(run_and_read_report, capsys, path, "restore", backup)
    assert "set back by 1 h" in str(report)
    assert set() == columns_containing(path, f"Zoe{ZOE}", str(ZOE))
    assert ".old-" in report["old"]
    assert "2 people deleted again" in str(report)
    told = {
        one["about"]: one["text"]
        for one in (await asyncio.to_thread(run_and_read_report, capsys, path, "doctor"))["findings"]
    }
    assert ("1 is behind or missing", "2 promises wait") == (told["boards"], told["outbox"])
    async with open_world(path, clock=present_clock()) as world:
        assert 4 == await asyncio.to_thread(lambda: run_and_read_report(capsys, path, "restore", backup)["status"])
        assert {"restored"} <= {row.kind for row in await world.store.outbox.all_promises()}
        assert [1] == list(await world.service.places.outdated_boards())


def test_a_backup_older_than_the_list_of_deletions_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"

    async def make_old_database() -> None:
        async with open_world(path, clock=ManualClock(SystemClock().now() - 401 * DAY)) as world:
            await world.store.times.note_heartbeat(world.clock.now())

    asyncio.run(make_old_database())
    before = path.read_bytes()
    backup = run_and_read_report(capsys, path, "backup", tmp_path / "kept")["backup"]
    assert 1 == run_and_read_report(capsys, path, "restore", backup)["status"]
    assert before == path.read_bytes()


@pytest.mark.parametrize("seed", seeds(2))
async def test_a_restore_that_is_killed_leaves_the_old_file_or_the_new_one(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"
    backup = await _people_play_and_leave(path, tmp_path / "kept", capsys, 1)
    before = path.read_bytes()
    command = [sys.executable, "-m", "bot", "restore", backup, "--database", str(path)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.DEVNULL)
    await asyncio.sleep(Random(seed).uniform(0.3, 1.2))
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
    is_new = path.read_bytes() != before
    assert not is_new or set() == _places_with_deleted_people(path, 1)
    with open_file_for_reading(path) as file:
        assert not file.find_damage()
        assert [] == [number for number in file.table_numbers() if table_fault(file, number)]
    report = await asyncio.to_thread(run_and_read_report, capsys, path, "restore", backup)
    assert "ok" == report["level"]


def test_the_list_of_deletions_survives_a_torn_line_and_loses_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    note_deletion(path, 5, at=1_000)
    note_deletion(path, 6, at=2_000)
    text = deletion_list_path(path).read_text()
    assert "5" not in [json.loads(line).get("who") for line in text.splitlines()]
    assert 0o600 == deletion_list_path(path).stat().st_mode & 0o777
    with deletion_list_path(path).open("a") as file:
        file.write('{"at":3')
    note_deletion(path, 7, at=4_000)
    lines = read_deletions(deletion_list_path(path))
    assert [[5], [6], [7]] == [[person for person in range(10) if one.is_deletion_of(person)] for one in lines]
    drop_old_deletion_lines(path, 400 * DAY + 3_000)
    assert [[7]] == [
        [person for person in range(10) if one.is_deletion_of(person)]
        for one in read_deletions(deletion_list_path(path))
    ]
