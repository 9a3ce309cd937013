"""Open a database on a server for commands; return its processes and the state of the server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import psycopg

from bot.store.engines.interface import Session
from bot.store.engines.postgres_connection import UPKEEP, ServerRow, ServerSession, open_connection
from bot.store.engines.postgres_server import (
    LOCKS,
    check_server,
    fleet_row,
    printable_address,
    server_now,
    take_exclusive_fleet_lock,
)
from bot.store.errors import NewerDatabase, NotOurDatabase, OtherFleet, UnsuitableServer


@dataclass(frozen=True, slots=True)
class FleetProcess:
    """The description that a process gives of itself.

    `shards` is empty while it waits, and a figure is None before it is known.
    """

    name: str
    shards: str
    state: str
    requests_per_second: float | None = None
    identifies_left: int | None = None


@dataclass(frozen=True, slots=True)
class FleetState:
    """A fleet: the number of shards, the schema's version, and each process's description of itself."""

    count: int
    schema: int
    processes: tuple[FleetProcess, ...]
    held: tuple[int, ...]


_TOLD: Final = re.compile(
    r"(?:canasta )?(?P<name>.*?)(?: (?P<shards>\d+-\d+))? (?P<state>\w+)(?: (?P<rate>[\d.]+)/s)?(?: (?P<left>\d+))?"
)
"""A session's name as a process sets it, such as ``canasta a/1 0-3 ready 7.4/s 962``."""


def parse_process(session_name: str) -> FleetProcess:
    """Return the process that a session's name describes; any other name is kept as a whole."""
    found = _TOLD.fullmatch(session_name)
    if found is None:
        return FleetProcess(session_name.removeprefix("canasta "), "", "")
    rate, left = found["rate"], found["left"]
    return FleetProcess(
        found["name"],
        found["shards"] or "",
        found["state"],
        None if rate is None else float(rate),
        None if left is None else int(left),
    )


@contextmanager
def open_session(address: str) -> Iterator[Session]:
    """Open a database on a server for a command.

    Raises `DatabaseAway`, and `NotOurDatabase` for one of another program.
    """
    connection = open_connection(address, UPKEEP, "command")
    try:
        session = ServerSession(connection)
        if fleet_row(session) is None:
            raise NotOurDatabase("the database on the server")
        yield session
    finally:
        connection.close()


def fleet_state(session: Session) -> FleetState:
    """Return the running processes of a fleet, and the shards that they hold."""
    count, schema = fleet_row(session) or (0, 0)
    rows = session.execute(
        """
        SELECT application_name, array_agg(DISTINCT objid::bigint ORDER BY objid::bigint) AS shards, min(backend_start)
        FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND classid = :space AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        GROUP BY application_name, pid ORDER BY 1
        """,
        {"space": LOCKS},
    ).rows
    held = sorted({shard for row in rows for shard in row["shards"] if shard < 2**31})
    return FleetState(count, schema, tuple(parse_process(row["application_name"]) for row in rows), tuple(held))


def columns_of(session: Session) -> Mapping[str, tuple[str, ...]]:
    """Return the columns of every table."""
    rows = session.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
    ).rows
    found: dict[str, tuple[str, ...]] = {}
    for table, column in rows:
        found[table] = (*found.get(table, ()), column)
    return found


class OfflineServer:
    """A database on a server that a command has open."""

    def __init__(self, connection: psycopg.Connection[ServerRow]) -> None:
        self._connection = connection
        self.session: Session = ServerSession(connection)

    @property
    def product_and_version(self) -> tuple[str, str]:
        """The name and version of the database program."""
        return "PostgreSQL", str(self.session.execute("SELECT current_setting('server_version')").rows[0][0])

    def version(self) -> int:
        """Return the number of the last migration."""
        return (fleet_row(self.session) or (0, 0))[1]

    def find_damage(self) -> tuple[str, ...]:
        """Return the indexes that the server calls invalid; finding other damage would need all pages."""
        invalid = "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid ORDER BY 1"
        return tuple(f"the index {name} is invalid" for (name,) in self.session.execute(invalid).rows)

    def columns(self) -> Mapping[str, Sequence[str]]:
        """Return the columns of every table of this program, in the order of the tables' names."""
        return {table: names for table, names in sorted(columns_of(self.session).items()) if table != "fleet"}

    def close(self) -> None:
        """Close the connection; what was not committed is lost."""
        self._connection.close()


def open_for_reading(address: str, *, known: int) -> OfflineServer:
    """Open a database to read it as it is at one moment, while processes may go on."""
    return _open_in_transaction(address, known, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", is_alone=False)


def open_for_changing(address: str, *, known: int) -> OfflineServer:
    """Open a database and begin a transaction, to change it while no process runs."""
    return _open_in_transaction(address, known, "BEGIN", is_alone=True)


def _open_in_transaction(address: str, known: int, begin: str, *, is_alone: bool) -> OfflineServer:
    """Open a database in a transaction.

    Raises if another program or a later release made it, or if it is in use.
    """
    connection = open_connection(address, UPKEEP, "command")
    try:
        session = ServerSession(connection)
        _require_own_database(session, address, known)
        if is_alone:
            require_exclusive_use(session)
        session.execute(begin)
    except BaseException:
        connection.close()
        raise
    return OfflineServer(connection)


def _require_own_database(session: Session, address: str, known: int) -> None:
    """Raise an error if another program or a later release made the database.

    Raises `NotOurDatabase`, `NewerDatabase`.
    """
    found = fleet_row(session)
    if found is None:
        raise NotOurDatabase(printable_address(address))
    if found[1] > known:
        raise NewerDatabase(printable_address(address), found=found[1], known=known)


def require_exclusive_use(session: Session) -> None:
    """Lock the database for this session alone, until it ends. Raises `OtherFleet` if it is in use."""
    if not take_exclusive_fleet_lock(session):
        raise OtherFleet("processes of a fleet or a command use the database; stop them first")


def count_shards_of_fleet(address: str) -> int:
    """Return the number of shards that the fleet of a database has."""
    with open_session(address) as session:
        return (fleet_row(session) or (1, 0))[0]


@dataclass(frozen=True, slots=True)
class ServerHealth:
    """The state of a server: why it is not suitable (or an empty text), and figures.

    `skew` is by how many milliseconds its clock is ahead of `now`; `archiving` is ``off``, ``on`` or ``failing``.
    """

    unsuitable: str
    bytes_used: int
    skew: int
    archiving: str


_ARCHIVING: Final = """
SELECT CASE
    WHEN current_setting('archive_mode') = 'off' THEN 'off'
    WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN 'failing'
    ELSE 'on' END
FROM pg_stat_archiver
"""


def server_health(session: Session, now: int) -> ServerHealth:
    """Return the state of a server at that instant (UTC milliseconds)."""
    try:
        check_server(session)
        unsuitable = ""
    except UnsuitableServer as why:
        unsuitable = str(why)
    size = int(session.execute("SELECT pg_database_size(current_database())").rows[0][0])
    return ServerHealth(unsuitable, size, server_now(session) - now, str(session.execute(_ARCHIVING).rows[0][0]))
