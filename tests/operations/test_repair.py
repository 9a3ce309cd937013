"""The command `repair`: says what it would do, does it with `--yes`, and touches nothing else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from bot.store.database import open_database
from tests.support.command_runner import run_and_read_report
from tests.support.pairs_databases import KINDS, PairsDatabase, write_pairs_database
from tests.support.postgres import copy_database
from tests.support.unrelated_pairs import FIRST, check_pair_goes_on, start_program


@pytest.fixture(params=KINDS)
async def homes(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> PairsDatabase:
    monkeypatch.setenv("CANASTA_ALIVE", str(tmp_path / "canasta.alive"))
    return await write_pairs_database(request.param, tmp_path)


def test_a_table_gets_a_new_snapshot_from_its_log(homes: PairsDatabase, capsys: pytest.CaptureFixture[str]) -> None:
    home = homes.first
    before = homes.content()
    assert 0 == run_and_read_report(capsys, homes.where, "repair", "table", home.running)["status"]
    homes.damage("UPDATE tables SET snapshot = '{' WHERE id = ?", (home.running,))
    spoiled = homes.content()
    assert "warn" == run_and_read_report(capsys, homes.where, "repair", "table", home.running)["level"]
    assert spoiled == homes.content()
    assert "ok" == run_and_read_report(capsys, homes.where, "repair", "table", home.running, "--yes")["level"]
    changed = [line for line in homes.content() if line not in before]
    assert all("messages" in line or "timers" in line or '"tables"' in line for line in changed)
    assert "nothing to repair" in str(run_and_read_report(capsys, homes.where, "repair", "table", home.running))
    assert [] == run_and_read_report(capsys, homes.where, "doctor")["tables_damaged"]


def test_a_broken_log_is_cut_where_it_breaks_and_the_rest_is_kept(
    homes: PairsDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    home = homes.first
    homes.damage("UPDATE actions SET payload = '{' WHERE table_id = ? AND version = 6", (home.running,))
    told = run_and_read_report(capsys, homes.where, "repair", "table", home.running, "--yes")
    assert (1, "bad") == (told["status"], told["level"])
    assert "`--to 5`" in told["findings"][0]["remedy"]
    assert 1 == run_and_read_report(capsys, homes.where, "repair", "table", home.running, "--to", 6, "--yes")["status"]
    done = run_and_read_report(capsys, homes.where, "repair", "table", home.running, "--to", 5, "--yes")
    kept = Path(done["kept"])
    assert 0o600 == kept.stat().st_mode & 0o777
    assert [(5,)] == homes.rows("SELECT version FROM tables WHERE id = ?", (home.running,))
    assert [(5,)] == homes.rows("SELECT count(*) FROM actions WHERE table_id = ?", (home.running,))
    assert [6, 7] == [json.loads(line)["version"] for line in kept.read_text().splitlines()][:2]


async def test_a_repaired_table_is_played_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    homes = await write_pairs_database("file", tmp_path)
    homes.damage("UPDATE tables SET snapshot = '{' WHERE id = ?", (homes.first.running,))
    await asyncio.to_thread(run_and_read_report, capsys, homes.path, "repair", "table", homes.first.running, "--yes")
    async with start_program(homes.path) as town:
        await check_pair_goes_on(town, homes.first, homes.path)


def test_unreadable_settings_are_deleted_and_others_stay(
    homes: PairsDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    homes.damage("UPDATE preferences SET value = 'mauve' WHERE owner_id = ? AND name = 'theme'", (FIRST[0],))
    homes.damage("UPDATE personal_times SET times = '{' WHERE person_id = ?", (FIRST[0],))
    assert "warn" == run_and_read_report(capsys, homes.where, "repair", "settings", "person", FIRST[0])["level"]
    assert "ok" == run_and_read_report(capsys, homes.where, "repair", "settings", "person", FIRST[0], "--yes")["level"]
    assert "nothing to repair" in str(
        run_and_read_report(capsys, homes.where, "repair", "settings", "person", FIRST[0])
    )
    kept = homes.rows("SELECT name FROM preferences WHERE owner_id = ? ORDER BY 1", (FIRST[0],))
    assert [("digest",), ("notices",)] == kept
    assert 1 == len(homes.rows("SELECT person_id FROM personal_times"))


def test_ratings_are_recomputed(homes: PairsDatabase, capsys: pytest.CaptureFixture[str]) -> None:
    before = homes.rows("SELECT * FROM ratings ORDER BY 1, 2, 3")
    homes.damage("UPDATE ratings SET mu = 9e99 WHERE person_id = ?", (FIRST[0],))
    run_and_read_report(capsys, homes.where, "repair", "ratings", "--yes")
    assert before == homes.rows("SELECT * FROM ratings ORDER BY 1, 2, 3")


async def test_nothing_is_repaired_while_the_bot_runs(homes: PairsDatabase, capsys: pytest.CaptureFixture[str]) -> None:
    home = homes.first
    database = await open_database(homes.where)
    try:
        for what in (("table", home.running), ("tournament", home.tournament, "--cancel"), ("settings", "person", 5)):
            assert (
                4
                == (await asyncio.to_thread(run_and_read_report, capsys, homes.where, "repair", *what, "--yes"))[
                    "status"
                ]
            )
    finally:
        await database.close()


def backup_of(homes: PairsDatabase, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return a backup: a file, or for a server the URL of a database into which a dump was put back."""
    if isinstance(homes.where, str):
        return copy_database(homes.where)
    return str(run_and_read_report(capsys, homes.where, "backup", folder / "kept")["backup"])


def test_a_tournament_is_taken_from_a_backup_or_cancelled(
    homes: PairsDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = homes.first
    backup = backup_of(homes, tmp_path, capsys)
    before = homes.content()
    homes.damage("UPDATE tournaments SET snapshot = '{' WHERE id = ?", (home.tournament,))
    assert (
        "warn"
        == run_and_read_report(capsys, homes.where, "repair", "tournament", home.tournament, "--from", backup)["level"]
    )
    run_and_read_report(capsys, homes.where, "repair", "tournament", home.tournament, "--from", backup, "--yes")
    assert before == homes.content()
    run_and_read_report(capsys, homes.where, "repair", "tournament", home.tournament, "--cancel", "--yes")
    stages = dict(homes.rows("SELECT id, stage FROM tournaments"))
    assert "cancelled" == stages.pop(home.tournament)
    assert {"open"} == set(stages.values())


def test_a_tournament_that_cannot_be_read_is_cancelled_and_its_rows_are_kept(
    homes: PairsDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    number = homes.first.tournament
    homes.damage("UPDATE tournaments SET snapshot = '{' WHERE id = ?", (number,))
    done = run_and_read_report(capsys, homes.where, "repair", "tournament", number, "--cancel", "--yes")
    assert "own row" in Path(done["kept"]).read_text()
    assert [("cancelled",)] == homes.rows("SELECT stage FROM tournaments WHERE id = ?", (number,))
    assert "bad" != run_and_read_report(capsys, homes.where, "doctor")["level"]


def test_a_series_is_taken_from_a_backup_or_ended(
    homes: PairsDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number, before = homes.first.series, homes.content()
    backup = backup_of(homes, tmp_path, capsys)
    homes.damage("UPDATE series SET snapshot = '{' WHERE id = ?", (number,))
    run_and_read_report(capsys, homes.where, "repair", "series", number, "--from", backup, "--yes")
    assert before == homes.content()
    homes.damage("UPDATE series SET snapshot = '{' WHERE id = ?", (number,))
    run_and_read_report(capsys, homes.where, "repair", "series", number, "--end", "--yes")
    assert [("ended",)] == homes.rows("SELECT stage FROM series WHERE id = ?", (number,))
