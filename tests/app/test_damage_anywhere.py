"""Damage to any cell of any row: people whom the row does not concern play on undisturbed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tests.support.database_search import tables_of
from tests.support.seeds import SEARCHING
from tests.support.two_pairs_database import (
    FIRST,
    PairNumbers,
    check_pair_can_play_on,
    damage_database,
    start_program,
    write_two_pairs_database,
)

VALUES: Final = {
    "TEXT": ("CAST(x'FF7B' AS TEXT)", "'{\"moon_phase\":'", "'{\"moon_phase\":1}'", "''"),
    "INTEGER": ("-1", "4611686018427387904", "0", "NULL"),
    "REAL": ("9e999", "-1.0", "NULL"),
    "BLOB": ("x''", "x'00FF'"),
}
"""Damaged values by the type of a cell. A value that the column rejects is skipped: no file could contain it."""

EVERY: Final = 1 if SEARCHING else 25
"""One in this many damages is tried by day."""

WITHOUT_OWNER: Final = ("heartbeat", "rating_law", "outages", "departures")


ELSEWHERE: Final = frozenset(
    {
        "budgets",
        "contest_tables",
        "deletions",
        "lessons",
        "lobby_calls",
        "open_seats",
        "rating_pairs",
        "rooms",
        "series_faults",
        "starts",
        "told",
        "tournament_archives",
        "tournament_faults",
    }
)
"""Tables that stay empty in this test."""

Cell = tuple[str, str, str]


def columns_of(connection: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    return [(row[1], row[2]) for row in connection.execute(f"PRAGMA table_info({table})")]


def damaged_cells(path: Path) -> Iterator[Cell]:
    """Yield each column of each table that has rows, with each damaged value to put there."""
    with closing(sqlite3.connect(path)) as connection:
        for table in tables_of(connection):
            if connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():  # noqa: S608 - names of our schema
                for name, kind in columns_of(connection, table):
                    yield from ((table, name, value) for value in VALUES[kind])


def condition_for_first_rows(path: Path, table: str, pair: PairNumbers) -> str:
    """Return the SQL condition that selects the first pair's rows of a table."""
    with closing(sqlite3.connect(path)) as connection:
        columns = {name for name, _ in columns_of(connection, table)}
    people = ", ".join(map(str, FIRST))
    tables = f"{pair.running}, {pair.finished}"
    log = f"SELECT seq FROM rating_log WHERE tournament = 0 AND number = {pair.finished}"  # noqa: S608 - numbers
    conditions = {
        "table_id": f"table_id IN ({tables})",
        "series_id": f"series_id = {pair.series}",
        "tournament_id": f"tournament_id = {pair.tournament}",
        "seq": f"seq IN ({log})",
        "person_id": f"person_id IN ({people})",
        "owner_id": f"owner_id IN ({people})",
        "saved_by": f"saved_by IN ({people})",
    }
    own = {"tables": f"id IN ({tables})", "tournaments": f"id = {pair.tournament}", "series": f"id = {pair.series}"}
    if table in own:
        return own[table]
    found = [condition for column, condition in conditions.items() if column in columns]
    assert found or table in WITHOUT_OWNER, f"nobody knows whose the rows of {table} are"
    return found[0] if found else "1"


@pytest.mark.timeout(3600)
async def test_people_without_the_damaged_row_play_on_whatever_cell_is_damaged(tmp_path: Path) -> None:
    original = tmp_path / "original.db"
    pair, other_pair = await write_two_pairs_database(original)
    tried = 0
    for number, (table, column, value) in enumerate(damaged_cells(original)):
        if number % EVERY:
            continue
        path = tmp_path / f"canasta-{number}.db"
        shutil.copy(original, path)
        script = f"UPDATE {table} SET {column} = {value} WHERE {condition_for_first_rows(path, table, pair)}"  # noqa: S608
        try:
            damage_database(path, script)
        except sqlite3.IntegrityError:
            continue  # the database refuses this damage: a repeated key, or a reference to a missing row
        tried += 1
        try:
            async with start_program(path) as program:
                await check_pair_can_play_on(program, other_pair, path, f"{table}.{column}")
        except (Exception, AssertionError) as error:
            raise AssertionError(script) from error
        path.unlink()
    assert tried > 15


async def test_every_table_has_rows_or_is_known_to_be_empty(tmp_path: Path) -> None:
    """Damage to a table without rows would not be tested."""
    path = tmp_path / "canasta.db"
    await write_two_pairs_database(path)
    with closing(sqlite3.connect(path)) as connection:
        empty = {
            table
            for table in tables_of(connection)
            if not connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()  # noqa: S608
        }
    assert empty <= ELSEWHERE
