"""Metrics for a monitor: served only on this machine, and not more of them with more tables."""

from __future__ import annotations

import re
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.app import build_application
from bot.client import request_counter, route_of
from bot.config import Settings, SettingsError, load_settings
from bot.fleet import RequestRate, state_text
from bot.metrics import METRICS, Metrics
from bot.metrics_server import serve_metrics, stored_gauges
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new_store
from tests.support.stored_tables import create_tables


def metric_names(text: str) -> set[str]:
    """Return the names of all metrics on a page, with their labels."""
    return {line.rpartition(" ")[0] for line in text.splitlines() if line and not line.startswith("#")}


async def test_a_thousand_tables_give_no_more_metrics_than_one(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_new_store(path) as store:
        found = []
        for count in (1, 999):
            await create_tables(store, count)
            found.append(metric_names("\n".join(METRICS.lines(await stored_gauges(store, path, ManualClock())))))
    assert found[0] == found[1]
    assert len(found[1]) <= 400
    assert 'canasta_tables{status="lobby"}' in found[1]
    assert "canasta_commit_seconds_count" in found[1]


async def test_a_metric_with_a_label_for_each_table_is_detected(tmp_path: Path) -> None:
    """A label with the table's number would add a thousand series, which the comparison notices."""
    metrics = Metrics()
    async with open_new_store(tmp_path / "canasta.db") as store:
        for table in await create_tables(store, 500):
            metrics.count("actions_total", table=str(table))
    assert len(metric_names("\n".join(metrics.lines()))) > 400


async def test_the_page_is_served_with_every_figure(tmp_path: Path) -> None:
    settings = Settings(database=tmp_path / "canasta.db", metrics="127.0.0.1:0")
    async with build_application(settings, clock=ManualClock()) as application:
        asked: list[str] = []

        async def read_figures() -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
            asked.append("read")
            return {("ready", ()): application.client.is_reachable()}

        async with serve_metrics("127.0.0.1:0", read_figures) as port, aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                text = await answer.text()
                assert 200 == answer.status
            async with session.get(f"http://127.0.0.1:{port}/") as other:
                assert 404 == other.status
    assert ["read"] == asked
    assert "canasta_ready 0" in text.splitlines()
    assert all(
        re.fullmatch(r"# TYPE \w+ \w+|canasta_\w+(\{.*\})? [\d.e+-]+|\S+\{le=.*", line) for line in text.splitlines()
    )


@pytest.mark.parametrize("address", ["0.0.0.0:9464", "example.org:80", "127.0.0.1", "127.0.0.1:99999", ":9464", "9464"])
def test_only_addresses_of_this_machine_are_taken(address: str) -> None:
    with pytest.raises(SettingsError):
        load_settings({"CANASTA_METRICS": address})
    assert "" == load_settings({}).metrics
    assert "[::1]:9464" == load_settings({"CANASTA_METRICS": "[::1]:9464"}).metrics


def test_routes_in_metrics_have_no_numbers_and_no_tokens() -> None:
    token = "aW50ZXJhY3Rpb246MTIz_token"
    paths = {
        "/api/v10/channels/123/messages/456": "PATCH /channels/*/messages/*",
        f"/api/v10/webhooks/123/{token}/messages/@original": "PATCH /webhooks/*/*/messages/@original",
        f"/api/v10/interactions/123/{token}/callback": "PATCH /interactions/*/*/callback",
        "/api/v10/gateway/bot": "PATCH /gateway/bot",
    }
    assert list(paths.values()) == [route_of("PATCH", path) for path in paths]


async def test_durations_are_counted_in_the_buckets_of_a_metric() -> None:
    metrics = Metrics()
    for seconds in (0.0005, 0.2, 99.0):
        metrics.observe("commit_seconds", seconds)
    lines = metrics.lines()
    assert 'canasta_commit_seconds_bucket{le="0.25"} 2' in lines
    assert 'canasta_commit_seconds_bucket{le="+Inf"} 3' in lines
    assert "canasta_commit_seconds_count 3" in lines


def test_the_rate_of_requests_leaves_out_answers_to_people() -> None:
    now = [100.0]
    rate = RequestRate(lambda: now[0])
    for _ in range(30):
        METRICS.count("requests_total", route="PATCH /channels/*/messages/*", status="200")
        METRICS.count("requests_total", route="POST /interactions/*/*/callback", status="204")
        METRICS.count("requests_total", route="PATCH /webhooks/*/*/messages/@original", status="200")
    assert 0 == rate.current_rate()
    now[0] += 15
    assert 2 == rate.current_rate()
    assert "ready 2.0/s 962" == state_text("ready", rate.current_rate(), 962)


async def test_a_refusal_of_all_requests_pauses_all_of_them() -> None:
    async def refuse_request(request: web.Request) -> web.Response:
        of_all = {"X-RateLimit-Global": "true"} if request.path == "/all" else {}
        return web.Response(status=429, headers={"Retry-After": "2.5", **of_all})

    paused: list[int] = []
    app = web.Application()
    app.router.add_get("/{place}", refuse_request)
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession(trace_configs=[request_counter(paused.append)]) as session,
    ):
        for place in ("/one-channel", "/all"):
            (await session.get(server.make_url(place))).release()
    assert [2_500] == paused
