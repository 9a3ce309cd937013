"""A year of a series without directors: members join and leave, the bot is killed, the host leaves.

All actions of the people depend only on stored data, so that the year continues after every restart. Events are given
by week, counted from the first date.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.series.series import Night, NightStage, Series, SeriesStage
from bot.series.standings import standings
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import tournament_document
from tests.support.clock import ManualClock
from tests.support.series import HOST, SeriesWorld, open_series, parse_instant, quick_tournament_plan

MEMBERS = range(1, 21)
COMES = 0.6
FIRST = "2026-10-02 18:00"
WEEK = 7 * DAY


@dataclass(frozen=True, slots=True)
class YearPlan:
    """The planned events of a simulated year, by week.

    `outages` are the instant, counted from the first night, and the length. In `empty` weeks nobody enters. `kills` are
    numbers of stored changes after which the bot is killed. `host_goes` and `deleted` are the weeks in which the host
    leaves and a member deletes everything.
    """

    weeks: int
    nights: int
    best: int
    outages: tuple[tuple[int, int], ...]
    empty: tuple[int, ...]
    left_out: tuple[str, ...]
    kills: tuple[int, ...]
    host_goes: int
    deleted: int


@dataclass(slots=True)
class YearRun:
    """A simulated year in progress, kept over restarts: the clock, the database, and the events to come."""

    path: Path
    year: YearPlan
    chance: Random
    clock: ManualClock = field(default_factory=lambda: ManualClock(parse_instant("2026-09-21 12:00")))
    starts: int = 0
    changes: int = 0
    killed: list[int] = field(default_factory=list)
    outages: int = 0
    left: int = 0
    gone: bool = False
    deleted: bool = False
    world: SeriesWorld | None = None
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    dead: tuple[Path, int] | None = None

    @property
    def first_night(self) -> int:
        return parse_instant(FIRST)

    @property
    def current_world(self) -> SeriesWorld:
        assert self.world is not None
        return self.world

    async def start_bot(self) -> None:
        """Start the bot on the file, after an outage or a kill too."""
        self.starts += 1
        self.stack = AsyncExitStack()
        opened = open_series(self.path, clock=self.clock, first_request=5_000_000 + 10_000_000 * self.starts)
        self.world = await self.stack.enter_async_context(opened)
        self.world.evening.events.subscribe(lambda _: self.count_change())
        self.world.service.subscribe(lambda _: self.count_change())
        await self.world.ring_alarms()

    def count_change(self) -> None:
        """Count a stored change; if the plan kills the bot after it, copy the database as it is now."""
        self.changes += 1
        if self.dead is None and self.changes in self.year.kills and self.changes not in self.killed:
            self.killed.append(self.changes)
            target = self.path.with_name(f"killed-{len(self.killed)}.db")
            with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(target)) as copied:
                source.backup(copied)
            self.dead = target, self.clock.now()

    async def restart_from_copy_if_killed(self) -> None:
        """If a kill is due, continue with the copy of the database, and drop everything after it."""
        if self.dead is not None:
            target, instant = self.dead
            await self.stack.aclose()
            self.path, self.clock, self.dead = target, ManualClock(instant), None
            await self.start_bot()

    async def advance_to(self, instant: int) -> None:
        """Let time pass to an instant, or beyond it if an outage begins before it."""
        while self.clock.now() < instant:
            coming = self.year.outages[self.outages] if self.outages < len(self.year.outages) else None
            begins = instant if coming is None else self.first_night + coming[0]
            await self.current_world.advance_to(min(instant, max(begins, self.clock.now())))
            await self.restart_from_copy_if_killed()
            if coming is not None and self.clock.now() >= begins:
                self.outages += 1
                await self.stack.aclose()
                self.clock.advance(coming[1])
                await self.start_bot()

    def current_week(self) -> int:
        """Return the number of the current week of the year."""
        return (self.clock.now() - self.first_night) // WEEK + 1


async def play_year(path: Path, year: YearPlan, seed: int) -> tuple[YearRun, int]:
    """Play a year; return the run, which is still open, and the number of its series."""
    run = YearRun(path, year, Random(seed))
    await run.start_bot()
    plan = run.current_world.plan(
        start=FIRST,
        nights=year.nights,
        best=year.best,
        final=4,
        left_out=year.left_out,
        pattern=quick_tournament_plan(rounds=2),
    )
    number = await run.current_world.begin_series(plan)
    end = run.first_night + (year.weeks - 1) * WEEK + DAY
    while run.clock.now() < end:
        await act_and_advance_time(run, number)
    await run.advance_to(end + 2 * DAY)
    return run, number


async def act_and_advance_time(run: YearRun, series_number: int) -> None:
    """Let all people act that can act now, then advance time to the next event."""
    await run.restart_from_copy_if_killed()
    series = await run.current_world.load_series(series_number)
    await leave_as_host_and_delete_member(run)
    if series.stage is SeriesStage.PAUSED:
        raise AssertionError("paused")
    await answer_final_questions(run, series)
    coming = run.clock.now() + 6 * HOUR
    if series.asking is not None:
        coming = min(coming, series.asking.starts_at - 2 * HOUR)
    for night in series.nights:
        if night.stage is NightStage.MADE:
            snapshot = await run.current_world.tournament(night)
            coming = min(coming, await take_part_in_night(run, night, snapshot))
            if run.dead is not None:
                return
    await run.advance_to(max(coming, run.clock.now() + 1))


async def take_part_in_night(run: YearRun, night: Night, tournament: Tournament) -> int:
    """Enter, check in or play at a night; return the instant at which to look again."""
    plan, now = tournament.plan, run.clock.now()
    if (
        tournament.stage is Stage.OPEN
        and not tournament.entrants
        and not night.final
        and not is_in_empty_week(run, night)
    ):
        await run.current_world.enter(night, [one for one in remaining_members(run) if run.chance.random() < COMES])
        return now
    if tournament.stage is Stage.OPEN:
        return plan.starts_at - plan.check_in_from
    if tournament.stage is Stage.CHECK_IN:
        asked = [one.people[0] for one in tournament.entrants if one.stage is EntryStage.ENTERED]
        await run.current_world.evening.check_in(tournament.id, asked)
        return plan.starts_at - plan.check_in_until
    if tournament.stage is Stage.RUNNING:
        return await play_matches(run, tournament)
    return now + MINUTE


async def play_matches(run: YearRun, tournament: Tournament) -> int:
    """Play the called matches, or let an entry leave after the first round.

    Return the instant at which to look again.
    """
    turn = tournament.current_round
    assert turn is not None
    if turn.stage is RoundStage.DRAWN:
        playing = [one for one in tournament.entrants if one.is_active]
        if turn.number == 2 and len(playing) > 4 and not any(one.has_left for one in tournament.entrants if one.rank):
            leaving = run.chance.choice(playing)
            run.left += 1
            await run.current_world.evening.events.entering.leave(
                run.current_world.caller(leaving.people[0]), tournament.id
            )
            await run.current_world.wait_until_idle()
            return run.clock.now()
        return turn.call_at
    await run.current_world.evening.give_matches_channels(tournament.id)
    await run.current_world.evening.play_called_matches(tournament.id)
    await run.current_world.wait_until_idle()
    return run.clock.now() + MINUTE


def remaining_members(run: YearRun) -> Iterable[int]:
    return (one for one in MEMBERS if not (run.deleted and one == 20))


def is_in_empty_week(run: YearRun, night: Night) -> bool:
    """Return whether a night falls in a week in which nobody enters."""
    return (night.starts_at - run.first_night) // WEEK + 1 in run.year.empty


async def answer_final_questions(run: YearRun, series: Series) -> None:
    """Answer for each finalist whether they play: most do, some cannot, a few do not answer."""
    for one in () if series.asking is None else series.asking.asked:
        kind = (one.person + series.season) % 7
        if one.answer is None and kind < 6:
            await run.current_world.service.answer_invitation(
                run.current_world.caller(one.person), series.id, yes=kind != 0
            )


async def leave_as_host_and_delete_member(run: YearRun) -> None:
    """Let the only host leave, and a member delete everything, when their weeks have come."""
    here = run.current_world
    if run.current_week() >= run.year.host_goes and not run.gone:
        run.gone = True
        for number in await here.evening.world.store.series.series_of_person(HOST):
            await here.service.remove_person(number, HOST)
    if run.current_week() >= run.year.deleted and not run.deleted:
        run.deleted = True
        await here.evening.events.entering.withdraw_all_entries(20)
        await here.service.remove_from_all_series(20)
        await here.evening.world.store.players.forget(20)
        await here.evening.events.forget(20)
        await here.service.forget(20)


# --- what has to be true --------------------------------------------------------------------------------------------


async def best_night_sums_from_exports(world: SeriesWorld, series: Series, season: int) -> Mapping[int, Fraction]:
    """Return each person's sum of their best nights, computed from the season's exports alone."""
    earned: dict[int, list[Fraction]] = defaultdict(list)
    for night in series.nights:
        if night.season == season and not night.final and night.tournament:
            snapshot = await world.tournament(night)
            if snapshot.stage is Stage.CLOSED:
                told: dict[str, Any] = tournament_document(await world.evening.events.exports.export_input_of(snapshot))
                for person, points in points_in_export(told).items():
                    earned[person].append(points)
    best = series.plan.best
    return {person: sum(sorted(those, reverse=True)[:best], Fraction()) for person, those in earned.items()}


def points_in_export(export: Mapping[str, Any]) -> Mapping[int, Fraction]:
    """Return each person's points for a tournament, computed from its export alone."""
    last = export["standings"][-1]["rows"] if export["standings"] else []
    rows = [row for row in last if row["place"] is not None]
    people = {one["number"]: [int(person) for person in one["people"]] for one in export["entries"]}
    shared = Counter(row["place"] for row in rows)
    found: dict[int, Fraction] = {}
    for row in rows:
        places = range(row["place"], row["place"] + shared[row["place"]])
        mean = Fraction(sum(1 + len(rows) - place for place in places), len(places))
        found |= dict.fromkeys(people[row["entry"]], mean)
    return found


async def check_year(run: YearRun, series_number: int, *, finals: int, moved: int = 0) -> None:
    """Check all dates, sums and finals of the year, and that nothing was created twice.

    `finals` is the number of finals that were played, `moved` of those on another date.
    """
    series = await run.current_world.load_series(series_number)
    dates = [one.date for one in series.nights]
    assert sorted(set(dates)) == sorted(dates), "a date was used twice"
    assert not set(dates) & set(run.year.left_out)
    days = (date.fromisoformat(dates[-1]) - date.fromisoformat(dates[0])).days
    fridays = {(date.fromisoformat(dates[0]) + timedelta(days=one)).isoformat() for one in range(0, days + 1, 7)}
    assert moved == len(fridays - set(dates) - set(run.year.left_out)), "a date was lost"
    assert not set(dates) - fridays
    keys = [(one.season, one.number) for one in series.nights]
    assert sorted(set(keys)) == keys, "a night was made twice, or out of order"
    rows = [one for one in await run.current_world.evening.world.store.series.nights() if not one.dropped]
    assert sorted(one.tournament for one in rows) == sorted(one.tournament for one in series.nights if one.tournament)
    numbers = await run.current_world.evening.world.store.tournaments.tournaments_with_stage(
        [one.value for one in Stage]
    )
    assert sorted(numbers) == sorted(one.tournament for one in rows), "a tournament belongs to no night"
    for season in range(1, series.season + 1):
        expected = await best_night_sums_from_exports(run.current_world, series, season)
        told = standings(series, season)
        # Deleted people have negative numbers, others in each table.
        found = {row.person: Fraction(row.total, 2) for row in told if row.person > 0}
        assert {one: total for one, total in expected.items() if one > 0} == found
        order = [row.total for row in told]
        assert sorted(order, reverse=True) == order
    played = [one for one in series.nights if one.final and one.has_results]
    assert finals == len(played), [(one.season, one.stage) for one in series.nights if one.final]
    assert all(one.people for one in series.champions)
    assert len(run.year.kills) == len(run.killed)
    assert len(run.year.outages) == run.outages
    assert run.gone
    assert run.deleted
    assert () == series.hosts
