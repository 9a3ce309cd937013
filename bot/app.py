"""The composition root: build all parts of the program, and start and stop them in order.

The order of the start is: store, table service, pictures, then the client with its cogs, and once Discord is connected
timers and computer players. The stop is in reverse: the client first, then the work under way is finished, and the
store closes last.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.archiving import Archiver
from bot.client import CanastaBot, FleetPart
from bot.clocks.clock import HOUR, SECOND, Clock, SystemClock
from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.clocks.scheduler import Scheduler
from bot.clocks.uptime import LONGEST_SILENCE, Uptime
from bot.computer.expert_process import ExpertProcess
from bot.computer.hints import HintPlanner
from bot.computer.player import ComputerPlayer, player_for
from bot.computer.reviews import DealReviewer
from bot.computer.turn_driver import ComputerDriver
from bot.config import Settings
from bot.exit_codes import ExitCode
from bot.fleet import (
    LOOK_FOR_PROMISES,
    CacheInvalidator,
    keep_publishing_state,
    require_right_clock,
    shard_plan,
    watch_fleet,
)
from bot.heartbeat_file import Heartbeat, keep_writing_heartbeats, write_heartbeat
from bot.lessons.progress import LessonProgress
from bot.logs import record_failure
from bot.metrics_server import Gauges, serve_metrics, stored_gauges
from bot.outbox import Outbox, PromiseKind, PromiseMustWait
from bot.profiles.blocks import BlockList
from bot.profiles.game_statistics import GameStatisticsService
from bot.profiles.guild_settings import ServerSettingsService
from bot.profiles.preferences import PreferencesService
from bot.ratings.service import RatingService
from bot.series.repository import SeriesChanged
from bot.series.service import SeriesService
from bot.start_guard import StartGuard
from bot.store.errors import StorageFailed
from bot.store.outbox import FORGET, LEAVE, RATE, RETIME, OutboxRow
from bot.store.store import Store, open_store
from bot.tables.core.limits import Limits
from bot.tables.people.notices import NoticeRepository
from bot.tables.rating_finished_games import TableRatings
from bot.tables.service import TableService
from bot.tables.state.shuffle import Dealer
from bot.tables.state.snapshots import TableChanged
from bot.tables.timing.timekeeping import StoredTimeLookup
from bot.tournaments.core.repository import TournamentChanged
from bot.tournaments.match_ratings import TournamentRatings
from bot.tournaments.service import TournamentService
from cogs.series.html_page_folder import PageFolder
from cogs.shared.discord_api.serving_bot import LegalPages
from cogs.shared.posting.edit_schedule import EditSchedule
from cogs.shared.serving.context import Services
from render.picture_queue import PictureQueue

logger = logging.getLogger("canasta")


class BackgroundTaskEnded(Exception):
    """Raised because an essential background task has ended; the program must be restarted."""

    def __init__(self, name: str) -> None:
        super().__init__(f"a part of the program has ended: {name}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Application:
    """All parts of the program that its commands need; the client is not connected yet."""

    settings: Settings
    tables: TableService
    tournaments: TournamentService
    client: CanastaBot
    outbox: Outbox
    guard: StartGuard
    broken: Callable[[], Awaitable[StorageFailed | BackgroundTaskEnded]]
    """Awaitable that returns when the store has failed or a part has ended; the program must then end."""


@asynccontextmanager
async def build_application(
    settings: Settings,
    *,
    clock: Clock | None = None,
    limits: Limits | None = None,
    rhythm: EditSchedule | None = None,
    silence: int = LONGEST_SILENCE,
    dealer: Dealer | None = None,
    pictures: Callable[[], PictureQueue] = PictureQueue,
    adviser: ComputerPlayer | None = None,
    is_stopping: Callable[[], bool] = lambda: False,
) -> AsyncIterator[Application]:
    """Build the program from its settings, ready to connect, and stop it in order at the end.

    A gap of more than `silence` milliseconds in the uptime record counts as an outage. `dealer` draws the seeds and
    shuffles, `pictures` makes the queue that draws pictures, and `adviser` plans hints (by default an expert player).
    Raises `StoreError`, and `StoppedWhileWaiting` if `is_stopping` becomes true while a process of a fleet waits for
    shards.
    """
    clock, limits, dealer = clock or SystemClock(), limits or table_limits(settings), dealer or Dealer()
    async with AsyncExitStack() as stack:
        store = await _open_store(stack, settings, clock, is_stopping)
        store.players.drop_old_deletions(clock.now())
        readiness = Uptime(store.times, clock, silence=silence)
        await readiness.load()
        services = _open_services(stack, store, clock, readiness, limits=limits, dealer=dealer, adviser=adviser)
        drawing = pictures()
        stack.callback(drawing.close)
        outbox = _make_outbox(settings, store, services)
        if store.shards.first == 0:  # only one process of a fleet must do this, so it is the one with shard 0
            await services.ratings.apply_formula_version()
        _register_deletion_steps(services)
        driver = _make_computer_driver(services.tables, clock, settings)
        client = _make_client(
            settings, store, services, drawing, begin=driver.start, rhythm=rhythm, readiness=readiness
        )
        client.register_promise_handlers(outbox)
        guard = StartGuard(store.times, clock, settings.own_files_base)
        client.set_start_guard(guard)
        program = _ProgramParts(settings, store, services, client, outbox, driver, guard)
        parts = await _start_parts(stack, program, readiness)
        stack.push_async_callback(client.close)
        if settings.metrics:
            read = partial(_gauge_values, store, client, settings.own_files_base, clock)
            await stack.enter_async_context(serve_metrics(settings.metrics, read))
        broken = partial(_wait_for_failure, store, parts)
        yield Application(settings, services.tables, services.tournaments, client, outbox, guard, broken)


class StoppedWhileWaiting(Exception):
    """Raised because the process was stopped while it waited for shards."""


async def _open_store(
    stack: AsyncExitStack, settings: Settings, clock: Clock, is_stopping: Callable[[], bool]
) -> Store:
    """Open the store; a process of a fleet writes its heartbeat file while it waits for shards."""
    if isinstance(settings.database, Path):
        return await stack.enter_async_context(open_store(settings.database))

    def write_waiting_heartbeat() -> None:
        if is_stopping():
            raise StoppedWhileWaiting
        write_heartbeat(settings.heartbeat_base, Heartbeat(clock.now(), "waiting"))

    opening = open_store(str(settings.database), plan=shard_plan(settings), waiting=write_waiting_heartbeat)
    store = await stack.enter_async_context(opening)
    await require_right_clock(store, clock)
    return store


@dataclass(frozen=True, slots=True)
class _ProgramParts:
    """All parts of the program that are to be started."""

    settings: Settings
    store: Store
    services: Services
    client: CanastaBot
    outbox: Outbox
    driver: ComputerDriver
    guard: StartGuard


async def _start_parts(stack: AsyncExitStack, program: _ProgramParts, readiness: Uptime) -> list[asyncio.Task[None]]:
    """Start all background work of the program, and return its tasks, none of which may end.

    At the end of `stack` they are stopped, the last one started first.
    """
    settings, store, services, client = program.settings, program.store, program.services, program.client
    clock, outbox, driver = services.clock, program.outbox, program.driver
    parts = list(client.start_background_tasks())
    schedulers = _make_schedulers(
        stack, store, services, readiness, ready=partial(_may_handle_deadlines, store, client)
    )
    parts += [one.start() for one in schedulers]
    await services.tournaments.playing.resume_after_start()
    await services.series.nights.resume_after_start()
    parts.append(outbox.start())
    heartbeats = asyncio.create_task(
        keep_writing_heartbeats(
            settings.heartbeat_base, clock, partial(_current_heartbeat, store, client, program.guard)
        ),
        name="sign of life",
    )
    stack.push_async_callback(_stop_heartbeats, heartbeats, settings.heartbeat_base, clock)
    parts.append(heartbeats)
    archiver = Archiver(store, clock)
    parts.append(archiver.start())
    for one in (*schedulers, driver, outbox, archiver):
        stack.push_async_callback(one.stop)
    if not _is_only_process(settings):
        caches = CacheInvalidator(
            store, services, outbox, resume=driver.resume, mend=client.board_updater.repair_boards
        )
        watch_fleet(store, caches)
        publishing = keep_publishing_state(store, clock, client.is_reachable)
        parts.append(asyncio.create_task(publishing, name="state in the fleet"))
    return parts


def _is_only_process(settings: Settings) -> bool:
    """Return whether no other process can use the database, because it is a file."""
    return isinstance(settings.database, Path)


def _may_handle_deadlines(store: Store, client: CanastaBot) -> bool:
    """Return whether this process may handle deadlines now.

    It may if people can answer on Discord, and if no other process can have taken over its tables.
    """
    return store.may_act and client.is_reachable()


async def _gauge_values(store: Store, client: CanastaBot, database: Path, clock: Clock) -> Gauges:
    """Return the values of all gauges for the metrics page."""
    found = await stored_gauges(store, database, clock)
    found["ready", ()] = client.is_reachable()
    found["shards_held", ()] = store.shards.last - store.shards.first + 1
    found["heartbeat_age_seconds", ()] = round(store.seconds_since_commit, 1)
    found["database_away_seconds", ()] = round(store.seconds_away, 1)
    for state, count in client.shard_states().items():
        found["shards", (("state", state),)] = count
    for name, count in client.waiting_requests().items():
        found["requests_waiting", (("class", name),)] = count
    return found


def _current_heartbeat(store: Store, client: CanastaBot, guard: StartGuard, now: int) -> Heartbeat:
    """Return the bot's current state for the heartbeat file."""
    state = "ready" if client.is_reachable() else "pausing" if guard.is_pausing else "connecting"
    return Heartbeat(now, state, len(client.shard_ids or range(client.shard_count or 0)), store.commit_count)


async def _stop_heartbeats(heartbeat_task: asyncio.Task[None], database: Path, clock: Clock) -> None:
    """Stop the heartbeat task, and write the final state "stopping"."""
    heartbeat_task.cancel()
    await asyncio.gather(heartbeat_task, return_exceptions=True)
    write_heartbeat(database, Heartbeat(clock.now(), "stopping"))


async def _wait_for_failure(store: Store, parts: Collection[asyncio.Task[None]]) -> StorageFailed | BackgroundTaskEnded:
    """Wait until the store fails or a background task ends; return the reason as an exception."""
    broken = asyncio.ensure_future(store.wait_for_failure())
    try:
        done, _ = await asyncio.wait({broken, *parts}, return_when=asyncio.FIRST_COMPLETED)
        ended = next((one for one in parts if one in done), None)
        await asyncio.wait(
            {broken}, timeout=0.1
        )  # wait a little for the store's error, which says more than that of a task that ended because of it
        if broken.done() or ended is None:
            return await broken
        error = None if ended.cancelled() else ended.exception()
        if error is not None:
            record_failure(logger, ended.get_name(), error)
        return BackgroundTaskEnded(ended.get_name())
    finally:
        broken.cancel()


def _open_services(
    stack: AsyncExitStack,
    store: Store,
    clock: Clock,
    readiness: Uptime,
    *,
    limits: Limits,
    dealer: Dealer,
    adviser: ComputerPlayer | None,
) -> Services:
    """Return all services; on exit they finish the work of tables and tournaments under way."""
    personal, profiles, servers = (
        PersonalTimes(store.times),
        PreferencesService(store.preferences),
        ServerSettingsService(store),
    )
    blocks, notices = BlockList(store.players, profiles, clock), NoticeRepository(store)
    time_lookup = StoredTimeLookup(personal, readiness, notices)
    tables = TableService(
        store, clock, limits, personal=personal, time_lookup=time_lookup, hosts=blocks, servers=servers, dealer=dealer
    )
    personal.subscribe(tables.deadlines.handle_changed_personal_hours)
    stack.push_async_callback(tables.finish)
    tournaments = TournamentService(store, clock, tables, away=readiness.outages, dealer=dealer)
    stack.push_async_callback(tournaments.playing.finish)
    series = SeriesService(store, clock, tournaments)
    stack.push_async_callback(series.nights.finish)
    figures, ratings = GameStatisticsService(store.players, clock), RatingService(store.ratings, clock)
    lessons = LessonProgress(store.lessons, store.players, clock)
    hints, reviews = HintPlanner(tables, player=adviser), DealReviewer(tables)
    stack.callback(hints.stop)
    stack.callback(reviews.stop)
    return Services(
        tables=tables,
        profiles=profiles,
        personal_times=personal,
        blocks=blocks,
        figures=figures,
        ratings=ratings,
        servers=servers,
        notices=notices,
        clock=clock,
        tournaments=tournaments,
        lessons=lessons,
        series=series,
        hints=hints,
        reviews=reviews,
    )


def _make_outbox(settings: Settings, store: Store, services: Services) -> Outbox:
    """Return the outbox with handlers for the promised effects that need no Discord.

    The client adds the others by `register_promise_handlers`.
    """
    looks = {} if _is_only_process(settings) else {"longest_sleep": LOOK_FOR_PROMISES}
    outbox = Outbox(store.outbox, services.clock, may_act=lambda: store.may_act, **looks)
    _register_rating_handlers(outbox, services)
    outbox.register(FORGET, PromiseKind(partial(_finish_deletion, services.tables)))
    outbox.register(LEAVE, PromiseKind(partial(_remove_from_tables, services.tables)))
    outbox.register(RETIME, PromiseKind(partial(_reset_alarms, services)))
    return outbox


def _register_rating_handlers(outbox: Outbox, services: Services) -> None:
    """Register the outbox handlers that rate finished games of tables and of tournaments."""
    tables, tournaments = TableRatings(services.tables.reading, services.ratings), services.tournaments
    tournaments.rounds.set_ratings(TournamentRatings(services.ratings))

    async def rate_finished_game(row: OutboxRow) -> None:
        number = int(row.key[1:])
        await (tournaments.rate_tournament(number) if row.key[0] == "t" else tables.rate(number, row.made_at))

    outbox.register(RATE, PromiseKind(rate_finished_game))


async def _finish_deletion(tables: TableService, row: OutboxRow) -> None:
    """Delete a person's data once the person has left the tables of all processes.

    Raises `PromiseMustWait` before that. `row` is the stored request for the deletion.
    """
    if not await tables.people.has_left_all_tables(int(row.key)):
        raise PromiseMustWait
    await tables.people.carry_out_deletion(int(row.key))


async def _remove_from_tables(tables: TableService, row: OutboxRow) -> None:
    """Remove a person who is being deleted from all tables of this process."""
    await tables.people.remove_person_everywhere(int(row.key.partition(":")[0]))


async def _reset_alarms(services: Services, row: OutboxRow) -> None:
    """Reset the alarms of a person's tables after another process changed the person's hours.

    These are the tables of this process.
    """
    person = int(row.key.partition(":")[0])
    services.personal_times.evict(person)
    await services.tables.deadlines.reset_alarms(person)


def _register_deletion_steps(services: Services) -> None:
    """Register the steps of a person's deletion: first leave all tournaments, afterwards clear caches."""
    people = services.tables.people
    people.subscribe_before_deletion(services.tournaments.entering.withdraw_all_entries)
    people.subscribe_before_deletion(services.series.remove_from_all_series)
    for service in (
        *(services.profiles, services.personal_times, services.notices, services.ratings),
        *(services.tournaments, services.series),
    ):
        people.subscribe_after_deletion(service.forget)


def _make_client(
    settings: Settings,
    store: Store,
    services: Services,
    drawing: PictureQueue,
    *,
    begin: Callable[[], Awaitable[None]],
    rhythm: EditSchedule | None,
    readiness: Uptime,
) -> CanastaBot:
    """Return the Discord client, which is not connected yet; it awaits `begin` after its first login."""
    client = CanastaBot(
        services,
        drawing,
        services.clock,
        begin=begin,
        synced=Path(f"{settings.own_files_base}.commands"),
        fleet=None if _is_only_process(settings) else FleetPart(store.shards, store.budgets, lambda: store.may_act),
        development_server=settings.development_server,
        emojis=drawing.draw_emojis if settings.emojis == "on" else None,
        rhythm=rhythm or EditSchedule(rate=settings.requests, openings=settings.new_dms_per_hour),
        uptime=readiness,
    )
    client.series_updater.folder = None if settings.pages is None else PageFolder(settings.pages)
    client.legal = LegalPages(settings.privacy_url, settings.terms_url)
    return client


def _make_computer_driver(tables: TableService, clock: Clock, settings: Settings) -> ComputerDriver:
    """Return the object that plays for computer players, at the pace from the settings."""
    pace = round(settings.computer_pace * SECOND)
    return ComputerDriver(tables, player_for, clock, pace=pace, experts=ExpertProcess())


def _make_schedulers(
    stack: AsyncExitStack, store: Store, services: Services, readiness: Uptime, *, ready: Callable[[], bool]
) -> tuple[Scheduler, Scheduler, Scheduler]:
    """Return the schedulers of deadlines: of tables, of tournaments and of series."""
    clock, tables, tournaments = services.clock, services.tables, services.tournaments
    of_tables = Scheduler(store.times, clock, tables.deadlines, readiness=readiness, ready=ready)
    stack.callback(tables.subscribe(_wake_on_changes(of_tables)))
    alarms = tournaments.alarms
    of_tournaments = Scheduler(alarms, clock, alarms, readiness=readiness, ready=ready, subject="tournament")
    tournaments.subscribe(_wake_on_changes(of_tournaments))
    series = services.series
    of_series = Scheduler(series.nights, clock, series.nights, readiness=readiness, ready=ready, subject="series")
    series.subscribe(_wake_on_changes(of_series))
    return of_tables, of_tournaments, of_series


def table_limits(settings: Settings) -> Limits:
    """Return the table service's limits from the settings."""
    return Limits(
        tables_per_guild=settings.tables_per_server,
        lobbies_per_person=settings.lobbies_per_person,
        lobby_lives=settings.lobby_hours * HOUR,
    )


def _wake_on_changes(scheduler: Scheduler) -> Callable[[TableChanged | TournamentChanged | SeriesChanged], None]:
    """Return a listener of changes that tells the scheduler of new deadlines."""

    def wake_for_change(changed: TableChanged | TournamentChanged | SeriesChanged) -> None:
        if changed.due is not None:
            scheduler.wake_at(changed.due)

    return wake_for_change


def stop_at_signals(stop: asyncio.Event) -> None:
    """Set the event `stop` on Ctrl-C and on SIGTERM.

    A second signal ends the program at once, without harm to what is stored. If the event loop does not support
    signals, Ctrl-C raises `KeyboardInterrupt`, which cancels the task.
    """

    def stop_or_exit() -> None:
        if stop.is_set():
            os._exit(ExitCode.FAILED)
        stop.set()

    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stop_or_exit)
