"""`doctor` finds faults and says what to do; `health` tells a living bot from a dead one."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.__main__ import main
from bot.clocks.clock import SECOND, SystemClock
from bot.heartbeat_file import Heartbeat, read_heartbeat, write_heartbeat
from bot.operations.doctor import report_discord_limits
from bot.operations.report import Report
from bot.store.engines.interface import ShardPlan
from bot.store.store import open_store
from tests.support.command_runner import run_and_read_report
from tests.support.pairs_databases import KINDS, Kind, write_pairs_database
from tests.support.two_pairs_database import FIRST, PairNumbers, start_program, write_two_pairs_database


@pytest.fixture
async def pairs(tmp_path: Path) -> tuple[Path, PairNumbers, PairNumbers]:
    path = tmp_path / "canasta.db"
    return path, *await write_two_pairs_database(path)


Pairs = tuple[Path, PairNumbers, PairNumbers]


async def test_doctor_finds_nothing_bad_in_a_sound_file_even_while_the_bot_runs(
    pairs: Pairs, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _, _ = pairs
    async with start_program(path):
        report = await asyncio.to_thread(run_and_read_report, capsys, path, "doctor")
        assert "bad" != report["level"], report
        assert read_heartbeat(path) is not None
    assert 1 == (await asyncio.to_thread(run_and_read_report, capsys, path, "doctor", "--strict"))["status"], (
        "there is no backup"
    )


@pytest.mark.parametrize(
    ("script", "level", "about", "remedy"),
    [
        ("UPDATE tables SET snapshot = '{' WHERE id = 2", "bad", "table 2", "canasta-bot repair table 2"),
        ("UPDATE actions SET payload = '{' WHERE table_id = 2 AND version = 4", "bad", "table 2", "repair table 2"),
        ("UPDATE tournaments SET snapshot = '{' WHERE id = 1", "bad", "tournament 1", "repair tournament 1 --from"),
        ("UPDATE series SET snapshot = '{' WHERE id = 1", "bad", "series 1", "repair series 1 --from"),
        ("UPDATE ratings SET matches = 9", "bad", "ratings", "canasta-bot repair ratings"),
        ("UPDATE personal_times SET times = ''", "warn", "settings", "repair settings"),
        ("UPDATE outbox SET made_at = 1", "warn", "outbox", "The log"),
        ("UPDATE heartbeat SET at = 99999999999999", "bad", "clock", "Set the machine's clock."),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
async def test_doctor_finds_each_fault_and_names_a_remedy(
    script: str, level: str, about: str, remedy: str, kind: Kind, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = await write_pairs_database(kind, tmp_path)
    pairs.damage_rows(script)
    report = await asyncio.to_thread(run_and_read_report, capsys, pairs.where, "doctor")
    found = [one for one in report["findings"] if (one["level"], one["about"]) == (level, about)]
    assert found, report
    assert any(remedy in one["remedy"] for one in found)
    assert (report["status"] == 1) is (level == "bad")
    text = str(report)
    assert not [name for person in FIRST for name in (f"Name{person}",) if name in text]


async def test_doctor_checks_a_server_while_a_fleet_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = await write_pairs_database("server", tmp_path)
    name = str(pairs.where).rpartition("/")[2]
    # as on a real server, which may not lose data
    pairs.damage_rows(f"ALTER DATABASE {name} SET canasta.may_lose_data = off")
    report = await asyncio.to_thread(run_and_read_report, capsys, pairs.where, "doctor")
    pairs.damage_rows(f"ALTER DATABASE {name} RESET canasta.may_lose_data")
    told = {one["about"]: (one["level"], one["text"]) for one in report["findings"]}
    assert ("ok", "does not run on this database") == told["bot"]
    assert ("bad", "the server runs with fsync=off and would lose what it has acknowledged") == told["server"]
    assert ["ok"] * 5 == [told[one][0] for one in ("PostgreSQL", "server clock", "size", "backup", "integrity")]
    assert "2 open; 4 rebuilt from their logs" in told["tables"][1]
    async with open_store(str(pairs.where), plan=ShardPlan(1, 1, "machine/1")):
        monkeypatch.setenv("CANASTA_DATABASE", str(pairs.where))
        capsys.readouterr()
        assert 0 == await asyncio.to_thread(main, ["doctor", "--json"])
        report = json.loads(capsys.readouterr().out)
    assert (1, 1) == (report["count"], report["held"])
    assert ["machine/1 0-0 starting"] == [one["text"] for one in report["findings"] if one["about"] == "process"]


async def test_doctor_reports_bad_starts_with_their_identifies(
    pairs: Pairs, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _, _ = pairs
    now = SystemClock().now()
    async with open_store(path) as store:
        starts = [await store.times.store_start(now - number, forget_before=0) for number in range(5)]
        for one in starts:
            await store.times.count_login(one)
        await store.times.note_good_start(starts[0], now, ready_for=1)
    report = await asyncio.to_thread(run_and_read_report, capsys, path, "doctor")
    assert (5, 4, 5) == (report["starts"], report["bad_starts"], report["identifies"])
    assert ["warn"] == [one["level"] for one in report["findings"] if one["about"] == "starts"]


def test_doctor_ends_with_status_4_on_a_database_of_another_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "canasta.db"
    path.write_bytes(b"no database at all" * 100)
    assert 4 == run_and_read_report(capsys, path, "doctor")["status"]
    missing = run_and_read_report(capsys, tmp_path / "missing.db", "doctor")
    assert 5 == missing["status"]
    assert "missing.db does not exist; the first start of the bot makes it" in str(missing)


@pytest.mark.parametrize(
    ("state", "age", "status"), [("ready", 0, 0), ("pausing", 40, 0), ("connecting", 0, 1), ("ready", 46, 1)]
)
def test_a_bot_that_serves_and_gave_a_recent_sign_is_healthy(
    state: str, age: int, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, sign = tmp_path / "canasta.db", Heartbeat(SystemClock().now(), state, 2, 7)
    assert 1 == run_and_read_report(capsys, path, "health")["status"], "no sign at all"
    write_heartbeat(path, replace(sign, at=sign.at - age * SECOND))
    assert status == run_and_read_report(capsys, path, "health")["status"]


@pytest.mark.parametrize(
    ("status", "remaining", "level"), [(200, 900, "ok"), (200, 20, "warn"), (401, 0, "bad"), (500, 0, "bad")]
)
async def test_discord_is_asked_for_shards_and_identifies(status: int, remaining: int, level: str) -> None:
    async def answer_request(request: web.Request) -> web.Response:
        assert "Bot secret" == request.headers["Authorization"]
        limit = {"remaining": remaining, "total": 1000}
        return web.json_response({"shards": 5, "session_start_limit": limit}, status=status)

    app = web.Application()
    app.router.add_get("/gateway/bot", answer_request)
    report = Report("doctor")
    async with TestServer(app) as server:
        await report_discord_limits(report, "secret", str(server.make_url("")).rstrip("/"))
    assert level == report.worst_level
    assert "secret" not in str(report.data())
