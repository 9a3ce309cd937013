"""The ledger: how a table changes. One way for everything, and nothing has happened before it is stored.

Lock the table, load it, look whether the request was served before, decide, fold, check, commit; only then tell.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from bot.clocks.clock import Clock
from bot.engine.moves.refusals import Refusal
from bot.engine.play.invariants import problems
from bot.logs import record_action
from bot.store.errors import AlreadyServed, StaleVersion
from bot.store.store import Store
from bot.store.tables import StoredAction, TimerChange
from bot.tables.absence.absence_following import ChangeContext, absence_consequences
from bot.tables.asked import ChangeResult, Decide, Decision, TableLocation, TableRequest, seed_plan
from bot.tables.contest.contest_requests import require_offered
from bot.tables.events import AnyEvent, SeedRevealed, Shuffled
from bot.tables.looks import Caller, TableChanged
from bot.tables.play import default_shuffle_word, unrevealed_seeds
from bot.tables.record import Table, TableState
from bot.tables.record_folding import fold
from bot.tables.records import TableCache
from bot.tables.refusals import TableCode, TableRefusal
from bot.tables.stale import playing, require_current
from bot.tables.stored_change import change_of, new_table_of, seat_of
from bot.tables.timing.timekeeping import Keeper, clock_events

Answer = TypeVar("Answer")

logger = logging.getLogger(__name__)


class InvariantViolation(Exception):
    """An accepted action would have broken the table; nothing was stored. A fault of the program."""


class TableRepository:
    """Loads and changes tables; the database is the truth, what is remembered here only saves decoding."""

    def __init__(self, store: Store, clock: Clock, keeper: Keeper) -> None:
        self.store = store
        self.clock = clock
        self.keeper = keeper
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.records = TableCache(store)
        self._listeners: list[Callable[[TableChanged], None]] = []
        self._running: set[asyncio.Task[Any]] = set()

    def subscribe(self, listener: Callable[[TableChanged], None]) -> Callable[[], None]:
        """Have `listener` called after every stored change; the answer ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def finish(self) -> None:
        """Wait until everything begun is stored."""
        while self._running:
            await asyncio.wait(self._running)

    async def surely(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Do the work to its end even if whoever waits for it is cancelled."""
        return await asyncio.shield(self.begin(work))

    def begin(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Begin the work, which `finish` waits for."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._ran)
        return task

    def _ran(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # seen, even where nobody waits any more

    # --- reading -----------------------------------------------------------------------------------------------------

    async def table(self, number: int) -> Table:
        """The table as it stands; refusals: unknown_table, unreadable_table."""
        return await self.records.table(number)

    # --- changing ----------------------------------------------------------------------------------------------------

    async def change(self, number: int, asked: TableRequest, decide: Decide) -> ChangeResult:
        """Let `decide` say what happens at the table, and make it so."""
        return await self.surely(self._logged(number, asked, self._change(number, asked, decide)))

    async def _change(self, number: int, asked: TableRequest, decide: Decide) -> ChangeResult:
        async with self.lock(number):
            table = await self.table(number)
            caller = asked.caller
            if caller is not None:
                if caller.guild != table.guild:
                    raise TableRefusal(TableCode.WRONG_SERVER, {"table": number})
                served = await self.store.tables.served(caller.request)
                if served is not None:
                    # Another process may have served it since the table was loaded.
                    return self._again(await self.table(number), caller, served)
            require_offered(table, asked)
            await require_current(self.store, table, asked.expected_version, playing)
            plan = await decide(table)
            return await self._commit(table, asked, plan)

    def lock(self, number: int) -> asyncio.Lock:
        """Whoever has it is alone with what is stored of the table."""
        lock = self._locks.get(number)
        if lock is None:
            lock = self._locks[number] = asyncio.Lock()
        return lock

    def _again(self, table: Table, caller: Caller, served: StoredAction) -> ChangeResult:
        """The first answer to a request that comes a second time."""
        if (served.table, served.person) != (table.id, caller.person):
            raise TableRefusal(TableCode.REQUEST_REUSED)
        return ChangeResult(table, self.records.happened(table, served.payload), repeated=True)

    async def _commit(self, table: Table, asked: TableRequest, plan: Decision) -> ChangeResult:
        """Fold, check and store; then tell."""
        events = plan.events
        after = fold(table.record, events)
        if not any(isinstance(event, Shuffled) for event in events):
            share = default_shuffle_word(after, asked.caller)
            events, after = (*events, *share), fold(after, share)
        more = absence_consequences(table.record, after, self._circumstances(asked))
        events, after = (*events, *more), fold(after, more)
        self._require_sound(table, after)
        person = None if asked.caller is None else asked.caller.person
        now, masked = self.clock.now(), asked.masked_since
        time = await clock_events(table.record, after, self.keeper, now=now, person=person, masked_since=masked)
        events, after = (*events, *time), fold(after, time)
        seeds = await self._opened(table, after)
        events, after = (*events, *seeds), fold(after, seeds)
        holders = table.holders.copy()
        change = change_of(table, asked, after, replace(plan, events=events), holders=holders, now=self.clock.now())
        try:
            version = await self.store.tables.commit(change)
        except StaleVersion as stale:
            detail = {"table": table.id, "expected": stale.expected, "version": stale.version}
            raise TableRefusal(TableCode.STALE_REQUEST, detail) from None
        except AlreadyServed:
            return await self._overtaken(asked)
        stored = replace(table, version=version, updated_at=change.at, record=after, holders=holders.stored())
        self.records.remember(stored)
        self._tell(stored, asked.kind, change.timers, rated=change.rated)
        return ChangeResult(stored, events, repeated=False)

    async def _opened(self, table: Table, after: TableState) -> tuple[SeedRevealed, ...]:
        """The seeds of the deals that may be looked at from this change on."""
        held = unrevealed_seeds(table.record)
        owed = [deal for deal in unrevealed_seeds(after) if deal not in held]
        return tuple([SeedRevealed(deal, (await self.seed(table.id, deal)).hex()) for deal in owed])

    async def seed(self, table: int, deal: int) -> bytes:
        """What a deal is shuffled with. Raises LookupError where none was stored."""
        secret = await self.store.tables.secret(table, deal)
        if secret is None:
            raise LookupError(f"table {table} has no seed for deal {deal}")
        return secret.seed

    def _circumstances(self, asked: TableRequest) -> ChangeContext:
        by = None if asked.caller is None else asked.caller.person
        return ChangeContext(self.clock.now(), by, self.keeper.away())

    async def _overtaken(self, asked: TableRequest) -> ChangeResult:
        """Another process served the request in the meantime."""
        caller = asked.caller
        served = None if caller is None else await self.store.tables.served(caller.request)
        if caller is None or served is None:
            raise TableRefusal(TableCode.REQUEST_REUSED)
        return self._again(await self.table(served.table), caller, served)

    def _require_sound(self, table: Table, after: TableState) -> None:
        if after.game is None or after.game is table.record.game:
            return
        found = problems(after.game)
        if found:
            logger.error("an action would break the table: %s", "; ".join(found), extra={"table": table.id})
            raise InvariantViolation(f"table {table.id} at version {table.version}")

    def _tell(self, table: Table, kind: str, timers: tuple[TimerChange, ...], *, rated: bool = False) -> None:
        due = min((timer.due_at for timer in timers if timer.due_at is not None), default=None)
        contest = table.record.contest
        changed = TableChanged(table.id, table.version, kind, due, None if contest is None else contest.key, rated)
        for listener in tuple(self._listeners):
            try:
                listener(changed)
            except Exception:
                logger.exception("a listener failed", extra={"table": table.id, "event": table.version})

    # --- opening -----------------------------------------------------------------------------------------------------

    async def open(self, place: TableLocation, asked: TableRequest, events: tuple[AnyEvent, ...]) -> ChangeResult:
        """Make a table of a caller's events, and commit to the seed of its first deal."""
        return await self.surely(self._open(place, asked, events))

    async def opened(self, caller: Caller) -> ChangeResult | None:
        """The table that this very request opened before."""
        served = await self.store.tables.served(caller.request)
        return None if served is None else self._again(await self.table(served.table), caller, served)

    async def _open(self, place: TableLocation, asked: TableRequest, events: tuple[AnyEvent, ...]) -> ChangeResult:
        began = self.clock.now()
        record = fold(None, events)
        new = new_table_of(place, asked, events, record)
        try:
            number = await self.store.tables.create(new)
        except AlreadyServed:
            return await self._overtaken(asked)
        self._note(number, asked, outcome="done", version=1, began=began, seat=seat_of(asked, None, record))
        self._tell(self._new(number, place, record), asked.kind, new.timers)
        return await self.commit_seed(number)

    def _new(self, number: int, place: TableLocation, record: TableState) -> Table:
        return Table(number, 1, place.guild, place.channel, place.thread, record.created_at, record)

    async def commit_seed(self, number: int) -> ChangeResult:
        """Draw the seed of a lobby's first deal, of the second where the first is known, and publish the commitment.

        A board of a tournament is one deal, whose seed the tournament has.
        """
        asked = TableRequest("commit_seed", {})

        async def decide(table: Table) -> Decision:
            if table.record.contest is not None and table.record.known is not None:
                return Decision(())
            return seed_plan(table.id, 1 if table.record.known is None else 2)

        return await self.change(number, asked, decide)

    # --- noting ------------------------------------------------------------------------------------------------------

    async def _logged(self, number: int, asked: TableRequest, work: Coroutine[Any, Any, ChangeResult]) -> ChangeResult:
        """The work, with one line that says what came of it."""
        began = self.clock.now()
        seat, version, outcome = asked.seat, asked.expected_version or 0, "failed"
        try:
            done = await work
        except (TableRefusal, Refusal) as refusal:
            outcome = refusal.code.value
            raise
        else:
            version, outcome = done.table.version, "repeated" if done.repeated else "done"
            seat = seat_of(asked, None, done.table.record)
            return done
        finally:
            self._note(number, asked, outcome=outcome, version=version, began=began, seat=seat)

    def _note(
        self, number: int, asked: TableRequest, *, outcome: str, version: int, began: int, seat: int | None
    ) -> None:
        record_action(
            table=number,
            event=version,
            seat=seat,
            kind=asked.kind,
            outcome=outcome,
            milliseconds=self.clock.now() - began,
        )
