"""A bot killed again and again (`kill -9`) loses nothing that it has acknowledged.

It ends with the same database as a bot that is never killed.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.support import evening_of_killed_process, forked_processes, season_of_killed_process
from tests.support.database_search import tables_of
from tests.support.seeds import SEARCHING, seeds

ROOT: Final = Path(__file__).parents[2]

PARTS: Final = 25 if SEARCHING else 1

KILLS: Final = 20 if SEARCHING else 3
"""Number of kills in one part of the test."""

OF_PROCESSES: Final = {"heartbeat", "outages", "starts"}
"""Tables about the processes themselves, which are not compared."""


def check_and_read_all_rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Check the file, and return every row of every table; tables of processes are left out."""
    with closing(sqlite3.connect(database)) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        names = [name for name in tables_of(connection) if name not in OF_PROCESSES]
        found = {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}  # noqa: S608
    # without the id, which depends on the number of repeated requests
    found["outbox"] = [row[1:] for row in found["outbox"]]
    return {name: sorted(rows, key=repr) for name, rows in found.items()}


EVENINGS: Final = {
    "tables": ("tests.support.evening_of_killed_process", len(evening_of_killed_process.evening_steps())),
    "cup and series": ("tests.support.season_of_killed_process", len(season_of_killed_process.season_steps())),
}
"""The programs that are killed, with the number of their steps."""


async def run_steps_until_killed(program: str, database: Path, first: int, *, seconds: float | None) -> int:
    """Run a process that does the steps from `first` on, and kill it after `seconds` (None: never).

    Return the number of the next step.
    """
    told = database.with_suffix(".told")
    with told.open("wb") as log:
        process = await forked_processes.start_forked(
            program, str(database), str(first), cwd=ROOT, env=os.environ, log=log
        )
    if seconds is not None:
        while process.returncode is None and b"\n" not in told.read_bytes():
            await asyncio.sleep(0.002)
        await asyncio.sleep(seconds)
        process.kill()
    status = await process.wait()
    assert seconds is not None or status == 0, told.read_text()
    whole = [line for line in told.read_text().splitlines(keepends=True) if line.endswith("\n")]
    done = [line for line in whole if line.strip().isdigit()]  # other lines are from the program's log
    return int(done[-1]) + 1 if done else first


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("evening", EVENINGS)
async def test_a_killed_bot_comes_to_the_same_end_as_one_never_killed(tmp_path: Path, evening: str, part: int) -> None:
    """The steps are an evening of tables and entries, or a cup and a night of a series."""
    (program, steps), whole = EVENINGS[evening], tmp_path / "whole.db"
    assert steps == await run_steps_until_killed(program, whole, 0, seconds=None)
    wanted, kills = check_and_read_all_rows(whole), 0
    random, tried = Random(seeds(1)[0] + part), 0
    while kills < KILLS:
        tried += 1
        database, step = tmp_path / f"{tried}.db", 0
        while step < steps:
            last = step
            step = await run_steps_until_killed(
                program, database, step, seconds=random.uniform(0, 0.25) if kills < KILLS else None
            )
            kills += step < steps
            assert step >= last
        found = check_and_read_all_rows(database)
        assert wanted.keys() == found.keys()
        differing = [name for name, rows in found.items() if rows != wanted[name]]
        assert {} == {name: sorted(set(found[name]) ^ set(wanted[name]), key=repr) for name in differing}
