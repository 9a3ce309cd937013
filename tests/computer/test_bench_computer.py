"""The measurement of computer players prints its figures, and refuses unknown forms."""

from __future__ import annotations

import json

import pytest

from bot.__main__ import main


def test_the_bench_of_computer_players_prints_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    form = ("--rules", "joker", "--players", "4")
    assert 0 == main(["bench", "computer", *form, "--deals", "1", "--windows", "1", "--rollouts", "1", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert {"easy", "casual", "strong", "expert", "loop_lag_ms"} <= report.keys()
    assert report["expert"]["decisions"] > 0
    assert report["rollouts_per_second"] > 0


def test_an_unknown_form_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["bench", "computer", "--rules", "samba", "--players", "9"])
    assert "takes a form" in capsys.readouterr().out
