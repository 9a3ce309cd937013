"""`canasta-bot bench render` prints a figure for every picture; the values are not asserted."""

import json

import pytest

from bot.__main__ import main
from bot.bench.render import print_figures

PICTURES = ("hand_11", "hand_15", "hand_30", "board_2", "board_4", "board_6", "board_worst")


def test_the_bench_reports_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "render", "--rounds", "1", "--many", "14", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert set(figures) == {*PICTURES, "start_ms", "memory_mb"}
    for name in PICTURES:
        assert set(figures[name]) == {"median_ms", "p95_ms", "floor_ms", "ratio", "bytes"}
    assert set(figures["memory_mb"]) == {"idle", "after_14"}


def test_the_bench_prints_each_figure_on_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_figures({"hand_11": {"median_ms": 1.5, "bytes": 200}, "start_ms": 7}, as_json=False)
    assert ["hand_11: median_ms 1.5, bytes 200", "start_ms: 7"] == capsys.readouterr().out.splitlines()
