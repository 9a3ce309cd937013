"""`canasta-bot bench pairing`: the names of its figures; their values are not asserted."""

from __future__ import annotations

import json

import pytest

from bot.__main__ import main


def test_the_bench_reports_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "pairing", "--entries", "9", "--rounds", "3", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert {"entries", "seconds", "slowest_seconds", "random_matching_seconds", "ratio"} == set(figures)
    assert 3 == len(figures["seconds"])


def test_the_bench_prints_each_figure_on_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "pairing", "--entries", "8", "--rounds", "1"])
    assert "entries: 8" == capsys.readouterr().out.splitlines()[0]


def test_a_bench_of_one_entry_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["bench", "pairing", "--entries", "1"])
    assert capsys.readouterr().out.startswith("canasta-bot bench pairing: at least two")
