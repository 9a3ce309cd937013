"""The series service: all requests that read or change a series.

Requests of people carry a `Caller`. A method either completes and stores its change, or raises `SeriesRefusal` without
any change. Every method may raise unknown_series and stale_series (too many changes at once). Permission to create a
series, and to take one over, is checked by the Discord side.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.clocks.clock import Clock
from bot.logs import record_failure
from bot.series import final, hosting
from bot.series.dates import day_before
from bot.series.faults import SeriesFaults
from bot.series.nights_service import NightsService
from bot.series.refusals import SeriesCode, SeriesRefusal
from bot.series.repository import SeriesRepository
from bot.series.series import MOST_SERIES, Series, SeriesPlan, SeriesStage
from bot.series.titles import Achievements, achievements_of
from bot.store.errors import FATAL_ERRORS
from bot.store.series.store import SeriesFault
from bot.store.store import Store
from bot.store.tournaments import TournamentPost
from bot.tables.state.snapshots import Caller
from bot.tournaments.event.entries import Person
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.service import TournamentService

logger = logging.getLogger(__name__)

OPEN = (SeriesStage.RUNNING.value, SeriesStage.PAUSED.value)
ALL = tuple(one.value for one in SeriesStage)


class SeriesService:
    """Changes and reads series; one per process. `nights` creates their tournaments."""

    def __init__(self, store: Store, clock: Clock, tournaments: TournamentService) -> None:
        self.repository = SeriesRepository(store, clock, tournaments.repository)
        self.subscribe = self.repository.subscribe
        self.nights = NightsService(self.repository, tournaments)
        self.faults = SeriesFaults(store, clock)
        self._clock = clock
        self._tournaments = tournaments
        self._forgetting: dict[int, tuple[int, ...]] = {}

    # --- reading -----------------------------------------------------------------------------------------------------

    async def get_series(self, series: int, *, guild: int | None = None) -> Series:
        """Return the series as it is now; one of another guild is unknown."""
        current_series = await self.repository.series(series)
        if guild is not None and current_series.guild != guild:
            raise SeriesRefusal(SeriesCode.UNKNOWN_SERIES, {"series": series})
        return current_series

    async def open_series_in(self, guild: int) -> tuple[Series, ...]:
        """Return a guild's series that are not over, oldest first."""
        return await self.repository.load_readable_series(
            await self.repository.store.series.series_in_guild(guild, OPEN)
        )

    async def all_series_in(self, guild: int) -> tuple[Series, ...]:
        """Return all series of a guild, oldest first."""
        return await self.repository.load_readable_series(
            await self.repository.store.series.series_in_guild(guild, ALL)
        )

    async def points_and_wins_in(self, guild: int) -> tuple[Achievements, ...]:
        """Return the points and wins of people in all series of a guild, most points first."""
        return achievements_of(await self.all_series_in(guild))

    async def numbers_to_update_after_start(self) -> tuple[int, ...]:
        """Return the numbers of all series, to restore their messages after a start."""
        return await self.repository.store.series.series_with_stage(ALL)

    async def posts(self, series: int) -> dict[str, TournamentPost]:
        """Return the messages that show the series, by name."""
        return {one.name: one for one in await self.repository.store.series.posts(series)}

    async def record_post(self, series: int, post: TournamentPost) -> None:
        """Store a message that shows the series, replacing the one of that name."""
        await self.repository.store.series.set_post(series, post)

    # --- hosts -------------------------------------------------------------------------------------------------------

    async def create(self, caller: Caller, *, channel: int, plan: SeriesPlan) -> Series:
        """Create a series. Refusals: too_many_series, best_too_many, final_size, not_repeatable."""
        hosting.require_possible_plan(plan)
        if len(await self.open_series_in(caller.guild or 0)) >= MOST_SERIES:
            raise SeriesRefusal(SeriesCode.TOO_MANY_SERIES, {"most": MOST_SERIES})
        series = Series(
            plan=plan,
            hosts=(Person(caller.person),),
            created_at=self._clock.now(),
            last_date=day_before(plan.anchor),
            guild=caller.guild or 0,
            channel=channel,
        )
        return await self.repository.create(series, caller)

    async def change_plan(self, caller: Caller, series: int, plan: SeriesPlan) -> Series:
        """Change a series' plan.

        Refusals: not_host, series_over, season_begun, best_too_many, final_size, not_repeatable.
        """
        return await self._change_as_host(
            caller,
            series,
            "plan",
            lambda current_series, now: hosting.change_plan(current_series, plan, host=caller.person, now=now),
        )

    async def change_pattern(self, caller: Caller, series: int, pattern: Plan) -> Series:
        """Use another tournament plan for unpublished nights.

        Refusals: not_host, series_over, not_repeatable.
        """
        return await self._change_as_host(
            caller,
            series,
            "pattern",
            lambda current_series, now: hosting.change_pattern(current_series, pattern, host=caller.person, now=now),
        )

    async def skip_next_date(self, caller: Caller, series: int) -> Series:
        """Leave out the next date, even if its night is published. Refusals: not_host, series_over."""
        return await self._change_as_host(
            caller,
            series,
            "skip",
            lambda current_series, now: hosting.skip_next_date(current_series, host=caller.person, now=now),
        )

    async def pause(self, caller: Caller, series: int) -> Series:
        """Pause the series: create no further nights. Refusals: not_host, series_over, series_paused."""
        return await self._change_as_host(
            caller,
            series,
            "pause",
            lambda current_series, now: hosting.pause_series(current_series, host=caller.person, now=now),
        )

    async def resume(self, caller: Caller, series: int) -> Series:
        """Resume a paused series, from the first date whose night can still be published.

        Refusals: not_host, series_over, series_not_paused.
        """
        return await self._change_as_host(
            caller,
            series,
            "go_on",
            lambda current_series, now: hosting.resume_series(current_series, host=caller.person, now=now),
        )

    async def end(self, caller: Caller, series: int) -> Series:
        """End the series after the published night, or at once if there is none.

        Refusals: not_host, series_over.
        """
        return await self._change_as_host(
            caller,
            series,
            "end",
            lambda current_series, now: hosting.end_series(current_series, host=caller.person, now=now),
        )

    async def set_hosts(self, caller: Caller, series: int, people: Mapping[int, str]) -> Series:
        """Replace the hosts; `people` maps them to their names. Refusals: not_host, too_many_hosts."""
        return await self._change_as_host(
            caller,
            series,
            "hosts",
            lambda current_series, _now: hosting.set_hosts(
                _store_names(current_series, people), tuple(people), host=caller.person
            ),
        )

    async def set_guests(self, caller: Caller, series: int, people: Mapping[int, str]) -> Series:
        """Replace the guests; `people` maps them to their names. Refusal: not_host."""
        return await self._change_as_host(
            caller,
            series,
            "guests",
            lambda current_series, _now: hosting.set_guests(
                _store_names(current_series, people), tuple(people), host=caller.person
            ),
        )

    async def move(self, caller: Caller, series: int, channel: int) -> Series:
        """Move the series and its future nights to another channel. Refusals: not_host, series_over."""
        return await self._change_as_host(
            caller,
            series,
            "move",
            lambda current_series, _now: hosting.move_series(current_series, channel, host=caller.person),
        )

    async def refresh_messages(self, guild: int) -> None:
        """Update the messages and pages of a guild's series, as after a change of its settings."""
        for number in await self.repository.store.series.series_in_guild(guild, ALL):
            self.repository.announce_changed_people(number)

    async def retry_now(self, series: int) -> None:
        """Try again at once to show a series that could not be shown."""
        await self.faults.retry_now(series)
        self.repository.announce_changed_people(series)

    async def take_over(self, caller: Caller, series: int) -> Series:
        """Make a moderator of the server the host of a series without hosts.

        Refusals: series_over, has_hosts.
        """
        return await self._change_as_host(
            caller,
            series,
            "take_over",
            lambda current_series, _now: hosting.take_over_series(current_series, moderator=caller.person),
        )

    async def _change_as_host(
        self, caller: Caller, series: int, kind: str, change: Callable[[Series, int], Series]
    ) -> Series:
        """Store a series after a change by its host; `change` returns the series changed."""
        before = await self.repository.series(series)

        async def change_series(current_series: Series, now: int) -> Series:
            nonlocal before
            before = current_series
            return change(current_series, now)

        after = await self.repository.change(series, kind, change_series, caller)
        await self.nights.cancel_removed_nights(before, after)
        return after

    # --- players -----------------------------------------------------------------------------------------------------

    async def answer_invitation(self, caller: Caller, series: int, *, yes: bool) -> Series:
        """Record whether the caller plays the final. Refusals: not_asked_for_final, final_full."""

        async def change_series(current_series: Series, now: int) -> Series:
            answered = final.answer_invitation(current_series, caller.person, yes=yes)
            return answered if answered is current_series else final.invite_further_persons(answered, now)

        return await self.repository.change(series, "answer", change_series, caller)

    async def enter_next_season(self, caller: Caller, series: int) -> Tournament | None:
        """Enter the caller's entry of the last season for the next one, and ask its regulars.

        Return the tournament of the sign-up, or None if the caller had no entry. Refusals of tournaments: wrong_stage,
        already_entered.
        """
        current_series = await self.get_series(series, guild=caller.guild)
        sign_up = current_series.sign_up_of(current_series.season)
        rows = [
            (one, row.people) for one in current_series.divisions_of(current_series.season - 1) for row in one.placed
        ]
        mine = next((one for one in rows if caller.person in one[1] and min(one[1]) > 0), None)
        if sign_up is None or mine is None:
            return None
        division, people = mine
        last = await self._tournaments.overview.get_tournament(division.tournament)
        played = (one for one in last.entrants if tuple(sorted(one.people)) == people)
        regulars: dict[int, str] = {
            person: last.names.get(person, "") for one in played for person in one.regulars if person > 0
        }
        names: dict[int, str] = {one: current_series.names.get(one, "") for one in people}
        return await self._tournaments.entering.enter_team_again(
            caller, sign_up.tournament, people=names, regulars=regulars
        )

    async def remove_person(self, series: int, person: int) -> Series:
        """Remove a person who left the server from the hosts and from the invitations to the final."""

        async def change_series(current_series: Series, now: int) -> Series:
            after = hosting.remove_lost_host(current_series, person, now)
            asked = () if after.asking is None else after.asking.asked
            if any(one.person == person and one.answer is not False for one in asked):
                after = final.invite_further_persons(final.answer_invitation(after, person, yes=False), now)
            return after

        return await self.repository.change(series, "gone", change_series)

    async def remove_from_all_series(self, person: int) -> None:
        """Remove a person who is being forgotten from the hosts and invitations of all series."""
        numbers = await self.repository.store.series.series_of_person(person)
        self._forgetting[person] = numbers
        for number in numbers:
            try:
                if not self.repository.owns_guild((await self.repository.series(number)).guild):
                    continue  # the process that owns the guild does this
                await self.remove_person(number, person)
            except SeriesRefusal:
                continue  # the series cannot be read; the rows of its people are deleted anyway
            except FATAL_ERRORS:
                raise
            except Exception as error:  # noqa: BLE001 - handled like a series that cannot be read
                record_failure(logger, "leaving a series", error, series=number)

    async def forget(self, person: int) -> None:
        """Drop cached series after a person was forgotten, and update the messages that show them."""
        await self.repository.evict_all()
        for number in self._forgetting.pop(person, ()):
            self.repository.announce_changed_people(number)


def _store_names(series: Series, people: Mapping[int, str]) -> Series:
    """Store the people's names with the series."""
    return replace(series, names={**series.names, **people})


__all__ = ["SeriesFault", "SeriesService", "TournamentPost"]
