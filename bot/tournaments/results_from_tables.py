"""The service that updates the tables of tournaments and records their results.

A change of a tournament is stored first, then its tables are updated (`_update_tables`). The update can be repeated:
after a restart, it completes what is left undone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Collection, Coroutine, Sequence
from dataclasses import replace
from typing import Any

from bot.logs import label_log_lines, record_failure
from bot.store.errors import FATAL_ERRORS
from bot.tables.contest.table_results import ContestResult
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Status, TableChanged
from bot.tournaments.core.faults import TABLES
from bot.tournaments.core.repository import Step, TournamentRepository, TournamentRequest
from bot.tournaments.event import boards, forfeits, matches
from bot.tournaments.event.match_state import MatchStage, MatchState, MatchTable
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.results import needs_further_deal, result_of_match
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import LIVE, require_guild
from bot.tournaments.rounds import RoundsService
from bot.tournaments.table_sync import TableSync, matches_to_update

logger = logging.getLogger(__name__)


class PlayingService:
    """Updates tables and receives results; one lock per tournament orders the work at its tables."""

    def __init__(self, repository: TournamentRepository, rounds: RoundsService, tables: TableService) -> None:
        self._repository = repository
        self._rounds = rounds
        self._tables = tables
        self._running: set[asyncio.Task[Any]] = set()
        self._locks: dict[int, asyncio.Lock] = {}
        self._waiting_updates: set[int] = set()
        self._synced: dict[int, Tournament] = {}
        """Each tournament in the state that its tables match."""
        self._table_sync = TableSync(tables, repository.store)
        tables.subscribe(self._handle_table_change)

    def owns_guild(self, guild: int) -> bool:
        """Return whether this process owns a guild's tournaments; others leave them to their owner."""
        return self._repository.store.shards.owns(guild)

    async def finish(self) -> None:
        """Wait until all background work is done."""
        while self._running:
            await asyncio.wait(self._running)
        await self._repository.finish()

    def _run_in_background(self, work: Coroutine[Any, Any, object], task_name: str, *, tournament: int) -> None:
        """Run the work in a background task; log its failure with `task_name`."""

        async def run_and_log() -> None:
            try:
                await work
            except FATAL_ERRORS:
                return  # the program is ending; the next start continues
            except Exception as error:  # noqa: BLE001 - other tournaments must go on
                record_failure(logger, task_name, error, tournament=tournament)

        task = asyncio.ensure_future(run_and_log())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    # --- changing ----------------------------------------------------------------------------------------------------

    async def change(self, tournament_number: int, request: TournamentRequest, step: Step) -> Tournament:
        """Take a step and store it with what follows directly from it; then update tables in the background."""

        async def apply_consequences(tournament: Tournament, now: int) -> Tournament:
            if request.caller is not None:
                require_guild(tournament, request.caller.guild)
            after = await step(tournament, now)
            return after if after is tournament else await self._rounds.with_consequences(tournament, after, now)

        done = await self._repository.change(tournament_number, request, apply_consequences)
        self._run_in_background(
            self.sync_tables(tournament_number), "updating the tables of a tournament", tournament=tournament_number
        )
        return done

    # --- tables ------------------------------------------------------------------------------------------------------

    async def set_match_channel(self, tournament: int, match: int, channel: int, *, room: int = 1) -> Tournament:
        """Set the thread or channel of a match's table in that room; the table is then opened.

        Refusal: no_such_match.
        """

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            return matches.set_match_channel(current_tournament, match=match, channel=channel, room=room)

        return await self.change(tournament, TournamentRequest("place", None, {"match": match}), change_tournament)

    async def resume_after_start(self) -> None:
        """Delay times by the bot's absence and update the tables of all tournaments; call it after a start.

        Tables of finished tournaments are included, in case the bot stopped before ending them.
        """
        open_, over = (*LIVE, Stage.CLOSING), (Stage.CLOSED, Stage.CANCELLED)
        for number in await self._repository.store.tournaments.tournaments_with_stage([one.value for one in open_]):
            work = self._run_recording_faults(number, self._delay_times_by_bot_absence(number))
            self._run_in_background(work, "resuming a tournament", tournament=number)
        for number in await self._repository.store.tournaments.tournaments_with_stage([one.value for one in over]):
            rows = await self._tables.contest.tables_of(number)
            if any(row.status in (Status.LOBBY, Status.PLAYING) for row in rows):
                self._run_in_background(
                    self.sync_tables(number), "updating the tables of a tournament", tournament=number
                )

    async def sync_tables(self, tournament_number: int, *, thoroughly: bool = False) -> None:
        """Update the tables of matches that changed, or with `thoroughly` of all matches.

        A failure is recorded as a fault, so that it is reported and retried.
        """

        async def update_changed_tables() -> None:
            await self._update_tables(tournament_number, thoroughly=thoroughly)
            if (TABLES, 0) in await self._repository.faults.faults_of(tournament_number):
                await self._repository.faults.record_recovery(
                    tournament_number, (TABLES, 0), await self._repository.tournament(tournament_number)
                )

        await self._run_recording_faults(tournament_number, update_changed_tables())

    async def _run_recording_faults(self, tournament_number: int, work: Awaitable[None]) -> None:
        """Run work on a tournament's tables; if it fails, record a fault, so that it is retried later."""
        try:
            with label_log_lines(tournament=tournament_number):
                await work
        except FATAL_ERRORS:
            raise
        except TournamentRefusal:
            return  # the tournament cannot be read, which is recorded as a separate fault
        except Exception as error:  # noqa: BLE001 - recorded as a fault, reported and retried
            tournament = await self._repository.tournament(tournament_number)
            await self._repository.faults.record_failure(tournament_number, (TABLES, 0), error, tournament)

    async def _delay_times_by_bot_absence(self, tournament_number: int) -> None:
        """Store a step that delays times by the bot's absence, and update all tables of the tournament."""

        async def change_tournament(tournament: Tournament, _now: int) -> Tournament:
            return tournament

        if (await self._repository.tournament(tournament_number)).stage in LIVE:
            await self._repository.change(tournament_number, TournamentRequest("back"), change_tournament)
        await self._update_tables(tournament_number, thoroughly=True)

    async def _update_tables(self, tournament_number: int, *, thoroughly: bool = False) -> None:
        """Open missing tables, and end, pause or resume the others as the tournament requires."""
        if tournament_number in self._waiting_updates and not thoroughly:
            return  # a run that still waits for the lock will see this change too
        self._waiting_updates.add(tournament_number)
        lock = self._locks.setdefault(tournament_number, asyncio.Lock())
        async with lock:
            self._waiting_updates.discard(tournament_number)
            tournament = await self._repository.tournament(tournament_number)
            before = None if thoroughly else self._synced.get(tournament_number)
            found = matches_to_update(before, tournament)
            updated = await self._table_sync.update_tables(tournament, found)
            for match, table in updated.opened:
                await self._record_table(tournament_number, match, table)
            now_found = await self._repository.tournament(tournament_number)
            await self._record_turns(now_found, {one.id for one in (*found, *matches_to_update(tournament, now_found))})
            if updated.complete:
                self._remember_updated_state(tournament)
            if thoroughly:
                for row in await self._tables.contest.tables_of(tournament_number):
                    if row.status in (Status.FINISHED, Status.CLOSED):
                        await self._record_result(tournament_number, row.match, row.table)

    def _remember_updated_state(self, tournament: Tournament) -> None:
        """Remember the state of the tournament that its tables now match; forget a finished tournament."""
        if tournament.stage in (*LIVE, Stage.CLOSING):
            self._synced[tournament.id] = tournament
        else:
            self._synced.pop(tournament.id, None)

    async def _record_table(self, tournament_number: int, match: int, table: MatchTable) -> None:
        """Record that a table was opened for a match."""

        async def change_tournament(tournament: Tournament, now: int) -> Tournament:
            known = any(one.table == table.table for one in tournament.match(match).tables)
            return tournament if known else matches.add_table(tournament, match=match, table=table, now=now)

        await self._repository.change(
            tournament_number,
            TournamentRequest("table", None, {"match": match, "table": table.table}),
            change_tournament,
        )

    def _handle_table_change(self, changed: TableChanged) -> None:
        """Handle a stored change of a table that belongs to a tournament."""
        if changed.contest is not None:
            tournament, match = changed.contest
            work = self._update_from_table(tournament, match, changed.table)
            self._run_in_background(
                self._run_recording_faults(tournament, work), "recording a change of a table", tournament=tournament
            )

    async def _update_from_table(self, tournament_number: int, match: int, table: int) -> None:
        """Record which persons have acted at a table, and its result if it is over."""
        try:
            tournament = await self._repository.tournament(tournament_number)
            match_state = tournament.match(match)
        except (TournamentRefusal, KeyError):
            return
        view = await self._tables.reading.snapshot(table)
        if view.status in (Status.FINISHED, Status.CLOSED):
            await self._record_result(tournament_number, match, table)
        elif match_state.stage is MatchStage.PLAYING and matches.absent_persons(match_state):
            await self._record_presence(tournament_number, match_state, table)

    async def _record_presence(self, tournament_number: int, match: MatchState, table: int) -> None:
        """Record the persons who have acted at a table, and whose turn it is there.

        The table is read within the step, because steps run one after another and so record the turns in order. If it
        were read before, an earlier turn could replace a later one, and the bot would wait for the wrong player.
        """
        rows = await self._repository.store.tables.actions(table)
        came = {row.person for row in rows if row.person is not None} & set(matches.absent_persons(match))
        room = next((one.room for one in match.tables if one.table == table), 1)
        first = 4 * (room - 1) if match.boards else 0

        async def change_tournament(tournament: Tournament, now: int) -> Tournament:
            for person in came:
                tournament = matches.mark_arrived(tournament, match=match.id, person=person)
            view = await self._tables.reading.snapshot(table)
            actor = None if view.view is None or view.status is not Status.PLAYING else view.view.actor
            seat = None if actor is None else first + actor
            return matches.record_turn(tournament, match=match.id, room=room, seat=seat, now=now)

        await self._repository.change(
            tournament_number, TournamentRequest("arrive", None, {"match": match.id}), change_tournament
        )

    async def _record_turns(self, tournament: Tournament, numbers: Collection[int]) -> None:
        """Record whose turn it is at the tables of these matches, as far as persons are absent."""
        for match in tournament.matches:
            if (
                match.id in numbers
                and match.stage is MatchStage.PLAYING
                and match.result is None
                and matches.absent_persons(match)
            ):
                newest = {one.room: one.table for one in match.tables}
                for table in newest.values():
                    await self._record_presence(tournament.id, match, table)

    async def _record_result(self, tournament_number: int, match: int, table: int) -> None:
        """Record that a table is over: the match gets a result, or goes on at another table."""
        match_state = (await self._repository.tournament(tournament_number)).match(match)
        if match_state.result is not None or match_state.voided:
            return
        outcome = await self.table_result(table)
        others = [await self.table_result(one.table) for one in match_state.tables if one.table != table]

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return with_match_result(current_tournament, match, (*others, outcome), now)

        await self.change(
            tournament_number, TournamentRequest("result", None, {"match": match, "table": table}), change_tournament
        )

    async def table_result(self, table: int) -> ContestResult:
        """Return a table's result so far, final or not."""
        return await self._tables.contest.result(table)

    async def deal_in_play(self, tournament: int, match: int) -> int | None:
        """Return the number of the deal in play at the newest table of a match; None without one."""
        found = (await self._repository.tournament(tournament)).matches
        tables = next((one.tables for one in found if one.id == match), ())
        if not tables:
            return None
        view = await self._tables.reading.snapshot(tables[-1].table)
        return None if view.view is None else view.view.deal

    async def begun_matches(self, tournament: Tournament) -> frozenset[int]:
        """Return the matches of the newest round in which a move was made."""
        turn = tournament.current_round
        played = set()
        for match in () if turn is None else tournament.matches_of(turn.number):
            for one in match.tables:
                rows = await self._repository.store.tables.actions(one.table)
                if match.boards or any(row.seat is not None for row in rows):  # players know a board once it is dealt
                    played.add(match.id)
        return frozenset(played)

    async def boards_seen_by(self, tournament: int, person: int) -> tuple[int, ...]:
        """Return the boards of which the person has seen a card."""
        current_tournament = await self._repository.tournament(tournament)
        known = set()
        for match in current_tournament.matches:
            for one in match.tables:
                if one.board is not None and person in await self._persons_who_saw(one.table):
                    known.add(one.board)
        return tuple(sorted(known))

    async def _persons_who_saw(self, table: int) -> frozenset[int]:
        """Return the persons who may have seen cards of the table; empty if it cannot be read."""
        try:
            return await self._tables.contest.possible_viewers(table)
        except TableRefusal:
            return frozenset()


def with_match_result(tournament: Tournament, match: int, outcomes: Sequence[ContestResult], now: int) -> Tournament:
    """Return the tournament with the match's result, if these results of its tables decide it."""
    match_state = tournament.match(match)
    if match_state.result is not None or match_state.voided or tournament.stage is not Stage.RUNNING:
        return tournament
    after = tournament
    for one in outcomes:
        board = one.contest.board
        if board is not None and one.how == "played":
            room = next((table.room for table in match_state.tables if table.table == one.table), 1)
            after = boards.record_board(after, match=match, board=board.number, room=room, scores=one.totals, now=now)
    result = result_of_match(after, after.match(match), outcomes, now=now)
    if result is None:
        return after
    if needs_further_deal(after, result):
        return replace(
            after,
            matches=tuple(
                replace(one, further=one.further + 1)
                if one.id == match and _are_all_tables_over(one, outcomes)
                else one
                for one in after.matches
            ),
        )
    return forfeits.announce_forfeit(matches.set_result(after, match=match, result=result), match=match, now=now)


def _are_all_tables_over(match: MatchState, outcomes: Sequence[ContestResult]) -> bool:
    """Return whether these are the results of all tables, those for further deals included."""
    return len(match.tables) == len(outcomes) == match.further + 1
