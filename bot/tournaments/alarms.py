"""The scheduler's side of tournaments: every tournament is one timer.

Alarms are derived from the tournament's state; when the timer fires, everything due by then is done in one step.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from bot.store.timers_and_uptime import DueTimer
from bot.tables.service import TableService
from bot.tournaments.core.changes import TournamentRepository, TournamentRequest
from bot.tournaments.event import boards, entering, forfeits, matches, rounds, start
from bot.tournaments.event.alarms import Alarm, AlarmKind, alarms, reminders_due
from bot.tournaments.event.match_state import MatchStage
from bot.tournaments.event.results import give_boards, result_by_time, result_by_totals
from bot.tournaments.event.steps import tell, with_match
from bot.tournaments.event.tournament import Audience, Tournament
from bot.tournaments.formats import ladder
from bot.tournaments.playing import PlayingService, with_result
from bot.tournaments.rounds import RoundsService

Handler: TypeAlias = Callable[[Tournament, Alarm, int], Awaitable[Tournament]]

MOST: Final = 10_000
"""Limit of alarms handled in one step; more means that a handler leaves its own alarm due."""

KIND: Final = "tournament"


class AlarmService:
    """Handles the alarms of tournaments; the scheduler sees each tournament as one timer."""

    def __init__(
        self, repository: TournamentRepository, rounds: RoundsService, playing: PlayingService, tables: TableService
    ) -> None:
        self._repository = repository
        self._rounds = rounds
        self._playing = playing
        self._tables = tables
        self._handlers: Mapping[AlarmKind, Handler] = {
            AlarmKind.PARTNER: self._expire_question,
            AlarmKind.CHECK_IN: self._open_check_in,
            AlarmKind.CHECK_IN_OVER: self._close_check_in,
            AlarmKind.CALL: self._call_round,
            AlarmKind.BOARD: self._end_board,
            AlarmKind.ABSENT: self._handle_absence,
            AlarmKind.WARN: self._warn,
            AlarmKind.REMIND: self._remind,
            AlarmKind.ROUND_OVER: self._end_round,
            AlarmKind.OVERTIME_OVER: self._end_overtime,
            AlarmKind.LADDER: self._sweep_ladder,
            AlarmKind.CLOSE: self._close,
        }

    async def next_due(self) -> int | None:
        """Return when the next alarm of any tournament is due (UTC milliseconds)."""
        return await self._repository.store.tournaments.next_due()

    async def due(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Return the timers of tournaments with an alarm due by now."""
        rows = await self._repository.store.tournaments.due(now, limit)
        return tuple(DueTimer(number, 0, KIND, due_at, 0) for number, due_at in rows)

    async def fire_deadline(self, table: int, kind: str) -> None:
        """Handle all alarms of a tournament that are due by now, in one step."""
        del kind

        async def step(found: Tournament, now: int) -> Tournament:
            for _ in range(MOST):
                ringing = next((one for one in alarms(found) if one.at <= now), None)
                if ringing is None:
                    break
                rung = await self._handlers[ringing.ring](found, ringing, now)
                found = await self._rounds.following(found, rung, now)
            return found

        await self._playing.change(table, TournamentRequest("clock"), step)

    async def _expire_question(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        return entering.expire_question(found, entry=alarm.of, now=now)

    async def _open_check_in(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return start.open_check_in(found, now=now)

    async def _close_check_in(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return await self._rounds.start(found, now)

    async def _call_round(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return rounds.call(found, now=now)

    async def _handle_absence(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        match = found.match(alarm.of)
        if found.plan.computers:  # a computer player plays for absent players
            everybody = tuple(one for one in match.seats if one is not None)
            return with_match(found, replace(match, arrived=everybody, turns=()))
        turn = matches.awaited_turn(found, match)
        told = turn is not None and turn.waited > 0
        return (
            forfeits.forfeit_no_show(found, match=alarm.of, now=now)
            if told
            else matches.announce_absence(found, match=alarm.of, now=now)
        )

    async def _warn(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        match = found.match(alarm.of)
        after = with_match(found, replace(match, warned=match.warned + 1))
        return tell(after, "ten_minutes", now, audience=Audience.MATCH, match=match.id)

    async def _remind(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        """Remind the player to move (the match, if unknown) of the round's end."""
        match = found.match(alarm.of)
        after = with_match(found, replace(match, warned=max(1, reminders_due(match.due or now, now))))
        holder = await self._player_to_move(match.tables[-1].table) if match.tables else None
        return tell(
            after,
            "round_ends",
            now,
            audience=Audience.MATCH,
            match=match.id,
            persons=() if holder is None else (holder,),
            numbers={"until": match.due or 0},
            pings=holder is not None,
        )

    async def _player_to_move(self, table: int) -> int | None:
        look = await self._tables.reading.snapshot(table)
        actor = None if look.view is None else look.view.actor
        return None if actor is None else look.seats[actor].person

    async def _end_round(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        match = found.match(alarm.of)
        if found.plan.live:
            return with_match(found, replace(match, ending=True))
        outcomes = [await self._playing.outcome(one.table) for one in match.tables]
        if match.boards:
            left = [one for one in match.boards if not boards.is_done_with(found, match, one)]
            after = give_boards(found, match, left, outcomes, now=now)
            return matches.set_result(after, match=match.id, result=result_by_totals(after, match, outcomes, now=now))
        result = result_by_time(found, match, outcomes, now=now)
        if result is None:  # the totals so far count, and the deal in play does not
            return with_match(found, replace(match, ending=True))
        return matches.set_result(found, match=match.id, result=result)

    async def _end_board(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        """End a board of a slow duplicate: tables that have not played it get an adjusted score (3)."""
        for match in found.matches:
            if alarm.of in match.boards and not boards.is_done_with(found, match, alarm.of):
                tables = [one.table for one in match.tables if one.board == alarm.of]
                outcomes = [await self._playing.outcome(table) for table in tables]
                found = give_boards(found, match, [alarm.of], outcomes, now=now)
                found = with_result(
                    found, match.id, [await self._playing.outcome(one.table) for one in match.tables], now
                )
        return found

    async def _end_overtime(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        """End the match without the deal in progress; the table is closed after this step."""
        match = found.match(alarm.of)
        outcomes = [await self._playing.outcome(one.table) for one in match.tables]
        if match.stage is not MatchStage.PLAYING:
            return found
        return matches.set_result(found, match=match.id, result=result_by_totals(found, match, outcomes, now=now))

    async def _sweep_ladder(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return ladder.sweep_ladder(found, now=now)

    async def _close(self, found: Tournament, alarm: Alarm, now: int) -> Tournament:
        del alarm
        return await self._rounds.close(found, now)
