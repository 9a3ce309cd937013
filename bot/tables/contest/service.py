"""The service for tournaments: opening their tables, directing them, and reading results.

For tournaments: no rate limit, and every request is idempotent. The tournament checks who may direct. Every method with
a table may refuse with unknown_table (also for a table of no tournament) and unreadable_table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from bot.clocks.time_rules import ClockTerms
from bot.engine.moves.events import GameEnded
from bot.store.contest_tables import ContestKey, ContestRow
from bot.store.errors import InvalidWrite
from bot.store.guilds import AuditEntry
from bot.tables.consent.accepted_proposals import add_events_of_accepted_proposal
from bot.tables.contest import agreed_hours, directing
from bot.tables.contest.directing import ContestOpening
from bot.tables.contest.table_results import ContestResult, ThinkingTime, result_of
from bot.tables.context import TableContext
from bot.tables.masters import interventions
from bot.tables.past import visible_history
from bot.tables.past.history import Replay, history_of
from bot.tables.play.deals import add_events_of_next_deal
from bot.tables.state.contest import Director
from bot.tables.state.events import AnyEvent, Deadline, GameConcluded, SeatChanged, TableClosed
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import DeadlineHandler, Decision, TableLocation, TableRequest
from bot.tables.state.snapshots import SeatHolder, Status, TableSnapshot
from bot.tables.state.table import Table
from bot.tables.timing.timekeeping import time_left

Decides: TypeAlias = Callable[[Table], tuple[AnyEvent, ...]]

_ENDS = (GameEnded, GameConcluded, TableClosed)


class ContestService:
    """A tournament's requests about its tables (`docs/tournaments.md` 2)."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    # --- opening -----------------------------------------------------------------------------------------------------

    async def open_contest(self, location: TableLocation, opening: ContestOpening) -> TableSnapshot:
        """Return the table of this opening with its game started; open it if it does not exist yet.

        Its thread may be stored later (`move`). Raises `ValueError` for an opening whose parts do not fit.
        """
        contest = opening.contest
        key = ContestKey(contest.tournament, contest.match, contest.number)
        number = await self._context.store.contests.find_table(key)
        if number is None:
            number = await self._find_or_open_table(location, opening, key)
        table = await self._context.repository.get(number)
        if table.record.status is not Status.LOBBY:
            return await self._context.snapshots.table_snapshot(table)
        if not table.record.shuffles and table.record.known is None:
            await self._context.repository.publish_seed_commitment(number)
        return await self._start_table(number, opening)

    async def _find_or_open_table(self, location: TableLocation, opening: ContestOpening, key: ContestKey) -> int:
        """Open the table unless another request has opened it first; return its number."""
        events = directing.opening_events(opening, now=self._context.clock.now())
        try:
            return (await self._context.repository.open(location, TableRequest("open_contest", {}), events)).table.id
        except InvalidWrite:  # another request opened it first
            number = await self._context.store.contests.find_table(key)
            if number is None:
                raise
            return number

    async def _start_table(self, table_number: int, opening: ContestOpening) -> TableSnapshot:
        """Start the game of a table that is still in its lobby; return the table."""

        async def decide_events(current_table: Table) -> Decision:
            if current_table.record.status is not Status.LOBBY:
                return Decision(())
            begins = directing.begin_game(current_table.record, opening.dealer, opening.shares)
            return await add_events_of_next_deal(self._context, current_table, begins, None)

        return await self._context.change(table_number, TableRequest("begin_contest", {}), decide_events)

    # --- directing ---------------------------------------------------------------------------------------------------

    async def pause(self, table: int, director: Director) -> TableSnapshot:
        """Pause the game. Refusals: game_finished, table_closed."""
        now = self._context.clock.now()
        return await self._apply_as_director(
            table, "pause", director, lambda current_table: directing.pause_game(current_table, director, now=now)
        )

    async def resume(self, table: int, director: Director | None = None) -> TableSnapshot:
        """Resume a paused game. Refusals: game_finished, table_closed."""
        now = self._context.clock.now()
        return await self._apply_as_director(
            table, "resume", director, lambda current_table: directing.resume_game(current_table, now=now)
        )

    async def substitute(
        self,
        table: int,
        *,
        seat: int,
        holder: SeatHolder,
        at_once: bool = False,
        director: Director | None = None,
    ) -> TableSnapshot:
        """Give a seat to another person or a computer player, from the next deal on or `at_once`.

        Refusals: no_such_seat, game_finished, table_closed.
        """
        return await self._apply_as_director(
            table,
            "substitute",
            director,
            lambda current_table: directing.replace_holder(current_table, seat, holder, at_once=at_once),
        )

    async def mark_arrived(self, table: int, persons: Collection[int]) -> TableSnapshot:
        """Mark these people as present and start their clocks, even if they have not acted yet.

        Refusals: game_finished, table_closed.
        """
        now = self._context.clock.now()
        return await self._apply_as_director(
            table, "came", None, lambda current_table: directing.mark_arrived(current_table, persons, now=now)
        )

    async def begin_agreed_hours(self, table: int, terms: ClockTerms | None) -> TableSnapshot:
        """Change the clock for an agreed time to `terms`, or to no clock until that time comes.

        Refusals: game_finished, table_closed.
        """
        now = self._context.clock.now()

        async def decide_events(current_table: Table) -> Decision:
            clocks = current_table.record.clocks
            owes = None if clocks is None else clocks.owes
            left = None if owes is None else await time_left(current_table.record, owes, self._context.time_lookup, now)
            return Decision(agreed_hours.begin_agreed_hours(current_table, terms, left, now=now))

        found = await self._contest_table(table)
        if not agreed_hours.begin_agreed_hours(found, terms, None, now=now):
            return await self._context.snapshots.table_snapshot(found)
        return await self._context.change(table, TableRequest("contest_hours", {}), decide_events)

    async def end_agreed_hours(self, table: int) -> TableSnapshot:
        """Return to the usual clock after an agreed time. Refusals: game_finished, table_closed."""
        now = self._context.clock.now()
        return await self._apply_as_director(
            table, "hours_over", None, lambda current_table: agreed_hours.end_agreed_hours(current_table, now=now)
        )

    async def end(
        self, table: int, *, finish_deal: bool, until: int | None = None, director: Director | None = None
    ) -> TableSnapshot:
        """End the game with the totals of its finished deals.

        With `finish_deal` the deal in play still counts if it is finished by `until` (UTC milliseconds), and no further
        deal begins.
        """
        return await self._apply_as_director(
            table,
            "end",
            director,
            lambda current_table: directing.end_round(current_table, finish_deal=finish_deal, until=until),
        )

    async def forfeit(self, table: int, *, sides: Sequence[int], director: Director | None = None) -> TableSnapshot:
        """End the game as lost by these sides, which may be all sides."""
        return await self._apply_as_director(
            table, "forfeit", director, lambda current_table: directing.forfeit_sides(current_table, sides)
        )

    async def void(self, table: int, director: Director | None = None) -> TableSnapshot:
        """Close the table without a result; a finished game keeps its result, which the tournament ignores."""
        return await self._apply_as_director(table, "void", director, directing.void_table)

    async def unseal(self, table: int) -> TableSnapshot:
        """Allow the play of a board's table to be viewed."""
        return await self._apply_as_director(table, "unseal", None, directing.unseal_table)

    async def _apply_as_director(
        self, table: int, kind: str, director: Director | None, decides: Decides
    ) -> TableSnapshot:
        """Apply a director's action and store its reason in the audit log.

        Nothing is stored if `decides` returns no events.
        """

        async def decide_events(current_table: Table) -> Decision:
            plan = await add_events_of_accepted_proposal(self._context, current_table, decides(current_table))
            return replace(plan, audit=_audit_entry(current_table, kind, director, self._context.clock.now()))

        found = await self._contest_table(table)
        if not decides(found):
            return await self._context.snapshots.table_snapshot(found)
        return await self._context.change(table, TableRequest(f"contest_{kind}", {}), decide_events)

    # --- reading -----------------------------------------------------------------------------------------------------

    async def tables_of(self, tournament: int, match: int | None = None) -> tuple[ContestRow, ...]:
        """Return the tables of a tournament, or of one match, by match and number, without loading them."""
        contests = self._context.store.contests
        return await (
            contests.tables_of_tournament(tournament) if match is None else contests.tables_of_match(tournament, match)
        )

    async def result(self, table: int) -> ContestResult:
        """Return the current or final result of a table; only for directors while it is sealed."""
        current_table = await self._contest_table(table)
        rows = await self._context.store.tables.actions(table, limit=current_table.version)
        happened = [
            (row.at, self._context.repository.records.events_of_row(current_table, row.payload)) for row in rows
        ]
        thinking = ThinkingTime(current_table.record)
        for at, events in happened:
            thinking.add_events(at, events)
        thought = await thinking.milliseconds_by_side(self._context.time_lookup, self._context.clock.now())
        ends = (at for at, events in happened if any(isinstance(event, _ENDS) for event in events))
        history = history_of(event for _, events in happened for event in events)
        opened_at = happened[0][0] if happened else 0
        return result_of(table, history, thinking_time=thought, finished_at=next(ends, None), opened_at=opened_at)

    async def replays(self, table: int) -> tuple[Replay, ...]:
        """Return the finished deals with open hands; none while the game runs or the table is sealed."""
        current_table = await self._contest_table(table)
        if current_table.record.status is Status.PLAYING or current_table.record.is_sealed:
            return ()
        rows = await self._context.store.tables.actions(table, limit=current_table.version)
        history = history_of(
            event
            for row in rows
            for event in self._context.repository.records.events_of_row(current_table, row.payload)
        )
        snapshot = replace(await self._context.snapshots.table_snapshot(current_table), sat=history.sat)
        return tuple(
            visible_history.replay_of(history, snapshot, deal)
            for deal in visible_history.numbers_of_viewable_deals(history)
        )

    async def possible_viewers(self, table: int) -> frozenset[int]:
        """Return the people who may have seen cards: everyone ever seated, and spectators."""
        current_table = await self._contest_table(table)
        rows = await self._context.store.tables.actions(table, limit=current_table.version)
        events = (
            event
            for row in rows
            for event in self._context.repository.records.events_of_row(current_table, row.payload)
        )
        sat = {event.holder.person for event in events if isinstance(event, SeatChanged)}
        watchers = await self._context.store.spectators.spectators_at_table(table)
        return frozenset(person for person in sat if person is not None) | {one.person for one in watchers}

    async def _contest_table(self, table: int) -> Table:
        """Return the tournament's table. Refusal: unknown_table."""
        current_table = await self._context.repository.get(table)
        if current_table.record.contest is None:
            raise TableRefusal(TableCode.UNKNOWN_TABLE, {"table": table})
        return current_table

    # --- deadlines ---------------------------------------------------------------------------------------------------

    @property
    def deadlines(self) -> Mapping[Deadline, DeadlineHandler]:
        """The handlers of this service's deadlines."""
        return {Deadline.ROUND_END: lambda table: Decision(directing.end_game_with_totals(table.record))}


def _audit_entry(table: Table, kind: str, director: Director | None, now: int) -> AuditEntry | None:
    """Return the audit entry of a director's action; None if the tournament itself acts."""
    if director is None:
        return None
    return AuditEntry(table.guild, table.id, director.person, kind, interventions.clean_reason(director.reason), now)
