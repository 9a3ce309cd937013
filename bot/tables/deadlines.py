"""Deadlines of tables, for the scheduler.

A deadline only wakes the table. Time during which the table was paused or without a channel does not count
(`bot.tables.timing.halted_tables`): if time is left, the alarm is set again. Once a table goes on, all its alarms are
set again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from bot.store.outbox import RETIME, Promise
from bot.tables.context import TableContext
from bot.tables.state.events import Deadline, DeadlineSet
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import DeadlineHandler, Decision, TableRequest
from bot.tables.state.snapshots import Status
from bot.tables.state.table import Table
from bot.tables.timing import halted_tables, timekeeping

_COUNT_STOPS_THEMSELVES: Final = frozenset({Deadline.CLOCK, Deadline.LATEST_END})
"""Deadlines whose handlers themselves add the time in which the table stood.

A clock stands in its person's quiet hours too, and the warning of the latest end names the postponed instant.
"""


def join_handlers(handlers: Iterable[Mapping[Deadline, DeadlineHandler]]) -> Mapping[Deadline, DeadlineHandler]:
    """Return the handler of every deadline.

    Raises `ValueError` unless each deadline is handled exactly once.
    """
    handlers = tuple(handlers)
    claimed = [deadline for one in handlers for deadline in one]
    wrong = sorted(deadline for deadline in Deadline if claimed.count(deadline) != 1)
    if wrong:
        raise ValueError(f"deadlines not handled exactly once: {', '.join(wrong)}")
    return {deadline: handler for one in handlers for deadline, handler in one.items()}


class DeadlinesService:
    """Handles the due deadlines of all tables."""

    def __init__(self, context: TableContext, handlers: Iterable[Mapping[Deadline, DeadlineHandler]]) -> None:
        self._context = context
        self._handlers = join_handlers(handlers)

    async def fire_deadline(self, table: int, kind: str) -> None:
        """Handle a due deadline of the table, unless it was cleared or changed meanwhile."""
        deadline = Deadline(kind)

        async def decide_events(current_table: Table) -> Decision:
            due_at, now = current_table.record.alarms.get(deadline), self._context.clock.now()
            if due_at is None or due_at > now:
                detail = {"table": table, "expected": current_table.version, "version": current_table.version}
                raise TableRefusal(TableCode.STALE_REQUEST, detail)
            over_at = (
                now if deadline in _COUNT_STOPS_THEMSELVES else self._deadline_passes_at(current_table, deadline, now)
            )
            if now < over_at:
                return Decision((DeadlineSet(deadline, over_at),))
            decided = self._handlers[deadline](current_table)
            return decided if isinstance(decided, Decision) else await decided

        try:
            await self._context.repository.change(table, TableRequest(deadline, {}), decide_events)
        except TableRefusal as refusal:
            if refusal.code is not TableCode.STALE_REQUEST:
                raise

    def handle_changed_personal_hours(self, person: int) -> None:
        """Reset the alarms of a person whose quiet hours or vacation have changed.

        It listens to `bot.clocks.quiet_hours_and_vacation.PersonalTimes`.
        """
        self._context.repository.start_task(self._reschedule_alarms(person))

    async def _reschedule_alarms(self, person: int, *, promises: bool = True) -> None:
        """Set the alarms of a person's running clocks again, because a late alarm would lose reminders.

        With `promises`, other processes are asked to do the same for tables of their servers.
        """
        time_lookup = self._context.time_lookup

        async def decide_events(current_table: Table) -> Decision:
            events = await timekeeping.rescheduled_alarms(current_table.record, time_lookup, self._context.clock.now())
            if not events:  # the move that ended the vacation has already set the alarm
                raise TableRefusal(TableCode.STALE_REQUEST, {"table": current_table.id})
            return Decision(events)

        others: dict[int, Promise] = {}
        for one in await self._context.store.tables.tables_of_player(person, (Status.PLAYING,)):
            if not self._context.store.shards.owns(one.guild):
                others[one.guild] = Promise(kind=RETIME, key=f"{person}:{one.guild}", guild=one.guild)
                continue
            with suppress(TableRefusal):
                record = (await self._context.repository.get(one.id)).record
                runs = record.clocks is not None and record.clocks.owes == record.seat_of(person)
                if runs and await timekeeping.rescheduled_alarms(record, time_lookup, self._context.clock.now()):
                    await self._context.repository.change(one.id, TableRequest("retime", {}), decide_events)
        if others and promises:
            await self._context.store.outbox.add_all(tuple(others.values()), self._context.clock.now())

    async def reset_alarms(self, person: int) -> None:
        """Reset a person's alarms at the tables of this process, at the request of another process."""
        await self._reschedule_alarms(person, promises=False)

    def _deadline_passes_at(self, current_table: Table, deadline: Deadline, now: int) -> int:
        """Return the instant at which the deadline passes, later if the table was halted meanwhile."""
        return halted_tables.deadline_passes_at(
            current_table.record, deadline, self._context.time_lookup.away_spans(), now
        )
