"""The table service: everything that can be asked of a table, from the lobby to the end of the game.

Whatever a person asks comes with a `Caller`. A method either does what it says, completely and stored, or raises
`TableRefusal` (or, from the rules, `bot.engine.moves.refusals.Refusal`) and nothing has changed. A request id that has
been served is answered again and not done again. A table of another server is refused wherever an id comes from
a person. Every method with a caller may refuse with unknown_table, unreadable_table, wrong_server and too_fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from bot.clocks.clock import Clock
from bot.clocks.personal import PersonalTimes
from bot.clocks.uptime import Uptime
from bot.engine.moves.actions import Action, Lay
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import SeatView
from bot.store.store import Store
from bot.store.tables import TableSummary
from bot.tables.advice import Offers, offers_of
from bot.tables.advice.ruling import Ruling, ruling
from bot.tables.consent.service import ConsentService
from bot.tables.contest.requests import require_open
from bot.tables.contest.service import ContestService
from bot.tables.core.limits import GuildLimits, Limits, NoGuildLimits, RateLimiter
from bot.tables.core.repository import TableRepository
from bot.tables.deadlines import DeadlinesService
from bot.tables.lobby.service import ClosingService, SeatsService, SettingsService
from bot.tables.past.service import PastService
from bot.tables.people.service import DataService
from bot.tables.places.service import PlaceService, ShownService, WatchingService
from bot.tables.play.moves import running_game
from bot.tables.premoves.service import PremoveService
from bot.tables.seating.admission import EVERYBODY, Admission
from bot.tables.seating.seats import require_seat
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import OPEN, SeatSnapshot, TableChanged, TableRef, TableSnapshot, whereabouts_of
from bot.tables.state.table import Table
from bot.tables.timing.timekeeping import Keeper, TimeKeeper

Answer = TypeVar("Answer")


class TableService(
    DataService,
    PastService,
    SeatsService,
    SettingsService,
    ClosingService,
    ConsentService,
    ContestService,
    DeadlinesService,
    PremoveService,
    PlaceService,
    ShownService,
    WatchingService,
):
    """One for the whole process; the only way to change a table.

    Each base has one subject, which its docstring names; here is what looks at tables.
    Without a `keeper` of time everybody's is counted alike, by what is stored of quiet hours and outages.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        limits: Limits | None = None,
        *,
        keeper: Keeper | None = None,
        hosts: Admission = EVERYBODY,
        servers: GuildLimits | None = None,
    ) -> None:
        limits = limits or Limits()
        keeper = keeper or TimeKeeper(PersonalTimes(store.times), Uptime(store.times, clock))
        super().__init__(TableRepository(store, clock, keeper), RateLimiter(limits), limits, hosts=hosts)
        self._servers = servers or NoGuildLimits()

    # --- looking -----------------------------------------------------------------------------------------------------

    async def look(self, table: int) -> TableSnapshot:
        """The table, for callers whose id comes from the program itself. Refusal: unknown_table."""
        return await self._shown.table(await self._ledger.table(table))

    async def look_for(self, table: int, *, person: int, guild: int | None) -> TableSnapshot:
        """The table, for ids that come from a person. Refusals: unknown_table, wrong_server, board_sealed."""
        found = await self._table_of(table, guild)
        require_open(found, person)
        return await self._shown.table(found)

    async def seat_look(self, table: int, *, person: int, guild: int | None) -> SeatSnapshot:
        """The person's own seat. Refusals: unknown_table, wrong_server, not_seated, too_fast."""
        self._admit_reading(person)
        return await self._shown.person(await self._table_of(table, guild), person)

    async def own_view(self, table: int, *, person: int, guild: int | None) -> tuple[SeatView, int]:
        """What the person's seat sees of the game as it stands, and the version of the table that it is of.

        Nothing is worked out that the seat is offered. Refusals: as `seat_look`, and not_started.
        """
        self._admit_reading(person)
        found = await self._table_of(table, guild)
        view = await self._shown.own(found, require_seat(found, person))
        if view is None:
            raise TableRefusal(TableCode.NOT_STARTED, {"table": table})
        return view, found.version

    async def offers(self, table: int, *, person: int, guild: int | None, staged: Sequence[Lay] = ()) -> Offers:
        """What the person's seat is offered, with these melds put together; nothing where it is not to act.

        Refusals: unknown_table, wrong_server, not_seated, not_started, game_finished, table_closed, too_fast.
        """
        self._admit_reading(person)
        found = await self._table_of(table, guild)
        seat = require_seat(found, person)
        game = running_game(found)
        return await self._workshop.ask(game.rules, offers_of, game, seat, tuple(staged))

    async def person_look(self, table: int, person: int) -> SeatSnapshot:
        """The person's own seat, for callers that keep what they show true. Refusals: unknown_table, not_seated."""
        return await self._shown.person(await self._ledger.table(table), person)

    async def judge(self, table: int, action: Action, *, person: int, guild: int | None) -> Ruling:
        """Whether the person's seat may act so, and why; nothing changes and nothing hidden is told.

        Refusals: unknown_table, wrong_server, not_seated, not_started, game_finished, table_closed, too_fast. What the
        rules refuse is in the ruling.
        """
        self._admit_reading(person)
        found = await self._table_of(table, guild)
        seat = require_seat(found, person)
        game = running_game(found)
        return await self._workshop.ask(game.rules, ruling, game, seat, action)

    async def computer_look(self, table: int) -> SeatSnapshot | None:
        """The seat that is to act if a computer player holds it and the game does not rest; None otherwise."""
        found = await self._ledger.table(table)
        seat, resting = found.record.actor, found.record.pause is not None or found.record.sleeps
        if seat is None or found.record.seats[seat].kind != "computer" or resting:
            return None
        return await self._shown.seat(found, seat)

    async def think(self, rules: RuleSet, work: Callable[..., Answer], *given: Any) -> Answer:
        """What `work` answers, beside the event loop where these rules may take long
        (`bot.tables.core.rules_thread`).
        """
        return await self._workshop.ask(rules, work, *given)

    async def tables_in(self, guild: int) -> tuple[TableSnapshot, ...]:
        """The lobbies and running games of a server that can be read, oldest first; each is decoded."""
        return await self._looks(await self.open_in(guild))

    async def tables_of(self, person: int, guild: int | None = None) -> tuple[TableSnapshot, ...]:
        """The tables where the person is seated, in one server or in all, oldest first."""
        return await self._looks(await self.open_of(person, guild))

    async def open_in(self, guild: int) -> tuple[TableRef, ...]:
        """Where the lobbies and running games of a server are, oldest first; none is decoded for it."""
        return self._readable(await self._ledger.store.tables.in_guild(guild, OPEN))

    async def open_of(self, person: int, guild: int | None = None) -> tuple[TableRef, ...]:
        """Where the tables are at which the person sits, in one server or in all, oldest first; none is decoded."""
        return self._readable(await self._ledger.store.tables.seating(person, OPEN, guild=guild))

    async def some_looks(self, tables: Iterable[TableRef], *, most: int) -> tuple[TableSnapshot, ...]:
        """The looks of remembered tables and of at most `most` others, in the order given."""
        chosen = []
        for one in tables:
            remembered = self._ledger.records.remembers(one.id, one.version)
            most -= not remembered
            if remembered or most >= 0:
                chosen.append(one)
        return await self._looks(chosen)

    async def waiting_for_computers(self) -> tuple[int, ...]:
        """The running games where a computer player is to act; and those of which that is not known."""
        set_aside = self._ledger.records.set_aside
        return tuple(one for one in await self._ledger.store.tables.for_computers() if one not in set_aside)

    def _readable(self, summaries: tuple[TableSummary, ...]) -> tuple[TableRef, ...]:
        """Where the tables are but for those that have been set aside."""
        set_aside = self._ledger.records.set_aside
        return tuple(whereabouts_of(summary) for summary in summaries if summary.id not in set_aside)

    async def _looks(self, tables: Iterable[TableRef]) -> tuple[TableSnapshot, ...]:
        """The tables; those that cannot be read are left out."""
        found = []
        for one in tables:
            try:
                found.append(await self.look(one.id))
            except TableRefusal as refusal:
                if refusal.code is not TableCode.UNREADABLE_TABLE:
                    raise
        return tuple(found)

    async def _table_of(self, table: int, guild: int | None) -> Table:
        found = await self._ledger.table(table)
        if found.guild != guild:
            raise TableRefusal(TableCode.WRONG_SERVER, {"table": table})
        return found

    # --- being told --------------------------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[TableChanged], None]) -> Callable[[], None]:
        """Have `listener` called after every stored change; the answer ends that."""
        return self._ledger.subscribe(listener)

    async def finish(self) -> None:
        """Wait until everything begun is stored."""
        await self._ledger.finish()
