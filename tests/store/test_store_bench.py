"""`canasta-bot bench store`: its figures, and that a start moves no alarm; speed is not asserted."""

from __future__ import annotations

import json

import pytest

from bot.__main__ import main


def test_durable_actions_and_a_start_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["bench", "store", "--actions", "32", "--tables", "20", "--alarms", "100", "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert ["1_tables", "32_tables", "256_tables", "start"] == list(figures)
    assert all(
        {"actions_per_second", "floor_per_second", "ratio"} == set(figures[f"{number}_tables"])
        for number in (1, 32, 256)
    )
    start = figures["start"]
    assert (20, 100, 1, 0) == (start["tables"], start["alarms"], start["outages_stored"], start["alarms_moved"])
