"""The command `repair` says what it would do, does it with `--yes`, and changes nothing else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from bot.store.database import open_database
from tests.support.command_runner import run_and_read_report
from tests.support.pairs_databases import KINDS, TwoPairsDatabase, write_pairs_database
from tests.support.postgres import copy_database
from tests.support.two_pairs_database import FIRST, check_pair_can_play_on, start_program


@pytest.fixture(params=KINDS)
async def pairs(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> TwoPairsDatabase:
    monkeypatch.setenv("CANASTA_ALIVE", str(tmp_path / "canasta.alive"))
    return await write_pairs_database(request.param, tmp_path)


def test_a_table_gets_a_new_snapshot_from_its_log(pairs: TwoPairsDatabase, capsys: pytest.CaptureFixture[str]) -> None:
    pair = pairs.first
    before = pairs.content()
    assert 0 == run_and_read_report(capsys, pairs.where, "repair", "table", pair.running)["status"]
    pairs.damage_rows("UPDATE tables SET snapshot = '{' WHERE id = ?", (pair.running,))
    spoiled = pairs.content()
    assert "warn" == run_and_read_report(capsys, pairs.where, "repair", "table", pair.running)["level"]
    assert spoiled == pairs.content()
    assert "ok" == run_and_read_report(capsys, pairs.where, "repair", "table", pair.running, "--yes")["level"]
    changed = [line for line in pairs.content() if line not in before]
    assert all("messages" in line or "timers" in line or '"tables"' in line for line in changed)
    assert "nothing to repair" in str(run_and_read_report(capsys, pairs.where, "repair", "table", pair.running))
    assert [] == run_and_read_report(capsys, pairs.where, "doctor")["tables_damaged"]


def test_a_broken_log_is_cut_where_it_breaks_and_the_rest_is_kept(
    pairs: TwoPairsDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = pairs.first
    pairs.damage_rows("UPDATE actions SET payload = '{' WHERE table_id = ? AND version = 6", (pair.running,))
    told = run_and_read_report(capsys, pairs.where, "repair", "table", pair.running, "--yes")
    assert (1, "bad") == (told["status"], told["level"])
    assert "`--to 5`" in told["findings"][0]["remedy"]
    assert 1 == run_and_read_report(capsys, pairs.where, "repair", "table", pair.running, "--to", 6, "--yes")["status"]
    done = run_and_read_report(capsys, pairs.where, "repair", "table", pair.running, "--to", 5, "--yes")
    kept = Path(done["kept"])
    assert 0o600 == kept.stat().st_mode & 0o777
    assert [(5,)] == pairs.query_rows("SELECT version FROM tables WHERE id = ?", (pair.running,))
    assert [(5,)] == pairs.query_rows("SELECT count(*) FROM actions WHERE table_id = ?", (pair.running,))
    assert [6, 7] == [json.loads(line)["version"] for line in kept.read_text().splitlines()][:2]


async def test_a_repaired_table_is_played_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = await write_pairs_database("file", tmp_path)
    pairs.damage_rows("UPDATE tables SET snapshot = '{' WHERE id = ?", (pairs.first.running,))
    await asyncio.to_thread(run_and_read_report, capsys, pairs.path, "repair", "table", pairs.first.running, "--yes")
    async with start_program(pairs.path) as program:
        await check_pair_can_play_on(program, pairs.first, pairs.path)


def test_unreadable_settings_are_deleted_and_others_stay(
    pairs: TwoPairsDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs.damage_rows("UPDATE preferences SET value = 'mauve' WHERE owner_id = ? AND name = 'theme'", (FIRST[0],))
    pairs.damage_rows("UPDATE personal_times SET times = '{' WHERE person_id = ?", (FIRST[0],))
    assert "warn" == run_and_read_report(capsys, pairs.where, "repair", "settings", "person", FIRST[0])["level"]
    assert "ok" == run_and_read_report(capsys, pairs.where, "repair", "settings", "person", FIRST[0], "--yes")["level"]
    assert "nothing to repair" in str(
        run_and_read_report(capsys, pairs.where, "repair", "settings", "person", FIRST[0])
    )
    kept = pairs.query_rows("SELECT name FROM preferences WHERE owner_id = ? ORDER BY 1", (FIRST[0],))
    assert [("digest",), ("notices",)] == kept
    assert 1 == len(pairs.query_rows("SELECT person_id FROM personal_times"))


def test_repair_recomputes_ratings(pairs: TwoPairsDatabase, capsys: pytest.CaptureFixture[str]) -> None:
    before = pairs.query_rows("SELECT * FROM ratings ORDER BY 1, 2, 3")
    pairs.damage_rows("UPDATE ratings SET mu = 9e99 WHERE person_id = ?", (FIRST[0],))
    run_and_read_report(capsys, pairs.where, "repair", "ratings", "--yes")
    assert before == pairs.query_rows("SELECT * FROM ratings ORDER BY 1, 2, 3")


async def test_nothing_is_repaired_while_the_bot_runs(
    pairs: TwoPairsDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = pairs.first
    database = await open_database(pairs.where)
    try:
        for what in (("table", pair.running), ("tournament", pair.tournament, "--cancel"), ("settings", "person", 5)):
            assert (
                4
                == (await asyncio.to_thread(run_and_read_report, capsys, pairs.where, "repair", *what, "--yes"))[
                    "status"
                ]
            )
    finally:
        await database.close()


def make_backup(pairs: TwoPairsDatabase, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Make a backup and return it: the path of a file, or the URL of a database copied on the server."""
    if isinstance(pairs.where, str):
        return copy_database(pairs.where)
    return str(run_and_read_report(capsys, pairs.where, "backup", folder / "kept")["backup"])


def test_a_tournament_is_taken_from_a_backup_or_cancelled(
    pairs: TwoPairsDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = pairs.first
    backup = make_backup(pairs, tmp_path, capsys)
    before = pairs.content()
    pairs.damage_rows("UPDATE tournaments SET snapshot = '{' WHERE id = ?", (pair.tournament,))
    assert (
        "warn"
        == run_and_read_report(capsys, pairs.where, "repair", "tournament", pair.tournament, "--from", backup)["level"]
    )
    run_and_read_report(capsys, pairs.where, "repair", "tournament", pair.tournament, "--from", backup, "--yes")
    assert before == pairs.content()
    run_and_read_report(capsys, pairs.where, "repair", "tournament", pair.tournament, "--cancel", "--yes")
    stages = dict(pairs.query_rows("SELECT id, stage FROM tournaments"))
    assert "cancelled" == stages.pop(pair.tournament)
    assert {"open"} == set(stages.values())


def test_a_tournament_that_cannot_be_read_is_cancelled_and_its_rows_are_kept(
    pairs: TwoPairsDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    number = pairs.first.tournament
    pairs.damage_rows("UPDATE tournaments SET snapshot = '{' WHERE id = ?", (number,))
    done = run_and_read_report(capsys, pairs.where, "repair", "tournament", number, "--cancel", "--yes")
    assert "own row" in Path(done["kept"]).read_text()
    assert [("cancelled",)] == pairs.query_rows("SELECT stage FROM tournaments WHERE id = ?", (number,))
    assert "bad" != run_and_read_report(capsys, pairs.where, "doctor")["level"]


def test_a_series_is_taken_from_a_backup_or_ended(
    pairs: TwoPairsDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number, before = pairs.first.series, pairs.content()
    backup = make_backup(pairs, tmp_path, capsys)
    pairs.damage_rows("UPDATE series SET snapshot = '{' WHERE id = ?", (number,))
    run_and_read_report(capsys, pairs.where, "repair", "series", number, "--from", backup, "--yes")
    assert before == pairs.content()
    pairs.damage_rows("UPDATE series SET snapshot = '{' WHERE id = ?", (number,))
    run_and_read_report(capsys, pairs.where, "repair", "series", number, "--end", "--yes")
    assert [("ended",)] == pairs.query_rows("SELECT stage FROM series WHERE id = ?", (number,))
