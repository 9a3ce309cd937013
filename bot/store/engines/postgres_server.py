"""A database on a PostgreSQL server: checks and migrations at its opening, and the locks of a fleet.

Several processes share one server. Each holds a range of Discord's shards as session locks on the connection by which
it writes, so a process without its shards cannot write. Every process holds one common lock too: only a process that
can have it alone may migrate the schema or change the number of shards.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bot.metrics import METRICS
from bot.store.engines import postgres_budgets
from bot.store.engines.interface import (
    Answer,
    Budgets,
    Connection,
    Parameters,
    Row,
    Session,
    ShardPlan,
    Shards,
    TokenGrant,
)
from bot.store.engines.postgres_connection import (
    COUNTER,
    FIRST_PAUSE,
    LONGEST_PAUSE,
    READER,
    WRITER,
    Listener,
    ServerConnection,
)
from bot.store.errors import (
    DatabaseAway,
    InvalidWrite,
    NewerDatabase,
    NotOurDatabase,
    OtherFleet,
    ShardsLost,
    StorageFailed,
    UnsuitableServer,
)
from bot.store.migrations import Migration, read_migrations

SILENT_FOR: Final = 15
"""Seconds after which a transaction of an owner counts as stuck; none takes so long."""

LOCKS: Final = 0x43_4E
"""The first number of all our locks ("CN"); the second is a shard, or `COMMON`."""
COMMON: Final = -1

LONGEST_NAME: Final = 63
"""Maximum length of a session's name in PostgreSQL, in bytes."""

READERS: Final = 2
OLDEST: Final = 140_000
"""The oldest version of PostgreSQL that knows `idle_session_timeout`."""

FIRST_ANSWER: Final = 60.0
"""Seconds to wait for the server's first answer."""

_log = logging.getLogger("canasta.store")

END_SILENT: Final = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE state <> 'idle' AND xact_start < clock_timestamp() - CAST(:seconds AS BIGINT) * interval '1 second'
    AND pid IN (
        SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND classid = :space AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    )
"""

FLEET: Final = """
CREATE TABLE IF NOT EXISTS fleet (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1), count BIGINT NOT NULL, schema BIGINT NOT NULL
)
"""


class ServerPool:
    """The connections of a process: one that writes, some that read, and one that receives notifications."""

    def __init__(self, address: str) -> None:
        self.writer = ServerConnection(address, WRITER, "writer")
        self._readers = [ServerConnection(address, READER, f"reader {number}") for number in range(1, READERS + 1)]
        self._busy = [0] * READERS
        self._counter = ServerConnection(address, COUNTER, "counter")
        self._listener = Listener(address)

    async def take_tokens(self, name: str, wanted: int, *, urgent: int, per_hour: int, holds: int) -> TokenGrant:
        """Take up to `wanted` tokens of a budget that all processes share. Raises `DatabaseAway`."""
        work = partial(
            postgres_budgets.take_tokens, name=name, wanted=wanted, urgent=urgent, per_hour=per_hour, holds=holds
        )
        return await self._counter.run_after_reconnecting(work)

    async def pause(self, name: str, milliseconds: int) -> None:
        """Grant no tokens of a budget to any process for that many milliseconds. Raises `DatabaseAway`."""
        await self._counter.run_after_reconnecting(
            partial(postgres_budgets.pause_budget, name=name, milliseconds=milliseconds)
        )

    async def run(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` in the thread of the connection that writes.

        Raises `DatabaseAway` while that is not connected.
        """
        return await self.writer.run(work)

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows of a query, as committed last, read by the least busy reader.

        Raises `DatabaseAway`.
        """
        place = self._busy.index(min(self._busy))
        self._busy[place] += 1
        try:
            return await self._readers[place].fetch(sql, parameters)
        finally:
            self._busy[place] -= 1

    def on_notification(self, callback: Callable[[str], None]) -> None:
        """Call `callback` in the event loop with each notification of another process.

        After a gap, in which notifications may have been lost, the text is empty.
        """
        self._listener.on_notification(callback)

    def listen(self) -> None:
        """Begin to receive notifications of other processes."""
        self._listener.start()

    async def close(self) -> None:
        """Close the readers first and the writer last; closing it releases the locks."""
        await self._listener.close()
        for reader in (*self._readers, self._counter):
            await reader.close()
        await self.writer.close()


class ServerEngine:
    """An open database on a server, with the shards that this process holds."""

    path: Path | None = None
    must_read_between_writes = False

    def __init__(self, pool: ServerPool, plan: ShardPlan, steps: tuple[Migration, ...]) -> None:
        self.connection: Connection = pool
        self.shards = Shards()
        self.budgets: Budgets | None = pool
        self._pool = pool
        self._plan = plan
        self._steps = steps

    def mark_erasure_pending(self) -> None:
        """Do nothing: the server's own vacuum overwrites what is deleted."""

    async def erase_deleted_copies(self) -> None:
        """Do nothing: the server's own vacuum overwrites what is deleted."""

    async def stop_erasing_deleted_data(self) -> None:
        """Do nothing: no erasing goes on."""

    async def close(self) -> None:
        """Close all connections, and release the locks last."""
        await self._pool.close()

    async def wait_for_shards(self, waiting: Callable[[], None]) -> None:
        """Wait until a range of shards is free, and lock it.

        `waiting` is called before every wait, and may raise.
        """
        is_told = False
        while True:
            for shards in self._plan.ranges():
                if await self._pool.run(lambda session, wanted=shards: claim_shards(session, wanted)):  # type: ignore[misc]
                    self.shards = shards
                    await self.publish_state("starting")
                    if is_told:
                        METRICS.count("takeovers_total")
                    return
            waiting()
            if not is_told:
                is_told = True
                _log.info("all shards are held by other processes; waiting until some are free")
                await self.publish_state("waiting")
            await self._pool.run(end_silent_owners)
            await asyncio.sleep(self._plan.try_every)

    async def publish_state(self, state: str) -> None:
        """Publish a description of this process for `canasta-bot fleet`."""
        held = "" if state == "waiting" else f" {self.shards.first}-{self.shards.last}"
        text = f"{held} {state}"
        name = f"canasta {self._plan.name}"[: LONGEST_NAME - len(text)] + text
        await self._pool.run(
            lambda session: session.execute("SELECT set_config('application_name', :name, false)", {"name": name})
        )

    async def server_now(self) -> int | None:
        """Return the server's time (UTC milliseconds). Raises `DatabaseAway`."""
        return await self._pool.run(server_now)

    async def reconnect(self) -> None:
        """Connect again and take the same shards.

        Raises `ShardsLost` if another process has them, or if the fleet has changed meanwhile.
        """
        pause = FIRST_PAUSE
        while True:
            try:
                await self._pool.writer.connect()
                await self._pool.run(check_server)
                break
            except DatabaseAway:
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE, 2 * pause)
        loop = asyncio.get_running_loop()
        until = loop.time() + self._plan.try_for
        while not await self._pool.run(self._retake_shards):
            if loop.time() > until:
                raise ShardsLost(f"another process holds the shards {self.shards.first} to {self.shards.last}")
            await asyncio.sleep(self._plan.try_every)
        await self.publish_state("ready")

    def _retake_shards(self, session: Session) -> bool:
        """Take the common lock and the same shards as before; return whether all were free.

        Raises `ShardsLost`.
        """
        if not take_shared_fleet_lock(session):
            return False
        if fleet_row(session) != (self.shards.count, self._steps[-1].version):
            raise ShardsLost("the fleet has another number of shards or another schema now")
        if claim_shards(session, self.shards):
            return True
        _call_lock_function(session, "pg_advisory_unlock_shared", COMMON)
        return False


async def open_server(address: str, scripts: Path, plan: ShardPlan, waiting: Callable[[], None]) -> ServerEngine:
    """Open a database on a server, bring it to the newest version, and wait for a range of shards.

    Raises `UnsuitableServer`, `OtherFleet`, `NewerDatabase`, `NotOurDatabase`, and `StorageFailed`.
    """
    pool, steps = ServerPool(address), read_migrations(scripts)
    engine = ServerEngine(pool, plan, steps)
    try:
        was_away = await _connect_pool(pool, waiting)
        await pool.run(check_server)
        if was_away:
            await asyncio.sleep(plan.try_for)  # let former owners claim their shards first
        await _join_fleet(pool, plan, steps, address)
        while not await _wait_for_shards_of(engine, waiting):  # a spare process outlives a restart of the server
            await _connect_pool(pool, waiting)
            with suppress(DatabaseAway):
                await asyncio.sleep(plan.try_for)  # let former owners claim their shards first
                await _join_fleet(pool, plan, steps, address)
        pool.listen()
    except BaseException:
        await pool.close()
        raise
    _log.info(
        "database %s, shards %d to %d of %d",
        printable_address(address),
        engine.shards.first,
        engine.shards.last,
        plan.count,
    )
    return engine


async def _wait_for_shards_of(engine: ServerEngine, waiting: Callable[[], None]) -> bool:
    """Wait for a range of shards; return False if the server could no longer be reached meanwhile."""
    try:
        await engine.wait_for_shards(waiting)
    except DatabaseAway:
        return False
    return True


async def _connect_pool(pool: ServerPool, waiting: Callable[[], None] = lambda: None) -> bool:
    """Connect the writer within `FIRST_ANSWER`; return whether the server could not be reached at first.

    `waiting` is called before every wait. Raises `StorageFailed`.
    """
    loop = asyncio.get_running_loop()
    until, was_away = loop.time() + FIRST_ANSWER, False
    while True:
        try:
            await pool.writer.connect()
        except DatabaseAway as away:
            if loop.time() > until:
                raise ServerUnreachable(f"the database does not answer ({away})") from None
            if not was_away:
                _log.warning("%s; waiting for it", away)
            was_away = True
            waiting()
            await asyncio.sleep(1)
        else:
            if was_away:
                _log.info("the database is back")
            return was_away


async def _join_fleet(pool: ServerPool, plan: ShardPlan, steps: tuple[Migration, ...], address: str) -> None:
    """Take the common lock; migrate first if no other process runs. Raises `OtherFleet`."""
    loop = asyncio.get_running_loop()
    until = loop.time() + FIRST_ANSWER
    while True:
        if await pool.run(take_exclusive_fleet_lock):
            await pool.writer.migrate(lambda session: _bring_up_to_date(session, plan, steps, address))
            await pool.run(_downgrade_common_lock)
            return
        if await pool.run(take_shared_fleet_lock):
            await pool.run(lambda session: _check_fleet(session, plan, steps, address))
            return
        if loop.time() > until:
            raise OtherFleet("a command holds the database alone; try again when it has ended")
        await asyncio.sleep(plan.try_every)


def take_exclusive_fleet_lock(session: Session) -> bool:
    """Take the common lock exclusively; return False if another process has it."""
    return _call_lock_function(session, "pg_try_advisory_lock", COMMON)


def take_shared_fleet_lock(session: Session) -> bool:
    """Take the lock that all processes share; return False if a command holds it exclusively."""
    return _call_lock_function(session, "pg_try_advisory_lock_shared", COMMON)


def _downgrade_common_lock(session: Session) -> None:
    """Turn the exclusive common lock into a shared one, so that other processes can start."""
    _call_lock_function(session, "pg_advisory_lock_shared", COMMON)
    _call_lock_function(session, "pg_advisory_unlock", COMMON)


def claim_shards(session: Session, shards: Shards) -> bool:
    """Take the locks of all the shards, or of none; return whether this process has them."""
    for shard in range(shards.first, shards.last + 1):
        if not _call_lock_function(session, "pg_try_advisory_lock", shard):
            for taken in range(shards.first, shard):
                _call_lock_function(session, "pg_advisory_unlock", taken)
            return False
    return True


def end_silent_owners(session: Session) -> int:
    """End the sessions of owners that are stuck in a transaction; return the number of sessions ended.

    The server itself ends an idle session, but not one that is stuck after several statements sent as one: PostgreSQL
    15 runs no timer then (psycopg's `executemany`). So a process that waits for shards looks for such sessions.
    """
    return len(session.execute(END_SILENT, {"space": LOCKS, "seconds": SILENT_FOR}).rows)


def _call_lock_function(session: Session, function: str, key: int) -> bool:
    """Call a function of PostgreSQL for advisory locks with the key of a lock; return its answer."""
    return bool(session.execute(f"SELECT {function}({LOCKS:d}, {key:d})").rows[0][0])


def server_now(session: Session) -> int:
    """Return the server's time (UTC milliseconds)."""
    return int(session.execute("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)").rows[0][0])


def check_server(session: Session) -> None:
    """Raise `UnsuitableServer` for a server that is too old, may lose commits, or is not UTF-8.

    A server whose own configuration says `canasta.may_lose_data = on`, as that of the tests does, may lose commits.
    """
    settings = {
        name: session.execute("SELECT current_setting(:name)", {"name": name}).rows[0][0]
        for name in ("server_version_num", "server_encoding", "fsync", "full_page_writes")
    }
    (may_lose,) = session.execute("SELECT current_setting('canasta.may_lose_data', true)").rows[0]
    if int(settings["server_version_num"]) < OLDEST:
        raise UnsuitableServer("PostgreSQL 14 or later is needed")
    if settings["server_encoding"] != "UTF8":
        raise UnsuitableServer(f"the database's encoding is {settings['server_encoding']}, not UTF8")
    if settings["fsync"] != "on" and may_lose != "on":
        raise UnsuitableServer("the server runs with fsync=off and would lose what it has acknowledged")


def is_database_empty(session: Session) -> bool:
    """Return whether the database has no tables."""
    tables = "SELECT 1 FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace LIMIT 1"
    return not session.execute(tables).rows


def fleet_row(session: Session) -> tuple[int, int] | None:
    """Return the number of shards and the schema's version; None if the database was never used."""
    if session.execute("SELECT to_regclass('fleet')").rows[0][0] is None:
        return None
    rows = session.execute("SELECT count, schema FROM fleet").rows
    return (rows[0][0], rows[0][1]) if rows else None


def _check_fleet(session: Session, plan: ShardPlan, steps: tuple[Migration, ...], address: str) -> None:
    """Raise if other processes run that have another number of shards or another schema.

    Raises `UnsuitableServer` for the number, `OtherFleet` for the schema.
    """
    found = fleet_row(session)
    if found is None:
        raise NotOurDatabase(printable_address(address))
    count, schema = found
    if count != plan.count:
        raise UnsuitableServer(f"the processes that run have {count} shards, and CANASTA_SHARDS says {plan.count}")
    if schema != steps[-1].version:
        raise OtherFleet(
            f"the processes that run have schema {schema}, this release {steps[-1].version}: stop all, then start all"
        )


def _bring_up_to_date(session: Session, plan: ShardPlan, steps: tuple[Migration, ...], address: str) -> None:
    """Carry out the missing migrations and store the new version number, all in one transaction."""
    found = fleet_row(session)
    if found is None and not is_database_empty(session):
        raise NotOurDatabase(printable_address(address))
    count, version = found or (plan.count, 0)
    if version > steps[-1].version:
        raise NewerDatabase(printable_address(address), found=version, known=steps[-1].version)
    if (count, version) == (plan.count, steps[-1].version):
        return
    if 0 < version < steps[-1].version:
        _log.info("the database is brought from version %d to %d", version, steps[-1].version)
    session.execute("BEGIN")
    try:
        session.execute(FLEET)
        for step in steps:
            if step.version > version:
                step.apply_migration(session)
        if count != plan.count:
            _change_shard_count(session)
        session.execute("DELETE FROM fleet")
        values = {"count": plan.count, "schema": steps[-1].version}
        session.execute("INSERT INTO fleet (id, count, schema) VALUES (1, :count, :schema)", values)
        session.execute("COMMIT")
    except BaseException as error:
        with suppress(Exception):
            session.execute("ROLLBACK")
        if isinstance(error, InvalidWrite):
            raise StorageFailed(f"the database cannot be brought up to date: {error}") from None
        raise


def _change_shard_count(session: Session) -> None:
    """Turn the heartbeats of the former shards into outages of the Discord servers in them."""
    session.execute(
        """
        INSERT INTO outages (shard, count, start_at, end_at)
        SELECT shard, count, at, CAST(extract(epoch FROM now()) * 1000 AS BIGINT) FROM heartbeat
        WHERE at < CAST(extract(epoch FROM now()) * 1000 AS BIGINT)
        ON CONFLICT (shard, count, start_at) DO NOTHING
        """
    )
    session.execute(
        """
        INSERT INTO told (name, value, at) SELECT 'first ready', '', min(first_at) FROM heartbeat HAVING count(*) > 0
        ON CONFLICT (name) DO NOTHING
        """
    )
    session.execute("DELETE FROM heartbeat")


class ServerUnreachable(ShardsLost):
    """Raised if the server did not answer when the program started."""


def printable_address(address: str) -> str:
    """Return host and name of a database, without user and password, to show to operators."""
    parts = urlsplit(address)
    hosts = parts.netloc.rpartition("@")[2]
    return f"{hosts or 'the local server'}{parts.path}"
