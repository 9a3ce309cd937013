"""Copy a whole file to an empty database on a server; compare both row by row before committing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psycopg

from bot.store.engines.interface import OfflineBackend, Session
from bot.store.engines.postgres_connection import UPKEEP, ServerSession, open_connection, translate_error
from bot.store.engines.postgres_server import FLEET, check_server, fleet_row, is_database_empty
from bot.store.engines.postgres_upkeep import OfflineServer, require_exclusive_use
from bot.store.errors import InvalidWrite, OtherFleet, StorageFailed, StoreError
from bot.store.migrations import read_migrations

AT_ONCE: Final = 2_000
"""Rows that are compared at once."""

Tell = Callable[[str], None]


class CopyDiffers(StoreError):
    """Raised if the copy differs from the file; the copy is then rolled back."""


def copy_file(
    path: Path, address: str, *, check: Callable[[OfflineBackend], None], tell: Tell = lambda _: None
) -> Mapping[str, int]:
    """Copy a closed file of the newest version to a server; return the number of rows of each table.

    Like the file, the copy has one shard until the first process of a fleet starts; the time until then becomes an
    outage that is not counted against any player. `check` may raise before the copy is committed. Raises `OtherFleet`
    if the database is in use, `CopyDiffers`, `UnsuitableServer` and `InvalidWrite`.
    """
    connection = open_connection(address, UPKEEP, "copy")
    try:
        session = ServerSession(connection, is_migrating=True)
        check_server(session)
        require_exclusive_use(session)
        if fleet_row(session) is not None or not is_database_empty(session):
            raise OtherFleet("the database is not empty")
        with closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)) as file:
            file.text_factory = bytes
            session.execute("BEGIN")
            copied = _copy_all_tables(connection, session, file, tell)
            check(OfflineServer(connection))
            session.execute("COMMIT")
    except psycopg.Error as error:
        raise translate_error(error, connection) from None
    except sqlite3.Error as error:
        raise StorageFailed(f"{path} cannot be read: {type(error).__name__}") from None
    finally:
        connection.close()
    return copied


def _copy_all_tables(
    connection: psycopg.Connection[Any], session: Session, file: sqlite3.Connection, tell: Tell
) -> Mapping[str, int]:
    """Make the schema, copy all tables and compare them; return the number of rows of each table.

    Tables are copied in the order of their references.
    """
    steps = read_migrations()
    session.execute(FLEET)
    for step in steps:
        step.apply_migration(session)
    values = {"count": 1, "schema": steps[-1].version}
    session.execute("INSERT INTO fleet (id, count, schema) VALUES (1, :count, :schema)", values)
    tables, copied = _tables_by_dependency(file), {}
    for table in tables:
        tell(f"copying {table}")
        copied[table] = _copy_table(connection, file, table)
    for name, last in file.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
        numbered = {"name": name.decode(), "key": _primary_key(file, name.decode())[0], "last": last}
        # Old buttons contain ids, so no id may be given a second time.
        session.execute("SELECT setval(pg_get_serial_sequence(:name, :key), :last)", numbered)
    for table in tables:
        tell(f"comparing {table}")
        _compare_table(connection, file, table)
    return copied


def _tables_by_dependency(file: sqlite3.Connection) -> list[str]:
    """Return the tables, each after those that its rows refer to."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
    left = [name.decode() for (name,) in file.execute(query).fetchall()]
    needs = {table: {row[2].decode() for row in file.execute(f"PRAGMA foreign_key_list({table})")} for table in left}
    ordered: list[str] = []
    while left:
        free = [table for table in left if needs[table] <= {table, *ordered}]
        ordered += free
        left = [table for table in left if table not in free]
    return ordered


def _columns_with_types(file: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    """Return the names and types of a table's columns."""
    return [(row[1].decode(), row[2].decode()) for row in file.execute(f"PRAGMA table_info({table})")]


def _primary_key(file: sqlite3.Connection, table: str) -> list[str]:
    """Return the columns of a table's primary key, in order."""
    rows = [(row[5], row[1].decode()) for row in file.execute(f"PRAGMA table_info({table})") if row[5]]
    return [name for _, name in sorted(rows)]


def _copy_table(connection: psycopg.Connection[Any], file: sqlite3.Connection, table: str) -> int:
    """Copy a table's rows, and return their number."""
    columns = _columns_with_types(file, table)
    names, number = ", ".join(name for name, _ in columns), 0
    statement = f"COPY {table} ({names}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in file.execute(f"SELECT {names} FROM {table}"):  # noqa: S608 - names of our schema
            copy.write_row(_copied_values(table, columns, row))
            number += 1
    return number


def _copied_values(table: str, columns: Sequence[tuple[str, str]], row: Sequence[Any]) -> list[Any]:
    """Return a row's values as they are copied.

    Raises `InvalidWrite` for a text that PostgreSQL cannot store.
    """
    found: list[Any] = []
    for (name, kind), value in zip(columns, row, strict=True):
        if kind == "TEXT" and isinstance(value, bytes):
            try:
                text = value.decode()
            except UnicodeDecodeError:
                raise InvalidWrite(f"a text in {table}.{name} is damaged; `canasta-bot repair` mends it") from None
            if "\0" in text:
                raise InvalidWrite(f"a text in {table}.{name} has the character U+0000")
            found.append(text)
        else:
            found.append(value)
    return found


def _compare_table(connection: psycopg.Connection[Any], file: sqlite3.Connection, table: str) -> None:
    """Compare a table with its copy, row by row in the order of the key. Raises `CopyDiffers`."""
    columns = _columns_with_types(file, table)
    names, key = ", ".join(name for name, _ in columns), ", ".join(_primary_key(file, table))
    query = f"SELECT {names} FROM {table} ORDER BY {key}"  # noqa: S608 - names of our schema
    ours = (_copied_values(table, columns, row) for row in file.execute(query))
    with connection.cursor(name="compared") as cursor:
        cursor.itersize = AT_ONCE
        theirs = (list(row) for row in cursor.execute(query))
        for one, other in zip_longest(_batches(ours), _batches(theirs)):
            if one != other:
                raise CopyDiffers(f"the copy of {table} is not as the file's")


def _batches(rows: Iterator[list[Any]]) -> Iterator[list[list[Any]]]:
    """Yield the rows in lists of at most `AT_ONCE`."""
    while batch := list(islice(rows, AT_ONCE)):
        yield batch
