"""The service for a table's past: logs, replays, records, and replayed deals."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.store.errors import UndecodableData
from bot.store.tables import StoredAction
from bot.tables.context import TableContext
from bot.tables.core import stored_forms
from bot.tables.lobby.opening import TableOpening
from bot.tables.past import deal_actions, record_writing, visible_history
from bot.tables.past.choices_of_a_seat import OwnDeal
from bot.tables.past.history import DealLog, DealRecord, GameFile, History, Replay, history_of
from bot.tables.seating import seats
from bot.tables.state.clocks import USUAL, TableSettings
from bot.tables.state.events import PackFixed, SeatChanged
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import TableLocation, TableRequest
from bot.tables.state.snapshots import EMPTY_SEAT, Caller, ReplayedDeal, Status, TableRef, TableSnapshot, table_ref_of
from bot.tables.state.table import Table, TablePersons, TableState

KEPT: Final = 8
"""Number of cached histories; without the cache each page of a replay would read the whole log."""


class PastService:
    """Requests about past play. Hidden cards are shown of finished deals only (`visible_history`).

    A board that other tables have still to play is not shown at all (refusal: board_sealed).
    """

    def __init__(self, context: TableContext, opening: TableOpening) -> None:
        self._context = context
        self._opening = opening
        self._histories: OrderedDict[int, tuple[TableState, History]] = OrderedDict()

    async def deal_log(self, table: int, deal: int | None, *, person: int, guild: int | None) -> DealLog:
        """Return the public log of the deal, by default the latest one, turn by turn.

        Refusals: unknown_table, wrong_server, not_started, no_such_deal, too_fast.
        """
        current_table, history = await self._load_history(table, person, guild, public=True)
        return visible_history.deal_log(history, await self._past_snapshot(current_table, history), deal)

    async def replay(self, table: int, deal: int | None, *, person: int, guild: int | None) -> Replay:
        """Return the deal with all hands; by default the latest one whose cards may be viewed.

        Refusals: unknown_table, wrong_server, not_started, cards_after_game, deal_not_open, too_fast.
        """
        current_table, history = await self._load_history(table, person, guild)
        return visible_history.replay_of(history, await self._past_snapshot(current_table, history), deal)

    async def own_deal(self, table: int, deal: int, *, person: int, guild: int | None) -> tuple[TableSnapshot, OwnDeal]:
        """Return the table's snapshot, and a finished deal as the person's seat played it.

        Refusals: as `replay`, and not_seated if the person did not hold a seat at the deal's end.
        """
        current_table, history = await self._load_history(table, person, guild)
        snapshot = await self._past_snapshot(current_table, history)
        past = visible_history.find_viewable_deal(history, table, deal)
        seat = snapshot.with_holders_at_end_of(deal).seat_of(person)
        if seat is None:
            raise TableRefusal(TableCode.NOT_SEATED, {"table": table})
        return snapshot, OwnDeal(deal, seat, past.dealt.pile[past.dealt.hidden :], past)

    async def contest_record(self, table: int, deal: int | None) -> DealRecord:
        """Return a deal of a tournament's table, even a sealed one; for directors who do not play there.

        The tournament checks who may view it. Refusals: unknown_table (also for a table of no tournament), not_started,
        no_such_deal.
        """
        current_table = await self._context.repository.get(table)
        if current_table.record.contest is None:
            raise TableRefusal(TableCode.UNKNOWN_TABLE, {"table": table})
        history = await self._read_history(current_table)
        return visible_history.deal_record(history, await self._past_snapshot(current_table, history), deal)

    async def game_file(self, table: int, *, person: int, guild: int | None) -> GameFile:
        """Return the record of all open deals as a file. Refusals as `replay`."""
        current_table, history = await self._load_history(table, person, guild)
        visible_history.find_viewable_deal(history, table, None)
        deals = visible_history.numbers_of_viewable_deals(history)
        snapshot = await self._past_snapshot(current_table, history)
        logs = tuple(visible_history.deal_log(history, snapshot, deal) for deal in deals)
        return GameFile(record_writing.text_of_record(history, table=table, deals=deals), logs)

    async def play_again(
        self,
        caller: Caller,
        table: int,
        deal: int,
        *,
        channel: int,
        thread: int | None = None,
        settings: TableSettings = USUAL,
        turn_count: int | None = None,
    ) -> TableSnapshot:
        """Open a lobby that deals a finished deal again, with the rules of its table and these settings.

        The same seat deals the same cards; the caller is its host. With `turn_count` the game begins after that many
        turns of the deal, with its scores at that time, and the caller has the seat to act. Refusals: as `replay`,
        too_many_tables, too_many_lobbies, too_many_seats, position_not_playable.
        """
        current_table, history = await self._load_history(table, caller.person, caller.guild)
        again = visible_history.find_viewable_deal(history, table, deal)
        record, now = current_table.record, self._context.clock.now()
        terms = seats.LobbyTerms(rules=record.rules, saved_as=record.saved_as, computers=0, settings=settings)
        known = PackFixed(ReplayedDeal(table, deal), again.dealer, again.pack, streams=bool(again.dealt.streams))
        moved: tuple[SeatChanged, ...] = ()
        if turn_count is not None:
            first = deal_actions.first_actions(record.rules, again, turn_count, table=table)
            known = replace(known, scores=again.dealt.scores, first=first)
            seat = again.turns[turn_count].seat
            moved = (SeatChanged(0, EMPTY_SEAT), SeatChanged(seat, seats.holder_of_caller(caller))) if seat else ()
        events = (
            *seats.open_lobby(terms, caller, now=now, expires_at=now + self._context.limits.lobby_lifetime(settings)),
            *moved,
            known,
        )
        action = {"of": table, "deal": deal} if turn_count is None else {"of": table, "deal": deal, "turns": turn_count}
        request = TableRequest("play_again", action, caller=caller)
        async with self._opening.lock:
            place = TableLocation(current_table.guild, channel, thread)
            return await self._context.snapshots.table_snapshot(await self._opening.open(place, request, events))

    async def finished_tables_in(self, guild: int) -> tuple[TableRef, ...]:
        """Return the finished tables of a guild, the latest opened first; without loading them.

        Sealed ones are left out.
        """
        summaries = await self._context.store.tables.tables_in_guild(guild, (Status.FINISHED,))
        set_aside = {
            *self._context.repository.records.tables_set_aside,
            *await self._context.store.contests.sealed_tables(guild),
        }
        return tuple(table_ref_of(one) for one in reversed(summaries) if one.id not in set_aside)

    # --- steps -------------------------------------------------------------------------------------------------------

    async def _load_history(
        self, table: int, person: int, guild: int | None, *, public: bool = False
    ) -> tuple[Table, History]:
        """Return the table with its history, if the person may see it.

        Refusals: wrong_server, board_sealed, too_fast. Of a sealed board only `public` data may be read, and only by
        its players.
        """
        self._context.count_read(person)
        current_table = await self._context.repository.get(table)
        if current_table.guild != guild:
            raise TableRefusal(TableCode.WRONG_SERVER, {"table": table})
        plays = current_table.record.status is Status.PLAYING and current_table.record.seat_of(person) is not None
        if current_table.record.is_sealed and not (public and plays):
            raise TableRefusal(TableCode.BOARD_SEALED, {"table": table})
        return current_table, await self._read_history(current_table)

    async def _past_snapshot(self, table: Table, history: History) -> TableSnapshot:
        """Return the table's snapshot with everyone who ever sat there."""
        return replace(await self._context.snapshots.table_snapshot(table), sat=history.sat)

    async def _read_history(self, table: Table) -> History:
        """Return the table's history, read outside the event loop. Refusal: unreadable_table."""
        record, history = self._histories.get(table.id, (None, None))
        if history is None or record is not table.record:  # a record that was loaded again may have other names in it
            rows = await self._context.store.tables.actions(table.id, limit=table.version)
            try:
                history = await asyncio.to_thread(_history_from_rows, rows, table.holders)
            except (UndecodableData, ValueError) as fault:
                raise self._context.repository.records.set_aside_table(table.id, _error_without_text(fault)) from None
            self._histories[table.id] = (table.record, history)
        self._histories.move_to_end(table.id)
        if len(self._histories) > KEPT:
            self._histories.popitem(last=False)
        return history


def _history_from_rows(rows: Sequence[StoredAction], holders: TablePersons) -> History:
    """Return the history from the rows of a table's log."""
    return history_of(event for row in rows for event in stored_forms.read_payload(row.payload, holders))


def _error_without_text(fault: UndecodableData | ValueError) -> UndecodableData:
    """Return an error of the same kind without text, because the text may quote the damaged log."""
    return fault if isinstance(fault, UndecodableData) else UndecodableData(f"log: {type(fault).__name__}")
