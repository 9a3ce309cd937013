"""A program killed at any moment loses nothing that it has acknowledged."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

from tests.support.acknowledging_writer import NOTE, TABLES
from tests.support.seeds import SEARCHING

ROOT = Path(__file__).parents[2]
ROUNDS = 25 if SEARCHING else 4


def run_and_kill(database: Path, notes: Path, mode: str, *, seconds: float) -> None:
    """Let a writing process go on for `seconds` after its first note, then kill it."""
    size = notes.stat().st_size if notes.exists() else 0
    command = [sys.executable, "-m", "tests.support.acknowledging_writer", str(database), str(notes), mode]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        while not notes.exists() or notes.stat().st_size == size:
            assert process.poll() is None, "the process ended by itself"
            time.sleep(0.005)
        time.sleep(seconds)
    finally:
        process.kill()
        process.wait()


def read_notes(notes: Path) -> set[tuple[int, int, int]]:
    """Return the actions that the process noted as acknowledged; every note is complete."""
    data = notes.read_bytes()
    assert len(data) % NOTE.size == 0
    return set(NOTE.iter_unpack(data))


def read_stored_actions(database: Path) -> set[tuple[int, int, int]]:
    """Check the file's integrity, and return the actions in it."""
    with closing(sqlite3.connect(database)) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
        assert [] == connection.execute("PRAGMA foreign_key_check").fetchall()
        crooked = """
            SELECT id FROM tables JOIN actions ON table_id = id GROUP BY id
            HAVING tables.version <> max(actions.version) OR tables.version <> count(*)
                OR snapshot <> '{"version":' || tables.version || '}'
        """
        assert [] == connection.execute(crooked).fetchall()
        return set(connection.execute("SELECT table_id, version, request_id FROM actions"))


def test_no_acknowledged_action_is_lost(tmp_path: Path) -> None:
    database, notes = tmp_path / "canasta.db", tmp_path / "notes"
    random = Random(20)
    for _ in range(ROUNDS):
        run_and_kill(database, notes, "committed", seconds=random.uniform(0.0, 0.5))
        lost = read_notes(notes) - read_stored_actions(database)
        assert set() == lost
    assert len(read_notes(notes)) > 2 * ROUNDS * TABLES


def test_a_program_that_acknowledges_too_early_loses_actions(tmp_path: Path) -> None:
    lost = 0
    random = Random(20)
    for number in range(ROUNDS):
        database, notes = tmp_path / f"{number}.db", tmp_path / f"notes-{number}"
        run_and_kill(database, notes, "queued", seconds=random.uniform(0.0, 0.3))
        lost += len(read_notes(notes) - read_stored_actions(database))
    assert lost > 0
