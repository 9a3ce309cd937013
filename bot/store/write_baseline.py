"""The minimum cost of durable writes on a disk, as a baseline for `canasta-bot bench store`."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import perf_counter


def least(path: Path, tables: int, rounds: int, *, snapshot: str, payload: str) -> float:
    """Return how many actions per second the standard library alone writes to a new file.

    Each round is one batch and one commit, with one row per table.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE tables (id INTEGER PRIMARY KEY, version INTEGER, snapshot TEXT)")
    connection.execute("CREATE TABLE actions (id INTEGER, version INTEGER, payload TEXT, PRIMARY KEY (id, version))")
    connection.executemany("INSERT INTO tables VALUES (?, 1, ?)", [(number, snapshot) for number in range(tables)])
    began = perf_counter()
    for version in range(1, rounds + 1):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(
            "INSERT INTO actions VALUES (?, ?, ?)", [(number, version, payload) for number in range(tables)]
        )
        connection.executemany(
            "UPDATE tables SET version = ?, snapshot = ? WHERE id = ?",
            [(version, snapshot, number) for number in range(tables)],
        )
        connection.execute("COMMIT")
    seconds = perf_counter() - began
    connection.close()
    return tables * rounds / seconds
