"""A PostgreSQL server for tests: Debian's programs, a temporary cluster, a database for each test.

Each worker of a run has one, started by the first test that needs it. Tests that need none are not slowed. If
PostgreSQL is not installed, tests that need it are skipped; with `REQUIRE_POSTGRES=1` they fail.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import pytest

from bot.store.store import Store, open_store
from tests.support.storeless_tests import running_test_id

_template: list[str] = []
"""The name of an empty database of the newest version, once it has been made."""


def server_programs_folder() -> Path | None:
    """Return the folder of Debian's newest server programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class Server:
    """A running PostgreSQL server, which is stopped and deleted at the end.

    With `is_safe`, it keeps everything it has acknowledged even if it is killed.
    """

    def __init__(self, *, is_safe: bool = False) -> None:
        folder = server_programs_folder()
        if folder is None:
            skip_or_fail_test("no initdb found")
        assert folder is not None
        self._programs = folder
        memory = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
        self.folder = Path(mkdtemp(prefix="canasta-pg-", dir=memory if memory.is_dir() and not is_safe else None))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._as = self._unprivileged_user()
        if self._as is not None:
            os.chown(self.folder, *self._as)
        self._run_program(
            "initdb", "-D", str(self.data), "-U", "canasta", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"
        )
        unsafe = "" if is_safe else "fsync = off\nfull_page_writes = off\ncanasta.may_lose_data = on\n"
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(
                f"{unsafe}listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = ''\n"
                "dynamic_shared_memory_type = mmap\nmax_connections = 200\nshared_buffers = 32MB\n"
                "autovacuum = off\nmax_wal_size = 256MB\n"
            )
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def copy_option(self) -> str:
        """Return the SQL option for the fastest copy of a database: by file, if the server can do that."""
        return " STRATEGY file_copy" if int(self._programs.parts[-2]) >= 15 else ""

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        self._process = subprocess.Popen(
            [self._programs / "postgres", "-D", self.data],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **self._user_arguments(),
        )
        until = time.monotonic() + 30
        while subprocess.run(
            [self._programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False
        ).returncode:
            assert time.monotonic() < until, "the server does not start"
            assert self._process.poll() is None, "the server ended"
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill the server with everything that it runs, so that nothing can still be written."""
        assert self._process is not None
        if self._process.poll() is not None:
            return
        os.kill(self._process.pid, signal.SIGSTOP)  # stopped first: it would restart when it saw its children die
        for child in _child_process_ids(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._process.kill()
        self._process.wait()

    def copy_data_directory(self) -> None:
        """Copy the data directory of a killed server, to put it back later."""
        subprocess.run(["/bin/cp", "-a", self.data, self.folder / "kept"], check=True)

    def restore_data_directory(self) -> None:
        """Replace a killed server's data by the copy, as after a failover to a standby that lags behind."""
        shutil.rmtree(self.data)
        (self.folder / "kept").rename(self.data)

    def stop(self) -> None:
        """Stop the server and delete its data."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGQUIT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, name: str, port: int = 0) -> str:
        """Return the URL of a database, through another port if one is given."""
        return f"postgresql://canasta@127.0.0.1:{port or self.port}/{name}"

    def run_sql(self, sql: str, name: str = "postgres") -> str:
        """Run SQL statements and return what `psql` prints."""
        done = subprocess.run(
            [self._programs / "psql", "-qtAX", "-v", "ON_ERROR_STOP=1", self.address(name), "-c", sql],
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    @staticmethod
    def _unprivileged_user() -> tuple[int, int] | None:
        """Return the user and group id for the server, which refuses root; None if we are not root."""
        if os.getuid():
            return None
        for name in ("postgres", "nobody"):
            with suppress(KeyError):
                entry = pwd.getpwnam(name)
                return entry.pw_uid, entry.pw_gid
        raise LookupError("no user to run a server as")

    def _user_arguments(self) -> dict[str, Any]:
        return {} if self._as is None else {"user": self._as[0], "group": self._as[1], "extra_groups": []}

    def _run_program(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self._user_arguments(),
        )


def _child_process_ids(parent: int) -> list[int]:
    """Return the ids of the processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after_name = stat.read_text().rpartition(")")[2].split()
            if int(after_name[1]) == parent:
                found.append(int(stat.parent.name))
    return found


def skip_or_fail_test(reason: str) -> None:
    """Skip the test, or fail it where PostgreSQL is required."""
    if os.environ.get("REQUIRE_POSTGRES") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


_server: list[Server] = []
_admin: list[Any] = []
"""The connection that creates databases, so that no program is started for each."""

_number = count(1)
_made: dict[str, list[str]] = {}
"""Databases by the test that made them; each has eight megabytes, so they are dropped when their test ends."""

_reused: list[_ReusedDatabase] = []
"""Databases that tests use one after another; most tests use the first."""

_END_SESSIONS: Final = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""

_EMPTY: Final = """
DO $$
DECLARE one record;
BEGIN
    SET LOCAL session_replication_role = replica; -- references are not looked at
    FOR one IN
        SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
            AND relname <> 'fleet' AND pg_relation_size(oid) > 0
    LOOP EXECUTE format('DELETE FROM %I', one.relname); END LOOP;
    PERFORM setval(oid, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace;
END $$
"""

_WORN: Final = """
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 65536
"""
"""Selects tables with much unused room from deleted rows: only replacing them frees it, and every read scans it."""


def running_server() -> Server:
    """Return the PostgreSQL server of this process, started when it is first needed.

    It is stopped with the process.
    """
    if not _server:
        pytest.importorskip("psycopg", reason="psycopg is not installed")
        _server.append(Server())
    return _server[0]


def stop_server() -> None:
    """Stop the PostgreSQL server of this process, if it was started."""
    while _admin:
        _admin.pop().close()
    while _reused:
        _reused.pop().close()
    while _server:
        _server.pop().stop()


def _run_as_admin(sql: str) -> None:
    """Run an SQL statement outside a transaction, as the administrator."""
    running = running_server()
    if not _admin:
        _admin.append(open_autocommit_connection(running.address("postgres")))
    _admin[0].execute(sql)


class _ReusedDatabase:
    """A database that is emptied for each test.

    That takes a twentieth of the time to create and drop one.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.test = ""
        self._admin = open_autocommit_connection(address)

    def empty(self) -> None:
        """End open sessions, delete all rows, and let all counters begin at 1 again."""
        self._admin.execute(_END_SESSIONS)
        self._admin.execute(_EMPTY)
        if worn := [name for (name,) in self._admin.execute(_WORN)]:
            self._admin.execute(f"VACUUM {', '.join(worn)}")

    def close(self) -> None:
        """Close the administrator's connection to this database."""
        self._admin.close()


async def reused_database() -> str:
    """Return the URL of an empty database of the newest version, which an earlier test may have used."""
    test = running_test_id()
    for one in _reused:
        if one.test != test:
            one.empty()
            break
    else:
        one = _ReusedDatabase(_create_database(await _template_name(), lasting=True))
        _reused.append(one)
    one.test = test
    return one.address


def _create_database(template: str, *, lasting: bool = False) -> str:
    """Create a copy of a database and return its URL; it is dropped after its test unless `lasting`."""
    test = running_test_id()
    for name in [name for one, names in _made.items() if one != test for name in names]:
        _run_as_admin(f"DROP DATABASE {name} WITH (FORCE)")
    kept = _made.pop(test, [])
    _made.clear()
    name = f"test_{next(_number)}"
    _run_as_admin(f"CREATE DATABASE {name} TEMPLATE {template}{running_server().copy_option}")
    _made[test] = kept if lasting else [*kept, name]
    return running_server().address(name)


async def new_database() -> str:
    """Return the URL of a new database of the newest version, for the running test.

    It is copied from a template. Tests that only need an empty one take a `reused_database`, which is ready sooner.
    """
    return _create_database(await _template_name())


async def _template_name() -> str:
    """Return the name of a database of the newest version that is used only as a template."""
    if not _template:
        address = _create_database("template1", lasting=True)
        async with open_store(address):
            pass
        _template.append(_database_name(address))
    return _template[0]


def copy_database(address: str) -> str:
    """Return the URL of a copy of another database, for the running test."""
    return _create_database(_database_name(address))


def _database_name(address: str) -> str:
    """Return the name of a database in its URL."""
    return address.rpartition("/")[2]


def new_empty_database(*, lasting: bool = False) -> str:
    """Return the URL of a new database without tables.

    It is dropped after the running test unless `lasting`.
    """
    return _create_database("template1", lasting=lasting)


@asynccontextmanager
async def open_new_store_on_server(_path: Path) -> AsyncIterator[Store]:
    """Yield the store on a new database of the test server."""
    async with open_store(await reused_database()) as store:
        yield store


def open_autocommit_connection(address: str) -> Any:
    """Return a connection of psycopg on which each statement is a transaction of its own."""
    import psycopg  # noqa: PLC0415 - it may be missing

    return psycopg.connect(address, autocommit=True)
