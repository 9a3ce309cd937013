"""Duties of a process in a fleet: evict outdated cached data, check its clock, publish its state.

See `docs/operating.md`.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from time import monotonic
from typing import Final

from bot.clocks.clock import MOST_SKEW, SECOND, Clock
from bot.config import Settings
from bot.logs import record_failure
from bot.metrics import METRICS
from bot.outbox import Outbox
from bot.series.service import SeriesService
from bot.store.engines.interface import ShardPlan
from bot.store.errors import DatabaseAway, StorageFailed, StoreClosed, UnsuitableServer
from bot.store.store import Store
from bot.tables.service import TableService
from bot.tournaments.service import TournamentService
from cogs.shared.serving.context import Services

LOOK_FOR_PROMISES: Final = 5 * SECOND
"""How long promises that another process has stored for this one may wait, in milliseconds."""

DESCRIBE_EVERY: Final = 2.0
RATE_OVER: Final = 10.0
"""Seconds over which the rate of requests is averaged."""

_ANSWERS: Final = ("POST /interactions/", "POST /webhooks/", "PATCH /webhooks/", "DELETE /webhooks/")
"""Prefixes of the routes of answers to people, which Discord does not count towards its limit."""

CHECK_CLOCK_EVERY: Final = 30
"""Number of descriptions after which the clock is checked again."""

logger = logging.getLogger("canasta.fleet")


def shard_plan(settings: Settings) -> ShardPlan:
    """Return the plan by which the processes divide the shards among them.

    Without a setting one process takes all shards.
    """
    name = f"{socket.gethostname()}/{settings.own_files_base.name}"
    return ShardPlan(name=name) if settings.shards is None else ShardPlan(*settings.shards, name)


class CacheInvalidator:
    """Evicts cached data that another process of the fleet has changed or may have changed."""

    def __init__(
        self,
        store: Store,
        services: Services,
        outbox: Outbox,
        *,
        resume: Callable[[], None],
        mend: Callable[[], Awaitable[None]],
    ) -> None:
        """Store the caches, and two functions for the time after the database was away.

        `resume` lets computer players play on, `mend` updates outdated boards.
        """
        self._store = store
        self._clock = services.clock
        self._tables: TableService = services.tables
        self._tournaments: TournamentService = services.tournaments
        self._series: SeriesService = services.series
        self._servers = services.servers
        self._of_persons = (services.profiles, services.personal_times, services.notices)
        self._profiles = services.profiles
        self._outbox = outbox
        self._resume = resume
        self._mend = mend
        self._dropping: set[asyncio.Task[None]] = set()
        self._uncompared: dict[int, int] = {}
        """Versions of dropped tables, still to be compared with the database's, which may have been set back."""

    def on_notification(self, text: str) -> None:
        """Evict the data that another process has changed, as the notification says.

        Notifications are ``person 5``, ``server 7``, ``forgotten 5`` and ``outbox``. Any other text means that some
        were missed, so everything is evicted.
        """
        kind, _, number = text.partition(" ")
        if kind in ("person", "server") and number.isdecimal():
            self._evict_data(kind, int(number))
        elif kind == "outbox":
            self._outbox.wake()
        elif kind == "forgotten":
            self._evict_data("person", None)
            self._evict_tables()
        else:  # a missed one may be a deletion, and is often the first sign that the database was away
            self._evict_all_data()
            if self._uncompared:
                self._start_work(self._note_tables_set_back())

    def on_reconnect(self) -> None:
        """Evict everything and continue as after a start, because the database was away."""
        self._evict_all_data()
        self._start_work(self._note_tables_set_back())
        self._resume()
        self._outbox.wake()

    def _evict_all_data(self) -> None:
        """Evict all cached data, but keep the versions of tables for `_note_tables_set_back`."""
        self._uncompared.update(self._tables.cached_versions())
        self._evict_data("person", None)
        self._evict_tables()

    def _evict_data(self, kind: str, number: int | None) -> None:
        """Evict the data of one person or server; of all persons or servers if `number` is None."""
        if kind == "server":
            self._evict_server(number)
            return
        for one in self._of_persons:
            one.evict(number)
        if number is None:
            self._evict_server(None)

    def _evict_server(self, number: int | None) -> None:
        """Evict the data of a server, or of all (None), and read the languages of all servers again."""
        self._profiles.evict_server(number)
        self._servers.evict(number)
        self._start_work(self._evict_safely(self._servers.load_languages()))

    def _evict_tables(self) -> None:
        """Evict all tables, tournaments and series, some only after their changes in progress."""
        self._tables.evict_all()
        for dropping in (
            self._tables.evict_all_after_changes,
            self._tournaments.repository.evict_all,
            self._series.repository.evict_all,
        ):
            self._start_work(self._evict_safely(dropping()))

    def _start_work(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work, name="dropping caches")
        self._dropping.add(task)
        task.add_done_callback(self._dropping.discard)

    async def _note_tables_set_back(self) -> None:
        """Tell the players of tables that the database has set back, then update outdated boards.

        These are tables whose stored version is earlier than the one that this process knew.
        """
        known, self._uncompared = self._uncompared, {}
        try:
            try:
                found = await self._store.tables.note_tables_set_back(known, self._clock.now())
            except DatabaseAway:  # the versions are compared when the database is back
                self._uncompared = {**known, **self._uncompared}
                return
            if found:
                logger.critical("the database lost its last moments: %d tables were set back", len(found))
                self._outbox.wake()
            await self._mend()
        except Exception as error:  # noqa: BLE001 - the sweep of all five minutes shows boards that are behind
            record_failure(logger, "looking for tables that were set back", error)

    async def _evict_safely(self, eviction: Awaitable[None]) -> None:
        """Await the eviction of a cache, and log an error that it raises."""
        try:
            await eviction
        except Exception as error:  # noqa: BLE001 - a stale value is found out by its version
            record_failure(logger, "dropping caches", error)


def watch_fleet(store: Store, caches: CacheInvalidator) -> None:
    """Evict cached data from now on when another process changes it, or after the database was away."""
    store.on_notification(caches.on_notification)
    store.on_reconnect(caches.on_reconnect)


async def clock_skew(store: Store, clock: Clock) -> float:
    """Return the number of seconds by which this machine's clock is ahead of the database's.

    Raises `DatabaseAway`.
    """
    before = clock.now()
    theirs = await store.server_now()
    skew = 0.0 if theirs is None else ((before + clock.now()) / 2 - theirs) / SECOND
    METRICS.set_gauge("clock_skew_seconds", round(skew, 3))
    return skew


async def require_right_clock(store: Store, clock: Clock) -> None:
    """Raise `UnsuitableServer` if this machine's clock differs too much from the database's."""
    skew = await clock_skew(store, clock)
    if abs(skew) > MOST_SKEW / SECOND:
        raise UnsuitableServer(f"this machine's clock differs from the database's by {skew:.1f} s")


class RequestRate:
    """Counts how many requests a second this process sends to Discord.

    Answers to people do not count, as for Discord.
    """

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._since, self._sent = seconds(), self._count_requests()
        self._rate = 0.0

    def current_rate(self) -> float:
        """Return the requests per second over the last full period of `RATE_OVER` seconds."""
        now = self._seconds()
        if now - self._since >= RATE_OVER:
            sent = self._count_requests()
            self._rate = (sent - self._sent) / (now - self._since)
            self._since, self._sent = now, sent
        return self._rate

    @staticmethod
    def _count_requests() -> int:
        """Return how many requests this process has sent that count towards Discord's limit."""
        return METRICS.total("requests_total", lambda labels: not labels["route"].startswith(_ANSWERS))


def state_text(state: str, rate: float, identifies_left: float | None) -> str:
    """Return the state of a process as the command `canasta-bot fleet` shows it.

    An example is ``ready 7.4/s 962``: the state, requests a second, identifies left.
    """
    return f"{state} {rate:.1f}/s" + ("" if identifies_left is None else f" {identifies_left:.0f}")


async def keep_publishing_state(store: Store, clock: Clock, is_ready: Callable[[], bool]) -> None:
    """Publish this process's state every few seconds, for the command `canasta-bot fleet`.

    The state is whether the process is ready, and how many requests a second it sends. The function never returns.
    """
    requests, rounds = RequestRate(), 0
    while True:
        if rounds % CHECK_CLOCK_EVERY == 0:
            with suppress(DatabaseAway, StorageFailed, StoreClosed):
                if abs(skew := await clock_skew(store, clock)) > MOST_SKEW / SECOND:
                    logger.critical("this machine's clock differs from the database's by %.1f s", skew)
        rounds += 1
        state = "ready" if is_ready() else "connecting"
        with suppress(DatabaseAway, StorageFailed, StoreClosed):
            await store.publish_state(state_text(state, requests.current_rate(), METRICS.gauge("identifies_left")))
        await asyncio.sleep(DESCRIBE_EVERY)
