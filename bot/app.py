"""The composition root: builds everything, and owns the order of start and stop.

Started first is what others stand on: store, table service, pictures, then the client with its cogs; deadlines and
computer players begin when Discord can be asked things. It ends the other way round: first nobody can ask any more,
then whatever was begun is finished, and the file is closed last.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.client import CanastaBot
from bot.clocks.clock import HOUR, SECOND, Clock, SystemClock
from bot.clocks.personal import PersonalTimes
from bot.clocks.scheduler import Scheduler
from bot.clocks.uptime import AWAY, Uptime
from bot.computer.driver import Driver
from bot.computer.player import LEVELS, player_for
from bot.config import Settings
from bot.profiles.blocks import BlockList
from bot.profiles.figures import FiguresService
from bot.profiles.guilds import ServerService
from bot.profiles.people import ProfileService
from bot.ratings.service import RatingService
from bot.store.errors import StorageFailed
from bot.store.store import Store, open_store
from bot.tables.core.limits import Limits
from bot.tables.people.notices import NoticeRepository
from bot.tables.rating import TableRatings
from bot.tables.service import TableService
from bot.tables.state.shuffle import Dealer, deal_pack
from bot.tables.state.snapshots import TableChanged
from bot.tables.timing.timekeeping import TimeKeeper
from bot.tournaments.core.changes import TournamentChanged
from bot.tournaments.rated import TournamentRatings
from bot.tournaments.service import TournamentService
from cogs.shared.door.interactions import unexpected
from cogs.shared.posting.schedule import EditSchedule
from cogs.shared.serving.context import Services
from render.pictures import Pictures


@dataclass(frozen=True, slots=True)
class Application:
    """The built program, its client not yet connected."""

    settings: Settings
    tables: TableService
    tournaments: TournamentService
    client: CanastaBot
    broken: Callable[[], Awaitable[StorageFailed]]
    """Returns once the store has failed; nothing can be played any more then, so the program must end."""


@asynccontextmanager
async def build(
    settings: Settings,
    *,
    clock: Clock | None = None,
    limits: Limits | None = None,
    rhythm: EditSchedule | None = None,
    silence: int = AWAY,
    dealer: Dealer = deal_pack,
) -> AsyncIterator[Application]:
    """Everything the settings ask for, ready to be connected; stopped in order at the end. Raises `StoreError`.

    A process that notes nothing for longer than `silence` (milliseconds) was away. Packs are shuffled by `dealer`.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(settings.database))
        readiness = Uptime(store.times, clock, silence=silence)
        await readiness.load()
        services = _services(stack, store, clock, readiness, limits=limits or limits_of(settings), dealer=dealer)
        pictures = Pictures()
        stack.callback(pictures.close)
        rating = _rating(stack, store, services)
        _forgetting(services)
        driver = _driver(services.tables, clock, settings)
        client = CanastaBot(
            services,
            pictures,
            clock,
            begin=driver.start,
            synced=Path(f"{settings.database}.commands"),
            development_server=settings.development_server,
            emojis=pictures.emojis if settings.emojis == "on" else None,
            rhythm=rhythm,
            lost=readiness.lost,
            away_until=lambda: readiness.last_outage_end,
        )
        client.begin_to_show()
        schedulers = _schedulers(stack, store, services, readiness, ready=client.is_reachable)
        await services.tournaments.playing.settle_all()
        _upkeep(stack, rating)
        for one in (*schedulers, driver):
            stack.push_async_callback(one.stop)
        stack.push_async_callback(client.close)
        yield Application(settings, services.tables, services.tournaments, client, store.broken)


def _services(
    stack: AsyncExitStack, store: Store, clock: Clock, readiness: Uptime, *, limits: Limits, dealer: Dealer
) -> Services:
    """All that Discord can ask; at the end what tables and tournaments have begun is finished."""
    personal, profiles, servers = PersonalTimes(store.times), ProfileService(store.preferences), ServerService(store)
    circle, keeper = BlockList(store.players, profiles, clock), TimeKeeper(personal, readiness)
    tables = TableService(store, clock, limits, keeper=keeper, hosts=circle, servers=servers, dealer=dealer)
    personal.subscribe(tables.deadlines.personal_hours_changed)
    stack.push_async_callback(tables.finish)
    tournaments = TournamentService(store, clock, tables, away=readiness.away)
    stack.push_async_callback(tournaments.playing.finish)
    figures, ratings = FiguresService(store.players, clock), RatingService(store.ratings, clock)
    book = NoticeRepository(store)
    return Services(tables, profiles, personal, circle, figures, ratings, servers, book, clock, tournaments)


def _rating(stack: AsyncExitStack, store: Store, services: Services) -> TableRatings:
    """What has finished games rated, at tables of their own and in tournaments."""
    rating = TableRatings(services.tables.reading, services.ratings, store.ratings)
    stack.callback(services.tables.subscribe(rating.on_table_changed))
    stack.push_async_callback(rating.finish)
    services.tournaments.rounds.rate_with(TournamentRatings(services.ratings))
    return rating


def _forgetting(services: Services) -> None:
    """Who is to be forgotten leaves tournaments first; afterwards nobody remembers the person."""
    for remembering in (services.profiles, services.personal, services.notices, services.ratings):
        services.tables.people.on_forgotten(remembering.forget)
    services.tables.people.on_forget(services.tournaments.entering.gone_from_all)
    services.tables.people.on_forgotten(services.tournaments.forget)


def _driver(tables: TableService, clock: Clock, settings: Settings) -> Driver:
    """Return the computer players, at the pace that the settings ask for."""
    pace = round(settings.computer_pace * SECOND)
    return Driver(tables, player_for(LEVELS[0], seed=0), clock, pace=pace, in_thread=False)


def _schedulers(
    stack: AsyncExitStack, store: Store, services: Services, readiness: Uptime, *, ready: Callable[[], bool]
) -> tuple[Scheduler, Scheduler]:
    """What rings for tables and for tournaments, begun."""
    clock, tables, tournaments = services.clock, services.tables, services.tournaments
    of_tables = Scheduler(store.times, clock, tables.deadlines, readiness=readiness, ready=ready)
    stack.callback(tables.subscribe(_arming(of_tables)))
    of_tables.start()
    of_tournaments = Scheduler(tournaments.alarms, clock, tournaments.alarms, readiness=readiness, ready=ready)
    tournaments.subscribe(_arming(of_tournaments))
    of_tournaments.start()
    return of_tables, of_tournaments


def _upkeep(stack: AsyncExitStack, rating: TableRatings) -> None:
    """Begin work that goes on while people play."""
    name = "rating finished games"
    stack.push_async_callback(_cancelled, asyncio.create_task(_besides(rating.catch_up(), name), name=name))


async def _besides(upkeep: Coroutine[Any, Any, object], name: str) -> None:
    """What is done while people play; where it fails, the next start goes on with it."""
    try:
        await upkeep
    except Exception as error:  # noqa: BLE001 - nothing at the tables waits for it
        unexpected(error, name)


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})


def limits_of(settings: Settings) -> Limits:
    """Return the table service's limits as the settings say."""
    return Limits(
        tables_per_guild=settings.tables_per_server,
        lobbies_per_person=settings.lobbies_per_person,
        lobby_lives=settings.lobby_hours * HOUR,
    )


def _arming(scheduler: Scheduler) -> Callable[[TableChanged | TournamentChanged], None]:
    def arm(changed: TableChanged | TournamentChanged) -> None:
        if changed.due is not None:
            scheduler.arm(changed.due)

    return arm


def stop_at_signals(stop: asyncio.Event) -> None:
    """Set the event at Ctrl-C and when the process is told to end.

    Where the loop cannot take signals, Ctrl-C arrives as `KeyboardInterrupt` and cancels the task.
    """
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stop.set)
