"""Turns: tells persons whose turn or answer a table waits for, and whose seat a computer player keeps."""

from __future__ import annotations

from bot.clocks.law import Stage
from bot.tables.looks import TableSnapshot
from bot.tables.notices import SentNotice
from cogs.shared.door import table_places
from cogs.shared.door.calls import Failed, Trouble
from cogs.shared.notices import due
from cogs.shared.notices.due import CALLING, WAITING, Case, CheckLater, Delivery, Owed, SkipNotice, TellNow
from cogs.shared.notices.register import NoticeContacts
from cogs.shared.notices.taking_down import NoticeRemover
from cogs.shared.notices.teller import NoticeWriter
from cogs.shared.posting.rhythm import PASSING


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
        debt = due.owed(look)
        if debt is None or debt.person != person:
            return wishes.notices != "none"
        async with self._register.lock(person):
            notice = await self._notice(look, debt)
            if notice is not None and notice.stage != WAITING:
                return notice.stage == CALLING
            decision = due.begun(await self._register.case(look, debt, notice))
            if decision == TellNow(Stage.RUNNING, Delivery.MENTION) and not await self._teller.has_left(look, person):
                await self._keep(look, debt, CALLING)
                return True
            waits = isinstance(decision, CheckLater) or decision == TellNow(Stage.RUNNING, Delivery.MESSAGE)
            await self._keep(look, debt, WAITING if waits else Stage.RUNNING)
            return False

    async def called(self, look: TableSnapshot, person: int) -> None:
        """The table's message has called the person."""
        debt = due.owed(look)
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
        decision = due.decide(case)
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
        await self._keep(look, debt, told.stage, channel=table_places.of_table(look).posts_in)
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
