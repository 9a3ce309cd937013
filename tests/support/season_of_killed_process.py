"""A process that plays a cup and a night of a series, acknowledging each step; tests kill it.

`python -m tests.support.season_of_killed_process DATABASE FIRST`, as `tests.support.evening_of_killed_process`. Alarms
ring in steps of their own, and a step is acknowledged once its background work is done. The number of a match alone
decides its result.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Final, TypeAlias

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY
from bot.ratings.service import RatingService
from bot.series.hosting import default_plan
from bot.series.refusals import SeriesRefusal
from bot.series.service import SeriesService
from bot.store.notices import NoticeRow
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.shuffle import SEED_BYTES
from bot.tables.state.snapshots import Caller
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.counted_results import Deal
from bot.tournaments.event import matches
from bot.tournaments.event.match_state import MatchSeat, MatchStage, MatchState, Result
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.match_ratings import TournamentRatings
from bot.tournaments.service import TournamentService
from tests.support.clock import START, ManualClock
from tests.support.stacked_dealer import StackedDealer
from tests.support.tables import CHANNEL, GUILD, World, open_world
from tests.support.tournaments import outbox_of, pairs, usual_plan

APART: Final = 7 * SECOND

FIRST_REQUEST: Final = 9_000_000

HOST: Final = 9_000

CUP: Final = pairs(4)

GUESTS: Final = range(21, 25)
"""People who play the night of the series, with partners drawn."""

NIGHT_IN: Final = 7 * DAY

ENDING: Final = (TableRefusal, TournamentRefusal, SeriesRefusal)
"""Refusals that mean that a step has nothing to do; they are the same in every run."""


@dataclass(slots=True)
class SeasonServices:
    """The services of the killed process, and the values that all its steps share."""

    world: World
    events: TournamentService
    series: SeriesService
    request: int = 0

    def caller(self, person: int) -> Caller:
        return Caller(person, f"P{person}", GUILD, self.request)

    async def wait_until_idle(self) -> None:
        """Wait until all background work is done."""
        for _ in range(2):
            await self.world.service.finish()
            await self.events.playing.finish()
            await self.series.nights.finish()

    async def open_tournaments(self) -> tuple[Tournament, ...]:
        return await self.events.overview.open_tournaments_in(GUILD)


Step: TypeAlias = Callable[[SeasonServices], Awaitable[object]]


def season_steps() -> list[tuple[int, Step]]:
    """Return all steps in order, each with the instant at which it is carried out."""
    found: list[tuple[int, Step]] = []

    def add_step(step: Step, *, later: int = APART, at: int = 0) -> None:
        last = found[-1][0] if found else START
        found.append((max(at, last + later), step))

    add_step(_create_cup)
    add_step(partial(_publish_tournament, tournament_number=1))
    for first, second in CUP:
        add_step(partial(_enter_tournament, tournament_number=1, person=first, partner=second))
        add_step(partial(_accept_invitation, tournament_number=1, person=second))
    add_step(_create_series)
    add_step(_ring_alarms, at=START + 2 * HOUR - 30 * MINUTE)
    for person in (person for pair in CUP for person in pair):
        add_step(partial(_check_in, person=person))
    for _ in range(24):
        add_step(_ring_alarms, later=MINUTE)
        for nth in (0, 1):
            add_step(partial(_give_channel_to_match, nth=nth), later=MINUTE)
        for nth in (0, 1):
            add_step(partial(_end_nth_match, nth=nth), later=MINUTE)
    add_step(_store_notices)
    add_step(_keep_rating_promises, later=HOUR)
    add_step(partial(_delete_person, person=CUP[0][0]))
    add_step(_ring_alarms, at=START + 2 * DAY)
    for person in GUESTS:
        add_step(partial(_enter_tournament, tournament_number=2, person=person))
    add_step(_ring_alarms, at=START + NIGHT_IN - 30 * MINUTE)
    for person in GUESTS:
        add_step(partial(_check_in, person=person))
    for _ in range(24):
        for step in (_ring_alarms, partial(_give_channel_to_match, nth=0), partial(_end_nth_match, nth=0)):
            add_step(step, later=MINUTE)
    add_step(_keep_rating_promises, later=HOUR)
    add_step(partial(_delete_person, person=GUESTS[0]))
    add_step(_end_series)
    return found


async def _create_cup(season: SeasonServices) -> None:
    plan = usual_plan(starts_at=START + 2 * HOUR, rounds=2, rated=True)
    await season.events.entering.create(season.caller(HOST), channel=CHANNEL, plan=plan)


async def _publish_tournament(season: SeasonServices, *, tournament_number: int) -> None:
    await season.events.entering.publish(season.caller(HOST), tournament_number)


async def _enter_tournament(season: SeasonServices, *, tournament_number: int, person: int, partner: int = 0) -> None:
    partners = {partner: f"P{partner}"} if partner else {}
    await season.events.entering.enter(season.caller(person), tournament_number, partners=partners)


async def _accept_invitation(season: SeasonServices, *, tournament_number: int, person: int) -> None:
    await season.events.entering.answer_partner_invitation(season.caller(person), tournament_number, yes=True)


async def _check_in(season: SeasonServices, *, person: int) -> None:
    for one in await season.open_tournaments():
        if one.stage is Stage.CHECK_IN:
            await season.events.entering.check_in(season.caller(person), one.id)


async def _create_series(season: SeasonServices) -> None:
    plan = usual_plan("Night", starts_at=START + NIGHT_IN, drawn=True, rounds=2, late_entry=False, rated=True)
    series = replace(default_plan(plan, "UTC", START), ahead=6 * DAY)
    await season.series.create(season.caller(HOST), channel=CHANNEL, plan=series)


async def _store_notices(season: SeasonServices) -> None:
    """Store notices of the cup's tables, a channel and a choice."""
    await season.world.store.rooms.set_channel(CUP[1][0], 77, season.world.clock.now())
    await season.world.store.preferences.set("person", CUP[1][1], {"theme": "light", "notices": "dm"})
    for row in await season.world.store.contests.tables_of_tournament(1):
        about = NoticeRow(row.table, CUP[1][0], "1.2", "half", None, None, season.world.clock.now())
        await season.world.store.notices.set_notice(about)


async def _ring_alarms(season: SeasonServices) -> None:
    """Ring every alarm that is due."""
    now = season.world.clock.now()
    for timer in await season.events.alarms.due_timers(now, 100):
        await season.events.alarms.fire_deadline(timer.table, timer.kind)
    for timer in await season.series.nights.due_timers(now, 100):
        await season.series.nights.fire_deadline(timer.table, timer.kind)


async def _give_channel_to_match(season: SeasonServices, *, nth: int) -> None:
    """Give the nth match of each current round a channel, in which its table is opened."""
    for one in await season.open_tournaments():
        for match in _current_matches(one)[nth : nth + 1]:
            if match.stage is MatchStage.CALLED and match.place is None and not match.voided:
                await season.events.playing.set_match_channel(one.id, match.id, CHANNEL)


async def _end_nth_match(season: SeasonServices, *, nth: int) -> None:
    """End the nth match of each current round with the result that `invented_result` invents."""
    for one in await season.open_tournaments():
        for match in _current_matches(one)[nth : nth + 1]:
            if match.result is None and match.place is not None and not match.voided:
                await _end_match(season, one.id, match.id)


def _current_matches(tournament: Tournament) -> Sequence[MatchState]:
    """Return all matches of the current round, ended ones too: a repeated step must find the same match."""
    return () if tournament.current_round is None else tournament.matches_of(tournament.current_round.number)


async def _end_match(season: SeasonServices, tournament_number: int, match: int) -> None:
    async def set_match_result(tournament: Tournament, now: int) -> Tournament:
        played = tournament.match(match)
        if played.result is not None:
            return tournament
        return matches.set_result(tournament, match=match, result=invented_result(played, now))

    await season.events.playing.change(
        tournament_number, TournamentRequest("result", None, {"match": match}), set_match_result
    )


def invented_result(match: MatchState, now: int) -> Result:
    """Return the made-up result of a match; every fifth is a forfeit."""
    if match.id % 5 == 0:
        return Result(forfeited=(1,), winner=0, finished_at=now)
    net = (match.id * 37 % 11 - 5) * 100 + 50
    seated = tuple(MatchSeat(person=person, seat=seat, deals=1) for seat, person in enumerate(match.seats))
    deals = (Deal(number=1, scores=(1000 + net, 1000)),)
    return Result(deals=deals, winner=int(net < 0), seated=seated, finished_at=now)


async def _keep_rating_promises(season: SeasonServices) -> None:
    """Carry out the outbox rows of ratings."""
    await outbox_of(season.world, season.events).carry_out_due_effects()


async def _delete_person(season: SeasonServices, *, person: int) -> None:
    await season.world.service.people.forget(season.caller(person))


async def _end_series(season: SeasonServices) -> None:
    for one in await season.series.open_series_in(GUILD):
        await season.series.end(season.caller(HOST), one.id)


@asynccontextmanager
async def _open_services(database: Path, clock: ManualClock) -> AsyncIterator[SeasonServices]:
    """Yield the services on this database, after the work that an earlier process left unfinished."""
    dealer = StackedDealer(seeds=repeat(bytes(SEED_BYTES)))  # a seed lost with its step must be drawn again unchanged
    async with open_world(database, clock=clock, silence=10**15, dealer=dealer) as world:
        events = TournamentService(world.store, clock, world.service, away=world.readiness.outages, dealer=dealer)
        events.rounds.set_ratings(TournamentRatings(RatingService(world.store.ratings, clock)))
        season = SeasonServices(world, events, SeriesService(world.store, clock, events))
        for leaving in (events.entering.withdraw_all_entries, season.series.remove_from_all_series):
            world.service.people.subscribe_before_deletion(leaving)
        for reloading in (events.forget, season.series.forget):
            world.service.people.subscribe_after_deletion(reloading)
        for row in await world.store.outbox.all_promises():
            if row.kind == "forget":
                await world.service.people.carry_out_deletion(int(row.key))
        await events.playing.resume_after_start()
        await season.series.nights.resume_after_start()
        await season.wait_until_idle()
        yield season


async def main(database: Path, first_step: int) -> None:
    """Carry out the steps from number `first_step` on, and print the number of each when it is stored."""
    todo = season_steps()
    clock = ManualClock(todo[first_step][0])
    async with _open_services(database, clock) as season:
        for number, (instant, step) in enumerate(todo[first_step:], first_step):
            clock.instant, season.request = instant, FIRST_REQUEST + number
            with suppress(*ENDING):
                await step(season)
            await season.wait_until_idle()
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
