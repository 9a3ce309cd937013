"""The composition root: builds everything, and owns the order of start and stop.

Started first is what others stand on: store, table service, pictures, then the client with its cogs; deadlines and
computer players begin when Discord can be asked things. It ends the other way round: first nobody can ask any more,
then whatever was begun is finished, and the file is closed last.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord

from bot import config, logs
from bot.client import CanastaBot
from bot.clocks.clock import HOUR, SECOND, Clock, SystemClock
from bot.clocks.personal import PersonalTimes
from bot.clocks.readiness import AWAY, Readiness
from bot.clocks.scheduler import Scheduler
from bot.computer.driver import Driver
from bot.computer.player import LEVELS, player_for
from bot.config import Settings
from bot.profiles.circle import Circle
from bot.profiles.figures import FiguresService
from bot.profiles.servers_service import ServerService
from bot.profiles.service import ProfileService
from bot.ratings.service import RatingService
from bot.store.errors import StorageFailed, StoreError
from bot.store.sqlite import open_store
from bot.tables.limits import Limits
from bot.tables.looks import Changed
from bot.tables.notices import NoticeBook
from bot.tables.rating_service import TableRatings
from bot.tables.service import TableService
from bot.tables.timing.keeping import TimeKeeper
from bot.tournaments.book import TournamentChanged
from bot.tournaments.rated import TournamentRatings
from bot.tournaments.service import TournamentService
from cogs.shared.boards.rhythm import Rhythm
from cogs.shared.interactions.context import Services
from cogs.shared.interactions.errors import unexpected
from render.pictures import Pictures

log = logging.getLogger("canasta")

PAUSES: Final = (1.0, 5.0, 30.0, 120.0, 600.0)
"""Seconds before a connection that broke is built anew, one after the other."""

CALM: Final = 3600.0
"""After a connection of so many seconds a break counts as the first."""


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
    rhythm: Rhythm | None = None,
    silence: int = AWAY,
) -> AsyncIterator[Application]:
    """Everything the settings ask for, ready to be connected; stopped in order at the end. Raises `StoreError`.

    A process that notes nothing for longer than `silence` (milliseconds) was away.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(settings.database))
        personal, readiness = PersonalTimes(store), Readiness(store, clock, silence=silence)
        await readiness.load()
        keeper = TimeKeeper(personal, readiness)
        profiles, servers = ProfileService(store), ServerService(store)
        circle = Circle(store, profiles, clock)
        tables = TableService(store, clock, limits or limits_of(settings), keeper=keeper, hosts=circle, servers=servers)
        personal.subscribe(tables.times_changed)
        stack.push_async_callback(tables.finish)
        tournaments = TournamentService(store, clock, tables, away=readiness.away)
        stack.push_async_callback(tournaments.finish)
        pictures = Pictures()
        stack.callback(pictures.close)
        driver = Driver(
            tables, player_for(LEVELS[0], seed=0), clock, pace=round(settings.computer_pace * SECOND), in_thread=False
        )
        book = NoticeBook(store)
        ratings = RatingService(store, clock)
        rating = TableRatings(tables, ratings, store)
        stack.callback(tables.subscribe(rating.heard))
        stack.push_async_callback(rating.finish)
        tournaments.rate_with(TournamentRatings(ratings))
        for remembering in (profiles, personal, book, ratings):
            tables.when_forgotten(remembering.forget)
        tables.before_forgetting(tournaments.gone_from_all)
        tables.when_forgotten(tournaments.forget_person)
        client = CanastaBot(
            Services(
                tables,
                profiles,
                personal,
                circle,
                FiguresService(store, clock),
                ratings,
                servers,
                book,
                clock,
                tournaments,
            ),
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
        client.presenter.start()
        client.posts.start()
        client.notices.start()
        client.digests.start()
        scheduler = Scheduler(store, clock, tables, readiness=readiness, ready=client.is_reachable)
        stack.callback(tables.subscribe(_arming(scheduler)))
        scheduler.start()
        rounds = Scheduler(tournaments, clock, tournaments, readiness=readiness, ready=client.is_reachable)
        tournaments.subscribe(_arming(rounds))
        rounds.start()
        await tournaments.settle_all()
        for upkeep, name in (
            (tables.rewrite_earlier(), "taking the names out of earlier rows"),
            (tables.look_after(), "giving earlier games an idle limit"),
            (tables.fill_results(), "writing the results of earlier games"),
            (rating.catch_up(), "rating finished games"),
        ):
            stack.push_async_callback(_cancelled, asyncio.create_task(_besides(upkeep, name), name=name))
        stack.push_async_callback(scheduler.stop)
        stack.push_async_callback(rounds.stop)
        stack.push_async_callback(driver.stop)
        stack.push_async_callback(client.close)
        yield Application(settings, tables, tournaments, client, store.broken)


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
    """The table service's limits as the settings say."""
    return Limits(
        tables_per_guild=settings.tables_per_server,
        lobbies_per_person=settings.lobbies_per_person,
        lobby_lives=settings.lobby_hours * HOUR,
    )


def _arming(scheduler: Scheduler) -> Callable[[Changed | TournamentChanged], None]:
    def arm(changed: Changed | TournamentChanged) -> None:
        if changed.due is not None:
            scheduler.arm(changed.due)

    return arm


async def run(settings: Settings, *, pauses: Sequence[float] = PAUSES) -> int:
    """Serve until Discord refuses the token or the process is told to end. Raises `StoreError`.

    A connection that breaks in a way nobody foresaw (an event of Discord's that the library cannot read) is built anew
    on the same file, after so many seconds each time; after the last of the pauses the program ends with status 1.
    """
    stop = asyncio.Event()
    _stop_at_signals(stop)
    loop = asyncio.get_running_loop()
    left = list(pauses)
    while True:
        began = loop.time()
        try:
            return await _serve(settings, stop)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and tables are not to stand still
            unexpected(error, "the connection to Discord")
            if loop.time() - began > CALM:
                left = list(pauses)
            if not left:
                print(f"canasta-bot: the connection broke again ({type(error).__name__}); giving up.", file=sys.stderr)
                return 1
        pause = left.pop(0)
        log.warning("connecting anew in %g s", pause)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
            return 0


async def _serve(settings: Settings, stop: asyncio.Event) -> int:
    """Serve once; the exit status. Raises `StorageFailed`, and what nobody foresaw."""
    async with build(settings) as application:
        serving = asyncio.create_task(application.client.start(settings.discord_token))
        stopping = asyncio.create_task(stop.wait())
        failing = asyncio.ensure_future(application.broken())
        await asyncio.wait({serving, stopping, failing}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        await application.client.close()
        failure = failing.result() if failing.done() else None
        for task in (serving, stopping, failing):
            task.cancel()
        await asyncio.wait({serving, stopping, failing})
        if failure is not None:
            raise failure
        return _how_it_ended(serving)


def _how_it_ended(serving: asyncio.Task[None]) -> int:
    """The exit status; what an operator can mend is told in words, anything else is raised."""
    error = None if serving.cancelled() else serving.exception()
    if error is None:
        return 0
    if isinstance(error, discord.LoginFailure):
        print("canasta-bot: Discord does not know this token. Set DISCORD_TOKEN in .env.", file=sys.stderr)
        return 1
    if isinstance(error, _UNREACHABLE):
        print(f"canasta-bot: Discord cannot be reached ({type(error).__name__}).", file=sys.stderr)
        return 1
    raise error


_UNREACHABLE: Final = (discord.HTTPException, aiohttp.ClientError, ConnectionError, TimeoutError, socket.gaierror)


def _stop_at_signals(stop: asyncio.Event) -> None:
    """Ctrl-C and SIGTERM end the program in order, where the loop can take signals."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stop.set)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`run` takes everything from the settings."""
    parser.epilog = "Settings come from the environment and from .env; see .env.example."


def execute(_arguments: argparse.Namespace) -> int:
    """Connect to Discord and serve."""
    settings = config.load(config.environment())
    if not settings.discord_token:
        print("canasta-bot: DISCORD_TOKEN is not set. Try `canasta-bot demo`.", file=sys.stderr)
        return 2
    logs.set_up(settings.log_level, settings.log_format)
    try:
        return asyncio.run(run(settings))
    except StoreError as error:
        print(f"canasta-bot: {error}", file=sys.stderr)
        return 1
