"""The benchmark of answers over sockets runs and reports all its figures.

The values of the figures are not asserted.
"""

from __future__ import annotations

import json

import pytest

from bot.__main__ import main
from bot.bench.discord_profile import milliseconds_by_part

COUNTED = ("p50_ms", "p99_ms", "longest_ms", "processor_ms", "requests")


def test_the_bench_measures_the_bot_and_its_stand_in_for_discord(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "discord", "--tables", "8", "--rounds", "1", "--presses", "6", "--most", "4", "--json"])
    figures = json.loads(capsys.readouterr().out)
    for kind in ("text", "panel", "board"):
        assert set(figures[kind]) == {"1", "4"}
        for found in figures[kind].values():
            assert set(found) >= {*COUNTED, *(f"bare_{name}" for name in COUNTED), "ratio", "p99_ratio"}
            assert found["bare_requests"] == 1
    assert figures["text"]["1"]["requests"] == 1
    assert figures["picture_bytes"] > 10_000
    assert figures["limits_broken"] == 0


def test_impossible_sizes_of_a_benchmark_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["bench", "discord", "--tables", "1"])
    assert "at least 4 tables" in capsys.readouterr().out


def test_a_profile_is_the_difference_of_two_snapshots() -> None:
    first = [["/x/render/drawing/hand.py", "draw", 1.0], ["/x/bot/store/tables.py", "load", 0.5]]
    second = [["/x/render/drawing/hand.py", "draw", 1.4], ["/x/bot/store/tables.py", "load", 0.6]]
    text = "\n".join(map(json.dumps, (first, second)))
    assert {"drawing pictures": 4.0, "the store": 1.0, "in all": 5.0} == dict(milliseconds_by_part(text, 100))
