"""Connections to PostgreSQL with psycopg: synchronous, each in a thread of its own.

An error of the server becomes one of the store: `InvalidWrite` for values (SQLSTATE 22 and 23), `DatabaseAway` while
the server cannot be reached or is stopping, `TransactionCollided` for a transaction that lost to another one and may be
tried once more, and `StorageFailed` for everything else. PostgreSQL's own texts quote rows, so none is passed on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, LiteralString, SupportsIndex, overload

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper

from bot.store.engines.interface import Answer, Parameters, Result, Row, Session
from bot.store.engines.postgres_dialect import translate_schema, translate_statement
from bot.store.errors import DatabaseAway, InvalidWrite, StorageFailed, StoreClosed, StoreError, TransactionCollided

FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0
"""Seconds between two attempts to connect: the first wait, and the longest, up to which it doubles.

The longest is short enough for a former owner to be back before a spare process takes its shards.
"""

CHANNEL: Final = "canasta"
"""The channel on which processes notify each other of their changes."""

WRITER: Final = {
    "synchronous_commit": "on",
    "idle_session_timeout": "15s",
    "idle_in_transaction_session_timeout": "10s",
    "statement_timeout": "10s",
    "lock_timeout": "5s",
    "default_toast_compression": "lz4",
    "tcp_user_timeout": "10s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
"""Settings of the writer's session: a process that is silent for 15 s loses it, and with it its shards."""

READER: Final = {"statement_timeout": "10s", "default_transaction_read_only": "on"}

COUNTER: Final = {"statement_timeout": "5s", "synchronous_commit": "off"}
"""Settings of the session for common budgets; it need not be durable, because a crash only gives tokens back."""

UPKEEP: Final = {"synchronous_commit": "on", "statement_timeout": "0", "lock_timeout": "0"}
"""Settings for migrations and copies, which may take long."""

LONGEST_REFUSAL: Final = 120
"""Maximum number of characters shown of libpq's reason for a failed connection."""

_NETWORK: Final[dict[str, Any]] = {
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
}

_COLLISIONS: Final = ("40001", "40P01", "55P03")
_PREPARED: Final = ("SELECT", "INSERT", "UPDATE", "DELETE")
"""The first words of statements for which a plan is prepared; all others control transactions or settings."""

_BEYOND_63_BITS: Final = "22003"
_TOOK_TOO_LONG: Final = "57014"


class ServerRow(tuple[Any, ...]):
    """A row of a result, by index or by column name."""

    __slots__ = ()
    columns: Mapping[str, int] = {}

    def keys(self) -> Collection[str]:
        """Return the names of the columns."""
        return self.columns.keys()

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Any: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, key: str, /) -> Any: ...
    def __getitem__(self, key: SupportsIndex | slice | str, /) -> Any:
        """Return the value of a column."""
        return super().__getitem__(self.columns[key] if isinstance(key, str) else key)


def _make_rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], ServerRow]:
    """Return a function that makes a `ServerRow` of each row of the cursor's results."""
    columns = {column.name: place for place, column in enumerate(cursor.description or ())}
    return type("ResultRow", (ServerRow,), {"__slots__": (), "columns": columns})


class _BoolDumper(Int8Dumper):
    """Sends a truth value as 0 or 1, as SQLite stores it, because number columns refuse truth values."""

    def dump(self, obj: int) -> Buffer | None:
        """Return 0 or 1 as text."""
        return super().dump(int(obj))


class _BoolBinaryDumper(Int8BinaryDumper):
    """Sends a truth value as 0 or 1 in binary."""

    def dump(self, obj: int) -> Buffer | None:
        """Return 0 or 1 in binary."""
        return super().dump(int(obj))


class _NumericLoader(Loader):
    """Reads a `numeric` as a whole number, because PostgreSQL widens sums of whole numbers to it."""

    def load(self, data: Buffer) -> int | float:
        """Return the whole number in the text."""
        text = bytes(data).decode()
        return float(text) if "." in text or "N" in text else int(text)


class _BoolLoader(Loader):
    """Reads a truth value as 0 or 1, as SQLite returns it."""

    def load(self, data: Buffer) -> int:
        """Return 0 or 1."""
        return int(bytes(data) == b"t")


def _register_adapters(connection: psycopg.Connection[Any]) -> None:
    """Make psycopg send every whole number as 64 bits.

    By itself psycopg chooses the type by the number's size, and each type would need another plan on the server.
    """
    adapters = connection.adapters
    for dumper in (Int8BinaryDumper, Int8Dumper):
        adapters.register_dumper(int, dumper)
    for of_bool in (_BoolBinaryDumper, _BoolDumper):
        adapters.register_dumper(bool, of_bool)
    adapters.register_loader("numeric", _NumericLoader)
    adapters.register_loader("bool", _BoolLoader)


class ServerSession:
    """Runs statements on a server; with `is_migrating` it also translates statements of the schema."""

    def __init__(self, connection: psycopg.Connection[ServerRow], *, is_migrating: bool = False) -> None:
        self._connection = connection
        self._is_migrating = is_migrating

    def execute(self, sql: str, parameters: Parameters | None = None) -> Result:
        """Execute one statement with named parameters."""
        statement: LiteralString = translate_statement(translate_schema(sql) if self._is_migrating else sql)
        can_prepare = not self._is_migrating and sql.lstrip().startswith(_PREPARED)
        try:
            # Without parameters psycopg sends the text unchanged, so it may contain several statements.
            cursor = self._connection.execute(
                statement if parameters else statement.replace("%%", "%"),
                parameters or None,
                prepare=None if can_prepare else False,
            )
            return Result(cursor.fetchall() if cursor.description else [], cursor.rowcount)
        except (psycopg.Error, OverflowError, UnicodeError) as error:
            raise translate_error(error, self._connection, is_commit=sql == "COMMIT") from None

    def executemany(self, sql: str, many: Sequence[Parameters]) -> int:
        """Execute one statement for each of the parameters and return how many rows were changed."""
        try:
            with self._connection.cursor() as cursor:
                cursor.executemany(translate_statement(sql), many)
                return cursor.rowcount
        except (psycopg.Error, OverflowError, UnicodeError) as error:
            raise translate_error(error, self._connection) from None

    def notify(self, text: str) -> None:
        """Notify the other processes of the same database, once the transaction is committed."""
        self.execute("SELECT pg_notify(:channel, :text)", {"channel": CHANNEL, "text": text})


def translate_error(
    error: Exception, connection: psycopg.Connection[Any] | None = None, *, is_commit: bool = False
) -> StoreError:
    """Return the store's error that corresponds to an error of psycopg.

    If the connection was lost during a `COMMIT`, the error says that its outcome is unknown.
    """
    state = getattr(error, "sqlstate", None) or ""
    text = f"{type(error).__name__} {state}".strip()
    if state in _COLLISIONS:
        return TransactionCollided(text)
    lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and not state
    if (connection is not None and connection.closed) or lost or state[:2] in ("08", "53", "57") or state == "25006":
        return DatabaseAway(text, is_unknown=is_commit, is_slow=state == _TOOK_TOO_LONG)
    if state[:2] in ("22", "23") or isinstance(error, psycopg.DataError | OverflowError | UnicodeError):
        return NumberOutOfRange(text) if state == _BEYOND_63_BITS else InvalidWrite(text)
    return StorageFailed(text)


class NumberOutOfRange(InvalidWrite):
    """Raised for a number beyond 63 bits."""


class ServerConnection:
    """A connection to a server in a thread of its own; its opener must close it."""

    def __init__(self, address: str, settings: Mapping[str, str], name: str) -> None:
        """Prepare a connection to `address` (a URL); `connect` opens it, and a read opens it again."""
        self._address = address
        self._settings = settings
        self._name = name
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"store-{name}")
        self._connection: psycopg.Connection[ServerRow] | None = None
        self._is_closed = False

    async def connect(self) -> None:
        """Open the connection, also again after it was lost. Raises `DatabaseAway`."""
        await self._in_thread(self._connect)

    async def run(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` in the connection's thread. Raises `DatabaseAway` while it is not connected."""
        return await self._in_thread(lambda: work(self._session()))

    async def run_after_reconnecting(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` in the connection's thread; if the connection was lost, connect again first."""
        return await self._in_thread(lambda: self._run_after_reconnecting(work))

    async def migrate(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` without limits of time, translating statements of the schema too."""
        return await self._in_thread(lambda: self._migrate(work))

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows of a query, as committed last; none for a number beyond 63 bits.

        If the connection was lost, it connects again once. Raises `DatabaseAway`.
        """
        return await self._in_thread(lambda: self._fetch(sql, parameters))

    def on_notification(self, callback: Callable[[str], None]) -> None:
        """Do nothing: `Listener` receives the notifications."""

    async def close(self) -> None:
        """Close the connection and end its thread."""
        if not self._is_closed:
            with suppress(StoreError):
                await self._in_thread(self._disconnect)
            self._is_closed = True
            self._thread.shutdown(wait=False)

    async def _in_thread(self, work: Callable[[], Answer]) -> Answer:
        """Run `work` in the connection's thread."""
        if self._is_closed:
            raise StoreClosed("the store is closed")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # --- in the thread -----------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self._disconnect()
        self._connection = open_connection(self._address, self._settings, self._name)

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error, OSError):
                self._connection.close()
            self._connection = None

    def _session(self, *, is_migrating: bool = False) -> ServerSession:
        if self._connection is None or self._connection.closed:
            raise DatabaseAway("not connected")
        return ServerSession(self._connection, is_migrating=is_migrating)

    def _run_after_reconnecting(self, work: Callable[[Session], Answer]) -> Answer:
        if self._connection is None or self._connection.closed:
            self._connect()
        try:
            return work(self._session())
        except StoreError:
            self._disconnect()  # a transaction may still be open on it
            raise

    def _migrate(self, work: Callable[[Session], Answer]) -> Answer:
        plain = self._session()
        for name, value in UPKEEP.items():
            plain.execute(f"SET {name} = '{value}'")
        try:
            return work(self._session(is_migrating=True))
        finally:
            for name, value in self._settings.items():
                plain.execute(f"SET {name} = '{value}'")

    def _fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        if self._connection is None or self._connection.closed:
            self._connect()
        try:
            return self._session().execute(sql, parameters).rows
        except NumberOutOfRange:
            return []
        except DatabaseAway:
            self._connect()
            return self._session().execute(sql, parameters).rows


def open_connection(address: str, settings: Mapping[str, str], name: str) -> psycopg.Connection[ServerRow]:
    """Open a connection whose caller begins and ends transactions. Raises `DatabaseAway`."""
    options = " ".join(f"-c {key}={value}" for key, value in settings.items())
    try:
        connection: psycopg.Connection[ServerRow] = psycopg.Connection.connect(
            address,
            autocommit=True,
            prepare_threshold=0,
            row_factory=_make_rows,
            options=options,
            application_name=f"canasta {name}",
            **_NETWORK,
        )
    except psycopg.Error as error:
        translated = translate_error(error)
        raise DatabaseAway(_refusal_reason(error)) if isinstance(translated, DatabaseAway) else translated from None
    connection.prepared_max = 500
    _register_adapters(connection)
    return connection


def _refusal_reason(error: psycopg.Error) -> str:
    """Return the reason for a failed connection, such as a missing password. It never quotes a row."""
    reasons = [line.rpartition("failed: ")[2] for line in str(error).splitlines() if "failed: " in line]
    return f"{type(error).__name__}: {reasons[-1][:LONGEST_REFUSAL]}" if reasons else type(error).__name__


class Listener:
    """Receives the notifications of other processes, on a connection of its own that reconnects by itself."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._callbacks: list[Callable[[str], None]] = []
        self._task: asyncio.Task[None] | None = None
        self._opening: asyncio.Future[psycopg.Connection[ServerRow]] | None = None

    def on_notification(self, callback: Callable[[str], None]) -> None:
        """Call `callback` with every notification from another process.

        After a gap, in which notifications may have been lost, the text is empty.
        """
        self._callbacks.append(callback)

    def start(self) -> None:
        """Begin to listen to the server."""
        self._task = asyncio.create_task(self._run(), name="store-listener")

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._opening is not None:
            with suppress(StoreError, psycopg.Error):
                (await self._opening).close()

    async def _run(self) -> None:
        """Listen until the task is cancelled; reconnect after a pause whenever the connection is lost."""
        pause = FIRST_PAUSE
        while True:
            try:
                self._opening = asyncio.ensure_future(asyncio.to_thread(_open_listening, self._address))
                connection = await asyncio.shield(self._opening)
            except (StoreError, psycopg.Error):
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE, 2 * pause)
                continue
            pause = FIRST_PAUSE
            try:
                self._call_listeners([""])
                await self._listen(connection)
            finally:
                connection.close()

    async def _listen(self, connection: psycopg.Connection[ServerRow]) -> None:
        """Pass on the server's notifications until the connection is lost."""
        loop, descriptor, arrived = asyncio.get_running_loop(), connection.fileno(), asyncio.Event()
        loop.add_reader(descriptor, arrived.set)
        try:
            while True:
                self._call_listeners([told.payload for told in connection.notifies(timeout=0)])
                await arrived.wait()
                arrived.clear()
        except (psycopg.Error, OSError):
            return
        finally:
            loop.remove_reader(descriptor)

    def _call_listeners(self, texts: Sequence[str]) -> None:
        for text in texts:
            for callback in self._callbacks:
                callback(text)


def _open_listening(address: str) -> psycopg.Connection[ServerRow]:
    """Open a connection that receives notifications."""
    connection = open_connection(address, {}, "hear")
    connection.execute(f"LISTEN {CHANNEL}")
    return connection
