"""The ledger: how a table changes. One way for everything, and nothing has happened before it is stored.

Lock the table, load it, look whether the request was served before, decide, fold, check, commit; only then tell.

Old clicks: what may happen to a table after a message was drawn, without a click on it meaning something else.

Every control carries the version that it was drawn from. A click on an older one does what its person meant, or is
refused as stale_request:

- **Sit here**, **Join** are never stale: whoever else has come meanwhile, a free seat is what is wanted.
- **Leave** is stale once the game has begun: it gave a seat of a lobby back, and would now give a hand away.
- **Start** is stale once other rules or another clock are to be played by. Who has come or gone since matters not:
  free seats are filled.
- **Add a computer player** and **moving** somebody are stale once anybody's seat has changed: of two clicks one counts.
- **Close** in a lobby is stale once the game has begun, which needs everybody's consent, or a person has sat down.
- **The number of players**, **of computer players** and **rules** name what shall be; twice is as good as once.
- **Whatever is played** is stale once anything else has happened than that somebody has come late to a tournament's
  table, or that a clock has run: cards, seats and questions are as they were shown then.
- An answer to what is proposed belongs to that question (`bot.tables.consent`), not to a version.
- An answer to the question whether to close a game belongs to that question (`bot.tables.lobby.closing`), not to a
version.
- A vote about an absent person's seat, and an answer to somebody who would have a seat, belong to their questions too.

What a change of a table is to the store: the log row, the snapshot, timers, persons, results.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from bot.clocks.clock import Clock
from bot.clocks.law import Stage
from bot.engine.moves.refusals import Refusal
from bot.engine.play.invariants import problems
from bot.logs import record_action
from bot.store.errors import AlreadyServed, StaleVersion
from bot.store.store import Store
from bot.store.tables import Change, NewTable, StoredAction, TimerChange
from bot.store.tournaments import ContestKey
from bot.tables.absence.rules import ChangeContext, absence_consequences
from bot.tables.contest.requests import require_offered
from bot.tables.core import forms
from bot.tables.core.cache import TableCache
from bot.tables.play.moves import default_shuffle_word, unrevealed_seeds
from bot.tables.state.contest import PlayerArrived
from bot.tables.state.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    ClockStopped,
    DeadlineSet,
    GameStarted,
    RulesChanged,
    RulesChosen,
    SeatChanged,
    SeedRevealed,
    SettingsChosen,
    Shuffled,
    StageReached,
)
from bot.tables.state.fold import fold
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import ChangeResult, Decide, Decision, TableLocation, TableRequest, seed_plan
from bot.tables.state.results import ended_now, results_of
from bot.tables.state.snapshots import Caller, TableChanged
from bot.tables.state.table import Table, TablePersons, TableState
from bot.tables.timing.timekeeping import Keeper, clock_events

Harm: TypeAlias = Callable[[AnyEvent], bool]
"""Whether an event since a message was drawn makes a click on it mean something else."""

TIME_EVENTS: Final = (ClockSet, ClockRuns, ClockStopped, StageReached, DeadlineSet)
"""What clocks do at a table by themselves."""

MOST_LOOKED_AT: Final = 500
"""Changes since the click's version; a click older than that is stale without looking."""


def leaving(event: AnyEvent) -> bool:
    """The seat given up has become a hand."""
    return isinstance(event, GameStarted)


def starting(event: AnyEvent) -> bool:
    """Other rules would be played, or by another clock."""
    return isinstance(event, RulesChanged | RulesChosen | SettingsChosen)


def seating(event: AnyEvent) -> bool:
    """Seats are other than they were."""
    return isinstance(event, SeatChanged | RulesChosen | GameStarted)


def closing(event: AnyEvent) -> bool:
    """Others would lose their seats, or their game."""
    return isinstance(event, GameStarted) or (isinstance(event, SeatChanged) and event.holder.person is not None)


def playing(event: AnyEvent) -> bool:
    """Something has happened that is neither somebody's late coming nor the clocks' doing."""
    return not isinstance(event, (*TIME_EVENTS, PlayerArrived))


async def require_current(store: Store, table: Table, seen: int | None, harm: Harm) -> None:
    """Refuse what was asked of a version, `seen`, after which something of that harm happened: stale_request."""
    if seen is None or seen >= table.version:
        return
    since = await store.tables.actions(table.id, after=seen, limit=MOST_LOOKED_AT)
    if since[-1].version < table.version or any(
        harm(event) for row in since for event in forms.read_payload(row.payload, table.holders)
    ):
        detail = {"table": table.id, "expected": seen, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)


def change_of(
    table: Table, asked: TableRequest, after: TableState, plan: Decision, *, holders: TablePersons, now: int
) -> Change:
    """A change of a table at that instant; its persons of whom `holders` knew nothing are noted there."""
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
        at=now,
        timers=timer_changes(before, after),
        seated=after.persons if after.persons != before.persons else None,
        secrets=plan.secrets,
        revealed=tuple(event.deal for event in plan.events if isinstance(event, SeedRevealed)),
        computer_to_act=_waits_for_computer(after),
        holders=holders.new,
        lapsed=_lapsed(before, plan.events),
        audit=plan.audit,
        unsealed=before.sealed and not after.sealed,
        results=results_of(table.id, after, at=now) if ended_now(before, after) else (),
        rated=after.settings.rated and ended_now(before, after),
    )


def _lapsed(before: TableState, events: Iterable[AnyEvent]) -> tuple[int, ...]:
    """The persons whose time these events find used up."""
    seats = (one.seat for one in events if isinstance(one, StageReached) and one.stage is Stage.LAPSED)
    persons = (before.seats[seat].person for seat in seats)
    return tuple(person for person in persons if person is not None)


def _waits_for_computer(record: TableState) -> bool:
    """Whether a computer player is to act; a game that stands still waits for nobody."""
    return record.pause is None and record.actor is not None and record.seats[record.actor].kind == "computer"


def new_table_of(
    place: TableLocation, asked: TableRequest, events: tuple[AnyEvent, ...], record: TableState
) -> NewTable:
    """A table that a person opens, or a tournament, whose tables have a place in it."""
    caller, contest = asked.caller, record.contest
    holders = TablePersons()
    payload, snapshot = _texts(asked, events, record, holders)
    return NewTable(
        guild=place.guild,
        channel=place.channel,
        thread=place.thread,
        request=None if caller is None else caller.request,
        person=record.host if caller is None else caller.person,
        kind=asked.kind,
        payload=payload,
        status=record.status,
        snapshot=snapshot,
        at=record.created_at,
        timers=timer_changes(None, record),
        seated=record.persons,
        holders=holders.new,
        contest=None if contest is None else ContestKey(contest.tournament, contest.match, contest.number),
        sealed=record.sealed,
    )


def _texts(
    asked: TableRequest, events: Iterable[AnyEvent], after: TableState, holders: TablePersons
) -> tuple[str, str]:
    """The log row and the snapshot; whoever asks is among the table's holders from then on."""
    texts = forms.write_payload(asked.action, events, holders), forms.write_record(after, holders)
    if asked.caller is not None:
        holders.number(asked.caller.person)
    return texts


def seat_of(asked: TableRequest, before: TableState | None, after: TableState) -> int | None:
    """The seat that acts: the one the caller had, or else has now."""
    if asked.caller is None:
        return asked.seat
    held = None if before is None else before.seat_of(asked.caller.person)
    return after.seat_of(asked.caller.person) if held is None else held


def timer_changes(before: TableState | None, after: TableState) -> tuple[TimerChange, ...]:
    """What the record's deadlines change in the store's timers."""
    old = {} if before is None else before.deadlines
    new = after.deadlines
    return tuple(TimerChange(kind, new.get(kind)) for kind in {**old, **new} if old.get(kind) != new.get(kind))


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
