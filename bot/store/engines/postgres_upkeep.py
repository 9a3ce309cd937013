"""Looks at a database on a server for commands: which processes run, who has been deleted, and whom its rows name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from bot.store.engines.postgres_connection import UPKEEP, ServerSession, open_connection
from bot.store.engines.postgres_server import LOCKS, fleet_row
from bot.store.engines.seam import Session
from bot.store.errors import NotOurDatabase


@dataclass(frozen=True, slots=True)
class FleetProcess:
    """What a process says of itself; `shards` is empty while it waits, and a figure is None before it is known."""

    name: str
    shards: str
    state: str
    requests_per_second: float | None = None
    identifies_left: int | None = None


@dataclass(frozen=True, slots=True)
class FleetState:
    """A fleet: the number of shards, the schema's version, and what each process says of itself."""

    count: int
    schema: int
    processes: tuple[FleetProcess, ...]
    held: tuple[int, ...]


_TOLD: Final = re.compile(
    r"(?:canasta )?(?P<name>.*?)(?: (?P<shards>\d+-\d+))? (?P<state>\w+)(?: (?P<rate>[\d.]+)/s)?(?: (?P<left>\d+))?"
)
"""A session's name as a process sets it, such as ``canasta a/1 0-3 ready 7.4/s 962``."""


def process_of(told: str) -> FleetProcess:
    """Read a session's name; the whole name of one that is no process of the bot."""
    found = _TOLD.fullmatch(told)
    if found is None:
        return FleetProcess(told.removeprefix("canasta "), "", "")
    rate, left = found["rate"], found["left"]
    return FleetProcess(
        found["name"],
        found["shards"] or "",
        found["state"],
        None if rate is None else float(rate),
        None if left is None else int(left),
    )


@contextmanager
def look_at(address: str) -> Iterator[Session]:
    """Open a database on a server for a command. Raises `Away`, and `NotOurDatabase` for one of another program."""
    connection = open_connection(address, UPKEEP, "command")
    try:
        session = ServerSession(connection)
        if fleet_row(session) is None:
            raise NotOurDatabase("the database on the server")
        yield session
    finally:
        connection.close()


def fleet_state(session: Session) -> FleetState:
    """Return which processes run and which shards are held."""
    count, schema = fleet_row(session) or (0, 0)
    found = session.execute(
        """
        SELECT application_name, array_agg(DISTINCT objid::bigint ORDER BY objid::bigint) AS shards, min(backend_start)
        FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND classid = :space AND granted GROUP BY application_name, pid ORDER BY 1
        """,
        {"space": LOCKS},
    ).rows
    held = sorted({shard for row in found for shard in row["shards"] if shard < 2**31})
    return FleetState(count, schema, tuple(process_of(row["application_name"]) for row in found), tuple(held))


def columns_of(session: Session) -> Mapping[str, tuple[str, ...]]:
    """Return the columns of every table."""
    rows = session.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
    ).rows
    found: dict[str, tuple[str, ...]] = {}
    for table, column in rows:
        found[table] = (*found.get(table, ()), column)
    return found
