"""The service for game masters and moderators, which also replaces silent players."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from bot.store.guilds import AuditEntry
from bot.tables.consent.accepted_proposals import add_events_of_accepted_proposal, events_ending_pause
from bot.tables.context import TableContext
from bot.tables.masters import interventions
from bot.tables.masters.interventions import ServerRole
from bot.tables.state.events import AnyEvent, Deadline, DeadlineSet
from bot.tables.state.fold import apply_table_events
from bot.tables.state.requests import DeadlineHandler, Decision, TableRequest
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tables.state.table import Table
from bot.tables.timing import timekeeping

Decides: TypeAlias = Callable[[Table], tuple[AnyEvent, ...] | Awaitable[tuple[AnyEvent, ...]]]


class GameMasterService:
    """Requests to intervene in a game. The caller checks who is a game master or a moderator.

    Every method may refuse with not_started, table_closed and game_finished. A game master's action is stored with its
    reason in the same write (`bot.store.guilds.AuditEntry`).
    """

    def __init__(self, context: TableContext) -> None:
        self._context = context

    async def pause(self, caller: Caller, table: int, *, reason: str) -> TableSnapshot:
        """Pause a game until a game master resumes it. Refusal: already_paused."""
        now = self._context.clock.now()
        return await self._change_as_master(
            caller,
            table,
            "pause",
            reason,
            lambda current_table: interventions.pause_as_master(
                current_table, caller, reason=interventions.clean_reason(reason), now=now
            ),
        )

    async def resume(self, caller: Caller, table: int, *, reason: str) -> TableSnapshot:
        """End a pause, even one that the players agreed on. Refusal: not_paused."""

        def decide_events(current_table: Table) -> tuple[AnyEvent, ...]:
            interventions.require_paused(current_table)
            return events_ending_pause(current_table.record, now=self._context.clock.now())

        return await self._change_as_master(caller, table, "resume", reason, decide_events)

    async def extend_time(
        self, caller: Caller, table: int, *, seat: int, amount: int | None = None, reason: str
    ) -> TableSnapshot:
        """Give a seat `amount` milliseconds more, by default one increment.

        Refusals: no_clock, no_such_seat, no_person.
        """

        async def decide_events(current_table: Table) -> tuple[AnyEvent, ...]:
            interventions.require_person_with_clock(current_table, seat)
            return await self._time_gift_events(current_table, seat, amount)

        return await self._change_as_master(caller, table, "extend", reason, decide_events)

    async def hand_over(self, caller: Caller, table: int, *, seat: int, reason: str) -> TableSnapshot:
        """Give a seat to a computer player, which keeps it for its person. Refusals: no_such_seat, no_person."""
        now = self._context.clock.now()
        return await self._change_as_master(
            caller,
            table,
            "replace",
            reason,
            lambda current_table: interventions.hand_over_seat(current_table, seat, now=now),
        )

    async def end(self, caller: Caller, table: int, *, reason: str) -> TableSnapshot:
        """End a game with the scores of its finished deals; without a finished deal, close the table."""
        return await self._change_as_master(caller, table, "end", reason, interventions.end_game)

    async def seat_computer(
        self, caller: Caller, table: int, *, seat: int, server_role: ServerRole, has_left_guild: bool
    ) -> TableSnapshot:
        """Give a silent seat to a computer player; its person may have left the guild.

        Refusals: not_seated, no_such_seat, no_person, has_time, not_owing, not_host, seat_not_silent; for players
        game_paused.
        """
        now = self._context.clock.now()

        async def decide_events(current_table: Table) -> Decision:
            events = interventions.seat_computer(
                current_table, caller, seat, server_role, has_left_guild=has_left_guild, now=now
            )
            return await add_events_of_accepted_proposal(self._context, current_table, events)

        return await self._context.change(
            table, TableRequest("seat_computer", {"seat": seat}, caller=caller), decide_events
        )

    async def give_time(self, caller: Caller, table: int, *, seat: int) -> TableSnapshot:
        """Give an opponent the time of one increment, at a player's request.

        Refusals: not_seated, no_such_seat, own_side, no_clock, no_person, time_is_over.
        """

        async def decide_events(current_table: Table) -> Decision:
            interventions.require_opponent(current_table, caller, seat)
            interventions.require_person_with_clock(current_table, seat)
            return Decision(await self._time_gift_events(current_table, seat, None))

        return await self._context.change(
            table, TableRequest("give_time", {"seat": seat}, caller=caller), decide_events
        )

    async def _time_gift_events(self, table: Table, seat: int, amount: int | None) -> tuple[AnyEvent, ...]:
        """Return the events that give time to a seat; a running clock is charged first and its alarm reset."""
        now, time_lookup = self._context.clock.now(), self._context.time_lookup
        clock = await timekeeping.time_left(table.record, seat, time_lookup, now)
        events = interventions.give_time(table.record, seat, clock, amount, now=now)
        after = apply_table_events(table.record, events)
        if after.clocks is None or after.clocks.owes != seat:
            return events
        return (*events, *await timekeeping.rescheduled_alarms(after, time_lookup, now))

    async def _change_as_master(
        self, caller: Caller, table: int, action: str, reason: str, decides: Decides
    ) -> TableSnapshot:
        """Apply a game master's action, with its reason in the audit log."""
        now, text = self._context.clock.now(), interventions.clean_reason(reason)

        async def decide_events(current_table: Table) -> Decision:
            audit = AuditEntry(current_table.guild, current_table.id, caller.person, action, text, now)
            decided = decides(current_table)
            events = decided if isinstance(decided, tuple) else await decided
            return replace(await add_events_of_accepted_proposal(self._context, current_table, events), audit=audit)

        return await self._context.change(table, TableRequest(f"master_{action}", {}, caller=caller), decide_events)

    # --- deadlines ---------------------------------------------------------------------------------------------------

    @property
    def deadlines(self) -> Mapping[Deadline, DeadlineHandler]:
        """The handlers of this service's deadlines."""
        return {Deadline.PAUSE: self._end_pause}

    def _end_pause(self, table: Table) -> Decision:
        """End a pause whose time is up.

        If the pause has no end, set the alarm after which players are shown the pause again.
        """
        pause = table.record.pause
        if pause is not None and pause.until is None:
            return Decision((DeadlineSet(Deadline.PAUSE, self._context.clock.now() + interventions.TOLD_AGAIN),))
        return Decision(events_ending_pause(table.record, now=self._context.clock.now()))
