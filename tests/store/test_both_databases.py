"""One SQL dialect: both engines prepare every statement of the store and have the same schema."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import bot.store
from bot.store.people.personal_data import PERSONAL
from bot.store.store import open_store
from tests.support.empty_database import write_empty_database
from tests.support.postgres import new_database, open_autocommit_connection, reused_database
from tests.support.stored_tables import create_tables

STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE)\s")
ON_A_FILE_ONLY = ("bot.store.engines", "bot.store.upkeep.restoring", "bot.store.schema")
TYPES = {"INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea", "REAL": "double precision"}


def sql_statements() -> Iterator[tuple[str, str]]:
    """Yield the name and text of every SQL statement in the store's modules."""
    for found in pkgutil.walk_packages(bot.store.__path__, "bot.store."):
        if found.name.startswith(ON_A_FILE_ONLY):
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if isinstance(value, str) and STATEMENT.match(value) and "{" not in value:
                yield f"{found.name}.{name}", value
    for one in PERSONAL:
        yield f"forget {one.table}", one.forget
        if one.export:
            yield f"export {one.table}", one.export


async def test_every_sql_statement_prepares_on_both_database_engines(tmp_path: Path) -> None:
    from bot.store.engines.postgres_dialect import translate_statement  # noqa: PLC0415 - psycopg may be missing

    path, refused, count = tmp_path / "canasta.db", [], 0
    await write_empty_database(path)
    with closing(sqlite3.connect(path)) as file, open_autocommit_connection(await new_database()) as server:
        for name, sql in sql_statements():
            count += 1
            parameters = dict.fromkeys(re.findall(r":([a-z_][a-z_0-9]*)", sql))
            file.execute(f"EXPLAIN {sql}", parameters)
            places = {one: f"${number}" for number, one in enumerate(parameters, 1)}
            text = translate_statement(sql)
            for one, place in places.items():
                text = text.replace(f"%({one})s", place)
            try:
                server.execute(f"PREPARE one AS {text.replace('%%', '%')}")
                server.execute("DEALLOCATE one")
            except Exception as error:  # noqa: BLE001 - all are collected
                refused.append(f"{name}: {error}")
    assert [] == refused
    assert count > 150


async def test_a_reused_database_is_empty_and_works_like_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    address = await reused_database()
    async with open_store(address) as store:
        tables = await create_tables(store, 300)  # more rows than the room that stays reserved
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "another test (call)")
    assert address == await reused_database()
    with open_autocommit_connection(address) as server:
        listed = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        names = [name for (name,) in server.execute(listed)]
        filled = [name for name in names if server.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchall()]  # noqa: S608
    assert ["fleet"] == filled
    async with open_store(address) as store:
        assert tables[:1] == await create_tables(store, 1)


async def test_both_database_engines_have_the_same_columns_keys_and_indexes(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    await write_empty_database(path)
    with closing(sqlite3.connect(path)) as file, open_autocommit_connection(await new_database()) as server:
        assert _columns_of_file(file) == {
            (table, column, kind, bool(needed))
            for table, column, kind, needed in server.execute(
                "SELECT table_name, column_name, data_type, is_nullable = 'NO' FROM information_schema.columns"
                " WHERE table_schema = 'public' AND table_name <> 'fleet'"
            ).fetchall()
        }
        indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        named = "SELECT indexname FROM pg_indexes WHERE schemaname = 'public'"
        missing = {name for (name,) in file.execute(indexes)} - {row[0] for row in server.execute(named).fetchall()}
        assert set() == missing
        keys = (
            "SELECT conrelid::regclass::text, conkey FROM pg_constraint"
            " WHERE contype = 'p' AND connamespace = 'public'::regnamespace"
        )
        on_server = {row[0]: len(row[1]) for row in server.execute(keys).fetchall() if row[0] != "fleet"}
        assert {table: _key_length(file, table) for table in on_server} == on_server


def _table_names(file: sqlite3.Connection) -> list[str]:
    found = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    return [name for (name,) in file.execute(found)]


def _columns_of_file(file: sqlite3.Connection) -> set[tuple[str, str, str, bool]]:
    return {
        (table, name, TYPES[kind], bool(needed or key))
        for table in _table_names(file)
        for _, name, kind, needed, _, key in file.execute(f"PRAGMA table_info({table})")
    }


def _key_length(file: sqlite3.Connection, table: str) -> int:
    return sum(bool(key) for *_, key in file.execute(f"PRAGMA table_info({table})"))


def test_translating_a_statement_keeps_its_texts_names_and_comments() -> None:
    pytest.importorskip("psycopg")
    from bot.store.engines.postgres_dialect import translate_statement  # noqa: PLC0415

    assert "SELECT ':a', \"b:c\", x::text, %(d)s LIKE 'e%%' -- :f" == translate_statement(
        "SELECT ':a', \"b:c\", x::text, :d LIKE 'e%' -- :f"
    )
