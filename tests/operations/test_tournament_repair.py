"""The command `repair` for tournaments and series: restored from a backup, or ended."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path

import pytest

from bot.clocks.time_rules import DAY
from bot.series.series import SeriesStage
from bot.tables.state.snapshots import Status
from bot.tournaments.event.tournament import Stage
from tests.support.clock import START, ManualClock
from tests.support.command_runner import run_and_read_report
from tests.support.series import SeriesWorld, open_series
from tests.support.tables import GUILD
from tests.support.tournaments import open_evening, pairs, usual_plan
from tests.support.two_pairs_database import damage_database

DAMAGES = {
    "own row": "UPDATE tournaments SET snapshot = '{'",
    "byte": "UPDATE tournaments SET snapshot = CAST(x'FF' AS TEXT)",
    "a match": "UPDATE tournament_parts SET value = '{' WHERE part = 'matches' AND number = 1",
    "all": "UPDATE tournament_parts SET value = json_set(value, '$.moon_phase', 1), part = part || 'z'",
}


def database_dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = lambda stored: stored.decode("utf-8", "replace")
        return list(connection.iterdump())


async def begin_cup(path: Path) -> tuple[int, set[int]]:
    """Begin a cup; return its number and the numbers of its tables, which are in play."""
    async with open_evening(path) as evening:
        cup = await evening.begin_round(usual_plan(rounds=2), pairs(4))
        return cup, {row.table for row in await evening.world.store.contests.tables_of_tournament(cup)}


def check_kept_rows(kept: Path) -> None:
    """Check that only its owner can read the file to which the rows were moved."""
    assert 0o600 == kept.stat().st_mode & 0o777
    assert all("value" in json.loads(line) for line in kept.read_text().splitlines())


@pytest.mark.parametrize("how", DAMAGES)
async def test_a_cup_that_cannot_be_read_is_cancelled_with_its_tables(
    how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"
    cup, tables = await begin_cup(path)
    assert 2 == len(tables)
    assert damage_database(path, DAMAGES[how])
    spoiled = database_dump(path)
    command = ("repair", "tournament", cup, "--cancel")
    assert "warn" == (await asyncio.to_thread(run_and_read_report, capsys, path, *command))["level"]
    assert spoiled == database_dump(path)
    done = await asyncio.to_thread(run_and_read_report, capsys, path, *command, "--yes")
    assert (0, "ok") == (done["status"], done["level"])
    check_kept_rows(Path(done["kept"]))
    async with open_evening(path, first_request=8_000_000) as evening:
        view = await evening.events.overview.get_tournament(cup)
        assert (Stage.CANCELLED, "cancelled_by_host") == (view.stage, view.news[-1].code)
        assert "cancel" in [step.kind for step, _ in await evening.events.repository.steps_in_log(cup)]
        assert view.commitment
        assert "Friday cup" == view.plan.name
        assert {Status.CLOSED} == {(await evening.world.service.reading.snapshot(one)).status for one in tables}
    assert 1 == (await asyncio.to_thread(run_and_read_report, capsys, path, *command, "--yes"))["status"]


async def test_a_sound_cup_is_cancelled_by_the_same_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "canasta.db"
    cup, tables = await begin_cup(path)
    done = await asyncio.to_thread(run_and_read_report, capsys, path, "repair", "tournament", cup, "--cancel", "--yes")
    assert (0, False) == (done["status"], "kept" in done)
    async with open_evening(path, first_request=8_000_000) as evening:
        view = await evening.events.overview.get_tournament(cup)
        assert (Stage.CANCELLED, 2) == (view.stage, len(view.matches))
        assert {Status.CLOSED} == {(await evening.world.service.reading.snapshot(one)).status for one in tables}


async def begin_series(path: Path) -> tuple[int, int]:
    """Begin a series with one published night; return the numbers of both."""
    async with open_series(path) as world:
        series = await world.begin_series()
        await world.pass_time(2 * DAY)
        return series, (await world.load_series(series)).nights[0].tournament


def reopen_series(path: Path) -> AbstractAsyncContextManager[SeriesWorld]:
    """Open the series in that file two days later."""
    return open_series(path, clock=ManualClock(START + 2 * DAY), first_request=8_000_000)


async def test_repair_takes_a_series_from_a_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "canasta.db"
    series, _ = await begin_series(path)
    before = database_dump(path)
    backup = (await asyncio.to_thread(run_and_read_report, capsys, path, "backup", tmp_path / "kept"))["backup"]
    damage_database(path, "UPDATE series SET snapshot = '{'")
    command = ("repair", "series", series, "--from", backup)
    spoiled = database_dump(path)
    assert "warn" == (await asyncio.to_thread(run_and_read_report, capsys, path, *command))["level"]
    assert spoiled == database_dump(path)
    assert "ok" == (await asyncio.to_thread(run_and_read_report, capsys, path, *command, "--yes"))["level"]
    assert before == database_dump(path)
    assert (
        1
        == (await asyncio.to_thread(run_and_read_report, capsys, path, "repair", "series", 9, "--from", backup))[
            "status"
        ]
    )
    async with reopen_series(path) as world:
        assert series in [one.id for one in await world.service.open_series_in(GUILD)]


async def test_repair_names_the_nights_made_since_the_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"
    async with open_series(path) as world:
        series = await world.begin_series()
    backup = (await asyncio.to_thread(run_and_read_report, capsys, path, "backup", tmp_path / "kept"))["backup"]
    async with reopen_series(path) as world:
        await world.ring_alarms()
        night = (await world.load_series(series)).nights[0].tournament
    done = await asyncio.to_thread(
        run_and_read_report, capsys, path, "repair", "series", series, "--from", backup, "--yes"
    )
    assert f"tournaments of their own: {night}" in str(done)


@pytest.mark.parametrize("script", ["", "UPDATE series SET snapshot = '{'"])
async def test_repair_ends_a_series(script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "canasta.db"
    series, night = await begin_series(path)
    if script:
        damage_database(path, script)
    before = database_dump(path)
    assert (
        "warn"
        == (await asyncio.to_thread(run_and_read_report, capsys, path, "repair", "series", series, "--end"))["level"]
    )
    assert before == database_dump(path)
    done = await asyncio.to_thread(run_and_read_report, capsys, path, "repair", "series", series, "--end", "--yes")
    assert (0, "ok") == (done["status"], done["level"])
    async with reopen_series(path) as world:
        assert await world.service.nights.next_due_at() is None
        assert Stage.OPEN is (await world.evening.events.overview.get_tournament(night)).stage
        if not script:
            assert (SeriesStage.RUNNING, True) == ((view := await world.load_series(series)).stage, view.ending)
        await world.pass_time(30 * DAY)
        assert 1 == len(await world.service.repository.store.series.nights())


async def test_a_night_that_cannot_be_read_stops_neither_a_start_nor_the_next_night(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    _, night = await begin_series(path)
    damage_database(path, "UPDATE tournaments SET snapshot = '{' WHERE id = ?", (night,))
    async with reopen_series(path) as world:
        await world.pass_time(14 * DAY)
        assert 1 < len(await world.service.repository.store.series.nights())
