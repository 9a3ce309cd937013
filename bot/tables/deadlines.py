"""The part of the table service that does what deadlines ask for, for the scheduler.

A deadline is an alarm and no more. On ringing it is worked out whether the time is over: what the bot missed of it does
not count, and where some is left the alarm is set again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final, TypeAlias

from bot.clocks.clock import elapsed
from bot.clocks.law import Stage
from bot.tables.absence.rules import time_ran_out
from bot.tables.absence.service import AbsenceService
from bot.tables.consent import settle
from bot.tables.contest import directing
from bot.tables.masters import rules
from bot.tables.seating import roll_call, seats
from bot.tables.state.events import Deadline, DeadlineSet, ProposalEnded, StageReached
from bot.tables.state.fold import fold
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import ClosedBecause, Status
from bot.tables.state.table import Table
from bot.tables.timing import timekeeping

DeadlineHandler: TypeAlias = Callable[[Table], Awaitable[Decision]]

_WORKED_OUT: Final = frozenset({Deadline.CLOCK, Deadline.LATEST_END})
"""Deadlines that work out themselves what the bot has missed."""


class DeadlinesService(AbsenceService):
    """What the clock can ask of a table."""

    def _handlers(self) -> Mapping[Deadline, DeadlineHandler]:
        """What each deadline does once its time is over."""
        return {
            Deadline.EXPIRE: self._expired,
            Deadline.NEXT_DEAL: self._dealt,
            Deadline.CLOCK: self._clock_rang,
            Deadline.PROPOSAL: self._proposal_lapsed,
            Deadline.PAUSE: self._paused_long,
            Deadline.LATEST_END: self._latest_end_rang,
            Deadline.IDLE: self._idle_rang,
            Deadline.VOTE: self._vote_over,
            Deadline.SEAT: self._claims_over,
            Deadline.SUBSTITUTE: self._search_over,
            Deadline.ROLL_CALL: self._roll_over,
            Deadline.ROUND_END: self._round_over,
        }

    async def timer_due(self, table: int, kind: str) -> None:
        """Do what a deadline of the table asks for, unless somebody was quicker."""
        deadline = Deadline(kind)

        async def decide(found: Table) -> Decision:
            due_at, now = found.record.deadlines.get(deadline), self._ledger.clock.now()
            if due_at is None or due_at > now:
                detail = {"table": table, "expected": found.version, "version": found.version}
                raise TableRefusal(TableCode.STALE_REQUEST, detail)
            left = 0 if deadline in _WORKED_OUT else await self._missed(found, deadline, due_at)
            if left > 0:
                return Decision((DeadlineSet(deadline, now + left),))
            return await self._handlers()[deadline](found)

        try:
            await self._ledger.change(table, TableRequest(deadline, {}), decide)
        except TableRefusal as refusal:
            if refusal.code is not TableCode.STALE_REQUEST:
                raise

    def times_changed(self, person: int) -> None:
        """A person's quiet hours or vacation are others now: listener of `bot.clocks.personal.PersonalTimes`."""
        self._ledger.begin(self._retime(person))

    async def _retime(self, person: int) -> None:
        """Set the alarms of the clocks that run for a person; one that came too late would lose reminders."""
        keeper = self._ledger.keeper

        async def decide(found: Table) -> Decision:
            events = await timekeeping.rescheduled_alarms(found.record, keeper, self._ledger.clock.now())
            if not events:  # the move that ended the vacation has seen to it
                raise TableRefusal(TableCode.STALE_REQUEST, {"table": found.id})
            return Decision(events)

        for one in await self._ledger.store.tables.seating(person, (Status.PLAYING,)):
            with suppress(TableRefusal):
                record = (await self._ledger.table(one.id)).record
                runs = record.clocks is not None and record.clocks.owes == record.seat_of(person)
                if runs and await timekeeping.rescheduled_alarms(record, keeper, self._ledger.clock.now()):
                    await self._ledger.change(one.id, TableRequest("retime", {}), decide)

    async def _missed(self, table: Table, deadline: Deadline, due_at: int) -> int:
        """How long the alarm has still to run, for the time since it was set in which the bot was away."""
        store, now = self._ledger.store, self._ledger.clock.now()
        timer = await store.times.timer(table.id, deadline)
        rows = () if timer is None else await store.tables.actions(table.id, after=timer.version - 1, limit=1)
        set_at = rows[0].at if rows else due_at
        return due_at - set_at - elapsed(self._ledger.keeper.away(), set_at, now)

    async def _expired(self, table: Table) -> Decision:
        return Decision(seats.closing(table.record, ClosedBecause.EXPIRED))

    async def _roll_over(self, table: Table) -> Decision:
        return Decision(roll_call.over(table.record))

    async def _round_over(self, table: Table) -> Decision:
        return Decision(directing.ended(table.record))

    async def _dealt(self, table: Table) -> Decision:
        return await self._next_deal(table, None)

    async def _paused_long(self, table: Table) -> Decision:
        """A pause that has an end is over; a game master's is told again, by the table being shown anew."""
        pause = table.record.pause
        if pause is not None and pause.until is None:
            return Decision((DeadlineSet(Deadline.PAUSE, self._ledger.clock.now() + rules.TOLD_AGAIN),))
        return Decision(settle.resumed(table.record, self._instants(table.record)))

    async def _clock_rang(self, table: Table) -> Decision:
        events = await timekeeping.clock_alarm_events(table.record, self._ledger.keeper, self._ledger.clock.now())
        over = next((one for one in events if isinstance(one, StageReached) and one.stage is Stage.LAPSED), None)
        if over is None:
            return Decision(events)
        after = fold(table.record, events)
        return await self._settled(table, (*events, *time_ran_out(after, over.seat, now=self._ledger.clock.now())))

    async def _proposal_lapsed(self, table: Table) -> Decision:
        """Silence is a no, but of those only who are still seated."""
        settled = await self._settled(table, ())
        return settled if settled.events else Decision((ProposalEnded(agreed=False),))
