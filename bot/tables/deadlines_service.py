"""The part of the table service that does what deadlines ask for, for the scheduler.

A deadline is an alarm and no more. On ringing it is worked out whether the time is over: what the bot missed of it does
not count, and where some is left the alarm is set again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from bot.clocks.law import Stage
from bot.clocks.spans import elapsed
from bot.tables import lobby, mastering
from bot.tables.events import AnyEvent, Deadline, DeadlineSet, StageReached
from bot.tables.ledger import Asked, Plan
from bot.tables.looks import ClosedBecause
from bot.tables.play_service import PlayService
from bot.tables.record import Table
from bot.tables.refusals import TableCode, TableRefusal
from bot.tables.timing import keeping

Handler: TypeAlias = Callable[[Table], Awaitable[Plan]]


class DeadlinesService(PlayService):
    """What the clock can ask of a table."""

    def _handlers(self) -> Mapping[Deadline, Handler]:
        """What each deadline does once its time is over."""
        return {
            Deadline.EXPIRE: self._expired,
            Deadline.NEXT_DEAL: self._dealt,
            Deadline.CLOCK: self._clock_rang,
            Deadline.PAUSE: self._paused_long,
        }

    async def timer_due(self, table: int, kind: str) -> None:
        """Do what a deadline of the table asks for, unless somebody was quicker."""
        deadline = Deadline(kind)

        async def decide(found: Table) -> Plan:
            due_at, now = found.record.deadlines.get(deadline), self._ledger.clock.now()
            if due_at is None or due_at > now:
                detail = {"table": table, "expected": found.version, "version": found.version}
                raise TableRefusal(TableCode.STALE_REQUEST, detail)
            left = 0 if deadline is Deadline.CLOCK else await self._missed(found, deadline, due_at)
            if left > 0:
                return Plan((DeadlineSet(deadline, now + left),))
            return await self._handlers()[deadline](found)

        try:
            await self._ledger.change(table, Asked(deadline, {}), decide)
        except TableRefusal as refusal:
            if refusal.code is not TableCode.STALE_REQUEST:
                raise

    async def _missed(self, table: Table, deadline: Deadline, due_at: int) -> int:
        """How long the alarm has still to run, for the time since it was set in which the bot was away."""
        store, now = self._ledger.store, self._ledger.clock.now()
        timer = await store.timer(table.id, deadline)
        rows = () if timer is None else await store.actions(table.id, after=timer.version - 1, limit=1)
        set_at = rows[0].at if rows else due_at
        return due_at - set_at - elapsed(self._ledger.keeper.away(), set_at, now)

    async def _expired(self, table: Table) -> Plan:
        return Plan(lobby.closing(table.record, ClosedBecause.EXPIRED))

    async def _dealt(self, table: Table) -> Plan:
        return await self._next_deal(table, None)

    async def _paused_long(self, table: Table) -> Plan:
        """A pause that has an end is over; a game master's is told again, by the table being shown anew."""
        now = self._ledger.clock.now()
        if table.record.pause is not None and table.record.pause.until is None:
            return Plan((DeadlineSet(Deadline.PAUSE, now + mastering.TOLD_AGAIN),))
        return Plan(mastering.resume(table, next_deal_at=now + self._limits.between(table.record.settings)))

    async def _clock_rang(self, table: Table) -> Plan:
        events = await keeping.rung(table.record, self._ledger.keeper, self._ledger.clock.now())
        lapsed = next((one for one in events if isinstance(one, StageReached) and one.stage is Stage.LAPSED), None)
        return Plan(events if lapsed is None else (*events, *self._lapsed(table, lapsed.seat)))

    def _lapsed(self, table: Table, seat: int) -> tuple[AnyEvent, ...]:
        """What becomes of a seat whose time is used up: a computer player keeps it until its person is back."""
        return lobby.kept_by_computer(table.record, seat)
