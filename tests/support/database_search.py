"""Search a database for a text: in every column of every table, and in every byte of its files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def columns_containing(database: Path, *texts: str) -> set[str]:
    """Return the columns, as ``table.column``, that contain one of the texts; numbers count as text."""
    found = set()
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        for table in tables_of(connection):
            rows = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - names of the database's own tables
            columns = [column[0] for column in rows.description]
            for row in rows:
                held = zip(columns, map(_as_text, row), strict=True)
                found |= {f"{table}.{column}" for column, value in held if any(text in value for text in texts)}
    return found


def files_containing(database: Path, person: int, *texts: str) -> set[str]:
    """Return the database files (including the log) that contain one of the texts or the person's id.

    The id is found as text and as eight bytes.
    """
    sought = [str(person).encode(), person.to_bytes(8, "big"), *(text.encode() for text in texts)]
    files = [file for file in database.parent.iterdir() if file.name.startswith(database.name)]
    assert database in files
    return {file.name for file in files if any(one in file.read_bytes() for one in sought)}


def tables_of(connection: sqlite3.Connection) -> list[str]:
    """Return the names of all tables that the program has made."""
    asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    return [name for (name,) in connection.execute(asked)]


def _as_text(value: object) -> str:
    """Return a stored value as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
