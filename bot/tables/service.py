"""The table service: all requests to tables, from the lobby to the end of the game.

Each attribute of `TableService` is the service of one subject. A person's request comes with a `Caller`. A method
either completes and stores its change, or raises `TableRefusal` (or, from the rules,
`bot.engine.moves.refusals.Refusal`) and nothing has changed. A repeated request id gets the first answer again. Ids
from people are refused for tables of another guild. Every method with a caller may refuse with unknown_table,
unreadable_table, wrong_server and too_fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from bot.clocks.clock import Clock
from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.clocks.uptime import Uptime
from bot.store.store import Store
from bot.tables.absence.consequences import absence_consequences
from bot.tables.absence.service import AbsenceService
from bot.tables.consent.service import ConsentService
from bot.tables.contest.allowed_requests import require_allowed_request
from bot.tables.contest.service import ContestService
from bot.tables.context import TableContext
from bot.tables.core.limits import GuildLimits, Limits, NoGuildLimits, RateLimiter
from bot.tables.core.repository import TableRepository
from bot.tables.core.rules_thread import RulesThread
from bot.tables.deadlines import DeadlinesService
from bot.tables.lobby.opening import TableOpening
from bot.tables.lobby.rules_service import RulesService
from bot.tables.lobby.service import LobbyService
from bot.tables.masters.service import GameMasterService
from bot.tables.open_seats import OpenSeatsService
from bot.tables.past.service import PastService
from bot.tables.people.notices import NoticeRepository
from bot.tables.people.service import PersonalDataService
from bot.tables.places.service import PlaceService
from bot.tables.play.deals import add_default_shuffle_word, reveal_seeds
from bot.tables.play.service import PlayService
from bot.tables.premoves.service import PremoveService
from bot.tables.reading_tables import ReadingService
from bot.tables.seating.admission import EVERYBODY, Admission
from bot.tables.snapshots.snapshots import SnapshotCache
from bot.tables.state.requests import Consequence
from bot.tables.state.shuffle import Dealer
from bot.tables.state.snapshots import TableChanged
from bot.tables.timing.timekeeping import StoredTimeLookup, TimeLookup, clock_consequences


def consequences_of_changes(store: Store, time_lookup: TimeLookup) -> tuple[Consequence, ...]:
    """Return the functions that add further events to each change of a table, in their order.

    Each one sees the events of those before it.
    """
    return (
        add_default_shuffle_word,
        partial(absence_consequences, time_lookup),
        partial(clock_consequences, time_lookup),
        partial(reveal_seeds, store),
    )


class TableService:
    """The services for all tables, one per process; the only way to change a table.

    `personal` are people's quiet hours and vacation, which one cache per process holds. Without a `time_lookup`, clocks
    stop in these and in the stored outages. `dealer` draws the seeds and orders the packs.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        limits: Limits | None = None,
        *,
        personal: PersonalTimes | None = None,
        time_lookup: TimeLookup | None = None,
        hosts: Admission = EVERYBODY,
        servers: GuildLimits | None = None,
        dealer: Dealer | None = None,
        rules_thread: RulesThread | None = None,
    ) -> None:
        limits = limits or Limits()
        personal = personal or PersonalTimes(store.times)
        time_lookup = time_lookup or StoredTimeLookup(personal, Uptime(store.times, clock), NoticeRepository(store))
        dealer = dealer or Dealer()
        rate, rules_thread = RateLimiter(limits), rules_thread or RulesThread()
        consequences = consequences_of_changes(store, time_lookup)
        repository = TableRepository(
            store, clock, rate, dealer, personal=personal, gates=(require_allowed_request,), consequences=consequences
        )
        self._context = context = TableContext(
            repository=repository,
            limits=limits,
            rate=rate,
            reads=rate.limiter_for_reads(),
            rules_thread=rules_thread,
            snapshots=SnapshotCache(rules_thread, repository.premoves),
            premoves=repository.premoves,
            store=store,
            clock=clock,
            time_lookup=time_lookup,
            dealer=dealer,
        )
        self.opening = TableOpening(context, servers or NoGuildLimits())
        self.reading = ReadingService(context)
        self.rules = RulesService(context)
        self.play = PlayService(context)
        self.consent = ConsentService(context)
        self.absence = AbsenceService(context)
        self.lobby = LobbyService(context, self.rules, self.opening, hosts)
        self.open_seats = OpenSeatsService(context, self.lobby, self.reading, hosts)
        self.masters = GameMasterService(context)
        self.past = PastService(context, self.opening)
        self.people = PersonalDataService(context, self.opening)
        self.places = PlaceService(context)
        self.premoves = PremoveService(context)
        self.contest = ContestService(context)
        handling = (self.play, self.consent, self.absence, self.lobby, self.masters, self.contest)
        self.deadlines = DeadlinesService(context, (one.deadlines for one in handling))

    def subscribe(self, listener: Callable[[TableChanged], None]) -> Callable[[], None]:
        """Call `listener` after every stored change; return a function that unsubscribes."""
        return self._context.repository.subscribe(listener)

    def cached_versions(self) -> Mapping[int, int]:
        """Return the versions of the cached tables, by table number."""
        return self._context.repository.records.versions()

    def evict_all(self) -> None:
        """Evict all tables, because another process may have changed them."""
        self._context.repository.evict_all()

    async def evict_all_after_changes(self) -> None:
        """Wait for the changes in progress, then evict all tables: those changes began with outdated tables."""
        await self._context.repository.evict_all_after_changes()

    async def finish(self) -> None:
        """Wait until all changes in progress are stored."""
        await self._context.repository.finish()
