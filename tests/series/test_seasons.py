"""Seasons of divisions: they begin, end, promote and relegate, and announce the next sign-up."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import MINUTE
from bot.clocks.time_rules import DAY
from bot.series.divisions import Team, division_sizes, next_divisions
from bot.series.refusals import SeriesCode
from bot.series.series import SeriesStage
from bot.tournaments.event.plan import SLOW
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage
from bot.tournaments.format_traits import FormatKind
from tests.support.series import SeriesWorld, open_series, quick_tournament_plan, refusal_of
from tests.support.series_divisions import (
    begin_divisions,
    enter_pairs_for_next_season,
    entries_by_division,
    new_pairs,
    play_season,
    wait_for_divisions,
)
from tests.support.tournaments import refusal_of as tournament_refused


def sizes_of_divisions(divisions: list[list[Team]]) -> list[int]:
    return [len(one) for one in divisions]


async def test_the_next_season_is_played_by_those_who_say_yes(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number, everybody = await begin_divisions(world), new_pairs(12)
        await enter_pairs_for_next_season(world, number, everybody)
        divisions = await wait_for_divisions(world, number)
        assert [1, 2] == [one.number for one in divisions]
        assert [6, 6] == sizes_of_divisions(await entries_by_division(world, divisions))
        tournaments = [await world.tournament(one) for one in divisions]
        assert {Stage.RUNNING} == {one.stage for one in tournaments}
        assert ["League 1 · 1", "League 1 · 2"] == [one.plan.name for one in tournaments]
        assert Stage.CANCELLED is (await world.tournament((await world.load_series(number)).nights[0])).stage

        over = await play_season(world, number)
        assert 2 == over.season
        assert (1,) == tuple(one.season for one in over.champions)
        assert over.champions[0].people == over.divisions_of(1)[0].placed[0].people
        asked = [one for one in over.news if one.code == "play_again"]
        assert [24] == [len(one.persons) for one in asked]
        assert asked[0].numbers["at"] >= world.clock.now() + 13 * DAY
        first, second = ([row.people for row in one.placed] for one in over.divisions_of(1))
        stopping, new = first[1], new_pairs(2, 101)
        await world.ring_alarms()
        for one in (*first, *second):
            if one != stopping:
                await world.service.enter_next_season(world.caller(one[0]), number)
        again = world.service.enter_next_season(world.caller(first[0][1]), number)
        assert TournamentCode.ALREADY_ENTERED is (await tournament_refused(again))[0]
        assert await world.service.enter_next_season(world.caller(999), number) is None
        await enter_pairs_for_next_season(world, number, new)
        following = await entries_by_division(world, await wait_for_divisions(world, number))
        assert [6, 7] == sizes_of_divisions(following)
        kept = [first[0], *first[2:]]
        assert {second[0], second[1], *kept[:4]} == set(following[0])
        assert {*kept[4:], *second[2:], *new} == set(following[1])


async def test_with_under_four_entries_the_season_is_put_off(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number = await begin_divisions(world)
        await enter_pairs_for_next_season(world, number, new_pairs(3))
        assert () == await wait_for_divisions(world, number)
        series = await world.load_series(number)
        night = series.sign_up_of(1)
        assert night is not None
        assert "season_put_off" in [one.code for one in series.news]
        assert world.clock.now() + 14 * DAY <= night.starts_at <= world.clock.now() + 21 * DAY
        snapshot = await world.tournament(night)
        assert (Stage.OPEN, night.starts_at) == (snapshot.stage, snapshot.plan.starts_at)
        await enter_pairs_for_next_season(world, number, new_pairs(1, 101))
        (division,) = await entries_by_division(world, await wait_for_divisions(world, number))
        assert 4 == len(division)


async def test_a_cancelled_sign_up_is_replaced(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number = await begin_divisions(world)
        first = (await world.load_series(number)).nights[0]
        await world.evening.events.desk.cancel(world.caller(), first.tournament)
        assert () == await wait_for_divisions(world, number)
        night = (await world.load_series(number)).sign_up_of(1)
        assert night is not None
        assert first.tournament != night.tournament
        assert Stage.OPEN is (await world.tournament(night)).stage


async def test_an_entry_that_withdraws_from_a_season_is_placed_last(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number = await begin_divisions(world)
        await enter_pairs_for_next_season(world, number, new_pairs(4))
        (division,) = await wait_for_divisions(world, number)
        leaving = (await entries_by_division(world, [division]))[0][0]
        await world.evening.events.entering.leave(world.caller(leaving[0]), division.tournament)
        over = await play_season(world, number)
        last = over.divisions_of(1)[0].placed[-1]
        assert (leaving, True) == (last.people, last.removed)


async def test_a_series_of_divisions_ends_with_its_season(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number = await begin_divisions(world)
        await enter_pairs_for_next_season(world, number, new_pairs(4))
        await wait_for_divisions(world, number)
        await world.service.end(world.caller(), number)
        over = await play_season(world, number)
        assert SeriesStage.ENDED is over.stage
        await world.pass_time(30 * DAY)
        assert 2 == len((await world.load_series(number)).nights)


async def test_a_sign_up_is_dropped_where_the_series_ends(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number = await begin_divisions(world)
        night = (await world.load_series(number)).nights[0]
        ended = await world.service.end(world.caller(), number)
        assert SeriesStage.ENDED is ended.stage
        assert Stage.CANCELLED is (await world.tournament(night)).stage


async def test_only_a_slow_round_robin_makes_divisions(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number = await begin_divisions(world)
        for unfit in (quick_tournament_plan(kind=FormatKind.ROUND_ROBIN), quick_tournament_plan(**SLOW)):
            asked = world.service.change_pattern(world.caller(), number, unfit)
            assert SeriesCode.NOT_REPEATABLE is (await refusal_of(asked))[0]


async def play_seasons(world: SeriesWorld, random: Random, *, entries: int, days: int, between: int) -> int:
    """Play seasons with leavers and newcomers; check each list against the law.

    Return the number of seasons.
    """
    number, playing, newest = await begin_divisions(world, between=between), new_pairs(entries), 1_001
    await enter_pairs_for_next_season(world, number, playing)
    end = world.clock.now() + days * DAY
    expected: tuple[tuple[Team, ...], ...] = ()
    while world.clock.now() < end:
        divisions = await wait_for_divisions(world, number)
        found = await entries_by_division(world, divisions)
        assert sorted(playing) == sorted(one for those in found for one in those), "somebody is lost"
        assert division_sizes(len(playing), 6) == tuple(sizes_of_divisions(found))
        assert not expected or [set(one) for one in expected] == [set(one) for one in found]
        for those, night in zip(found, divisions, strict=True):
            if random.random() < 0.2:
                leaving = random.choice(those)[0]
                await world.evening.events.entering.leave(world.caller(leaving), night.tournament)
        over = await play_season(world, number)
        rows = [list(one.placed) for one in over.divisions_of(over.season - 1)]
        ended = {row.people for those in rows for row in those if not row.removed}
        withdrawn = {row.people for those in rows for row in those if row.removed}
        stopping = {one for one in sorted(ended) if random.random() < 0.1}
        back = {one for one in sorted(withdrawn) if random.random() < 0.5}
        new = new_pairs(random.randint(0, 4), newest)
        newest += 100
        await world.pass_time(MINUTE)
        for one in sorted(ended - stopping):
            await world.service.enter_next_season(world.caller(random.choice(one)), number)
        coming = [*sorted(back), *new]
        await enter_pairs_for_next_season(world, number, coming)
        # The draw decides the order of several newcomers, so only their number is known in advance.
        listed = [[row.people for row in those] for those in rows]
        expected = next_divisions(listed, ended - stopping, coming, 6) if len(coming) < 2 else ()
        playing = [*sorted(ended - stopping), *coming]
    return (await world.load_series(number)).season


async def test_seasons_are_played_with_leavers_and_newcomers(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        assert 3 == await play_seasons(world, Random(3), entries=9, days=60, between=8 * DAY)


@pytest.mark.nightly
async def test_divisions_are_played_for_three_years(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        assert await play_seasons(world, Random(27), entries=27, days=3 * 365, between=8 * DAY) > 12


async def test_regulars_of_the_sign_up_play_in_the_division_and_are_asked_again(tmp_path: Path) -> None:
    async with open_series(tmp_path / "canasta.db") as world:
        number = await begin_divisions(world)
        await enter_pairs_for_next_season(world, number, new_pairs(4))
        (night,) = (await world.load_series(number)).nights
        entering = world.evening.events.entering
        tournament = await world.tournament(night)
        captain = tournament.entrants[0].captain
        await entering.ask_regular(world.caller(captain), tournament.id, regular=501, name="Regular")
        await entering.answer_regular_invitation(world.caller(501), tournament.id, yes=True)
        await wait_for_divisions(world, number)
        division = await world.tournament((await world.load_series(number)).divisions_of(1)[0])
        assert [501] == [one for entrant in division.entrants for one in entrant.regulars]
        over = await play_season(world, number)
        await world.service.enter_next_season(world.caller(captain), number)
        again = await world.tournament(over.sign_up_of(2) or over.nights[-1])
        assert [501] == [one.person for entrant in again.entrants for one in entrant.asked]
