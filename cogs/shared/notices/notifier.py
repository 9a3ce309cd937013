"""The notifier: tells persons of their turns, once at most for each stage of a turn, and of what else concerns them.

Whatever changes a table has its notices looked at again, and so does the alarm: what is due follows from the table,
from what was told before and from how the person wishes to be told (`cogs.shared.notices.rules`). All of that is
stored,
so after a restart every table is looked at once, spread over a few minutes, and nothing is told twice.

Turns: tells persons whose turn or answer a table waits for, and whose seat a computer player keeps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from bot.clocks.clock import Clock
from bot.clocks.law import Stage
from bot.clocks.personal import PersonalTimes
from bot.tables.people.notices import NoticeRepository, SentNotice
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Status, TableChanged, TableSnapshot
from cogs.shared.door import interactions, places
from cogs.shared.door.calls import Failed, Trouble
from cogs.shared.notices import rules
from cogs.shared.notices.contacts import NoticeContacts
from cogs.shared.notices.herald import EventNotifier
from cogs.shared.notices.matters import PendingNotice, gone_name, matters, moved_name
from cogs.shared.notices.rules import CALLING, WAITING, Case, CheckLater, Delivery, Owed, SkipNotice, TellNow
from cogs.shared.notices.sender import Gone, NoticeRemover, NoticeWriter, Sender
from cogs.shared.posting.schedule import PASSING, Alarm


class TurnNotifier:
    """One for the whole process."""

    def __init__(self, register: NoticeContacts, teller: NoticeWriter, ending: NoticeRemover) -> None:
        self._register = register
        self._teller = teller
        self._ending = ending

    # --- the table's message

    async def may_call(self, look: TableSnapshot, person: int) -> bool:
        """Whether the table's message is to call the person, whose turn has come; otherwise the turn waits here."""
        wishes = await self._register.book.wishes(person)
        debt = rules.owed(look)
        if debt is None or debt.person != person:
            return wishes.notices != "none"
        async with self._register.lock(person):
            notice = await self._notice(look, debt)
            if notice is not None and notice.stage != WAITING:
                return notice.stage == CALLING
            decision = rules.begun(await self._register.case(look, debt, notice))
            if decision == TellNow(Stage.RUNNING, Delivery.MENTION) and not await self._teller.has_left(look, person):
                await self._keep(look, debt, CALLING)
                return True
            waits = isinstance(decision, CheckLater) or decision == TellNow(Stage.RUNNING, Delivery.MESSAGE)
            await self._keep(look, debt, WAITING if waits else Stage.RUNNING)
            return False

    async def called(self, look: TableSnapshot, person: int) -> None:
        """The table's message has called the person."""
        debt = rules.owed(look)
        if debt is None or debt.person != person:
            return
        async with self._register.lock(person):
            await self._keep(look, debt, Stage.RUNNING)
            await self._register.count(look, person)

    # --- notices

    async def tell(self, look: TableSnapshot, debt: Owed) -> int | None:
        """Tell what is due, with the lock of that person; the instant at which to look again, if something waits."""
        notice = await self._notice(look, debt)
        case = await self._register.case(look, debt, notice)
        decision = rules.decide(case)
        if isinstance(decision, CheckLater):
            return decision.at
        if isinstance(decision, SkipNotice):
            await self._keep(look, debt, decision.stage)
            await self._ending.remove(look, notice)
        elif decision is not None:
            return await self._tell(look, case, decision)
        return None

    async def _tell(self, look: TableSnapshot, case: Case, told: TellNow) -> int | None:
        """Send the notice, and note it with its turn before and after."""
        debt = case.owed
        if await self._teller.has_left(look, debt.person):
            await self._keep(look, debt, told.stage)
            return None
        await self._keep(look, debt, told.stage, channel=places.of_table(look).posts_in)
        waiting = await self._teller.waiting(look, debt, told)
        sent = await self._teller.send(waiting, case, told)
        if isinstance(sent, Failed):
            return await self._not_sent(look, case, told.stage, sent.trouble)
        self._register.succeeded(look.id)
        channel, message = sent
        for one, owed in waiting:
            await self._keep(one, owed, told.stage, channel=channel, message=message)
        await self._register.count(look, debt.person)
        await self._ending.remove(look, case.notice)
        return None

    async def _not_sent(self, look: TableSnapshot, case: Case, stage: Stage, trouble: Trouble) -> int | None:
        """What passes by itself is tried again; anything else is left at that until the next stage."""
        debt = case.owed
        if trouble not in PASSING:
            await self._keep(look, debt, stage)
            return None
        now = self._register.clock.now()
        before = case.notice or SentNotice(look.id, debt.person, debt.turn, Stage.RUNNING, None, None, now)
        await self._register.book.keep(before)
        return self._register.try_again(look.id, trouble)

    async def _notice(self, look: TableSnapshot, debt: Owed) -> SentNotice | None:
        """What the person was told of the turn that runs."""
        return await self._register.notice(look.id, debt.person, debt.turn)

    async def _keep(
        self, look: TableSnapshot, debt: Owed, stage: str, *, channel: int | None = None, message: int | None = None
    ) -> None:
        await self._register.keep(look.id, debt.person, debt.turn, stage, channel=channel, message=message)


class Notifier:
    """One for the whole process. `away_until` is when the bot last came back; `gone` hears of who has left."""

    def __init__(
        self,
        tables: TableService,
        book: NoticeRepository,
        personal: PersonalTimes,
        sender: Sender,
        *,
        clock: Clock,
        away_until: Callable[[], int],
        gone: Gone | None = None,
    ) -> None:
        self._tables = tables
        self._book = book
        self._clock = clock
        self._register = NoticeContacts(book, personal, clock, away_until)
        teller = NoticeWriter(tables, book, sender, clock, gone)
        self._ending = NoticeRemover(self._register, sender)
        self._turns = TurnNotifier(self._register, teller, self._ending)
        self._herald = EventNotifier(self._register, teller, sender)
        self._alarm = Alarm(clock, self._mark)
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._looking: set[asyncio.Task[None]] = set()
        self._again: set[int] = set()
        self._lost: set[int] = set()
        self._moved: set[int] = set()
        self._begun = False

    # --- what others ask

    def changed(self, change: TableChanged) -> None:
        """A table changed: listener of the table service."""
        self._mark(change.table)

    def shown(self, table: int) -> None:
        """The table's message shows the table as it is."""
        self._lost.discard(table)
        self._mark(table)

    def lost(self, table: int) -> None:
        """The table's channel is gone."""
        self._lost.add(table)
        self._mark(table)

    def moved(self, table: int) -> None:
        """The table's thread is gone, and the table in its channel."""
        self._moved.add(table)
        self._mark(table)

    def seen(self, person: int) -> None:
        """Somebody has done something: what waited for that need not wait any more."""
        contact = self._book.remembered(person)
        if contact is None or contact.unseen or contact.shut:
            self._begin(self._note_seen(person), "note who looks")

    async def may_call(self, look: TableSnapshot, person: int) -> bool:
        """Whether the table's message is to call the person, whose turn has come; otherwise the turn waits here."""
        return await self._turns.may_call(look, person)

    async def called(self, look: TableSnapshot, person: int) -> None:
        """The table's message has called the person."""
        await self._turns.called(look, person)

    # --- the life of it

    def start(self) -> None:
        """Begin to keep the time; nobody is told anything yet."""
        self._alarm.start()

    def begin(self) -> None:
        """Tell persons from now on: the servers are known."""
        if not self._begun:
            self._begin(self._resume(), "begin to tell of turns")

    async def idle(self) -> None:
        """Return when all is told that is not left for later."""
        while tasks := (*self._workers.values(), *self._looking):
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Finish what is being sent and send nothing more."""
        self._begun = False
        await self._alarm.stop()
        tasks = [*self._workers.values(), *self._looking]
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _resume(self) -> None:
        """Look at every table that somebody was told of or where a clock runs, by and by."""
        self._register.tables.update(await self._book.tables())
        clocked, sending = await self._book.clocked(), await self._book.sending()
        self._begun, now = True, self._clock.now()
        for table in self._register.tables.union(clocked):
            self._alarm.set(table, rules.after_absence(table, now))
        for table in sending:
            self._mark(table)

    def _begin(self, work: Awaitable[None], name: str) -> None:
        async def surely() -> None:
            try:
                await work
            except Exception as error:  # noqa: BLE001 - a notice is not worth the bot
                interactions.unexpected(error, name)

        task = asyncio.create_task(surely(), name=name)
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    # --- one table

    def _mark(self, table: int) -> None:
        """Look at the table's notices now."""
        if not self._begun:
            return
        self._again.add(table)
        if table not in self._workers:
            self._workers[table] = asyncio.create_task(self._work(table), name=f"notices of table {table}")

    async def _work(self, table: int) -> None:
        try:
            while table in self._again:
                self._again.discard(table)
                await self._tend(table)
        except TableRefusal:
            self._again.discard(table)
        except Exception as error:  # noqa: BLE001 - one table's trouble must not end the others' notices
            self._again.discard(table)
            interactions.unexpected(error, "telling of a turn", table=table)
        finally:
            self._workers.pop(table, None)

    async def _tend(self, table: int) -> None:
        """End what is over, and tell what is due."""
        look = await self._tables.look(table)
        notices = await self._noted(look)
        debts, others = rules.debts(look), self._matters(look, notices)
        told = {(debt.person, debt.turn) for debt in debts} | {(one.person, one.about) for one in others}
        for notice in notices:
            if (notice.person, notice.about) not in told:
                await self._ending.end(look, notice)
        later: list[int] = []
        for debt in debts:
            async with self._register.lock(debt.person):
                waits = await self._turns.tell(look, debt)
            later += [] if waits is None else [waits]
        later += await self._herald.tell(look, others, notices)
        if later:
            self._alarm.set(table, min(later))

    async def _noted(self, look: TableSnapshot) -> tuple[SentNotice, ...]:
        """What persons were told of the table, read where something was told or is to be."""
        known = self._register.tables
        if look.id not in known and look.status is not Status.FINISHED:
            return ()
        # What is noted while that is read is known all the same.
        known.discard(look.id)
        notices = await self._book.of_table(look.id)
        known.update([look.id] if notices else [])
        return notices

    def _matters(self, look: TableSnapshot, notices: Sequence[SentNotice]) -> tuple[PendingNotice, ...]:
        """What persons are to be told of besides turns; what has waited to be told of a place does so still."""
        waiting = {one.about for one in notices if one.stage == WAITING}
        lost = look.id in self._lost or gone_name(look) in waiting
        moved = look.id in self._moved or moved_name(look) in waiting
        return matters(look, now=self._clock.now(), lost=lost, moved=moved)

    # --- who looks

    async def _note_seen(self, person: int) -> None:
        async with self._register.lock(person):
            contact = await self._book.contact(person)
            if not (contact.unseen or contact.shut):
                return
            await self._book.keep_contact(person, replace(contact, seen=self._clock.now()))
        for notice in await self._book.of_person(person):
            if notice.stage == WAITING:
                self._mark(notice.table)
