"""The repository of tables: loads tables, and changes and stores them under a lock.

A change locks the table, loads it and checks whether the request was served before. Then it decides, applies the
events, checks the result and stores it with its log row, timers, people and results. Only then it notifies the
listeners.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

from bot.clocks.clock import MOST_SKEW, Clock
from bot.clocks.quiet_hours_and_vacation import TRIES, PersonalHours, PersonalTimes
from bot.clocks.time_rules import Stage
from bot.engine.moves.refusals import Refusal
from bot.engine.play.invariants import broken_invariants
from bot.listeners import Listeners
from bot.logs import record_action
from bot.numbered_cache import ShieldedTasks
from bot.store.contest_tables import ContestKey
from bot.store.errors import DatabaseAway, InvalidWrite, RequestAlreadyServed, StaleVersion, StoreError
from bot.store.outbox import Promise
from bot.store.store import Store
from bot.store.table_changes import NewTable, TableChange, TimerChange
from bot.store.tables import StoredAction
from bot.store.timers_and_uptime import PersonTimes
from bot.tables.core import stored_forms
from bot.tables.core.cache import PremoveCache, TableCache
from bot.tables.core.limits import RateLimiter
from bot.tables.core.promised_effects import promises_after_change, thread_member_promises
from bot.tables.core.stale_clicks import require_current
from bot.tables.core.waiting_since import wait_start_after_change
from bot.tables.state.events import AnyEvent, SeedRevealed, StageReached, VacationDayTaken, VacationEnded
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import (
    ChangeResult,
    Consequence,
    Decide,
    Decision,
    Gate,
    PendingChange,
    TableLocation,
    TableRequest,
    commit_to_seed,
    set_deadline_starts,
)
from bot.tables.state.results import has_just_ended, results_of
from bot.tables.state.shuffle import Dealer
from bot.tables.state.snapshots import OPEN, Caller, Status, TableChanged
from bot.tables.state.table import Table, TablePersons, TableState


def change_to_store(
    table: Table,
    request: TableRequest,
    after: TableState,
    decision: Decision,
    *,
    holders: TablePersons,
    now: int,
    times: tuple[PersonTimes, ...] = (),
) -> TableChange:
    """Return a change of a table in the form in which the store takes it.

    People who are not in `holders` are added there. `times` are people's own times (vacation) that change with the
    table.
    """
    caller, before = request.caller, table.record
    payload, snapshot = _texts_to_store(request, decision.events, after, holders)
    return TableChange(
        table=table.id,
        expected_version=table.version,
        request=caller.request if caller else None,
        person=caller.person if caller else None,
        seat=seat_of_caller(request, before, after),
        kind=request.kind,
        payload=payload,
        status=after.status,
        snapshot=snapshot,
        at=now,
        timers=timer_changes(before, after),
        seated=after.persons if after.persons != before.persons else None,
        secrets=decision.secrets,
        revealed=tuple(event.deal for event in decision.events if isinstance(event, SeedRevealed)),
        computer_to_act=is_waiting_for_computer(after),
        holders=holders.new_holders,
        lapsed=_people_out_of_time(before, decision.events),
        times=times,
        audit=decision.audit,
        unsealed=before.is_sealed and not after.is_sealed,
        results=results_of(table.id, after, at=now) if has_just_ended(before, after) else (),
        promises=promises_after_change(table, after),
        waits_since=wait_start_after_change(table, after, now),
    )


def _people_out_of_time(before: TableState, events: Iterable[AnyEvent]) -> tuple[int, ...]:
    """Return the people who ran out of time in these events."""
    seats = (one.seat for one in events if isinstance(one, StageReached) and one.stage is Stage.LAPSED)
    persons = (before.seats[seat].person for seat in seats)
    return tuple(person for person in persons if person is not None)


def is_waiting_for_computer(record: TableState) -> bool:
    """Return whether a computer player must act; False while the table is halted."""
    return not record.is_halted and record.actor is not None and record.seats[record.actor].kind == "computer"


def new_table_to_store(
    location: TableLocation,
    request: TableRequest,
    events: tuple[AnyEvent, ...],
    record: TableState,
    *,
    holders: TablePersons,
) -> NewTable:
    """Return the new table to store, opened by a person or for a tournament; its people are added to `holders`."""
    caller, contest = request.caller, record.contest
    payload, snapshot = _texts_to_store(request, events, record, holders)
    return NewTable(
        guild=location.guild,
        channel=location.channel,
        thread=location.thread,
        request=None if caller is None else caller.request,
        person=record.host if caller is None else caller.person,
        kind=request.kind,
        payload=payload,
        status=record.status,
        snapshot=snapshot,
        at=record.created_at,
        timers=timer_changes(None, record),
        seated=record.persons,
        holders=holders.new_holders,
        contest=None if contest is None else ContestKey(contest.tournament, contest.match, contest.number),
        sealed=record.is_sealed,
    )


def _texts_to_store(
    request: TableRequest, events: Iterable[AnyEvent], after: TableState, holders: TablePersons
) -> tuple[str, str]:
    """Return the texts of the log row and of the snapshot to store.

    The requesting person is added to `holders`.
    """
    texts = stored_forms.write_payload(request.action, events, holders), stored_forms.write_record(after, holders)
    if request.caller is not None:
        holders.number(request.caller.person)
    return texts


def seat_of_caller(request: TableRequest, before: TableState | None, after: TableState) -> int | None:
    """Return the seat of the request's sender: the one before the change, else the one after it."""
    if request.caller is None:
        return request.seat
    held = None if before is None else before.seat_of(request.caller.person)
    return after.seat_of(request.caller.person) if held is None else held


def timer_changes(before: TableState | None, after: TableState) -> tuple[TimerChange, ...]:
    """Return the timers to set or clear in the store, from the alarms before and after a change."""
    old = {} if before is None else before.alarms
    new = after.alarms
    return tuple(TimerChange(kind, new.get(kind)) for kind in {**old, **new} if old.get(kind) != new.get(kind))


Answer = TypeVar("Answer")

logger = logging.getLogger(__name__)


class InvariantViolation(Exception):
    """Raised if an accepted action would make the table inconsistent. Nothing is stored; it is a bug."""


class TableRepository:
    """Loads and changes the tables of this process, which no other process changes.

    `gates` may refuse any request. `consequences` add events to any change; each sees the events of those before it.
    `personal` are people's quiet hours and vacation: days of vacation are stored with the change that takes or ends
    them.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rate: RateLimiter,
        dealer: Dealer,
        *,
        personal: PersonalTimes | None = None,
        gates: Sequence[Gate] = (),
        consequences: Sequence[Consequence] = (),
    ) -> None:
        self.store = store
        self._personal = personal or PersonalTimes(store.times)
        self.clock = clock
        self._rate = rate
        self._dealer = dealer
        self._gates = gates
        self._consequences = consequences
        self.records = TableCache(store)
        self.premoves = PremoveCache(store.premoves)
        self._listeners = Listeners[TableChanged](logger)
        self._tasks = ShieldedTasks()

    def subscribe(self, listener: Callable[[TableChanged], None]) -> Callable[[], None]:
        """Call `listener` after every stored change; return a function that unsubscribes."""
        return self._listeners.add(listener)

    async def finish(self) -> None:
        """Wait until all changes in progress are stored."""
        await self._tasks.finish()

    async def run_shielded(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Return the result of `work`, which finishes even if the caller is cancelled."""
        return await self._tasks.run(work)

    def start_task(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Start the work as a task, for which `finish` waits; return the task."""
        return self._tasks.start(work)

    # --- reading -----------------------------------------------------------------------------------------------------

    async def get(self, table_number: int) -> Table:
        """Return the current table; refusals: unknown_table, unreadable_table."""
        return await self.records.table(table_number)

    # --- changing ----------------------------------------------------------------------------------------------------

    async def change(self, table_number: int, request: TableRequest, decide: Decide) -> ChangeResult:
        """Store the events that `decide` returns for a request, with their consequences.

        Refusal: too_fast.
        """
        self._count_request(request)
        return await self.run_shielded(
            self._await_and_log_outcome(table_number, request, self._change(table_number, request, decide))
        )

    async def _change(self, table_number: int, request: TableRequest, decide: Decide) -> ChangeResult:
        """Do the work of `change` under the table's lock."""
        async with self.lock(table_number):
            table = await self.get(table_number)
            if not self.store.shards.owns(table.guild):
                logger.error("a change of a table that another process owns", extra={"table": table_number})
                raise DatabaseAway("another process owns the table")
            caller = request.caller
            if caller is not None:
                if caller.guild != table.guild:
                    raise TableRefusal(TableCode.WRONG_SERVER, {"table": table_number})
                served = await self.store.tables.action_of_request(caller.request)
                if served is not None:
                    return self._result_of_repeated_request(table, caller, served)
            for gate in self._gates:
                gate(table, request)
            await require_current(self.store, table, request.expected_version, request.kind)
            async with self._vacation_lock(table.record):
                for _ in range(TRIES - 1):
                    try:
                        return await self._decide_and_commit(table, request, decide)
                    except InvalidWrite:
                        if not await self._has_other_process_changed_times(table.record):
                            raise
                return await self._decide_and_commit(table, request, decide)

    async def _decide_and_commit(self, table: Table, request: TableRequest, decide: Decide) -> ChangeResult:
        """Store the events that `decide` returns for the table."""
        decided = decide(table)
        decision = decided if isinstance(decided, Decision) else await decided
        return await self._commit(table, request, decision)

    async def _has_other_process_changed_times(self, record: TableState) -> bool:
        """Return whether another process has changed the times of a person at the table meanwhile."""
        found = [await self._personal.have_hours_changed(person) for person in record.persons]
        return any(found)

    def _vacation_lock(self, record: TableState) -> AbstractAsyncContextManager[object]:
        """Return the lock on the vacation of the person who must act, the only one that a change may affect.

        At a fast table, or if no person must act, there is nothing to lock.
        """
        person = None if record.actor is None else record.seats[record.actor].person
        return nullcontext() if person is None or not record.settings.is_slow else self._personal.lock(person)

    def _count_request(self, request: TableRequest) -> None:
        """Count the person's request; refusal: too_fast."""
        if request.caller is not None:
            self._rate.count_request(request.caller.person, self.clock.now())

    def lock(self, table_number: int) -> asyncio.Lock:
        """Return the lock that serialises all writes to this table."""
        return self.records.lock(table_number)

    async def move(self, table_number: int, *, channel: int, thread: int | None) -> None:
        """Store the channel and thread where the table is now. Raises `UnknownTable`."""
        await self.run_shielded(self._move(table_number, channel, thread))

    async def _move(self, table_number: int, channel: int, thread: int | None) -> None:
        """Do the work of `move` under the table's lock."""
        async with self.lock(table_number):
            promises = await self._thread_member_promises(table_number, thread)
            await self.store.tables.move(
                table_number, channel=channel, thread=thread, promises=promises, at=self.clock.now()
            )
            self._notify_outbox(promises)
            self.records.update_location(table_number, channel, thread)

    async def _thread_member_promises(self, table_number: int, thread: int | None) -> tuple[Promise, ...]:
        """Return the outbox entries by which the table's people are added to its new private thread.

        Empty for an unreadable or finished table, or if the thread is not new.
        """
        try:
            table = await self.get(table_number)
        except TableRefusal:
            return ()
        if thread == table.thread or table.record.status not in OPEN:
            return ()
        return thread_member_promises(table_number, table.guild, thread, table.record, table.record.persons)

    def evict(self, *tables: int) -> None:
        """Evict these tables and their premoves, because their people changed; the caller holds their locks."""
        self.records.evict(*tables)
        self.premoves.evict(*tables)

    def evict_all(self) -> None:
        """Evict all tables and premoves, because another process may have changed them."""
        self.records.clear()
        self.premoves.clear()

    async def evict_all_after_changes(self) -> None:
        """Wait for the changes in progress, then evict all tables: those changes began with outdated tables."""
        await self.records.evict_all()

    async def evict_guild(self, guild: int) -> None:
        """Evict a guild's tables after a write of their rows, waiting for the changes that are in progress."""
        await self.records.evict_guild(guild)
        self.premoves.clear()

    def _result_of_repeated_request(self, table: Table, caller: Caller, served: StoredAction) -> ChangeResult:
        """Return the result for a request that was served before: the current table and its first events."""
        if (served.table, served.person) != (table.id, caller.person):
            raise TableRefusal(TableCode.REQUEST_REUSED)
        return ChangeResult(table, self.records.events_of_row(table, served.payload), repeated=True)

    async def _commit(self, table: Table, request: TableRequest, decision: Decision) -> ChangeResult:
        """Apply the events and their consequences, check and store the result, and notify the listeners."""
        now = self._instant_of_change(table)
        events = set_deadline_starts(decision.events, now)
        after = apply_table_events(table.record, events)
        for consequence in self._consequences:
            found = consequence(table.record, after, PendingChange(table.id, request, events, now))
            more = set_deadline_starts(found if isinstance(found, tuple) else await found, now)
            events, after = (*events, *more), apply_table_events(after, more)
        self._check_invariants(table, after)
        holders, personal = table.holders.copy(), await self._personal_changes(table.record, events)
        times = tuple(self._personal.row_to_store(person, hours) for person, hours in personal.items())
        decision = replace(decision, events=events)
        change = change_to_store(
            table, request, after, decision, holders=holders, now=max(now, self.clock.now()), times=times
        )
        version = await self._commit_change(change)
        for person, hours in personal.items():
            self._personal.note_hours_stored(person, hours)
        stored = replace(
            table,
            version=version,
            updated_at=change.at,
            record=after,
            holders=holders.as_stored(),
            waits_since=change.waits_since,
        )
        self.records.put(stored)
        self._notify(stored, request, change.timers)
        self._notify_outbox(change.promises)
        return ChangeResult(stored, events, repeated=False)

    def _instant_of_change(self, table: Table) -> int:
        """Return the current instant, but never one before the table's last change.

        That change may come from a machine whose clock is ahead.
        """
        now = self.clock.now()
        return table.updated_at if 0 < table.updated_at - now <= 2 * MOST_SKEW else now

    async def _personal_changes(self, before: TableState, events: Iterable[AnyEvent]) -> dict[int, PersonalHours]:
        """Return the personal times that these events change, by person."""
        changed: dict[int, PersonalHours] = {}
        for event in events:
            person = before.seats[event.seat].person if isinstance(event, VacationDayTaken | VacationEnded) else None
            if person is None:
                continue
            hours = changed.get(person) or await self._personal.hours_of(person)
            if isinstance(event, VacationDayTaken):
                changed[person] = hours.with_vacation_day(event.start, event.end)
            elif isinstance(event, VacationEnded):
                changed[person] = hours.with_planned_days_ended(event.at, event.day_end)
        return changed

    async def _commit_change(self, change: TableChange) -> int:
        """Store a change and return the table's new version.

        After an error the table is loaded again.
        """
        try:
            return await self.store.tables.commit(change)
        except StaleVersion as stale:
            self.records.evict(change.table)
            place = {"table": change.table, "event": stale.version}
            logger.error("the stored table is not the cached one", extra=place)  # noqa: TRY400 - no traceback
            detail = {"table": change.table, "expected": stale.expected, "version": stale.version}
            raise TableRefusal(TableCode.STALE_REQUEST, detail) from None
        except RequestAlreadyServed:  # another table has served a request with this id meanwhile
            self.records.evict(change.table)
            raise TableRefusal(TableCode.REQUEST_REUSED) from None
        except BaseException:
            self.records.evict(change.table)
            raise

    def _check_invariants(self, table: Table, after: TableState) -> None:
        """Raise `InvariantViolation` if the game after the change is inconsistent."""
        if after.game is None or after.game is table.record.game:
            return
        found = broken_invariants(after.game)
        if found:
            logger.error("an action would break the table: %s", "; ".join(found), extra={"table": table.id})
            raise InvariantViolation(f"table {table.id} at version {table.version}")

    def _notify_outbox(self, promises: Sequence[Promise]) -> None:
        """Wake the outbox if there are promised effects that were just stored."""
        if promises:
            self.store.outbox.notify_listener()

    def _notify(self, table: Table, request: TableRequest, timers: tuple[TimerChange, ...]) -> None:
        """Call all listeners with the stored change; log their errors."""
        due = min((timer.due_at for timer in timers if timer.due_at is not None), default=None)
        contest = None if table.record.contest is None else table.record.contest.key
        by = None if request.caller is None else request.caller.person
        lobby_of = table.guild if table.record.status is Status.LOBBY else 0
        changed = TableChanged(table.id, table.version, request.kind, due, contest, by, lobby_of)
        self._listeners.notify(changed, table=table.id, event=table.version)

    # --- opening -----------------------------------------------------------------------------------------------------

    async def open(self, location: TableLocation, request: TableRequest, events: tuple[AnyEvent, ...]) -> ChangeResult:
        """Open a table with these events, and commit to the seed of its first deal. Refusal: too_fast."""
        self._count_request(request)
        return await self.run_shielded(self._open(location, request, events))

    async def table_opened_by_request(self, caller: Caller) -> ChangeResult | None:
        """Return the table that this same request has opened already, if it has opened one."""
        served = await self.store.tables.action_of_request(caller.request)
        return (
            None if served is None else self._result_of_repeated_request(await self.get(served.table), caller, served)
        )

    async def _open(self, location: TableLocation, request: TableRequest, events: tuple[AnyEvent, ...]) -> ChangeResult:
        """Do the work of `open`: store the new table. Refusal: request_reused."""
        began = self.clock.now()
        events = set_deadline_starts(events, began)
        record = apply_table_events(None, events)
        holders = TablePersons()
        new = new_table_to_store(location, request, events, record, holders=holders)
        try:
            number = await self.store.tables.create(new)
        except RequestAlreadyServed:  # another table has served a request with this id meanwhile
            raise TableRefusal(TableCode.REQUEST_REUSED) from None
        self._write_log_line(
            number, request, outcome="done", version=1, began=began, seat=seat_of_caller(request, None, record)
        )
        table = self._new_table(number, location, record, holders)
        async with self.lock(number):
            # Another task may have found the table meanwhile, and even changed it.
            if self.store.shards.owns(location.guild) and not self.records.is_cached(number):
                self.records.put(table)
        self._notify(table, request, new.timers)
        return await self.publish_seed_commitment(number)

    def _new_table(
        self, table_number: int, location: TableLocation, record: TableState, holders: TablePersons
    ) -> Table:
        """Return the newly stored table at version 1."""
        stored_at = (location.guild, location.channel, location.thread)
        return Table(table_number, 1, *stored_at, record.created_at, record, holders.as_stored())

    async def publish_seed_commitment(self, table_number: int) -> ChangeResult:
        """Draw the seed of a lobby's next uncommitted deal and publish the commitment to it.

        This is the first deal, or the second if the pack of the first is already known. A tournament's board is a
        single deal, whose seed the tournament holds.
        """
        request = TableRequest("commit_seed", {})

        def decide_events(table: Table) -> Decision:
            if table.record.contest is not None and table.record.known is not None:
                return Decision(())
            return commit_to_seed(self._dealer.new_seed(), table.id, 1 if table.record.known is None else 2)

        return await self.change(table_number, request, decide_events)

    # --- logging -----------------------------------------------------------------------------------------------------

    async def _await_and_log_outcome(
        self, table_number: int, request: TableRequest, work: Coroutine[Any, Any, ChangeResult]
    ) -> ChangeResult:
        """Return the result of `work`, the handling of a request, and log its outcome in one line."""
        began = self.clock.now()
        seat, version, outcome = request.seat, request.expected_version or 0, "failed"
        try:
            done = await work
        except (TableRefusal, Refusal) as refusal:
            outcome = refusal.code.value
            raise
        except StoreError:
            raise
        except Exception as error:
            self.records.set_aside_failing_table(table_number, error)
            raise
        else:
            version, outcome = done.table.version, "repeated" if done.repeated else "done"
            seat = seat_of_caller(request, None, done.table.record)
            return done
        finally:
            self._write_log_line(table_number, request, outcome=outcome, version=version, began=began, seat=seat)

    def _write_log_line(
        self, table_number: int, request: TableRequest, *, outcome: str, version: int, began: int, seat: int | None
    ) -> None:
        """Write the log line of a request."""
        record_action(
            table=table_number,
            event=version,
            seat=seat,
            kind=request.kind,
            outcome=outcome,
            milliseconds=self.clock.now() - began,
        )
