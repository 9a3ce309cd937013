"""Wherever the process is killed, each night is made once, published and counted."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.time_rules import DAY
from bot.ratings.service import RatingService
from bot.series.series import Night, NightStage, Series
from bot.series.standings import standings
from bot.tables.state.shuffle import SEED_BYTES
from bot.tournaments.event.match_state import MatchStage
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage
from bot.tournaments.export.document import tournament_document
from bot.tournaments.match_ratings import TournamentRatings
from tests.support import seeds
from tests.support.clock import ManualClock
from tests.support.command_runner import run_and_read_report
from tests.support.series import HOST, SeriesWorld, open_series, parse_instant, quick_tournament_plan
from tests.support.series_divisions import begin_divisions, enter_pairs_for_next_season, new_pairs, wait_for_divisions
from tests.support.stacked_dealer import StackedDealer
from tests.support.tournaments import refusal_of
from tests.tournaments.service.test_killed_tournaments import end_match

PEOPLE = tuple(range(1, 9))
FIRST = "2026-10-02 18:00"
POINTS = 12 * seeds.TIMES
"""About how many points of a season the process is killed at."""


class DatabaseCopies:
    """Copies of the file after every change, as a process killed there would leave it.

    Changes of the series and of its tournaments count.
    """

    def __init__(self, world: SeriesWorld, path: Path) -> None:
        self.world, self.path = world, path
        self.made: list[tuple[Path, int, str]] = []
        world.service.subscribe(lambda changed: self.copy_file(f"series {changed.kind}"))
        world.evening.events.subscribe(lambda changed: self.copy_file(changed.kind))

    def copy_file(self, kind: str) -> None:
        target = self.path.with_name(f"{len(self.made)}.db")
        with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(target)) as copied:
            source.backup(copied)
        self.made.append((target, self.world.clock.now(), kind))


async def play_season(world: SeriesWorld, series_number: int) -> None:
    """Play two nights, let everybody accept the final, and wait until it is about to start."""
    for _ in range(2):
        await world.play_next_night(series_number, PEOPLE)
    while (asking := (await world.load_series(series_number)).asking) is None:
        due = await world.service.nights.next_due_at()
        assert due is not None
        await world.advance_to(due)
    for one in asking.asked:
        await world.service.answer_invitation(world.caller(one.person), series_number, yes=True)
    await world.advance_to(asking.starts_at - 1)


def night_keys(series: Series) -> list[tuple[int, int, str]]:
    return [(one.season, one.number, one.date) for one in series.nights]


async def check_nights(world: SeriesWorld, series: Series) -> None:
    """Check that each night has its own published tournament, and that closed ones count."""
    stored = await world.evening.world.store.tournaments.tournaments_with_stage([one.value for one in Stage])
    assert sorted(stored) == sorted(one.tournament for one in series.nights)
    for night in series.nights:
        snapshot = await world.tournament(night)
        assert Stage.DRAFT is not snapshot.stage
        assert (snapshot.stage is Stage.CLOSED) is (night.stage is NightStage.CLOSED)
    rows = [one for one in await world.evening.world.store.series.nights() if not one.dropped]
    assert [one[:2] for one in night_keys(series)] == [(one.season, one.number) for one in rows]


async def test_each_night_is_made_once_wherever_the_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with open_series(path, clock=ManualClock(parse_instant("2026-09-20 12:00"))) as world:
        number = await world.begin_series(start=FIRST, nights=2, best=2, final=4)
        copies = DatabaseCopies(world, path)
        await play_season(world, number)
        whole = await world.load_series(number)
        await check_nights(world, whole)
    of_series = [one for one in copies.made if one[2].startswith("series") or one[2] in ("publish", "clock")]
    step = max(1, len(of_series) // POINTS)
    assert {"series night", "series result", "series answer", "publish"} <= {one[2] for one in of_series}
    for file, instant, kind in of_series[::step]:
        async with open_series(file, clock=ManualClock(instant), first_request=9_000_000) as world:
            await world.ring_alarms()
            series = await world.load_series(number)
            await check_nights(world, series)
            assert night_keys(series) == night_keys(whole)[: len(series.nights)], kind
            for season in (1, 2):
                assert len(standings(series, season)) in (0, len(PEOPLE))


PARTS = 8
"""Parts of the night's kills, so that none takes long."""


def dealer_with_constant_seed() -> StackedDealer:
    """Return a dealer with a constant seed, because a night is drawn again after a kill."""
    return StackedDealer(seeds=repeat(bytes(SEED_BYTES)))


async def finish_series(world: SeriesWorld, series_number: int) -> dict[str, Any]:
    """Continue the series from its current state until it has a champion.

    Return its exports, nights, standings and champions.
    """
    events = world.evening.events
    events.rounds.set_ratings(TournamentRatings(RatingService(world.evening.world.store.ratings, world.clock)))
    await world.ring_alarms()
    while not (series := await world.load_series(series_number)).champions:
        if not await do_what_the_series_awaits(world, series):
            dues = [await world.service.nights.next_due_at(), await events.alarms.next_due_at()]
            await world.advance_to(max(min(one for one in dues if one is not None), world.clock.now() + 1))
    exports = [await export_of(world, night) for night in series.nights if night.tournament]
    nights = [(one.season, one.number, one.date, one.stage, one.placed) for one in series.nights]
    table = [(row.person, row.total, row.first, row.last) for row in standings(series, 1)]
    return {"exports": exports, "nights": nights, "standings": table, "champions": series.champions}


async def do_what_the_series_awaits(world: SeriesWorld, series: Series) -> bool:
    """Let all people do whatever the series awaits of them; return whether anything was done."""
    entering, done = world.evening.events.entering, False
    for one in () if series.asking is None else series.asking.asked:
        if one.answer is None:
            await world.service.answer_invitation(world.caller(one.person), series.id, yes=True)
            done = True
    for night in (one for one in series.nights if one.stage is NightStage.MADE):
        snapshot = await world.tournament(night)
        for person in () if night.final or snapshot.stage is not Stage.OPEN else PEOPLE:
            if snapshot.entry_of(person) is None:
                await entering.enter(world.caller(person), snapshot.id)
                done = True
        for entrant in snapshot.entrants if snapshot.stage is Stage.CHECK_IN else ():
            if not entrant.here:
                await entering.check_in(world.caller(entrant.people[0]), snapshot.id)
                done = True
        called = next((one for one in snapshot.matches if one.stage is MatchStage.CALLED), None)
        if called is not None:
            await end_match(world.evening, snapshot.id, called)
            done = True
    await world.wait_until_idle()
    return done


async def export_of(world: SeriesWorld, night: Night) -> dict[str, Any]:
    """Return the export of a closed night, after checking that its matches are rated."""
    snapshot = await world.tournament(night)
    shown = tournament_document(await world.evening.events.exports.export_input_of(snapshot))
    played = {one["id"] for turn in shown["rounds"] for one in turn["matches"] if not one["unrated"]}
    assert played == {one["match"] for one in shown["ratings"]["log"]}, "a closed match is unrated"
    return {name: json.loads(json.dumps(shown[name])) for name in shown if name != "audit"}


@pytest.mark.parametrize("part", range(PARTS if seeds.SEARCHING else 1))
async def test_a_kill_at_any_point_of_a_season_changes_nothing_of_how_it_ends(tmp_path: Path, part: int) -> None:
    path = tmp_path / "s.db"
    async with open_series(
        path, clock=ManualClock(parse_instant("2026-09-20 12:00")), dealer=dealer_with_constant_seed()
    ) as world:
        number = await world.begin_series(
            start=FIRST, nights=2, best=2, final=4, pattern=quick_tournament_plan(rated=True)
        )
        copies = DatabaseCopies(world, path)
        wanted = await finish_series(world, number)
    assert ["closed"] * 3 == [one[3] for one in wanted["nights"]]
    tried = copies.made[part::PARTS] if seeds.SEARCHING else copies.made[:: max(1, len(copies.made) // 3)]
    assert len(copies.made) >= 60
    for file, instant, kind in tried:
        opened = open_series(
            file, clock=ManualClock(instant), first_request=9_000_000, dealer=dealer_with_constant_seed()
        )
        async with opened as world:
            assert wanted == await finish_series(world, number), f"killed after {kind}"


async def kill_in_step(tmp_path: Path, kind: str, *, divided: bool = False) -> tuple[Path, int]:
    """Kill the process in the step of this kind; return the copy of its file and the instant."""
    path = tmp_path / "s.db"
    async with open_series(path, clock=ManualClock(parse_instant("2026-09-20 12:00"))) as world:
        if not divided:
            number = await world.begin_series(start=FIRST, nights=3, best=2, final=0)
            copies = DatabaseCopies(world, path)
            await world.wait_for_next_night(number)
        else:
            number = await begin_divisions(world)
            await enter_pairs_for_next_season(world, number, new_pairs(4))
            copies = DatabaseCopies(world, path)
            await wait_for_divisions(world, number)
    return next((file, instant) for file, instant, one in copies.made if one == kind)


async def test_a_night_that_a_kill_left_unpublished_is_not_played_after_a_long_outage(tmp_path: Path) -> None:
    file, _ = await kill_in_step(tmp_path, "series night")
    async with open_series(file, clock=ManualClock(parse_instant(FIRST) + 2 * DAY), first_request=9_000_000) as world:
        await world.ring_alarms()
        series = await world.load_series(1)
        assert [(1, NightStage.AWAY), (2, NightStage.MADE)] == [(one.number, one.stage) for one in series.nights]
        assert "night_missed" in [one.code for one in series.news]
        assert [Stage.CANCELLED, Stage.OPEN] == [
            (await world.evening.events.overview.get_tournament(number)).stage for number in (1, 2)
        ]


async def test_a_night_that_is_readable_again_is_published_at_once(tmp_path: Path) -> None:
    file, instant = await kill_in_step(tmp_path, "series night")
    whole = damage_tournament(file)
    async with open_series(file, clock=ManualClock(instant), first_request=9_000_000) as world:
        (night,) = (await world.load_series(1)).nights
        assert (TournamentCode.UNREADABLE, {"tournament": 1}) == await refusal_of(world.tournament(night))
        set_snapshot(file, whole)
        assert await world.evening.events.alarms.retry_task(HOST, 1, ("read", 0))
        await world.wait_until_idle()
        assert Stage.OPEN is (await world.tournament(night)).stage


async def test_a_night_that_the_host_has_repaired_is_published_at_the_next_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, instant = await kill_in_step(tmp_path, "series night")
    backup = (await asyncio.to_thread(run_and_read_report, capsys, file, "backup", tmp_path / "kept"))["backup"]
    damage_tournament(file)
    async with open_series(file, clock=ManualClock(instant), first_request=9_000_000):
        pass
    repair = ("repair", "tournament", 1, "--from", backup, "--yes")
    assert 0 == (await asyncio.to_thread(run_and_read_report, capsys, file, *repair))["status"]
    async with open_series(file, clock=ManualClock(instant), first_request=9_100_000) as world:
        (night,) = (await world.load_series(1)).nights
        assert Stage.OPEN is (await world.tournament(night)).stage


def damage_tournament(file: Path) -> str:
    """Make the only tournament of the file unreadable; return its snapshot as it was."""
    with closing(sqlite3.connect(file)) as connection:
        ((whole,),) = connection.execute("SELECT snapshot FROM tournaments")
    set_snapshot(file, "{")
    return str(whole)


def set_snapshot(file: Path, snapshot: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE tournaments SET snapshot = ?", (snapshot,))


async def test_divisions_that_a_kill_left_unpublished_begin_after_an_outage(tmp_path: Path) -> None:
    file, instant = await kill_in_step(tmp_path, "series draw", divided=True)
    async with open_series(file, clock=ManualClock(instant + 3 * DAY), first_request=9_000_000) as world:
        await world.ring_alarms()
        (division,) = (await world.load_series(1)).divisions_of(1)
        assert Stage.RUNNING is (await world.tournament(division)).stage
