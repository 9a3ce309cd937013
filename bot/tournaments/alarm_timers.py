"""Handle the alarms of tournaments when the scheduler fires; every tournament is one timer.

Alarms are derived from the tournament's state. When the timer fires, all alarms due by then are handled in one step. An
alarm that fails is skipped, reported and tried again (`bot.tournaments.core.faults`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from bot.store.errors import FATAL_ERRORS
from bot.store.timers_and_uptime import DueTimer
from bot.store.tournaments import TournamentFault, TournamentOutline
from bot.tables.service import TableService
from bot.tournaments.core.faults import TABLES, FaultKey, fault_key_of
from bot.tournaments.core.repository import TournamentRepository, TournamentRequest
from bot.tournaments.event import boards, entering, forfeits, matches, rounds, start
from bot.tournaments.event.alarms import Alarm, AlarmKind, alarms, count_due_reminders
from bot.tournaments.event.joining import rosters
from bot.tournaments.event.match_state import MatchStage
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.results import result_by_time, result_by_totals, rule_on_late_boards
from bot.tournaments.event.slow import agreed_times
from bot.tournaments.event.tournament import Audience, Tournament
from bot.tournaments.event.tournament_changes import add_news, with_match
from bot.tournaments.formats import ladder
from bot.tournaments.results_from_tables import PlayingService, with_match_result
from bot.tournaments.rounds import RoundsService

Handler: TypeAlias = Callable[[Tournament, Alarm, int], Awaitable[Tournament]]

MOST: Final = 10_000
"""Most alarms handled in one step; more can only come from a handler that leaves its own alarm due."""

KIND: Final = "tournament"


class AlarmService:
    """Handles the alarms of tournaments; the scheduler sees each tournament as one timer."""

    def __init__(
        self, repository: TournamentRepository, rounds: RoundsService, playing: PlayingService, tables: TableService
    ) -> None:
        self._repository = repository
        self._faults = repository.faults
        self._rounds = rounds
        self._playing = playing
        self._tables = tables
        self._handlers: Mapping[AlarmKind, Handler] = {
            AlarmKind.PARTNER: self._expire_partner_invitation,
            AlarmKind.REGULAR: self._expire_regular_invitation,
            AlarmKind.CHECK_IN: self._open_check_in,
            AlarmKind.CHECK_IN_OVER: self._close_check_in,
            AlarmKind.CALL: self._call_round,
            AlarmKind.BOARD: self._end_board,
            AlarmKind.ABSENT: self._handle_absence,
            AlarmKind.WARN: self._warn_of_round_end,
            AlarmKind.REMIND: self._remind_of_round_end,
            AlarmKind.ROUND_OVER: self._end_round,
            AlarmKind.OVERTIME_OVER: self._end_overtime,
            AlarmKind.LADDER: self._apply_ladder_deadlines,
            AlarmKind.AGREED: self._handle_agreed_time,
            AlarmKind.CLOSE: self._close_tournament,
        }

    async def next_due_at(self) -> int | None:
        """Return when the next alarm of any tournament is due (UTC milliseconds)."""
        return await self._repository.store.tournaments.next_due_at()

    async def due_timers(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Return the timers of at most `limit` tournaments with an alarm due by now."""
        rows = await self._repository.store.tournaments.due_tournaments(now, limit)
        return tuple(DueTimer(number, 0, KIND, due_at, 0) for number, due_at in rows)

    async def fire_deadline(self, tournament: int, kind: str) -> None:
        """Handle all due alarms of a tournament; record failed ones, so that they do not block the others.

        Before that, read the tournament again if it could not be read last time, and retry a failed update of its
        tables.
        """
        del kind
        try:
            await self._repository.reload_tournament(tournament)
        except TournamentRefusal as refusal:
            if refusal.code is not TournamentCode.UNREADABLE:
                raise
            return  # `reload_tournament` has recorded the failure as a fault
        tables = (await self._faults.faults_of(tournament)).get((TABLES, 0))
        if tables is not None and tables.again_at <= self._repository.clock.now():
            await self._playing.sync_tables(tournament, thoroughly=True)
        try:
            await self._handle_due_alarms(tournament, None)
        except FATAL_ERRORS:
            raise
        except Exception:  # noqa: BLE001 - each alarm is then handled alone, to find the one that fails
            for alarm in self._due_alarms(
                await self._repository.tournament(tournament), await self._faults.faults_of(tournament)
            ):
                await self._handle_single_alarm(tournament, alarm)

    async def retry_task(self, person: int, tournament: int, key: FaultKey) -> bool:
        """Retry a failed task for a director; return whether it now works. Refusal: not_director."""
        await self.require_director(person, tournament)
        await self._faults.retry_now(tournament, key)
        await self.fire_deadline(tournament, KIND)
        return key not in await self._faults.faults_of(tournament)

    async def require_director(self, person: int, tournament: int) -> None:
        """Raise `TournamentRefusal` not_director unless the person directs.

        Works for unreadable tournaments too.
        """
        outline = await self._repository.store.tournaments.outline(tournament)
        if outline is None or person not in outline.directors:
            raise TournamentRefusal(TournamentCode.NOT_DIRECTOR)

    async def fault_with_outline(
        self, tournament: int, key: FaultKey
    ) -> tuple[TournamentFault | None, TournamentOutline | None]:
        """Return a fault, even one that has ended but is not reported yet, with the tournament's outline."""
        store = self._repository.store.tournaments
        known = (one for one in await store.faults(tournament) if (one.what, one.subject) == key)
        return next(known, None), await store.outline(tournament)

    async def delete_ended_fault(self, fault: TournamentFault) -> None:
        """Delete a fault after its end was reported."""
        await self._repository.store.tournaments.end_fault(fault)

    def _due_alarms(self, tournament: Tournament, faults: Mapping[FaultKey, TournamentFault]) -> tuple[Alarm, ...]:
        """Return the due alarms, without failed ones that wait for their next attempt."""
        now = self._repository.clock.now()
        waiting = {key for key, one in faults.items() if one.again_at > now}
        return tuple(
            one for one in alarms(tournament) if one.at <= now and fault_key_of(tournament, one) not in waiting
        )

    async def _handle_single_alarm(self, tournament_number: int, alarm: Alarm) -> None:
        """Handle one alarm in a step of its own; record a failure as a fault."""
        try:
            await self._handle_due_alarms(tournament_number, alarm)
        except FATAL_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - recorded as a fault, reported and retried
            tournament = await self._repository.tournament(tournament_number)
            await self._faults.record_failure(tournament_number, fault_key_of(tournament, alarm), error, tournament)

    async def _handle_due_alarms(self, tournament_number: int, only_alarm: Alarm | None) -> None:
        """Handle all due alarms, or `only_alarm` one, in one step; record failures and recoveries."""
        known = await self._faults.faults_of(tournament_number)
        failed: dict[FaultKey, Exception] = {}
        rung: set[FaultKey] = set()

        async def change_tournament(tournament: Tournament, now: int) -> Tournament:
            for _ in range(MOST):
                due = (
                    one for one in self._due_alarms(tournament, known) if fault_key_of(tournament, one) not in failed
                )
                alarm = next((one for one in due if only_alarm in (None, one)), None)
                if alarm is None:
                    break
                key = fault_key_of(tournament, alarm)
                try:
                    tournament = await self._tournament_after_alarm(tournament, alarm, now)
                except FATAL_ERRORS:
                    raise
                except Exception as error:  # noqa: BLE001 - recorded as a fault; the other alarms go on
                    failed[key] = error
                else:
                    rung.add(key)
            return tournament

        tournament = await self._playing.change(tournament_number, TournamentRequest("clock"), change_tournament)
        for key, error in failed.items():
            await self._faults.record_failure(tournament_number, key, error, tournament)
        for key in rung & known.keys() - failed.keys():
            await self._faults.record_recovery(tournament_number, key, tournament)

    async def _tournament_after_alarm(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        """Return the tournament after an alarm.

        Raises `LookupError` if nothing changes, to avoid an endless loop.
        """
        after = await self._handlers[alarm.ring](tournament, alarm, now)
        if after is tournament:
            raise LookupError(alarm.ring.value)
        return await self._rounds.with_consequences(tournament, after, now)

    async def _expire_partner_invitation(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        return entering.expire_partner_invitation(tournament, entry=alarm.of, now=now)

    async def _expire_regular_invitation(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        return rosters.expire_regular_invitations(tournament, entry=alarm.of, now=now)

    async def _open_check_in(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return start.open_check_in(tournament, now=now)

    async def _close_check_in(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return await self._rounds.start(tournament, now)

    async def _call_round(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return rounds.call_round(tournament, now=now)

    async def _handle_absence(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        """Announce an absent person; at the second deadline their side forfeits."""
        match = tournament.match(alarm.of)
        if tournament.plan.computers:  # a computer player plays for absent players
            everybody = tuple(one for one in match.seats if one is not None)
            return with_match(tournament, replace(match, arrived=everybody, turns=()))
        turn = matches.awaited_turn(tournament, match)
        told = turn is not None and turn.waited > 0
        return (
            forfeits.forfeit_no_show(tournament, match=alarm.of, now=now)
            if told
            else matches.announce_absence(tournament, match=alarm.of, now=now)
        )

    async def _warn_of_round_end(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        """Announce to the match that its round ends in ten minutes."""
        match = tournament.match(alarm.of)
        after = with_match(tournament, replace(match, warned=match.warned + 1))
        return add_news(after, "ten_minutes", now, audience=Audience.MATCH, match=match.id)

    async def _remind_of_round_end(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        """Remind the player whose turn it is (if unknown, the whole match) of the round's end."""
        match = tournament.match(alarm.of)
        after = with_match(tournament, replace(match, warned=max(1, count_due_reminders(match.due or now, now))))
        holder = await self._player_to_move(match.tables[-1].table) if match.tables else None
        return add_news(
            after,
            "round_ends",
            now,
            audience=Audience.MATCH,
            match=match.id,
            persons=() if holder is None else (holder,),
            numbers={"until": match.due or 0},
            pings=holder is not None,
        )

    async def _handle_agreed_time(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        """Remind a match of its agreed time, begin its hours, or record which side was absent.

        A side that was absent twice forfeits.
        """
        match = tournament.match(alarm.of)
        if match.reminded < len(agreed_times.REMINDED):
            return agreed_times.remind_match(tournament, match=match.id, now=now)
        if match.hours_until is None:
            return agreed_times.begin_agreed_time(tournament, match=match.id, now=now)
        outcomes = [await self._playing.table_result(one.table) for one in match.tables]
        begun = any(one.deals for one in outcomes)
        missing = None if begun or not match.tables else await self._player_to_move(match.tables[-1].table)
        after = agreed_times.end_agreed_time(tournament, match=match.id, missing=missing, now=now)
        side = agreed_times.side_absent_twice(after.match(match.id))
        if side is None:
            return after
        return forfeits.forfeit_sides(after, match=match.id, sides=(side,), now=now)

    async def _player_to_move(self, table: int) -> int | None:
        """Return the person whose turn it is at the table, if any."""
        view = await self._tables.reading.snapshot(table)
        actor = None if view.view is None else view.view.actor
        return None if actor is None else view.seats[actor].person

    async def _end_round(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        """End a match whose round is over: set its result, or let sides forfeit that offered no times.

        A live match first finishes its deal; of a slow match at least half played, only finished deals count.
        """
        match = tournament.match(alarm.of)
        if tournament.plan.live:
            return with_match(tournament, replace(match, ending=True))
        outcomes = [await self._playing.table_result(one.table) for one in match.tables]
        silent = agreed_times.silent_sides(tournament, match)
        if silent and not any(one.deals for one in outcomes):
            return forfeits.forfeit_sides(tournament, match=match.id, sides=silent, now=now)
        if match.boards:
            left = [one for one in match.boards if not boards.is_done_with_board(tournament, match, one)]
            after = rule_on_late_boards(tournament, match, left, outcomes, now=now)
            return matches.set_result(after, match=match.id, result=result_by_totals(after, match, outcomes, now=now))
        result = result_by_time(tournament, match, outcomes, now=now)
        if result is None:  # only finished deals count
            return with_match(tournament, replace(match, ending=True))
        return matches.set_result(tournament, match=match.id, result=result)

    async def _end_board(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        """End a board of a slow duplicate.

        Tables that have not played it get an adjusted score (`docs/tournaments.md` 3).
        """
        for match in tournament.matches:
            if alarm.of in match.boards and not boards.is_done_with_board(tournament, match, alarm.of):
                tables = [one.table for one in match.tables if one.board == alarm.of]
                outcomes = [await self._playing.table_result(table) for table in tables]
                tournament = rule_on_late_boards(tournament, match, [alarm.of], outcomes, now=now)
                tournament = with_match_result(
                    tournament, match.id, [await self._playing.table_result(one.table) for one in match.tables], now
                )
        return tournament

    async def _end_overtime(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        """End the match without the deal in progress; the table is closed after this step."""
        match = tournament.match(alarm.of)
        outcomes = [await self._playing.table_result(one.table) for one in match.tables]
        if match.stage is not MatchStage.PLAYING:
            return tournament
        return matches.set_result(
            tournament, match=match.id, result=result_by_totals(tournament, match, outcomes, now=now)
        )

    async def _apply_ladder_deadlines(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return ladder.apply_ladder_deadlines(tournament, now=now)

    async def _close_tournament(self, tournament: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return await self._rounds.close(tournament, now)
