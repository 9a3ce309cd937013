"""`canasta-bot bench store`: its figures are printed, and a start moves no alarm.

Speed is not asserted.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.__main__ import main
from tests.support.postgres import new_empty_database


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


async def test_a_file_and_a_server_are_measured_in_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    address = new_empty_database()
    size = ("--actions", "8", "--tables", "2", "--alarms", "2")
    command = ["bench", "store", *size, "--database", address, "--json"]
    assert 0 == await asyncio.to_thread(main, command)
    figures = json.loads(capsys.readouterr().out)
    for number in (1, 32, 256):
        on_server = figures[f"{number}_tables_on_server"]
        assert set(figures[f"{number}_tables"]) == set(on_server)
        assert min(on_server.values()) > 0
