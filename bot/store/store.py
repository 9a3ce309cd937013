"""The store: one object per process, with a part for each subject."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bot.store.contest_tables import ContestStore
from bot.store.database import Database, open_database
from bot.store.engines.interface import Budgets, Session, ShardPlan, Shards
from bot.store.errors import StorageFailed
from bot.store.guilds import GuildStore
from bot.store.messages import MessageStore
from bot.store.notices import DirectMessageStore, NoticeStore
from bot.store.outbox import OutboxStore
from bot.store.people.players import LessonStore, PlayerStore
from bot.store.people.preferences import PreferenceStore
from bot.store.premoves import PremoveStore
from bot.store.ratings import RatingStore
from bot.store.series.store import SeriesStore
from bot.store.spectators import SpectatorStore
from bot.store.tables import TableStore
from bot.store.timers_and_uptime import TimeStore
from bot.store.tournaments import TournamentStore


class Store:
    """Everything that is stored, by subject. Reads see committed data only.

    Every method of a part may raise `StorageFailed` (then the whole store has stopped, see `wait_for_failure`) or
    `StoreClosed`. Cancelling a caller never cancels a write that has been accepted; the caller does not learn its
    outcome, but `tables.action_of_request` returns it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.set_aside = database.set_aside
        self.tables = TableStore(database)
        self.contests = ContestStore(database)
        self.messages = MessageStore(database)
        self.notices = NoticeStore(database)
        self.premoves = PremoveStore(database)
        self.rooms = DirectMessageStore(database)
        self.spectators = SpectatorStore(database)
        self.times = TimeStore(database)
        self.players = PlayerStore(database)
        self.ratings = RatingStore(database)
        self.outbox = OutboxStore(database)
        self.lessons = LessonStore(database)
        self.guilds = GuildStore(database)
        self.preferences = PreferenceStore(database)
        self.tournaments = TournamentStore(database)
        self.series = SeriesStore(database)

    @property
    def shards(self) -> Shards:
        """The range of shards that this process owns; a file is owned as a whole."""
        return self._database.shards

    @property
    def budgets(self) -> Budgets | None:
        """Budgets that all processes share; None on a file."""
        return self._database.budgets

    @property
    def may_act(self) -> bool:
        """Whether this process certainly still owns its shards, so that it may act on its own initiative."""
        return self._database.may_act

    @property
    def seconds_since_commit(self) -> float:
        """Seconds since the database last confirmed a transaction; always 0 with SQLite."""
        return self._database.seconds_since_commit

    @property
    def seconds_away(self) -> float:
        """Seconds for which the database's server has not been reachable; 0 if it is."""
        return self._database.seconds_away

    def on_reconnect(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the server is reachable again; it must drop its caches then."""
        self._database.on_reconnect(listener)

    def on_notification(self, callback: Callable[[str], None]) -> None:
        """Call `callback` with each notification of another process, such as ``person 5``.

        After a gap, in which notifications may have been lost, it gets an empty text.
        """
        self._database.on_notification(callback)

    async def server_now(self) -> int | None:
        """Return the server's time (UTC milliseconds); None for a file. Raises `DatabaseAway`."""
        return await self._database.server_now()

    async def publish_state(self, state: str) -> None:
        """Publish a description of this process for `canasta-bot fleet`. Raises `DatabaseAway`."""
        await self._database.publish_state(state)

    @property
    def commit_count(self) -> int:
        """The number of transactions that this process has committed."""
        return self._database.commit_count

    async def run_upkeep(self, work: Callable[[Session], None]) -> None:
        """Run a command's work in one transaction."""
        await self._database.run(work)

    async def count_tables(self) -> Mapping[str, int]:
        """Return how many tables there are of each status."""
        rows = await self._database.fetch("SELECT status, count(*) FROM tables GROUP BY status", {})
        return {row[0]: row[1] for row in rows}

    async def wait_for_failure(self) -> StorageFailed:
        """Return once the store has failed and stopped; then the program must end."""
        return await self._database.wait_for_failure()

    async def close(self) -> None:
        """Write everything accepted, then close the file. Closing twice does nothing."""
        await self._database.close()


@asynccontextmanager
async def open_store(
    place: Path | str, *, plan: ShardPlan | None = None, waiting: Callable[[], None] = lambda: None
) -> AsyncIterator[Store]:
    """Open the store on a file or the database of a URL, and close it at the end of the block.

    Parameters and errors are those of `open_database`.
    """
    store = Store(await open_database(place, plan=plan, waiting=waiting))
    try:
        yield store
    finally:
        await store.close()
