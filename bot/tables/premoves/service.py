"""The service for premoves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.moves.actions import DiscardCard
from bot.engine.moves.events import Drew
from bot.tables.context import TableContext
from bot.tables.play.deals import add_events_of_deal_end
from bot.tables.play.moves import decide_action
from bot.tables.seating import seats
from bot.tables.snapshots.premove_checks import Verdict, build_premove, is_outcome_shown, premove_verdict
from bot.tables.state.premoves import PlannedTurn, Premove, PremoveEnd
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import Caller, SeatSnapshot
from bot.tables.state.table import Table

PREMOVE: Final = "premove"
"""The request kind of a premove that is played."""

LOOKED_BACK: Final = 20
"""Number of log rows searched for the seat's own draw; an automatic turn has few."""


@dataclass(frozen=True, slots=True)
class DuePremove:
    """A premove whose time has come.

    It was found at `since` (UTC milliseconds); `slow` means that turns may take days at that table.
    """

    table: int
    person: int
    since: int
    slow: bool


class PremoveService:
    """Prepares premoves and plays them."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._preparing: list[Callable[[int], None]] = []

    async def store_premove(self, caller: Caller, table: int, wish: PlannedTurn) -> SeatSnapshot:
        """Store a premove for the caller's next turn, replacing the previous one.

        Refusals: not_seated, not_started, game_finished, table_closed; cannot_prepare if it is the caller's own turn,
        or the premove names a card that the caller does not hold or a question that will not be asked.
        """
        self._context.count_request(caller)
        current_table = await self._running_table(caller, table)
        premove = build_premove(current_table.record, seats.require_seat(current_table, caller.person), wish)
        if premove is None:
            raise TableRefusal(TableCode.CANNOT_PREPARE)
        await self._context.repository.run_shielded(self._context.premoves.store_premove(table, caller.person, premove))
        for listener in tuple(self._preparing):
            listener(table)
        return await self._context.snapshots.person_snapshot(current_table, caller.person)

    async def forget_premove(self, caller: Caller, table: int) -> SeatSnapshot:
        """Delete the caller's premove. Refusals as `store_premove`, without cannot_prepare."""
        self._context.count_request(caller)
        current_table = await self._running_table(caller, table)
        seats.require_seat(current_table, caller.person)
        await self._context.repository.run_shielded(self._context.premoves.delete_premove(table, caller.person))
        return await self._context.snapshots.person_snapshot(current_table, caller.person)

    async def _running_table(self, caller: Caller, table: int) -> Table:
        """Return the table, where a game must be running.

        Refusals: wrong_server, and those of `seats.require_running_game`.
        """
        current_table = await self._context.repository.get(table)
        if current_table.guild != caller.guild:
            raise TableRefusal(TableCode.WRONG_SERVER, {"table": table})
        seats.require_running_game(current_table)
        return current_table

    # --- playing premoves --------------------------------------------------------------------------------------------

    def subscribe_to_stored_premoves(self, listener: Callable[[int], None]) -> None:
        """Register a function that is called with the table's number when a premove is stored."""
        self._preparing.append(listener)

    async def tables_with_premoves(self) -> tuple[int, ...]:
        """Return the tables with premoves, oldest first."""
        return await self._context.premoves.tables_with_premoves()

    async def due_premove(self, table: int) -> DuePremove | None:
        """Return a premove of the table to play now, or None; store why other premoves ended.

        Refusal: unknown_table. Ended premoves that need not be shown any more are deleted.
        """
        prepared_there = await self._context.premoves.premoves_at(table)
        if not prepared_there:
            return None
        current_table, due = await self._context.repository.get(table), None
        for person, premove in prepared_there.items():
            if premove.ended is not None:
                if not is_outcome_shown(current_table.record, premove):
                    await self._context.premoves.replace_premove(table, person, premove, None)
                continue
            said = await self._premove_verdict(current_table, person, premove)
            if isinstance(said, PremoveEnd):
                await self._end_premove(table, person, premove, said)
            elif said is not None:
                due = DuePremove(table, person, self._context.clock.now(), current_table.record.settings.is_slow)
        return due

    async def play_premove(self, due: DuePremove) -> None:
        """Play that premove, if it is still valid and due.

        Refusals: stale_request if not; not_started, game_finished, table_closed; and every refusal of the rules.
        """
        premove = await self._context.premoves.premove_of(due.table, due.person)
        said: Verdict = None

        async def decide_events(current_table: Table) -> Decision:
            nonlocal said
            seats.require_running_game(current_table)
            said = None if premove is None else await self._premove_verdict(current_table, due.person, premove)
            if premove is None or said is None or isinstance(said, PremoveEnd):
                detail = {
                    "table": current_table.id,
                    "expected": current_table.version,
                    "version": current_table.version,
                }
                raise TableRefusal(TableCode.STALE_REQUEST, detail)
            seat = seats.require_seat(current_table, due.person)
            return add_events_of_deal_end(
                self._context,
                current_table,
                await self._context.rules_thread.run(
                    current_table.record.rules, decide_action, current_table, seat, said
                ),
            )

        premove_of = None if premove is None else premove.upon.seat
        request = TableRequest(PREMOVE, {}, seat=premove_of, masked_since=due.since)
        await self._context.repository.change(due.table, request, decide_events)
        if premove is not None and isinstance(said, DiscardCard):
            await self._end_premove(due.table, due.person, premove, PremoveEnd.DONE)

    async def _premove_verdict(self, current_table: Table, person: int, premove: Premove) -> Verdict:
        """Return what to do with the premove now, computed in the rules thread if the rules are slow."""
        was_drawn_automatically = await self._was_drawn_automatically(current_table, premove.upon.seat)
        rules = current_table.record.rules
        return await self._context.rules_thread.run(
            rules, _positional_premove_verdict, current_table, person, premove, was_drawn_automatically
        )

    async def _was_drawn_automatically(self, current_table: Table, seat: int) -> bool:
        """Return whether the seat's card was drawn automatically, according to the latest log rows."""
        game = current_table.record.game
        if game is None or game.turn != seat or game.drew != "stock":
            return False
        rows = await self._context.store.tables.actions(
            current_table.id, after=max(0, current_table.version - LOOKED_BACK)
        )
        happened = self._context.repository.records.events_of_row
        drew = [
            row.person
            for row in rows
            if any(isinstance(event, Drew) and event.seat == seat for event in happened(current_table, row.payload))
        ]
        return bool(drew) and drew[-1] is None

    async def _end_premove(self, table: int, person: int, premove: Premove, ended: PremoveEnd) -> None:
        """Store why the premove ended, or delete the premove if its turn has passed."""
        after = None if ended is PremoveEnd.PAST else replace(premove, ended=ended)
        await self._context.premoves.replace_premove(table, person, premove, after)


def _positional_premove_verdict(
    current_table: Table,
    person: int,
    premove: Premove,
    was_drawn_automatically: bool,  # noqa: FBT001 - for the rules thread
) -> Verdict:
    """Call `premove_verdict` with positional arguments, for the rules thread."""
    return premove_verdict(current_table.record, person, premove, was_drawn_automatically=was_drawn_automatically)
