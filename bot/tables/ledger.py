"""The ledger: how a table changes. One way for everything, and nothing has happened before it is stored.

Lock the table, load it, look whether the request was served before, decide, fold, check, commit; only then tell.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from bot.clocks.clock import Clock
from bot.clocks.law import Stage
from bot.engine.invariants import problems
from bot.engine.refusals import Refusal
from bot.logs import record_action
from bot.store.protocol import (
    AlreadyServed,
    AuditEntry,
    Change,
    DealSecret,
    NewTable,
    StaleVersion,
    Store,
    StoredAction,
    TimerChange,
)
from bot.tables import codec
from bot.tables.absence.following import Circumstances, following
from bot.tables.dealing import commitment, new_seed
from bot.tables.events import AnyEvent, SeedCommitted, SeedRevealed, Shuffled, StageReached
from bot.tables.holders import Holders
from bot.tables.looks import Caller, Changed
from bot.tables.play import contribution, held_seeds, require_version
from bot.tables.record import Record, Table, fold
from bot.tables.records import Records
from bot.tables.refusals import TableCode, TableRefusal
from bot.tables.results import ended_now, results_of
from bot.tables.timing.keeping import Keeper, timed

Answer = TypeVar("Answer")

logger = logging.getLogger(__name__)


class UnsoundTable(Exception):
    """An accepted action would have broken the table; nothing was stored. A fault of the program."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to happen, the seeds drawn for deals to come, and what is noted where a game master asked for it."""

    events: tuple[AnyEvent, ...] = field(repr=False)
    secrets: tuple[DealSecret, ...] = ()
    audit: AuditEntry | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a table and by whom: a person, or else the computer player of `seat`, or else the clock.

    From `masked_since` (UTC milliseconds) on what a person had prepared was only held back, so no clock ran.
    """

    kind: str
    action: Mapping[str, Any] = field(repr=False)
    caller: Caller | None = field(default=None, kw_only=True)
    seat: int | None = field(default=None, kw_only=True)
    expected_version: int | None = field(default=None, kw_only=True)
    masked_since: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table lives."""

    guild: int
    channel: int
    thread: int | None


@dataclass(frozen=True, slots=True)
class Done:
    """The table as it stands and what happened; `repeated` if that had happened before."""

    table: Table
    events: tuple[AnyEvent, ...] = field(repr=False)
    repeated: bool


Decide = Callable[[Table], Awaitable[Plan]]


class Ledger:
    """Loads and changes tables; the database is the truth, what is remembered here only saves decoding."""

    def __init__(self, store: Store, clock: Clock, keeper: Keeper) -> None:
        self.store = store
        self.clock = clock
        self.keeper = keeper
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.records = Records(store)
        self._listeners: list[Callable[[Changed], None]] = []
        self._running: set[asyncio.Task[Any]] = set()

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
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

    async def change(self, number: int, asked: Asked, decide: Decide) -> Done:
        """Let `decide` say what happens at the table, and make it so."""
        return await self.surely(self._logged(number, asked, self._change(number, asked, decide)))

    async def _change(self, number: int, asked: Asked, decide: Decide) -> Done:
        async with self.lock(number):
            table = await self.table(number)
            caller = asked.caller
            if caller is not None:
                if caller.guild != table.guild:
                    raise TableRefusal(TableCode.WRONG_SERVER, {"table": number})
                served = await self.store.served(caller.request)
                if served is not None:
                    return self._again(table, caller, served)
            require_version(table, asked.expected_version)
            plan = await decide(table)
            return await self._commit(table, asked, plan)

    def lock(self, number: int) -> asyncio.Lock:
        """Whoever has it is alone with what is stored of the table."""
        lock = self._locks.get(number)
        if lock is None:
            lock = self._locks[number] = asyncio.Lock()
        return lock

    def _again(self, table: Table, caller: Caller, served: StoredAction) -> Done:
        """The first answer to a request that comes a second time."""
        if (served.table, served.person) != (table.id, caller.person):
            raise TableRefusal(TableCode.REQUEST_REUSED)
        return Done(table, self.records.happened(table, served.payload), repeated=True)

    async def _commit(self, table: Table, asked: Asked, plan: Plan) -> Done:
        """Fold, check and store; then tell."""
        events = plan.events
        after = fold(table.record, events)
        if not any(isinstance(event, Shuffled) for event in events):
            share = contribution(after, asked.caller)
            events, after = (*events, *share), fold(after, share)
        more = following(table.record, after, self._circumstances(asked))
        events, after = (*events, *more), fold(after, more)
        self._require_sound(table, after)
        person = None if asked.caller is None else asked.caller.person
        now, masked = self.clock.now(), asked.masked_since
        time = await timed(table.record, after, self.keeper, now=now, person=person, masked_since=masked)
        events, after = (*events, *time), fold(after, time)
        seeds = await self._opened(table, after)
        events, after = (*events, *seeds), fold(after, seeds)
        holders = table.holders.copy()
        change = self._written(table, asked, after, replace(plan, events=events), holders=holders)
        try:
            version = await self.store.commit(change)
        except StaleVersion as stale:
            detail = {"table": table.id, "expected": stale.expected, "version": stale.version}
            raise TableRefusal(TableCode.STALE_REQUEST, detail) from None
        except AlreadyServed:
            return await self._overtaken(asked)
        stored = replace(table, version=version, updated_at=change.at, record=after, holders=holders.stored())
        self.records.remember(stored)
        self._tell(table.id, version, asked.kind, change.timers)
        return Done(stored, events, repeated=False)

    async def _opened(self, table: Table, after: Record) -> tuple[SeedRevealed, ...]:
        """The seeds of the deals that may be looked at from this change on."""
        held = held_seeds(table.record)
        owed = [deal for deal in held_seeds(after) if deal not in held]
        return tuple([SeedRevealed(deal, (await self.seed(table.id, deal)).hex()) for deal in owed])

    async def seed(self, table: int, deal: int) -> bytes:
        """What a deal is shuffled with. Raises LookupError where none was stored."""
        secret = await self.store.secret(table, deal)
        if secret is None:
            raise LookupError(f"table {table} has no seed for deal {deal}")
        return secret.seed

    def _circumstances(self, asked: Asked) -> Circumstances:
        by = None if asked.caller is None else asked.caller.person
        return Circumstances(self.clock.now(), by, self.keeper.away())

    def _written(self, table: Table, asked: Asked, after: Record, plan: Plan, *, holders: Holders) -> Change:
        caller, before = asked.caller, table.record
        payload, snapshot = _texts(asked, plan.events, after, holders)
        return Change(
            table=table.id,
            expected_version=table.version,
            request=caller.request if caller else None,
            person=caller.person if caller else None,
            seat=seat_of(asked, before, after),
            kind=asked.kind,
            payload=payload,
            status=after.status,
            snapshot=snapshot,
            at=self.clock.now(),
            timers=timer_changes(before, after),
            seated=after.persons if after.persons != before.persons else None,
            secrets=plan.secrets,
            revealed=tuple(event.deal for event in plan.events if isinstance(event, SeedRevealed)),
            computer_to_act=_waits_for_computer(after),
            holders=holders.new,
            lapsed=_lapsed(before, plan.events),
            audit=plan.audit,
            results=results_of(table.id, after, at=self.clock.now()) if ended_now(before, after) else (),
        )

    async def _overtaken(self, asked: Asked) -> Done:
        """Another process served the request in the meantime."""
        caller = asked.caller
        served = None if caller is None else await self.store.served(caller.request)
        if caller is None or served is None:
            raise TableRefusal(TableCode.REQUEST_REUSED)
        return self._again(await self.table(served.table), caller, served)

    def _require_sound(self, table: Table, after: Record) -> None:
        if after.game is None or after.game is table.record.game:
            return
        found = problems(after.game)
        if found:
            logger.error("an action would break the table: %s", "; ".join(found), extra={"table": table.id})
            raise UnsoundTable(f"table {table.id} at version {table.version}")

    def _tell(self, number: int, version: int, kind: str, timers: tuple[TimerChange, ...]) -> None:
        due = min((timer.due_at for timer in timers if timer.due_at is not None), default=None)
        changed = Changed(number, version, kind, due)
        for listener in tuple(self._listeners):
            try:
                listener(changed)
            except Exception:
                logger.exception("a listener failed", extra={"table": number, "event": version})

    # --- opening -----------------------------------------------------------------------------------------------------

    async def open(self, place: Place, asked: Asked, events: tuple[AnyEvent, ...]) -> Done:
        """Make a table of a caller's events, and commit to the seed of its first deal."""
        return await self.surely(self._open(place, asked, events))

    async def opened(self, caller: Caller) -> Done | None:
        """The table that this very request opened before."""
        served = await self.store.served(caller.request)
        return None if served is None else self._again(await self.table(served.table), caller, served)

    async def _open(self, place: Place, asked: Asked, events: tuple[AnyEvent, ...]) -> Done:
        began = self.clock.now()
        record = fold(None, events)
        new = _new_table(place, asked, events, record)
        try:
            number = await self.store.create_table(new)
        except AlreadyServed:
            return await self._overtaken(asked)
        self._note(number, asked, outcome="done", version=1, began=began, seat=seat_of(asked, None, record))
        self._tell(number, 1, asked.kind, new.timers)
        return await self.commit_seed(number)

    async def commit_seed(self, number: int) -> Done:
        """Draw the seed of a lobby's first deal, of the second where the first is known, and publish the commitment."""
        asked = Asked("commit_seed", {})

        async def decide(table: Table) -> Plan:
            return seed_plan(table.id, 1 if table.record.known is None else 2)

        return await self.change(number, asked, decide)

    # --- noting ------------------------------------------------------------------------------------------------------

    async def _logged(self, number: int, asked: Asked, work: Coroutine[Any, Any, Done]) -> Done:
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

    def _note(self, number: int, asked: Asked, *, outcome: str, version: int, began: int, seat: int | None) -> None:
        record_action(
            table=number,
            event=version,
            seat=seat,
            kind=asked.kind,
            outcome=outcome,
            milliseconds=self.clock.now() - began,
        )


def _lapsed(before: Record, events: Iterable[AnyEvent]) -> tuple[int, ...]:
    """The persons whose time these events find used up."""
    seats = (one.seat for one in events if isinstance(one, StageReached) and one.stage is Stage.LAPSED)
    persons = (before.seats[seat].person for seat in seats)
    return tuple(person for person in persons if person is not None)


def _waits_for_computer(record: Record) -> bool:
    """Whether a computer player is to act; a game that stands still waits for nobody."""
    return record.pause is None and record.actor is not None and record.seats[record.actor].kind == "computer"


def _new_table(place: Place, asked: Asked, events: tuple[AnyEvent, ...], record: Record) -> NewTable:
    caller = asked.caller
    if caller is None:
        raise ValueError("a table is opened by a person")
    holders = Holders()
    payload, snapshot = _texts(asked, events, record, holders)
    return NewTable(
        guild=place.guild,
        channel=place.channel,
        thread=place.thread,
        request=caller.request,
        person=caller.person,
        kind=asked.kind,
        payload=payload,
        status=record.status,
        snapshot=snapshot,
        at=record.created_at,
        timers=timer_changes(None, record),
        seated=record.persons,
        holders=holders.new,
    )


def _texts(asked: Asked, events: Iterable[AnyEvent], after: Record, holders: Holders) -> tuple[str, str]:
    """The log row and the snapshot; whoever asks is among the table's holders from then on."""
    texts = codec.write_payload(asked.action, events, holders), codec.write_record(after, holders)
    if asked.caller is not None:
        holders.number(asked.caller.person)
    return texts


def seed_plan(table: int, deal: int) -> Plan:
    """Draw the seed of a deal that nobody has contributed to yet."""
    seed = new_seed()
    published = commitment(seed, table, deal)
    return Plan((SeedCommitted(deal, published),), (DealSecret(deal, seed, published),))


def seat_of(asked: Asked, before: Record | None, after: Record) -> int | None:
    """The seat that acts: the one the caller had, or else has now."""
    if asked.caller is None:
        return asked.seat
    held = None if before is None else before.seat_of(asked.caller.person)
    return after.seat_of(asked.caller.person) if held is None else held


def timer_changes(before: Record | None, after: Record) -> tuple[TimerChange, ...]:
    """What the record's deadlines change in the store's timers."""
    old = {} if before is None else before.deadlines
    new = after.deadlines
    return tuple(TimerChange(kind, new.get(kind)) for kind in {**old, **new} if old.get(kind) != new.get(kind))
