"""The interface of a database engine: connections, and sessions that run statements in their thread.

Statements have `:name` parameters and use only words that SQLite and PostgreSQL share. An engine raises `InvalidWrite`
for values that do not fit, `StorageFailed` for everything else; neither text quotes a stored row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from bot.store.errors import InvalidWrite

Answer = TypeVar("Answer")
Parameters: TypeAlias = Mapping[str, object]


class Row(Protocol):
    """A row of a result; its values are found by column name or index. `dict` makes a dictionary of it."""

    def keys(self) -> Collection[str]:
        """Return the names of the columns."""

    def __getitem__(self, key: str | int, /) -> Any:
        """Return the value of a column."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the values of the columns in order."""


@dataclass(frozen=True, slots=True)
class Result:
    """The rows that a statement returned, and the number of rows that it changed."""

    rows: Sequence[Row]
    changed: int


@dataclass(frozen=True, slots=True)
class Shards:
    """A range of Discord's shards, `first` to `last` of `count`, whose servers a process owns.

    A server is in the shard ``(guild_id >> 22) % count``. The process that opens a file owns all shards.
    """

    first: int = 0
    last: int = 0
    count: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether these are all shards."""
        return self.last - self.first + 1 == self.count

    def owns(self, guild: int) -> bool:
        """Return whether a Discord server is in one of these shards."""
        return self.first <= (guild >> 22) % self.count <= self.last

    @property
    def parameters(self) -> Parameters:
        """The parameters of the condition `OWNED` for these shards."""
        return {"first": self.first, "last": self.last, "count": self.count}


EVERY_SERVER: Final = Shards()

OWNED: Final = "(guild_id >> 22) % :count BETWEEN :first AND :last"
"""The SQL condition for rows on which a process acts on its own: their server is in its shards."""


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """The division of Discord's shards among the processes of a fleet: `size` for each process, `count` in all.

    `name` is the name of this process. A process that wants shards tries every `try_every` seconds. One that lost its
    connection must have its own back within `try_for` seconds, and a spare process waits that long after the server
    could not be reached.
    """

    size: int = 1
    count: int = 1
    name: str = ""
    try_every: float = 0.5
    try_for: float = 5.0

    def ranges(self) -> tuple[Shards, ...]:
        """Return the ranges of shards; each process takes one of them."""
        return tuple(Shards(first, first + self.size - 1, self.count) for first in range(0, self.count, self.size))


@dataclass(frozen=True, slots=True)
class TokenGrant:
    """The number of tokens granted from a shared budget, and for how long the budget is paused (ms)."""

    tokens: int
    paused_for: int = 0


class Budgets(Protocol):
    """Budgets that all processes of a fleet share."""

    async def take_tokens(self, name: str, wanted: int, *, urgent: int, per_hour: int, holds: int) -> TokenGrant:
        """Take up to `wanted` tokens of a bucket; its last two are only for the `urgent` ones among them.

        Raises `DatabaseAway`.
        """

    async def pause(self, name: str, milliseconds: int) -> None:
        """Grant no tokens to any process for that many milliseconds. Raises `DatabaseAway`."""


class Session(Protocol):
    """Runs statements in the connection's thread. Raises `InvalidWrite` for values that do not fit."""

    def execute(self, sql: str, parameters: Parameters | None = None) -> Result:
        """Execute one statement with named parameters."""

    def executemany(self, sql: str, many: Sequence[Parameters]) -> int:
        """Execute one statement for each of the parameters and return how many rows were changed."""

    def notify(self, text: str) -> None:
        """Notify the other processes of the same database, once the transaction is committed."""


class Connection(Protocol):
    """A connection to a database; its opener must close it, or the process never ends."""

    async def run(self, work: Callable[[Session], Answer]) -> Answer:
        """Run `work` in the connection's thread without a pause; return its result, or raise its error."""

    async def fetch(self, sql: str, parameters: Parameters) -> Sequence[Row]:
        """Return the rows of a query, as committed last; none for a number beyond 63 bits, which is no id."""

    def on_notification(self, callback: Callable[[str], None]) -> None:
        """Call `callback` in the event loop with every notification from another process."""

    async def close(self) -> None:
        """Close the connection. Closing twice does nothing."""


class Engine(Protocol):
    """An open database of the newest version: its connection, and what differs between file and server."""

    @property
    def connection(self) -> Connection:
        """The connection that writes."""

    @property
    def path(self) -> Path | None:
        """The database's file; None on a server."""

    @property
    def must_read_between_writes(self) -> bool:
        """Whether a read must wait until no transaction is open, because it uses the same connection."""

    def mark_erasure_pending(self) -> None:
        """Note that rows will be deleted, and that no file may keep a copy of them."""

    async def erase_deleted_copies(self) -> None:
        """Erase the copies of deleted rows from the files. Raises `StorageFailed`."""

    @property
    def budgets(self) -> Budgets | None:
        """Budgets that all processes share; None on a file, which only one process uses."""

    async def publish_state(self, state: str) -> None:
        """Publish a description of this process for `canasta-bot fleet`."""

    @property
    def shards(self) -> Shards:
        """The range of shards that this process owns."""

    async def server_now(self) -> int | None:
        """Return the server's time (UTC milliseconds); None for a file. Raises `DatabaseAway`."""

    async def reconnect(self) -> None:
        """Connect again after `DatabaseAway`, and take the same locks. Raises `ShardsLost`."""

    async def stop_erasing_deleted_data(self) -> None:
        """Stop the attempts to erase copies that are still going on."""

    async def close(self) -> None:
        """Close the connection and give up the lock on the database."""


class OfflineBackend(Protocol):
    """A database that a command has open in one thread, without the writer."""

    @property
    def session(self) -> Session:
        """The session that runs the command's statements."""

    @property
    def product_and_version(self) -> tuple[str, str]:
        """The name and version of the database program."""

    def version(self) -> int:
        """Return the number of the last migration."""

    def find_damage(self) -> tuple[str, ...]:
        """Return what the database program finds wrong; nothing for a sound database."""

    def columns(self) -> Mapping[str, Sequence[str]]:
        """Return the columns of every table of this program."""

    def close(self) -> None:
        """Close the database; what was not committed is lost."""


def refuse_nul_characters(parameters: Parameters) -> None:
    """Raise `InvalidWrite` for a text with U+0000, which PostgreSQL cannot store."""
    for value in parameters.values():
        if value.__class__ is str and "\0" in value:
            raise InvalidWrite("a text has the character U+0000")
