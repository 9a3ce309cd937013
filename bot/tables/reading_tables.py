"""Reading tables: snapshots, views, offers and locations. Nothing here changes a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bot.engine.cards.cards import Card
from bot.engine.moves.actions import Action, Lay
from bot.engine.moves.events import DealStarted, Event
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.table.dealing import deal_pack
from bot.engine.table.views import SeatView, public_event
from bot.store.tables import TableSummary
from bot.tables.advice import Offers, offers_to_seat
from bot.tables.advice.ruling import Ruling, ruling_on, state_without_hidden_cards
from bot.tables.advice.turn_plans import TurnWithoutHiddenCards
from bot.tables.context import TableContext
from bot.tables.play.moves import require_hints, running_game
from bot.tables.seating.seats import require_seat, require_unpaused_game
from bot.tables.snapshots.sealed_tables import require_visible
from bot.tables.state.events import SettlingEvent, Undone
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import LogEntry, without_undone_moves
from bot.tables.state.snapshots import OPEN, SeatSnapshot, Status, TableRef, TableSnapshot, table_ref_of
from bot.tables.state.table import Table

MOST_SEARCHED: Final = 500
"""Number of changes searched for the end of a vote, claim, proposal or roll call."""

STEP_BACK: Final = 400
"""Number of changes read at a time when searching backwards for the start of a deal."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class DealSoFar:
    """The public events of the current deal up to `version`, without moves that were undone.

    `pile` are the open cards with which the pile began; None if only the events since an earlier version are here.
    """

    version: int
    pile: tuple[Card, ...] | None
    events: tuple[Event, ...]


class ReadingService:
    """Returns the data of tables to viewers; each gets only what they may see."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    async def version(self, table: int) -> int:
        """Return the table's version, without the cost of a snapshot. Refusal: unknown_table."""
        return (await self._context.repository.get(table)).version

    async def snapshot(self, table: int) -> TableSnapshot:
        """Return the table's snapshot, without checking who asks; use only for trusted ids.

        Refusal: unknown_table.
        """
        return await self._context.snapshots.table_snapshot(await self._context.repository.get(table))

    async def snapshot_for(self, table: int, *, person: int, guild: int | None) -> TableSnapshot:
        """Return the table's snapshot if the person may see it.

        Refusals: unknown_table, wrong_server, board_sealed.
        """
        current_table = await self._table_in_guild(table, guild)
        require_visible(current_table, person)
        return await self._context.snapshots.table_snapshot(current_table)

    async def seat_snapshot(self, table: int, *, person: int, guild: int | None) -> SeatSnapshot:
        """Return the table's snapshot as the person sees it from their own seat.

        Refusals: unknown_table, wrong_server, not_seated, too_fast.
        """
        self._context.count_read(person)
        return await self._context.snapshots.person_snapshot(await self._table_in_guild(table, guild), person)

    async def view_for_person(self, table: int, *, person: int, guild: int | None) -> tuple[SeatView, int]:
        """Return the player's view of the game and the table's version.

        Cheaper than `seat_snapshot`: no offers are calculated. Refusals: as `seat_snapshot`, and not_started.
        """
        self._context.count_read(person)
        current_table = await self._table_in_guild(table, guild)
        view = await self._context.snapshots.seat_view(current_table, require_seat(current_table, person))
        if view is None:
            raise TableRefusal(TableCode.NOT_STARTED, {"table": table})
        return view, current_table.version

    async def offers(self, table: int, *, person: int, guild: int | None, staged: Sequence[Lay] = ()) -> Offers:
        """Return the moves offered to the person's seat, given these staged melds.

        Return None if the seat need not act. Refusals: unknown_table, wrong_server, not_seated, not_started,
        game_finished, table_closed, too_fast.
        """
        self._context.count_read(person)
        current_table = await self._table_in_guild(table, guild)
        seat = require_seat(current_table, person)
        game = running_game(current_table)
        return await self._context.rules_thread.run(game.rules, offers_to_seat, game, seat, tuple(staged))

    async def seat_snapshot_of(self, table: int, person: int) -> SeatSnapshot:
        """Return the table's snapshot from the person's seat, without the rate limit.

        It is for updates of messages.

        Refusals: unknown_table, not_seated.
        """
        return await self._context.snapshots.person_snapshot(await self._context.repository.get(table), person)

    async def check_action(self, table: int, action: Action, *, person: int, guild: int | None) -> Ruling:
        """Return whether the person's seat may play this action, and why; nothing changes.

        The answer reveals nothing hidden, and a refusal of the rules is in the ruling. Refusals: unknown_table,
        wrong_server, not_seated, not_started, game_finished, table_closed, too_fast.
        """
        self._context.count_read(person)
        current_table = await self._table_in_guild(table, guild)
        seat = require_seat(current_table, person)
        game = running_game(current_table)
        return await self._context.rules_thread.run(game.rules, ruling_on, game, seat, action)

    async def turn_without_hidden_cards(
        self, table: int, *, person: int, guild: int | None
    ) -> tuple[SeatSnapshot, TurnWithoutHiddenCards]:
        """Return the snapshot of the person's seat, which must act, and its turn for planning.

        Neither contains a hidden card.

        Refusals: unknown_table, wrong_server, not_seated, not_started, game_paused, game_finished, table_closed,
        hints_off, too_fast; not_your_turn.
        """
        self._context.count_read(person)
        current_table = await self._table_in_guild(table, guild)
        require_unpaused_game(current_table)
        seat, game = require_seat(current_table, person), running_game(current_table)
        require_hints(current_table)
        if current_table.record.actor != seat:
            raise Refusal(Code.NOT_YOUR_TURN, {"turn": game.turn})
        return await self._context.snapshots.person_snapshot(current_table, person), TurnWithoutHiddenCards(
            seat, state_without_hidden_cards(game, seat)
        )

    async def computer_turn(self, table: int) -> SeatSnapshot | None:
        """Return the snapshot of the seat to act if a computer player holds it, else None.

        None also while the table is halted, or if all people have left it.
        """
        current_table = await self._context.repository.get(table)
        seat, resting = current_table.record.actor, current_table.record.is_halted or current_table.record.has_no_people
        if seat is None or current_table.record.seats[seat].kind != "computer" or resting:
            return None
        return await self._context.snapshots.seat_snapshot(current_table, seat)

    async def deal_so_far(self, table: int, *, since: int = 0) -> DealSoFar:
        """Return the public events of the current deal, if possible only those after version `since`.

        All events are returned if a deal has begun since then, or a move was undone. Refusals: unknown_table,
        unreadable_table.
        """
        current_table = await self._context.repository.get(table)
        if since:
            rows = await self._context.log_entries(current_table, after=since)
            if not any(isinstance(event, Undone | DealStarted) for row in rows for event in row.events):
                return DealSoFar(current_table.version, None, _public_events(rows))
        reach = STEP_BACK
        while True:
            rows = await self._context.log_entries(current_table, after=max(0, current_table.version - reach))
            begun = next((row for row in reversed(rows) if _deal_started_in(row) is not None), None)
            if begun is not None or reach >= current_table.version:
                break
            reach *= 2
        if begun is None:
            return DealSoFar(current_table.version, (), ())
        rules, rows = (
            current_table.record.rules,
            without_undone_moves(row for row in rows if row.version >= begun.version),
        )
        return DealSoFar(current_table.version, _first_pile_cards(rules, _deal_started_in(begun)), _public_events(rows))

    async def run_in_rules_thread(self, rules: RuleSet, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Run `work`, in the rules thread if the rules are slow (`bot.tables.core.rules_thread`)."""
        return await self._context.rules_thread.run(rules, work, *arguments)

    async def settling_events_since(self, table: int, version: int, *, guild: int | None) -> tuple[SettlingEvent, ...]:
        """Return the events that settled votes, claims, proposals and roll calls since that version.

        The oldest comes first.

        Refusals: unknown_table, wrong_server, unreadable_table.
        """
        current_table = await self._table_in_guild(table, guild)
        rows = await self._context.log_entries(current_table, after=version, limit=MOST_SEARCHED)
        return tuple(event for row in rows for event in row.events if isinstance(event, SettlingEvent))

    async def open_tables_in(self, guild: int) -> tuple[TableSnapshot, ...]:
        """Return the readable lobbies and running games of a guild, oldest first; each is loaded."""
        return await self._snapshots_of_readable(await self.open_refs_in(guild))

    async def open_tables_of(self, person: int, guild: int | None = None) -> tuple[TableSnapshot, ...]:
        """Return the open tables where the person is seated, in one guild or in all, oldest first."""
        return await self._snapshots_of_readable(await self.open_refs_of(person, guild))

    async def open_refs_in(self, guild: int) -> tuple[TableRef, ...]:
        """Return references to a guild's lobbies and running games, oldest first, without loading them."""
        return self._readable_refs(await self._context.store.tables.tables_in_guild(guild, OPEN))

    async def lobby_refs_in(self, guild: int) -> tuple[TableRef, ...]:
        """Return references to a guild's lobbies, oldest first, without loading them."""
        return self._readable_refs(await self._context.store.tables.tables_in_guild(guild, (Status.LOBBY,)))

    async def open_refs_of(self, person: int, guild: int | None = None) -> tuple[TableRef, ...]:
        """Return references to the open tables where the person sits, oldest first.

        They are those of one guild, or without a `guild` of all. No table is loaded.
        """
        return self._readable_refs(await self._context.store.tables.tables_of_player(person, OPEN, guild=guild))

    async def refs_with_kept_seat(self, person: int, guild: int | None) -> tuple[TableRef, ...]:
        """Return references to the guild's running games where a computer player keeps the person's seat."""
        known = await self._context.store.tables.tables_with_person(person)
        found = []
        for one in self._readable_refs(
            tuple(table for table in known if (table.guild, table.status) == (guild, Status.PLAYING))
        ):
            with suppress(TableRefusal):  # a table that turns out to be unreadable is left out
                if (await self._context.repository.get(one.id)).record.seat_kept_for(person) is not None:
                    found.append(one)
        return tuple(found)

    async def cached_snapshots(self, tables: Iterable[TableRef], *, most: int) -> tuple[TableSnapshot, ...]:
        """Return snapshots of all cached tables and of at most `most` others, in the order given."""
        chosen = []
        for one in tables:
            remembered = self._context.repository.records.is_cached(one.id)
            most -= not remembered
            if remembered or most >= 0:
                chosen.append(one)
        return await self._snapshots_of_readable(chosen)

    async def tables_with_due_computer_turn(self) -> tuple[int, ...]:
        """Return the numbers of the tables where a computer player must act.

        Tables that turned out to be unreadable are left out.
        """
        set_aside = self._context.repository.records.tables_set_aside
        return tuple(
            one for one in await self._context.store.tables.tables_awaiting_computers() if one not in set_aside
        )

    def _readable_refs(self, summaries: tuple[TableSummary, ...]) -> tuple[TableRef, ...]:
        """Return references to the tables, without the unreadable ones."""
        set_aside = self._context.repository.records.tables_set_aside
        return tuple(table_ref_of(summary) for summary in summaries if summary.id not in set_aside)

    async def _snapshots_of_readable(self, tables: Iterable[TableRef]) -> tuple[TableSnapshot, ...]:
        """Return the tables' snapshots; unreadable tables are left out."""
        found = []
        for one in tables:
            try:
                found.append(await self.snapshot(one.id))
            except TableRefusal as refusal:
                if refusal.code is not TableCode.UNREADABLE_TABLE:
                    raise
        return tuple(found)

    async def _table_in_guild(self, table: int, guild: int | None) -> Table:
        """Return the table. Refusals: unknown_table, wrong_server."""
        current_table = await self._context.repository.get(table)
        if current_table.guild != guild:
            raise TableRefusal(TableCode.WRONG_SERVER, {"table": table})
        return current_table


def _deal_started_in(row: LogEntry) -> DealStarted | None:
    """Return the event that begins a deal in this row of the log, if one does."""
    return next((event for event in row.events if isinstance(event, DealStarted)), None)


def _first_pile_cards(rules: RuleSet, deal_started: DealStarted | None) -> tuple[Card, ...]:
    """Return the open cards of the pile at the start of a deal."""
    if deal_started is None:
        return ()
    seating = seating_of(rules.teams, rules.players, deal_started.deal)
    dealt = deal_pack(rules, seating, deal_started.dealer, deal_started.pack, number=deal_started.deal)
    return dealt.pile[dealt.hidden :]


def _public_events(rows: Iterable[LogEntry]) -> tuple[Event, ...]:
    """Return the game's events in these rows, as all players saw them.

    They start with the deal if one begins in these rows.
    """
    events: list[Event] = []
    for row in rows:
        for event in row.events:
            if isinstance(event, DealStarted):
                events.clear()
            elif isinstance(event, Event):
                events.append(public_event(event))
    return tuple(events)
