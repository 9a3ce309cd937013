"""Notify persons of their turns, once per stage of a turn, and of other table events.

Every change of a table, and its alarm, checks the table's notices again. What is due follows from the table, the stored
notices and the person's preferences (`cogs.shared.notices.turn_decisions`). After a restart every table is checked
once, spread over a few minutes; no notice is sent twice.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence

from bot.clocks.clock import Clock
from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.clocks.time_rules import Stage
from bot.tables.people.notices import NoticeRepository, SentNotice
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import OPEN, TableChanged, TableSnapshot
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall
from cogs.shared.notices import turn_decisions
from cogs.shared.notices.event_notices import (
    PendingNotice,
    lost_channel_event_name,
    moved_table_event_name,
    pending_notices,
)
from cogs.shared.notices.event_notifier import EventNotifier
from cogs.shared.notices.notice_records import NoticeRecords
from cogs.shared.notices.sender import GoneListener, NoticeRemover, Sender, TurnNoticeSender
from cogs.shared.notices.turn_decisions import (
    CALLING,
    WAITING,
    AwaitedTurn,
    CheckLater,
    Delivery,
    NoticeFacts,
    NotifyNow,
    SkipNotice,
)
from cogs.shared.posting.edit_schedule import PASSING, Alarm


class TurnNotifier:
    """Notifies persons of their turns and of seats that a computer keeps; one for the whole process."""

    def __init__(self, register: NoticeRecords, teller: TurnNoticeSender, ending: NoticeRemover) -> None:
        self._contacts = register
        self._writer = teller
        self._remover = ending

    # --- the table's message

    async def may_mention(self, snapshot: TableSnapshot, person: int) -> bool:
        """Return whether the table's message may mention the person whose turn began.

        If not, the turn is stored as waiting.
        """
        wishes = await self._contacts.book.preferences(person)
        awaited = turn_decisions.awaited_turn(snapshot)
        if awaited is None or awaited.person != person:
            return wishes.notices != "none"
        async with self._contacts.lock_of_person(person):
            notice = await self._stored_notice(snapshot, awaited)
            if notice is not None and notice.stage != WAITING:
                return notice.stage == CALLING
            decision = turn_decisions.decide_notice_of_new_turn(
                await self._contacts.build_notice_facts(snapshot, awaited, notice)
            )
            if decision == NotifyNow(Stage.RUNNING, Delivery.MENTION) and not await self._writer.has_left(
                snapshot, person
            ):
                await self._store_notice(snapshot, awaited, CALLING)
                return True
            waits = isinstance(decision, CheckLater) or decision == NotifyNow(Stage.RUNNING, Delivery.MESSAGE)
            await self._store_notice(snapshot, awaited, WAITING if waits else Stage.RUNNING)
            return False

    async def record_mention(self, snapshot: TableSnapshot, person: int) -> None:
        """Record that the table's message mentioned the person."""
        awaited = turn_decisions.awaited_turn(snapshot)
        if awaited is None or awaited.person != person:
            return
        async with self._contacts.lock_of_person(person):
            await self._store_notice(snapshot, awaited, Stage.RUNNING)
            await self._contacts.count_mention(snapshot, person)

    # --- notices

    async def send_notice_if_due(
        self, snapshot: TableSnapshot, awaited: AwaitedTurn, authors: Collection[int] = ()
    ) -> int | None:
        """Send the turn notice if it is due; return when to check again, or None.

        The caller holds the person's lock. A turn to be announced again after a stop is not announced to the `authors`,
        because they have resumed the game.
        """
        notice = await self._stored_notice(snapshot, awaited)
        if notice is None and awaited.again and awaited.person in authors:
            await self._store_notice(snapshot, awaited, Stage.RUNNING)
            return None
        case = await self._contacts.build_notice_facts(snapshot, awaited, notice)
        decision = turn_decisions.decide_notice(case)
        if isinstance(decision, CheckLater):
            return decision.at
        if isinstance(decision, SkipNotice):
            await self._store_notice(snapshot, awaited, decision.stage)
            await self._remover.delete_message(snapshot, notice)
        elif decision is not None:
            return await self._send_notice(snapshot, case, decision)
        return None

    async def _send_notice(self, snapshot: TableSnapshot, facts: NoticeFacts, decision: NotifyNow) -> int | None:
        """Send the notice and store its state before and after; return when to retry, or None."""
        awaited = facts.owed
        if await self._writer.has_left(snapshot, awaited.person):
            await self._store_notice(snapshot, awaited, decision.stage)
            return None
        await self._store_notice(
            snapshot, awaited, decision.stage, channel=table_places.place_of_table(snapshot).post_channel
        )
        waiting = await self._writer.waiting_turns(snapshot, awaited, decision)
        sent = await self._writer.send_notice(waiting, facts, decision)
        if isinstance(sent, FailedCall):
            return await self._handle_failure(snapshot, facts, decision.stage, sent.trouble)
        self._contacts.reset_failures(snapshot.id)
        channel, message = sent
        for one, owed in waiting:
            await self._store_notice(one, owed, decision.stage, channel=channel, message=message)
        await self._contacts.count_mention(snapshot, awaited.person)
        await self._remover.delete_message(snapshot, facts.notice)
        return None

    async def _handle_failure(
        self, snapshot: TableSnapshot, facts: NoticeFacts, stage: Stage, trouble: CallTrouble
    ) -> int | None:
        """Return when to retry after a temporary failure.

        After any other failure store the stage as sent, so that nothing is sent before the next stage, and return None.
        """
        awaited = facts.owed
        if trouble not in PASSING:
            await self._store_notice(snapshot, awaited, stage)
            return None
        now = self._contacts.clock.now()
        before = facts.notice or SentNotice(snapshot.id, awaited.person, awaited.turn, Stage.RUNNING, None, None, now)
        await self._contacts.book.store_notice(before)
        return self._contacts.retry_time(snapshot.id, trouble)

    async def _stored_notice(self, snapshot: TableSnapshot, awaited: AwaitedTurn) -> SentNotice | None:
        """Return the stored notice of the running turn."""
        return await self._contacts.stored_notice(snapshot.id, awaited.person, awaited.turn)

    async def _store_notice(
        self,
        snapshot: TableSnapshot,
        awaited: AwaitedTurn,
        stage: str,
        *,
        channel: int | None = None,
        message: int | None = None,
    ) -> None:
        await self._contacts.store_notice(
            snapshot.id, awaited.person, awaited.turn, stage, channel=channel, message=message
        )


class Notifier:
    """Checks and sends the notices of all tables; one for the whole process.

    `away_until` returns when the bot last came back; `gone` is called with persons who left the server.
    """

    def __init__(
        self,
        tables: TableService,
        book: NoticeRepository,
        personal: PersonalTimes,
        sender: Sender,
        *,
        clock: Clock,
        away_until: Callable[[], int],
        gone: GoneListener | None = None,
    ) -> None:
        self._tables = tables
        self._book = book
        self._clock = clock
        self._contacts = NoticeRecords(book, personal, clock, away_until)
        teller = TurnNoticeSender(tables, book, sender, clock, gone)
        self._remover = NoticeRemover(self._contacts, sender)
        self._turns = TurnNotifier(self._contacts, teller, self._remover)
        self._events = EventNotifier(self._contacts, teller, sender)
        self._alarm = Alarm(clock, self._check_table_soon)
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._marked: set[int] = set()
        self._authors: defaultdict[int, set[int]] = defaultdict(set)
        self._lost: set[int] = set()
        self._moved: set[int] = set()
        self._may_send = False

    # --- called by other modules

    def on_change(self, change: TableChanged) -> None:
        """Check the notices of a changed table; the table service calls this after each change."""
        if change.by is not None and self._may_send:
            self._authors[change.table].add(change.by)
        self._check_table_soon(change.table)

    def record_board_shown(self, table: int) -> None:
        """Record that the table's message is up to date."""
        self._lost.discard(table)
        self._check_table_soon(table)

    def record_channel_loss(self, table: int) -> None:
        """Record that the table's channel was deleted."""
        self._lost.add(table)
        self._check_table_soon(table)

    def record_move_to_channel(self, table: int) -> None:
        """Record that the table's thread was deleted and the table moved to its channel."""
        self._moved.add(table)
        self._check_table_soon(table)

    def record_activity(self, person: int) -> None:
        """Record that the person was active, and send the notices that waited for this."""
        contact = self._book.cached_contact_times(person)
        if contact is None or contact.must_store_use(self._clock.now()):
            self._start_task(self._store_activity(person), "note who looks")

    async def may_mention(self, snapshot: TableSnapshot, person: int) -> bool:
        """Return whether the table's message may mention the person whose turn began.

        If not, the turn is stored as waiting.
        """
        return await self._turns.may_mention(snapshot, person)

    async def record_mention(self, snapshot: TableSnapshot, person: int) -> None:
        """Record that the table's message mentioned the person."""
        await self._turns.record_mention(snapshot, person)

    # --- start and end

    def start(self) -> asyncio.Task[None]:
        """Start and return the alarm's task; nothing is sent before `begin`."""
        return self._alarm.start()

    def begin(self) -> None:
        """Allow sending: the servers are known."""
        if not self._may_send:
            self._start_task(self._schedule_checks(), "begin to tell of turns")

    async def wait_until_idle(self) -> None:
        """Wait until no notice is being checked or sent; later alarms may remain."""
        while tasks := (*self._workers.values(), *self._tasks):
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Finish running requests and send nothing more."""
        self._may_send = False
        await self._alarm.stop()
        tasks = [*self._workers.values(), *self._tasks]
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _schedule_checks(self) -> None:
        """Schedule a check of every table with notices or a running clock, spread over time."""
        self._contacts.tables.update(await self._book.tables_with_notices())
        clocked, sending = await self._book.tables_with_clock(), await self._book.tables_with_notice_being_sent()
        self._may_send, now = True, self._clock.now()
        for table in self._contacts.tables.union(clocked):
            self._alarm.set(table, turn_decisions.earliest_notice_time(table, now))
        for table in sending:
            self._check_table_soon(table)

    def _start_task(self, work: Awaitable[None], name: str) -> None:
        async def send_or_log_error() -> None:
            try:
                await work
            except Exception as error:  # noqa: BLE001 - a failed notice must not stop the bot
                interactions.log_unexpected_error(error, name)

        task = asyncio.create_task(send_or_log_error(), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- one table

    def _check_table_soon(self, table: int) -> None:
        """Check the table's notices now, in the background."""
        if not self._may_send:
            return
        self._marked.add(table)
        if table not in self._workers:
            self._workers[table] = asyncio.create_task(self._run_checks(table), name=f"notices of table {table}")

    async def _run_checks(self, table: int) -> None:
        """Check a table's notices until no change asks for another check; errors are logged."""
        try:
            while table in self._marked:
                self._marked.discard(table)
                await self._check_table(table)
        except TableRefusal:
            self._marked.discard(table)
        except Exception as error:  # noqa: BLE001 - one table's trouble must not end the others' notices
            self._marked.discard(table)
            interactions.log_unexpected_error(error, "telling of a turn", table=table)
        finally:
            self._workers.pop(table, None)

    async def _check_table(self, table: int) -> None:
        """Delete outdated notices and send due ones."""
        authors = self._authors.pop(table, set())
        snapshot = await self._tables.reading.snapshot(table)
        notices = await self._stored_notices(snapshot)
        debts, others = turn_decisions.turns_to_notify(snapshot), self._pending_notices(snapshot, notices)
        stands = {(awaited.person, awaited.turn) for awaited in debts} | {(one.person, one.about) for one in others}
        stands |= turn_decisions.names_of_kept_seat_notices(snapshot)
        for notice in notices:
            if (notice.person, notice.about) not in stands:
                await self._remover.delete_outdated_notice(snapshot, notice)
        later: list[int] = []
        for awaited in debts:
            async with self._contacts.lock_of_person(awaited.person):
                waits = await self._turns.send_notice_if_due(snapshot, awaited, authors)
            later += [] if waits is None else [waits]
        later += await self._events.send_due_notices(snapshot, others, notices, authors)
        if later:
            self._alarm.set(table, min(later))

    async def _stored_notices(self, snapshot: TableSnapshot) -> tuple[SentNotice, ...]:
        """Return the table's stored notices; read only if there may be some."""
        known = self._contacts.tables
        if snapshot.id not in known and snapshot.status in OPEN:
            return ()
        # A notice stored during the read adds the table again.
        known.discard(snapshot.id)
        notices = await self._book.notices_of_table(snapshot.id)
        known.update([snapshot.id] if notices else [])
        return notices

    def _pending_notices(self, snapshot: TableSnapshot, notices: Sequence[SentNotice]) -> tuple[PendingNotice, ...]:
        """Return the event notices of the table.

        The loss of a channel or thread stays in the list while a stored notice of it waits to be sent.
        """
        waiting = {one.about for one in notices if one.stage == WAITING}
        lost = snapshot.id in self._lost or lost_channel_event_name(snapshot) in waiting
        moved = snapshot.id in self._moved or moved_table_event_name(snapshot) in waiting
        return pending_notices(snapshot, now=self._clock.now(), lost_place=lost, moved_place=moved)

    # --- activity of persons

    async def _store_activity(self, person: int) -> None:
        """Store that the person was active, and check the tables whose notices waited for that."""
        async with self._contacts.lock_of_person(person):
            if not await self._book.record_bot_use(person, self._clock.now()):
                return
        for notice in await self._book.notices_of_person(person):
            if notice.stage == WAITING:
                self._check_table_soon(notice.table)
