"""Notices: tells persons of their turns, each at most once for each stage of a turn.

Whatever changes a table has its notices looked at again, and so does the alarm: what is due follows from the table,
from what was told before and from how the person wishes to be told (`cogs.shared.notices.due`). All of that is stored,
so after a restart every table is looked at once, spread over a few minutes, and nothing is told twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

from bot.clocks.clock import MINUTE, Clock
from bot.clocks.law import Stage
from bot.clocks.personal import PersonalTimes
from bot.tables.looks import Changed, TableLook
from bot.tables.notices import Notice, NoticeBook
from bot.tables.refusals import TableRefusal
from bot.tables.service import TableService
from cogs.shared.boards import notices as boards
from cogs.shared.boards.alarm import Alarm
from cogs.shared.boards.rhythm import PASSING, pause_after
from cogs.shared.interactions import errors, places
from cogs.shared.interactions.calls import Failed, Trouble
from cogs.shared.notices import due
from cogs.shared.notices.due import CALLING, WAITING, Case, Later, Noted, Owed, Told, Way
from cogs.shared.notices.sender import Sender
from cogs.shared.notices.teller import Teller

REPEATED_FOR: Final = 2 * MINUTE
"""For so long after a crash a notice is sent again: Discord still knows its nonce, and makes no second message."""

Gone: TypeAlias = Callable[[int, int], Awaitable[object]]
"""Is told of a table and a person at it who has left the server."""


class Notices:
    """One for the whole process. `away_until` is when the bot last came back; `gone` hears of who has left."""

    def __init__(
        self,
        tables: TableService,
        book: NoticeBook,
        personal: PersonalTimes,
        sender: Sender,
        *,
        clock: Clock,
        away_until: Callable[[], int],
        gone: Gone | None = None,
    ) -> None:
        self._tables = tables
        self._book = book
        self._personal = personal
        self._sender = sender
        self._clock = clock
        self._away_until = away_until
        self._gone = gone
        self._teller = Teller(tables, book, sender, clock)
        self._alarm = Alarm(clock, self._mark)
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._looking: set[asyncio.Task[None]] = set()
        self._again: set[int] = set()
        self._noticed: set[int] = set()
        self._refused: dict[int, int] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._begun = False

    # --- what others ask

    def changed(self, change: Changed) -> None:
        """A table changed: listener of the table service."""
        self._mark(change.table)

    def shown(self, table: int) -> None:
        """The table's message shows the table as it is."""
        self._mark(table)

    def seen(self, person: int) -> None:
        """Somebody has done something: what waited for that need not wait any more."""
        contact = self._book.remembered(person)
        if contact is None or contact.unseen or contact.shut:
            self._begin(self._note_seen(person), "note who looks")

    async def may_call(self, look: TableLook, person: int) -> bool:
        """Whether the table's message is to call the person, whose turn has come; otherwise the turn waits here."""
        wishes = await self._book.wishes(person)
        debt = due.owed(look)
        if debt is None or debt.person != person:
            return wishes.notices != "none"
        async with self._lock(person):
            notice = await self._notice(look, debt)
            if notice is not None and notice.stage != WAITING:
                return notice.stage == CALLING
            decision = due.begun(await self._case(look, debt, notice))
            if decision == Told(Stage.RUNNING, Way.MENTION) and not await self._has_left(look, debt):
                await self._keep(look, debt, CALLING)
                return True
            waits = isinstance(decision, Later) or decision == Told(Stage.RUNNING, Way.MESSAGE)
            await self._keep(look, debt, WAITING if waits else Stage.RUNNING)
            return False

    async def called(self, look: TableLook, person: int) -> None:
        """The table's message has called the person."""
        debt = due.owed(look)
        if debt is None or debt.person != person:
            return
        async with self._lock(person):
            await self._keep(look, debt, Stage.RUNNING)
            await self._count(person)

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
        self._noticed = set(await self._book.tables())
        clocked, sending = await self._book.clocked(), await self._book.sending()
        self._begun, now = True, self._clock.now()
        for table in self._noticed.union(clocked):
            self._alarm.set(table, due.after_absence(table, now))
        for table in sending:
            self._mark(table)

    def _begin(self, work: Awaitable[None], name: str) -> None:
        async def surely() -> None:
            try:
                await work
            except Exception as error:  # noqa: BLE001 - a notice is not worth the bot
                errors.unexpected(error, name)

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
            errors.unexpected(error, "telling of a turn", table=table)
        finally:
            self._workers.pop(table, None)

    async def _tend(self, table: int) -> None:
        """End what is over, and tell what is due."""
        look = await self._tables.look(table)
        if table not in self._noticed and (not due.is_tended(look) or boards.plays_alone(look)):
            return
        debts = due.debts(look)
        owing = {(debt.person, debt.turn) for debt in debts}
        notices = await self._book.of_table(table)
        for notice in notices:
            if (notice.person, notice.turn) not in owing:
                await self._end(look, notice)
        for debt in debts:
            async with self._lock(debt.person):
                await self._tell_if_due(look, debt)
        if not notices and not debts:
            self._noticed.discard(table)

    async def _end(self, look: TableLook, notice: Notice) -> None:
        """The person owes nothing now: the message goes; what was told in a turn that still runs stays noted."""
        async with self._lock(notice.person):
            if notice.turn == due.turn_name(look):
                if notice.channel is None:
                    return
                await self._book.keep(replace(notice, channel=None, message=None))
            else:
                await self._book.drop(notice)
            await self._remove(look, notice)

    async def _remove(self, look: TableLook, notice: Notice | None) -> None:
        """Take the message away, unless it still tells of another table."""
        if notice is None or notice.channel is None or notice.message is None:
            return
        others = await self._book.of_person(notice.person)
        if all(other.message != notice.message for other in others):
            await self._sender.remove(look, notice.channel, notice.message)

    async def _tell_if_due(self, look: TableLook, debt: Owed) -> None:
        notice = await self._notice(look, debt)
        case = await self._case(look, debt, notice)
        decision = due.decide(case)
        if isinstance(decision, Later):
            self._alarm.set(look.id, decision.at)
        elif isinstance(decision, Noted):
            await self._keep(look, debt, decision.stage)
            await self._remove(look, notice)
        elif decision is not None:
            await self._tell(look, case, decision)

    # --- telling

    async def _tell(self, look: TableLook, case: Case, told: Told) -> None:
        """Send the notice, and note it with its turn before and after."""
        debt = case.owed
        if await self._has_left(look, debt):
            await self._keep(look, debt, told.stage)
            return
        await self._keep(look, debt, told.stage, channel=places.of_table(look).posts_in)
        waiting = await self._teller.waiting(look, debt, told)
        sent = await self._teller.send(waiting, case, told)
        if isinstance(sent, Failed):
            await self._not_sent(look, case, told.stage, sent.trouble)
            return
        self._refused.pop(look.id, None)
        channel, message = sent
        for one, owed in waiting:
            await self._keep(one, owed, told.stage, channel=channel, message=message)
        await self._count(debt.person)
        await self._remove(look, case.notice)

    async def _not_sent(self, look: TableLook, case: Case, stage: Stage, trouble: Trouble) -> None:
        """What passes by itself is tried again; anything else is left at that until the next stage."""
        debt = case.owed
        if trouble not in PASSING:
            await self._keep(look, debt, stage)
            return
        refused = self._refused[look.id] = self._refused.get(look.id, 0) + 1
        before = case.notice or Notice(look.id, debt.person, debt.turn, Stage.RUNNING, None, None, self._clock.now())
        await self._book.keep(before)
        self._alarm.set(look.id, self._clock.now() + pause_after(trouble, refused))

    async def _has_left(self, look: TableLook, debt: Owed) -> bool:
        """Whether the person has left the server, which is looked up before somebody is called."""
        left = await self._sender.is_gone(look, debt.person)
        if left and self._gone is not None:
            await self._gone(look.id, debt.person)
        return left

    # --- what is known

    async def _notice(self, look: TableLook, debt: Owed) -> Notice | None:
        """What the person was told of the turn that runs."""
        known = await self._book.of_table(look.id)
        return next((one for one in known if (one.person, one.turn) == (debt.person, debt.turn)), None)

    async def _case(self, look: TableLook, debt: Owed, notice: Notice | None) -> Case:
        now = self._clock.now()
        if notice is not None and notice.sending and now - notice.at < REPEATED_FOR:
            notice = replace(notice, stage=WAITING)
        quiet = None
        if look.settings.slow:
            quiet = (await self._personal.of(debt.person)).quiet_now(now)
        wishes, contact = await self._book.wishes(debt.person), await self._book.contact(debt.person)
        not_before = due.after_absence(look.id, self._away_until())
        return Case(debt, notice, wishes, contact, now, quiet, not_before)

    async def _keep(
        self, look: TableLook, debt: Owed, stage: str, *, channel: int | None = None, message: int | None = None
    ) -> None:
        self._noticed.add(look.id)
        await self._book.keep(Notice(look.id, debt.person, debt.turn, stage, channel, message, self._clock.now()))

    async def _count(self, person: int) -> None:
        """The person has been called once more."""
        contact = await self._book.contact(person)
        await self._book.keep_contact(person, contact.called(self._clock.now()))

    async def _note_seen(self, person: int) -> None:
        async with self._lock(person):
            contact = await self._book.contact(person)
            if not (contact.unseen or contact.shut):
                return
            await self._book.keep_contact(person, replace(contact, seen=self._clock.now()))
        for notice in await self._book.of_person(person):
            if notice.stage == WAITING:
                self._mark(notice.table)

    def _lock(self, person: int) -> asyncio.Lock:
        return self._locks.setdefault(person, asyncio.Lock())
