"""The command `repair`: says what it would do, does it with `--yes`, and touches nothing else."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.database import open_database
from tests.support.commands import run
from tests.support.unrelated_pairs import FIRST, Neighbourhood, damage, live, open_town, write_neighbourhoods


@pytest.fixture
async def homes(tmp_path: Path) -> tuple[Path, Neighbourhood, Neighbourhood]:
    path = tmp_path / "canasta.db"
    return path, *await write_neighbourhoods(path)


def content(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


Homes = tuple[Path, Neighbourhood, Neighbourhood]


def test_a_table_gets_a_new_snapshot_from_its_log(homes: Homes, capsys: pytest.CaptureFixture[str]) -> None:
    path, home, _ = homes
    before = content(path)
    assert 0 == run(capsys, path, "repair", "table", home.running)["status"]
    damage(path, "UPDATE tables SET snapshot = '{' WHERE id = ?", (home.running,))
    spoiled = content(path)
    assert "warn" == run(capsys, path, "repair", "table", home.running)["level"]
    assert spoiled == content(path)
    assert "ok" == run(capsys, path, "repair", "table", home.running, "--yes")["level"]
    changed = [line for line in content(path) if line not in before]
    assert all("messages" in line or "timers" in line or '"tables"' in line for line in changed)
    assert "nothing to repair" in str(run(capsys, path, "repair", "table", home.running))


def test_a_broken_log_is_cut_where_it_breaks_and_the_rest_is_kept(
    homes: Homes, capsys: pytest.CaptureFixture[str]
) -> None:
    path, home, _ = homes
    damage(path, "UPDATE actions SET payload = '{' WHERE table_id = ? AND version = 6", (home.running,))
    told = run(capsys, path, "repair", "table", home.running, "--yes")
    assert (1, "bad") == (told["status"], told["level"])
    assert "`--to 5`" in told["findings"][0]["remedy"]
    assert 1 == run(capsys, path, "repair", "table", home.running, "--to", 6, "--yes")["status"]
    done = run(capsys, path, "repair", "table", home.running, "--to", 5, "--yes")
    kept = Path(done["kept"])
    assert 0o600 == kept.stat().st_mode & 0o777
    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("SELECT version FROM tables WHERE id = ?", (home.running,)).fetchone()
        (rows,) = connection.execute("SELECT count(*) FROM actions WHERE table_id = ?", (home.running,)).fetchone()
    assert (5, 5) == (version, rows)
    assert [6, 7] == [json.loads(line)["version"] for line in kept.read_text().splitlines()][:2]


async def test_a_repaired_table_is_played_on(homes: Homes, capsys: pytest.CaptureFixture[str]) -> None:
    path, home, _ = homes
    damage(path, "UPDATE tables SET snapshot = '{' WHERE id = ?", (home.running,))
    await asyncio.to_thread(run, capsys, path, "repair", "table", home.running, "--yes")
    async with open_town(path) as town:
        await live(town, home, path)


def test_settings_that_cannot_be_read_go_and_others_stay(homes: Homes, capsys: pytest.CaptureFixture[str]) -> None:
    path, _, _ = homes
    damage(path, "UPDATE preferences SET value = 'mauve' WHERE owner_id = ? AND name = 'theme'", (FIRST[0],))
    damage(path, "UPDATE personal_times SET times = '{' WHERE person_id = ?", (FIRST[0],))
    assert "warn" == run(capsys, path, "repair", "settings", "person", FIRST[0])["level"]
    assert "ok" == run(capsys, path, "repair", "settings", "person", FIRST[0], "--yes")["level"]
    assert "nothing to repair" in str(run(capsys, path, "repair", "settings", "person", FIRST[0]))
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT name FROM preferences WHERE owner_id = ? ORDER BY 1", (FIRST[0],)).fetchall()
        times = connection.execute("SELECT person_id FROM personal_times").fetchall()
    assert [("digest",), ("notices",)] == kept
    assert 1 == len(times)


def test_ratings_are_computed_anew(homes: Homes, capsys: pytest.CaptureFixture[str]) -> None:
    path, _, _ = homes
    with closing(sqlite3.connect(path)) as connection:
        before = connection.execute("SELECT * FROM ratings ORDER BY 1, 2, 3").fetchall()
    damage(path, "UPDATE ratings SET mu = 9e999 WHERE person_id = ?", (FIRST[0],))
    run(capsys, path, "repair", "ratings", "--yes")
    with closing(sqlite3.connect(path)) as connection:
        assert before == connection.execute("SELECT * FROM ratings ORDER BY 1, 2, 3").fetchall()


async def test_nothing_is_repaired_while_the_bot_runs(homes: Homes, capsys: pytest.CaptureFixture[str]) -> None:
    path, home, _ = homes
    database = await open_database(path)
    try:
        for what in (("table", home.running), ("tournament", home.tournament, "--cancel"), ("settings", "person", 5)):
            assert 4 == run(capsys, path, "repair", *what, "--yes")["status"]
    finally:
        await database.close()


def test_a_tournament_is_taken_from_a_backup_or_cancelled(
    homes: Homes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, home, _ = homes
    backup = run(capsys, path, "backup", tmp_path / "kept")["backup"]
    before = content(path)
    damage(path, "UPDATE tournaments SET snapshot = '{' WHERE id = ?", (home.tournament,))
    assert "warn" == run(capsys, path, "repair", "tournament", home.tournament, "--from", backup)["level"]
    run(capsys, path, "repair", "tournament", home.tournament, "--from", backup, "--yes")
    assert before == content(path)
    run(capsys, path, "repair", "tournament", home.tournament, "--cancel", "--yes")
    with closing(sqlite3.connect(path)) as connection:
        stages = dict(connection.execute("SELECT id, stage FROM tournaments").fetchall())
    assert "cancelled" == stages.pop(home.tournament)
    assert {"open"} == set(stages.values())
