"""The Discord client: its intents, its cogs, and its start and shutdown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands

from bot.clocks.clock import Clock
from bot.clocks.uptime import Uptime
from bot.metrics import METRICS
from bot.outbox import Outbox
from bot.start_guard import StartGuard, wait_for_identify_turn
from bot.store.engines.interface import Budgets, Shards
from bot.store.outbox import ARCHIVE, EVENT, FAULT, LETTER, MEMBER, OLD_BOARD, RESTORED, SERIES_FAULT
from bot.tables.premoves.premove_player import PremovePlayer
from cogs import admin, guide, past, play, profile, series, table, tournament
from cogs.play.auto_draw import AutoDraw
from cogs.series.fault_messages import SeriesFaultNews
from cogs.series.message_updates import SeriesEventListener, SeriesMessageUpdater
from cogs.shared.discord_api.card_emojis import CardEmojis, Draw
from cogs.shared.discord_api.command_tree import CanastaTree, CatalogueTranslator, CommandSync, set_descriptions
from cogs.shared.discord_api.interactions import PATIENCE
from cogs.shared.discord_api.serving_bot import LegalPages, ServingBot
from cogs.shared.notices.backup_restored_notices import RestoredBackupNotices
from cogs.shared.notices.daily_digests import DailyDigests
from cogs.shared.notices.notifier import Notifier
from cogs.shared.notices.sender import Sender
from cogs.shared.posting.board_updates import BoardUpdater
from cogs.shared.posting.direct_messages import DirectMessages
from cogs.shared.posting.edit_schedule import EditSchedule
from cogs.shared.posting.live_panels import LivePanels
from cogs.shared.posting.mentions import Members
from cogs.shared.posting.open_seats_message import OpenSeatsMessages
from cogs.shared.posting.outbox_tasks import ThreadTasks
from cogs.shared.posting.poster import Poster
from cogs.shared.posting.request_budget import Budget
from cogs.shared.posting.shard_status import ShardStatus
from cogs.shared.posting.threads import Threads
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context, Services
from cogs.shared.serving.housekeeping import Housekeeping
from cogs.shared.serving.routing import ControlListener, Router
from cogs.shared.showing.pages import Pages
from cogs.table.spectators import SpectatorMessages
from cogs.tournament.fault_messages import FaultNews
from cogs.tournament.final_results import ClosingPictures
from cogs.tournament.message_updates import TournamentEventListener, TournamentMessageUpdater
from cogs.tournament.personal_news import PersonalNews
from cogs.tournament.scheduled_events import ScheduledEvents
from cogs.tournament.sender import TournamentSender
from cogs.tournament.threads import MatchThreads
from render.picture_queue import PictureQueue

Begin = Callable[[], Awaitable[None]]

FEATURES: Final[tuple[Callable[[Context], tuple[commands.Cog, ...]], ...]] = (
    table.make_cogs,
    play.make_cogs,
    past.make_cogs,
    profile.make_cogs,
    admin.make_cogs,
    guide.make_cogs,
    tournament.make_cogs,
    series.make_cogs,
)
"""The feature packages; each function registers the package's controls and returns its cogs."""


def _make_budget(clock: Clock, pace: EditSchedule, fleet: FleetPart | None) -> Budget:
    """Return the limit on requests to Discord, which the processes of a fleet share."""
    if fleet is None:
        return Budget(clock, rate=pace.rate, burst=pace.burst)
    return Budget(clock, rate=pace.rate, burst=pace.burst, common=fleet.budgets, may_send=fleet.may_act)


def gateway_intents() -> discord.Intents:
    """Return the gateway intents: guilds with channels and threads; no messages, no members."""
    return discord.Intents(guilds=True)


@dataclass(frozen=True, slots=True)
class _PostingParts:
    """The dependencies shared by the classes that post messages about tables or tournaments."""

    services: Services
    pages: Pages
    clock: Clock
    budget: Budget
    direct: DirectMessages
    members: Members
    pace: EditSchedule


def request_counter(pause: Callable[[int], None] = lambda _: None) -> aiohttp.TraceConfig:
    """Return an aiohttp trace config that counts requests to Discord by route and status.

    Labels hold no ids or tokens. If Discord refuses a request because the bot as a whole sends too many, `pause` is
    called with the milliseconds to wait.
    """

    async def count_response(_session: object, _context: object, ended: aiohttp.TraceRequestEndParams) -> None:
        status = ended.response.status
        METRICS.count("requests_total", route=route_of(ended.method, ended.url.path), status=str(status))
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            METRICS.count("rate_limited_total")
            if "X-RateLimit-Global" in ended.response.headers:
                pause(round(1_000 * float(ended.response.headers.get("Retry-After", 1))))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(count_response)
    return trace


_KEPT: Final = frozenset(
    (
        *("channels", "messages", "threads", "users", "me", "applications", "commands", "guilds", "members", "roles"),
        *("webhooks", "interactions", "callback", "reactions", "permissions", "emojis", "gateway", "bot", "oauth2"),
        *("scheduled-events", "thread-members", "@me", "@original", "typing"),
    )
)
"""Path segments that `route_of` keeps; all others are ids, tokens or emojis and become ``*``."""


def route_of(method: str, path: str) -> str:
    """Return a route's name: the method and at most six path segments, with ``*`` for ids and tokens."""
    parts = [part for part in path.split("/") if part and not part.startswith(("v1", "api"))]
    return f"{method} /{'/'.join(part if part in _KEPT else '*' for part in parts[:6])}"


def _library_options(pause: Callable[[int], None]) -> dict[str, Any]:
    """Return options for discord.py: no cached members or messages, and no mentions by default.

    `pause` is as in `request_counter`.
    """
    return {
        "command_prefix": commands.when_mentioned,
        "tree_cls": CanastaTree,
        "help_command": None,
        "intents": gateway_intents(),
        "allowed_mentions": discord.AllowedMentions.none(),
        "allowed_contexts": discord.app_commands.AppCommandContext(guild=True),
        "allowed_installs": discord.app_commands.AppInstallationType(guild=True),
        "chunk_guilds_at_startup": False,
        "member_cache_flags": discord.MemberCacheFlags.none(),
        "max_messages": None,
        "http_trace": request_counter(pause),
        # For a longer wait discord.py raises an error, and the caller posts a new message instead.
        "max_ratelimit_timeout": 30,
    }


@dataclass(frozen=True, slots=True)
class FleetPart:
    """The part of one process in a fleet: its shards, the common limits, and whether it may act now."""

    shards: Shards
    budgets: Budgets | None
    may_act: Callable[[], bool]

    @property
    def is_first(self) -> bool:
        """Whether this process has shard 0, and so does the work that one process does for all."""
        return self.shards.first == 0

    @property
    def shard_options(self) -> dict[str, Any]:
        """The options by which discord.py connects only these shards; none if they are all shards."""
        if self.shards.count == 1:
            return {}
        return {
            "shard_count": self.shards.count,
            "shard_ids": list(range(self.shards.first, self.shards.last + 1)),
        }


class CanastaBot(ServingBot):
    """The Discord client, which connects the services to Discord.

    `begin` is awaited after login, before the bot accepts interactions. `synced` is the file that stores which commands
    were sent to Discord. `emojis` draws the cards that are uploaded as emojis, if they are to be. `rhythm` limits how
    often boards are edited. `uptime` records when a connection to Discord is lost. `fleet` is given if other processes
    serve the same bot.
    """

    def __init__(
        self,
        services: Services,
        pictures: PictureQueue,
        clock: Clock,
        *,
        begin: Begin,
        synced: Path,
        development_server: int = 0,
        emojis: Draw | None = None,
        rhythm: EditSchedule | None = None,
        uptime: Uptime,
        fleet: FleetPart | None = None,
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = (
            False  # the bot needs no voice, so no warnings about it
        )
        super().__init__(**_library_options(self._pause_requests), **({} if fleet is None else fleet.shard_options))
        self._fleet = fleet
        self._is_first = fleet is None or fleet.is_first
        self._at_once = 1
        self.patience = PATIENCE
        self.stopping = False
        self.legal = LegalPages()
        self.profiles = services.profiles
        self.card_emojis = CardEmojis(self, emojis, uploads=self._is_first, shared=fleet is not None)
        pages = Pages(pictures, self.card_emojis.emoji_of, figures=services.figures)
        pace = rhythm or EditSchedule()
        budget = self._budget = _make_budget(clock, pace, fleet)
        direct = DirectMessages(self, services.notices, clock=clock, budget=budget, per_hour=pace.openings)
        parts = _PostingParts(services, pages, clock, budget, direct, Members(self, clock), pace)
        sender = self._sender = Sender(self, services.servers, parts.members, budget=budget, direct=parts.direct)
        told = (services.tables, services.notices, services.personal_times, sender)
        self.notices = Notifier(
            *told, clock=clock, away_until=uptime.get_last_outage_end, gone=services.tables.absence.handle_departure
        )
        self.digests = DailyDigests(*told, clock=clock, sends=self._is_first)
        self.panels = LivePanels(services.tables, clock, pause=pace.panels)
        self.board_updater = self._make_board_updater(parts)
        self.tournament_updater = self._make_tournament_updater(parts)
        self._parts = parts
        self._outbox: Outbox | None = None
        self._guard: StartGuard | None = None
        self.series_updater = self._make_series_updater(parts)
        self.open_seats = OpenSeatsMessages(
            services.tables, services.servers, self, clock=clock, budget=budget, direct=direct
        )
        self.context = Context(services, pages, self.board_updater, self.panels, direct, self.open_seats, Router())
        self._shard_status = ShardStatus(uptime.note_connection_lost)
        self.auto_draw = AutoDraw(services.tables, services.profiles)
        self.spectator_messages = SpectatorMessages(services.tables, services.servers, services.notices, self, direct)
        self.premoves = PremovePlayer(services.tables.premoves, clock)
        self.command_sync = CommandSync(self, synced, development_server=development_server)
        self._begin = begin

    def _pause_requests(self, milliseconds: int) -> None:
        """Delay all requests to Discord except answers to clicks, for that many milliseconds.

        The other processes of a fleet delay theirs too.
        """
        self._budget.pause(milliseconds)

    def _make_board_updater(self, parts: _PostingParts) -> BoardUpdater:
        """Return the object that posts and edits the messages of tables."""
        services, clock, budget = parts.services, parts.clock, parts.budget
        poster = Poster(
            services.tables,
            services.profiles,
            services.servers,
            pages=parts.pages,
            channels=self,
            calls=self.notices,
            members=parts.members,
            clock=clock,
            budget=budget,
            repost_panels=self.panels.repost_panels,
        )
        threads = Threads(services.tables, poster, self)
        return BoardUpdater(services.tables, poster, threads, self.notices, clock=clock, budget=budget, pace=parts.pace)

    def _make_tournament_updater(self, parts: _PostingParts) -> TournamentMessageUpdater:
        """Return the object that posts and edits the messages of tournaments."""
        services, tournaments, sending = parts.services, parts.services.tournaments, self._make_tournament_sender(parts)
        return TournamentMessageUpdater(
            tournaments,
            sending,
            places=MatchThreads(tournaments, services.tables, parts.members, sending, clock=parts.clock),
            closing=ClosingPictures(tournaments, services.profiles, parts.pages),
            clock=parts.clock,
        )

    def _make_tournament_sender(self, parts: _PostingParts) -> TournamentSender:
        """Return the object that sends the calls and letters of tournaments."""
        services = parts.services
        return TournamentSender(
            services.tournaments.overview,
            services.servers,
            self,
            clock=parts.clock,
            budget=parts.budget,
            direct=parts.direct,
            record_thread_members=self.board_updater.record_thread_members,
        )

    def register_promise_handlers(self, outbox: Outbox) -> None:
        """Register the handlers of promised effects that need Discord.

        They run once the bot is connected.
        """
        self._outbox, parts = outbox, self._parts
        services, sending = parts.services, self._make_tournament_sender(parts)
        places = ThreadTasks(services.tables, services.tournaments, self.board_updater, self, parts.budget)
        outbox.register(
            LETTER, PersonalNews(services.tournaments, services.profiles, sending, parts.clock).outbox_handler()
        )
        outbox.register(FAULT, FaultNews(services.tournaments, services.profiles, sending).outbox_handler())
        series = SeriesFaultNews(services.series, services.profiles, self._make_series_sender(parts))
        outbox.register(SERIES_FAULT, series.outbox_handler())
        outbox.register(EVENT, ScheduledEvents(services.tournaments, sending, parts.clock).outbox_handler())
        outbox.register(MEMBER, places.add_member_handler())
        outbox.register(ARCHIVE, places.archive_handler())
        outbox.register(OLD_BOARD, places.old_board_handler())
        outbox.register(RESTORED, RestoredBackupNotices(services.tables, self._sender).outbox_handler())

    def _make_series_updater(self, parts: _PostingParts) -> SeriesMessageUpdater:
        """Return the object that posts and edits the messages of series."""
        services, clock = parts.services, parts.clock
        sending = self._make_series_sender(parts)
        return SeriesMessageUpdater(
            services.series,
            services.profiles,
            sending,
            servers=services.servers,
            members=parts.members,
            clock=clock,
        )

    def _make_series_sender(self, parts: _PostingParts) -> TournamentSender:
        """Return the object that sends the calls and letters of series."""
        return TournamentSender(
            parts.services.series,
            parts.services.servers,
            self,
            clock=parts.clock,
            budget=parts.budget,
            direct=parts.direct,
            mark="s",
        )

    def set_start_guard(self, guard: StartGuard) -> None:
        """Set the start guard, which delays connections and counts every identify (login of a shard)."""
        self._guard = guard

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect to Discord, after waiting until the daily limit leaves enough identifies (logins)."""
        if self._guard is not None:
            await self._guard.wait_for_identifies(self)
        await super().connect(reconnect=reconnect)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Count an identify (a login of a shard) before it is sent; processes of a fleet take turns."""
        if self._guard is not None:
            await self._guard.count_identify()
        if self._fleet is not None and self._fleet.budgets is not None:
            await wait_for_identify_turn(self._fleet.budgets, (shard_id or 0) % self._at_once)
            return
        await super().before_identify_hook(shard_id, initial=initial)

    async def identifies_left(self) -> tuple[int, int, int]:
        """Return how many identifies (logins) are left, and two more numbers from Discord.

        These are the recommended number of shards, and the milliseconds until the limit resets.
        """
        shards, _, limit = await self.http.get_bot_gateway()
        self._at_once = max(1, limit["max_concurrency"])
        return limit["remaining"], shards, limit["reset_after"]

    def start_background_tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Start the background tasks that send messages and notices, and return them.

        They send nothing before Discord is connected.
        """
        one_for_each = (
            self.board_updater,
            self.tournament_updater,
            self.series_updater,
            self.notices,
            self.digests,
            self.open_seats,
        )
        return tuple(one.start() for one in one_for_each)

    async def setup_hook(self) -> None:
        """Add all cogs and begin the work; an error of a cog stops the start, so that no cog is missing."""
        await self.context.servers.load_languages()
        for cog in self._all_cogs():
            await self.add_cog(cog)
        set_descriptions(self.tree.walk_commands())
        await self.tree.set_translator(CatalogueTranslator())
        if self._is_first:
            await self.command_sync.sync()
        self.panels.begin(partial(panel.current_panel_page, self.context))
        listeners = (
            self.board_updater,
            self.panels,
            self.auto_draw,
            self.premoves,
            self.spectator_messages,
            self.notices,
            self.open_seats,
        )
        for listener in (one.on_change for one in listeners):
            self.context.tables.subscribe(listener)
        self.context.tournaments.subscribe(self.tournament_updater.on_change)
        self.context.series.subscribe(self.series_updater.on_change)
        await self._begin()
        self.premoves.start()
        self.card_emojis.start()

    def _all_cogs(self) -> tuple[commands.Cog, ...]:
        """Return the cogs of all features, and those that maintain messages and connections."""
        return (
            ControlListener(self.context.router, self.board_updater, self.notices.record_activity),
            *(cog for feature in FEATURES for cog in feature(self.context)),
            Housekeeping(self, self.context, self.notices, self.digests, self._outbox),
            self._shard_status,
            TournamentEventListener(self.tournament_updater),
            SeriesEventListener(self.series_updater),
        )

    def is_reachable(self) -> bool:
        """Return whether all connections to Discord are up, so that no event is missed."""
        return self.is_ready() and self._shard_status.is_fully_connected

    def shard_states(self) -> Mapping[str, int]:
        """Return the number of shards in each state: connected or lost."""
        return self._shard_status.count_by_state(self.shard_count or 0)

    def waiting_requests(self) -> Mapping[str, int]:
        """Return the number of queued requests to Discord by priority class."""
        return self._budget.count_waiting_by_priority()

    async def repost_boards(self) -> None:
        """Post the boards of all open tables again."""
        for guild in self.guilds:
            for opened in await self.context.tables.reading.open_refs_in(guild.id):
                self.board_updater.request_update(opened.id, repost=True)

    def begin_to_stop(self) -> None:
        """From now on, answer every click and command with "back in a minute"."""
        self.stopping = self.context.router.stopping = True

    async def close(self) -> None:
        """Finish the updates of messages under way, then disconnect if the client was ever connected.

        The tasks that send messages are ended together, because each may wait some seconds for Discord.
        """
        await self.card_emojis.close()
        await self.auto_draw.close()
        await self.spectator_messages.close()
        await self.premoves.close()
        await self.panels.close()
        await self.digests.close()
        await asyncio.gather(
            self.notices.close(), self.series_updater.close(), self.tournament_updater.close(), self.open_seats.close()
        )
        await self.board_updater.close()
        if isinstance(self.loop, asyncio.AbstractEventLoop):
            await super().close()
