"""A baseline for `canasta-bot bench store`: the cost of a batch on a server with psycopg alone."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from bot.store.engines.postgres_connection import WRITER, open_connection

SCHEMA: Final = "canasta_floor"


def plain_psycopg_rate(address: str, tables: int, rounds: int, *, snapshot: str, payload: str) -> float:
    """Return the durable actions per second that psycopg alone writes to a server.

    It uses a schema that is dropped afterwards. Each round is one batch and one commit with a row for every table, as
    in `plain_sqlite3_rate` for a file.
    """
    connection = open_connection(address, WRITER, "bench")
    try:
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
        connection.execute(f"SET search_path = {SCHEMA}")
        connection.execute("CREATE TABLE tables (id BIGINT PRIMARY KEY, version BIGINT, snapshot TEXT)")
        connection.execute("CREATE TABLE actions (id BIGINT, version BIGINT, payload TEXT, PRIMARY KEY (id, version))")
        with connection.cursor() as cursor:
            rows = [(number, snapshot) for number in range(tables)]
            cursor.executemany("INSERT INTO tables VALUES (%s, 1, %s)", rows)
            began = perf_counter()
            for version in range(1, rounds + 1):
                connection.execute("BEGIN")
                actions = [(number, version, payload) for number in range(tables)]
                cursor.executemany("INSERT INTO actions VALUES (%s, %s, %s)", actions)
                versions = [(version, snapshot, number) for number in range(tables)]
                cursor.executemany("UPDATE tables SET version = %s, snapshot = %s WHERE id = %s", versions)
                connection.execute("COMMIT")
            seconds = perf_counter() - began
        connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")
    finally:
        connection.close()
    return tables * rounds / seconds
