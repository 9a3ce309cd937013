"""The two pairs of `two_pairs_database` in a file or on a server, to be damaged, read and repaired."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.support.postgres import copy_database, new_empty_database, open_autocommit_connection
from tests.support.two_pairs_database import PairNumbers, damage_database, write_two_pairs_database

Kind = Literal["file", "server"]

KINDS: tuple[Kind, ...] = ("file", "server")

_copied: list[str] = []
"""The URL of the database on the server into which the file was copied, once it has been."""


@dataclass(frozen=True, slots=True)
class TwoPairsDatabase:
    """A database with two pairs of people who share no rows.

    `where` is the value for `--database`; `path` is a file that exists for both kinds of databases.
    """

    where: Path | str
    path: Path
    first: PairNumbers
    second: PairNumbers

    def damage_rows(self, script: str, parameters: Sequence[object] = ()) -> int:
        """Change rows without the program, by SQL with `?` for each parameter; return how many changed."""
        if isinstance(self.where, Path):
            return damage_database(self.where, script, parameters)
        with open_autocommit_connection(self.where) as connection:
            return int(connection.execute(script.replace("?", "%s"), parameters or None).rowcount)

    def query_rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that an SQL query finds."""
        if isinstance(self.where, Path):
            with closing(sqlite3.connect(self.where)) as connection:
                return connection.execute(sql, parameters).fetchall()
        with open_autocommit_connection(self.where) as connection:
            found: list[tuple[Any, ...]] = connection.execute(sql.replace("?", "%s"), parameters or None).fetchall()
            return found

    def content(self) -> list[str]:
        """Return every row of every table as text."""
        if isinstance(self.where, Path):
            with closing(sqlite3.connect(self.where)) as connection:
                return list(connection.iterdump())
        tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
        return [
            f'INSERT INTO "{table}" {row}'
            for (table,) in self.query_rows(tables)
            for row in sorted(self.query_rows(f"SELECT * FROM {table}"), key=str)  # noqa: S608 - names of our schema
        ]


async def write_pairs_database(kind: Kind, folder: Path) -> TwoPairsDatabase:
    """Write a database of this kind with both pairs, and return it."""
    path = folder / "canasta.db"
    first, second = await write_two_pairs_database(path)
    if kind == "file":
        return TwoPairsDatabase(path, path, first, second)
    from bot.store.engines.postgres_copy import copy_file  # noqa: PLC0415 - psycopg may be missing

    if not _copied:
        address = new_empty_database(lasting=True)
        copy_file(path, address, check=lambda _: None)
        _copied.append(address)
    return TwoPairsDatabase(copy_database(_copied[0]), path, first, second)
