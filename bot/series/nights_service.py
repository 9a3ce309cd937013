"""The service that creates the nights of series when they are due, and records their results.

A night's tournament is made as a draft in the transaction that records the night, and is published then. If a kill
comes between, the next start publishes it. Results are read from the tournament when it closes, opens again, or is
cancelled.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from bot.clocks.clock import MINUTE
from bot.clocks.time_rules import DAY
from bot.logs import record_failure
from bot.series import final, hosting, nights, seasons
from bot.series.alarms import SeriesAlarm, SeriesAlarmKind, alarms
from bot.series.divisions import Team
from bot.series.refusals import SeriesRefusal
from bot.series.repository import SeriesRepository, TournamentCreation
from bot.series.results import division_places, night_places
from bot.series.series import Night, NightStage, Placed, Series, SeriesStage
from bot.series.titles import announce_titles
from bot.store.errors import FATAL_ERRORS
from bot.store.timers_and_uptime import DueTimer
from bot.tournaments.core.repository import READABLE, TournamentChanged
from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.pairing.partners import EntryToSeed, RatedPerson, Seeding, start_order
from bot.tournaments.seeded_draw import SeededDraw
from bot.tournaments.service import TournamentService

KIND: Final = "series"
MOST: Final = 1_000
"""Most alarms handled in one run; more can only come from an alarm that stays due."""

LOOKED_AT: Final = 30 * DAY
"""Age of nights that are checked after a start; later corrections arrive as events."""

OVER: Final = (Stage.CLOSED, Stage.CANCELLED)

logger = logging.getLogger(__name__)


class NightsService:
    """Handles the alarms of series, and keeps series and their tournaments consistent."""

    def __init__(self, repository: SeriesRepository, tournaments: TournamentService) -> None:
        self._repository = repository
        self._tournaments = tournaments
        self._series_of: dict[int, int] = {}
        self._running: set[asyncio.Task[Any]] = set()
        self._lining_up = asyncio.Lock()
        self._unsettled: set[int] = set()  # numbers of series with work at a tournament that failed
        tournaments.subscribe(self._handle_tournament_change)

    async def finish(self) -> None:
        """Wait until all background work is done."""
        while self._running:
            await asyncio.wait(self._running)
        await self._repository.finish()

    def _run_in_background(
        self, work: Coroutine[Any, Any, object], task_name: str, *, series: int, tournament: int
    ) -> None:
        """Run the work in a background task; log its failure with `task_name`."""
        task = asyncio.ensure_future(self._attempt_work(work, task_name, series, tournament))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    # --- alarms ------------------------------------------------------------------------------------------------------

    async def next_due_at(self) -> int | None:
        """Return when the next alarm or retry of any series is due (UTC milliseconds); None without one."""
        due = await self._repository.store.series.next_due_at()
        retry = self._repository.clock.now() + MINUTE if self._unsettled else None
        return min((one for one in (due, retry) if one is not None), default=None)

    async def due_timers(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        """Return the timers of series that have an alarm due by `now`, or failed work to retry."""
        rows = dict(await self._repository.store.series.due_series(now, limit))
        rows = {**dict.fromkeys(self._unsettled, now), **rows}
        return tuple(DueTimer(number, 0, KIND, due_at, 0) for number, due_at in rows.items())

    async def fire_deadline(self, series: int, kind: str) -> None:
        """Handle all alarms of a series that are due by now, one step each.

        Failed work at its tournaments is retried first. Raises `LookupError` if it fails again; then the scheduler
        waits.
        """
        del kind
        if series in self._unsettled:
            await self._update_tournaments(await self._repository.series(series))
        await self._handle_alarms(series)
        if series in self._unsettled:
            raise LookupError(f"a tournament of series {series}")

    async def _handle_alarms(self, series: int) -> None:
        """Handle all alarms of a series that are due by now, one step each."""
        for _ in range(MOST):
            current_series = await self._repository.series(series)
            now = self._repository.clock.now()
            ringing = next((one for one in alarms(current_series) if one.at <= now), None)
            if ringing is None:
                return
            await self._handle_alarm(current_series, ringing)

    async def _handle_alarm(self, series: Series, alarm: SeriesAlarm) -> None:
        """Handle one alarm of a series: create a night or final, ask for the final, or record a missed night."""
        if series.plan.divisions is not None:
            await self._handle_division_alarm(series, alarm)
            return
        draws = await self._draw_of_last_night(series) if alarm.ring is SeriesAlarmKind.NIGHT else None

        async def change_series(current_series: Series, now: int) -> Series | TournamentCreation:
            if alarm not in alarms(current_series) or alarm.at > now:
                return current_series
            asking = current_series.asking
            if asking is not None:
                late = now >= asking.starts_at - nights.LATEST
                return (
                    _create_or_cancel_final(current_series, now)
                    if late
                    else final.invite_further_persons(current_series, now)
                )
            if hosting.is_final_missed(current_series, now):
                return hosting.postpone_final(current_series)
            if nights.is_final_next(current_series):
                return final.invite_to_final(current_series, lambda those: _shuffle_persons(draws, those), now)
            if now > nights.upcoming_start(current_series) - nights.LATEST:
                return nights.record_missed_night(current_series, now)
            return _creation_of_night(current_series, now)

        after = await self._repository.change(series.id, alarm.ring.value, change_series)
        await self._update_tournaments(after)

    async def _handle_division_alarm(self, series: Series, alarm: SeriesAlarm) -> None:
        """Open a season's sign-up, or create its divisions from the entries."""
        sign_up, order = None, tuple[Team, ...]()
        if alarm.ring is SeriesAlarmKind.DRAW:
            sign_up = await self._load_tournament(series.sign_up_of(series.season) or series.nights[-1])
            if seasons.has_enough_entries(seasons.signed_up_entries(sign_up)) and sign_up.stage not in OVER:
                sign_up = await self._tournaments.entering.end_sign_up(sign_up.id)  # fixes its entries
            order = await self._sort_by_rating(sign_up, seasons.newcomers(series, seasons.signed_up_entries(sign_up)))

        async def change_series(current_series: Series, now: int) -> Series | TournamentCreation:
            if alarm not in alarms(current_series) or alarm.at > now:
                return current_series
            if sign_up is None:
                draft = seasons.sign_up_draft(current_series, now)
                return TournamentCreation(
                    ((current_series.season, 0, draft),), lambda made: seasons.add_sign_up(current_series, made[0])
                )
            teams = seasons.signed_up_entries(sign_up)
            if not seasons.has_enough_entries(teams):
                return seasons.postpone_season(current_series, now, sign_up_is_over=sign_up.stage in OVER)
            drafts = seasons.division_drafts(
                current_series, seasons.divide_entries(current_series, teams, order), sign_up, now
            )
            return TournamentCreation(drafts, lambda made: seasons.add_divisions(current_series, made, now))

        after = await self._repository.change(series.id, alarm.ring.value, change_series)
        await self._update_tournaments(after)

    async def _sort_by_rating(self, sign_up: Tournament, teams: Sequence[Team]) -> tuple[Team, ...]:
        """Return the teams, best rating first; among equal ones the sign-up's random draw decides."""
        ratings = self._tournaments.rounds.ratings
        persons = [person for team in teams for person in team]
        figures = {} if ratings is None else await ratings.ratings_of(persons, sign_up)
        pairs = [one for one in teams if len(one) == 2]
        together = {} if ratings is None else await ratings.pair_ratings(pairs, sign_up)
        rated = [
            EntryToSeed(place, tuple(RatedPerson(one, figures.get(one)) for one in team), together.get(team))
            for place, team in enumerate(teams)
        ]
        order = start_order(rated, Seeding.RATING, draws=await self._tournaments.rounds.seeded_draw(sign_up))
        return tuple(teams[place] for place in order)

    async def _draw_of_last_night(self, series: Series) -> SeededDraw | None:
        """Return the random draw of the last night that was played and can be read; None without one."""
        for night in reversed(series.nights):
            if night.has_results:
                with suppress(TournamentRefusal):
                    return await self._tournaments.rounds.seeded_draw(await self._load_tournament(night))
        return None

    # --- tournaments -------------------------------------------------------------------------------------------------

    async def resume_after_start(self) -> None:
        """Complete what an earlier process left undone at nights; call it after a start."""
        store = self._repository.store.series
        self._series_of = {one.tournament: one.series for one in await store.nights()}
        for one in await store.nights():
            if one.dropped:
                await self._attempt_work(
                    self._cancel_tournament(one.tournament), "a dropped night", one.series, one.tournament
                )
        since = self._repository.clock.now() - LOOKED_AT
        for series in await self._repository.load_readable_series(
            await store.series_with_stage([one.value for one in SeriesStage])
        ):
            await self._update_tournaments(series)
            for night in nights.correctable_nights(series, since):
                await self._attempt_work(
                    self.record_tournament(night.tournament), "a night's results", series.id, night.tournament
                )

    async def _attempt_work(self, work: Awaitable[object], task_name: str, series: int, tournament: int) -> bool:
        """Do the work for one night; return False if it failed but may succeed later.

        A failure is logged as `task_name`.
        """
        try:
            await work
        except FATAL_ERRORS:
            raise
        except TournamentRefusal as refusal:
            if refusal.code is TournamentCode.UNREADABLE:
                return True  # no retry helps before a repair; the repository records the fault
            record_failure(logger, task_name, refusal, series=series, tournament=tournament)
            return False
        except Exception as error:  # noqa: BLE001 - one night must not stop another, nor the start
            record_failure(logger, task_name, error, series=series, tournament=tournament)
            return False
        return True

    def remember_tournaments(self, series: Series) -> None:
        """Remember which tournaments belong to a series."""
        self._series_of |= {one.tournament: series.id for one in series.nights if one.tournament}

    async def cancel_removed_nights(self, before: Series, after: Series) -> None:
        """Cancel the tournaments of nights removed between `before` and `after`, and notify their entrants."""
        for tournament in hosting.removed_tournaments(before, after):
            await self._cancel_tournament(tournament)

    async def _cancel_tournament(self, tournament: int) -> None:
        """Cancel a tournament unless it is already over."""
        if (await self._tournaments.overview.get_tournament(tournament)).stage not in OVER:
            await self._tournaments.entering.cancel_by_series(tournament)

    async def _update_tournaments(self, series: Series) -> None:
        """Publish, begin or end the series' tournaments as its state requires; doing so again is harmless."""
        async with self._lining_up:  # two at once would publish one night twice
            await self._update_tournaments_under_lock(series)

    async def _update_tournaments_under_lock(self, series: Series) -> None:
        """Publish, begin or end the series' tournaments; the caller must hold the lock.

        If work at one of them fails, the series is noted for a retry.
        """
        self.remember_tournaments(series)
        divided, done = series.plan.divisions is not None, True
        for night in series.nights:
            is_sign_up = divided and night.number == 0
            if night.stage is NightStage.MADE:
                work = self._advance_tournament(
                    series.id, night, is_division=divided and not is_sign_up, is_sign_up=is_sign_up
                )
                done &= await self._attempt_work(work, "a night", series.id, night.tournament)
            elif is_sign_up:
                done &= await self._attempt_work(
                    self._end_sign_up(night), "the end of a sign-up", series.id, night.tournament
                )
        (self._unsettled.discard if done else self._unsettled.add)(series.id)

    async def _end_sign_up(self, night: Night) -> None:
        """End a sign-up that is not over."""
        if (await self._load_tournament(night)).stage not in OVER:
            await self._tournaments.entering.end_sign_up(night.tournament)

    async def _advance_tournament(self, series: int, night: Night, *, is_division: bool, is_sign_up: bool) -> None:
        """Publish a night's draft; start a division, or move the end of a sign-up."""
        snapshot = await self._load_tournament(night)
        if is_sign_up and snapshot.plan.starts_at != night.starts_at:
            snapshot = await self._tournaments.entering.move_start(night.tournament, night.starts_at)
        if snapshot.stage is Stage.DRAFT:
            await self._publish_night(series, night, snapshot, is_division=is_division, is_sign_up=is_sign_up)
            snapshot = await self._load_tournament(night)
        if is_division and snapshot.stage is Stage.OPEN:
            await self._tournaments.begin_tournament(night.tournament)

    async def _publish_night(
        self, series: int, night: Night, tournament: Tournament, *, is_division: bool, is_sign_up: bool
    ) -> None:
        """Publish the draft of a night, unless it is too late for its check-in.

        A night that is too late is recorded as missed. A division has no check-in; if a sign-up should be over already,
        nothing is done here, because its own alarm postpones the season.
        """
        now = self._repository.clock.now()
        if is_division:
            await self._tournaments.entering.move_start(tournament.id, now + nights.SHORTLY)
        elif is_sign_up and tournament.plan.starts_at <= now:
            return
        elif not is_sign_up and now > tournament.plan.starts_at - tournament.plan.check_in_from:
            await self._record_missed_night(series, night)
            return
        await self._tournaments.entering.publish_planned(tournament.id)

    async def _record_missed_night(self, series: int, night: Night) -> None:
        """Record that a night which was made, but never published, is not played.

        A final moves to the next date.
        """

        async def change_series(current_series: Series, now: int) -> Series:
            return hosting.record_unpublished_night(current_series, night.tournament, now)

        await self._repository.change(series, "missed", change_series)
        await self._cancel_tournament(night.tournament)

    async def _load_tournament(self, night: Night) -> Tournament:
        """Return the tournament in which a night is played."""
        return await self._tournaments.overview.get_tournament(night.tournament)

    def _handle_tournament_change(self, changed: TournamentChanged) -> None:
        """Update the series in the background after a change of one of its tournaments."""
        series = self._series_of.get(changed.tournament)
        if series is not None:
            work = self._record_or_repair(series, changed.tournament, is_readable_again=changed.kind == READABLE)
            self._run_in_background(work, "taking over a night's results", series=series, tournament=changed.tournament)

    async def _record_or_repair(self, series: int, tournament: int, *, is_readable_again: bool) -> None:
        """Record the state and results of a tournament.

        If the tournament was unreadable before, first publish, begin or end it as the series requires.
        """
        if is_readable_again:
            await self._update_tournaments(await self._repository.series(series))
        await self.record_tournament(tournament)

    async def record_tournament(self, tournament: int) -> None:
        """Record the state and results of one of a series' tournaments."""
        number = self._series_of.get(tournament)
        if number is None:
            return
        try:
            snapshot = await self._tournaments.overview.get_tournament(tournament)
            series = await self._repository.series(number)
        except (TournamentRefusal, SeriesRefusal):
            return  # the tournament or the series cannot be read, which is logged elsewhere
        night = series.night_of(tournament)
        if (
            night is None
            or night.stage is NightStage.AWAY
            or (snapshot.stage not in OVER and night.stage is NightStage.MADE)
        ):
            return
        if series.plan.divisions is not None and night.number == 0:
            return  # a sign-up has no results
        stage = {Stage.CLOSED: NightStage.CLOSED, Stage.CANCELLED: NightStage.CANCELLED}.get(
            snapshot.stage, NightStage.MADE
        )
        placed: tuple[Placed, ...] = ()
        if stage is NightStage.CLOSED and snapshot.rounds:
            ranking = await self._tournaments.overview.ranking(tournament)
            placed = (night_places if series.plan.divisions is None else division_places)(snapshot, ranking)

        stored = self._repository.store.series
        numbers = await stored.series_in_guild(series.guild, [one.value for one in SeriesStage])
        others = await self._repository.load_readable_series([one for one in numbers if one != number])

        async def change_series(current_series: Series, now: int) -> Series:
            after = nights.with_night_result(current_series, tournament, stage, placed, snapshot.names, now)
            return after if after is current_series else announce_titles(after, others, now)

        await self._repository.change(number, "result", change_series)


def _shuffle_persons(draws: SeededDraw | None, persons: Sequence[Person]) -> tuple[Person, ...]:
    """Return the persons in the order of the draw; in the given order if there is no draw."""
    return tuple(persons) if draws is None else draws.draw_order(persons, "final")


def _creation_of_night(series: Series, now: int) -> TournamentCreation:
    """Return the step that creates the tournament of the next night."""
    plan = nights.night_plan(series)
    number = len(series.nights_of(series.season)) + 1
    draft = nights.draft_night(series, plan, now, season=series.season, night_number=number)
    return TournamentCreation(
        ((series.season, number, draft),),
        lambda made: nights.add_night(series, NightStage.MADE, tournament=made[0], starts_at=plan.starts_at),
    )


def _create_or_cancel_final(series: Series, now: int) -> Series | TournamentCreation:
    """Create the final with the persons who said yes.

    It is cancelled if they are fewer than four, and moved to the next date if it is too late for its check-in.
    """
    asking = series.asking
    if asking is None:
        return series
    if now > asking.starts_at - series.plan.pattern.check_in_from:
        return hosting.postpone_final(series)
    people = final.finalists(series)
    if len(people) < final.LEAST:
        dropped = nights.add_final(series, NightStage.FEW)
        told = nights.add_news(dropped, "no_final", now, numbers={"season": asking.season, "people": len(people)})
        return nights.with_champions(told, now)
    plan = nights.final_plan(series, starts_at=asking.starts_at, now=now)
    number = len(series.nights_of(asking.season)) + 1
    draft = nights.draft_night(series, plan, now, season=asking.season, night_number=number, final=True)
    entrants = tuple(
        Entrant(number=place, people=(one,), captain=one, stage=EntryStage.ENTERED, entered_at=now, agreed=(one,))
        for place, one in enumerate(people, 1)
    )
    finalists: dict[int, str] = {one: series.names.get(one, "") for one in people}
    names = {**draft.names, **finalists}
    filled = replace(draft, entrants=entrants, names=names)
    return TournamentCreation(
        ((asking.season, number, filled),),
        lambda made: nights.add_final(series, NightStage.MADE, tournament=made[0]),
    )
