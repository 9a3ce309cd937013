"""Titles: the points they need, what counts for them, and that each is announced once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.series.series import Champion, DivisionPlan, NightStage
from bot.series.titles import Achievements, achievements_of, announce_titles, title_of
from bot.tournaments.event.entries import Person
from tests.series.test_series_standings import ANA, BEN, CYD, night_with_places, series_of_nights
from tests.support.clock import ManualClock
from tests.support.series import night_place, open_series, parse_instant


def test_each_title_begins_at_its_points() -> None:
    told = {points: title_of(2 * points) for points in (24, 25, 99, 100, 299, 300, 999, 1000)}
    expected = ("", "club_player", "club_player", "club_master", "club_master", "master", "master", "grand_master")
    assert expected == tuple(told.values())
    assert "" == title_of(49)


def test_dropped_nights_and_guests_count_and_small_nights_do_not() -> None:
    large = night_with_places(
        1, night_place(ANA, first=1, ranked=4), *(night_place(Person(9 + one), first=2, ranked=4) for one in range(3))
    )
    small = night_with_places(
        2, night_place(ANA, first=1, ranked=3), night_place(BEN, first=2, ranked=3), night_place(CYD, first=3, ranked=3)
    )
    twice = replace(large, number=3)
    found = {one.person: one for one in achievements_of([series_of_nights(large, small, twice, best=1, guests=(ANA,))])}
    assert Achievements(person=ANA, points=16, nights=2) == found[ANA]
    assert BEN not in found


def test_finals_give_no_points_and_champions_are_counted() -> None:
    final = replace(
        night_with_places(4, *(night_place(Person(one), first=one, ranked=4) for one in range(1, 5))), final=True
    )
    found = achievements_of([replace(series_of_nights(final), champions=(Champion(season=1, people=(ANA,)),))])
    assert (Achievements(person=ANA, seasons=1),) == found


def test_winners_of_divisions_are_counted() -> None:
    division = night_with_places(1, *(night_place(Person(one), first=one, ranked=4) for one in range(1, 5)))
    league = series_of_nights(division)
    league = replace(league, plan=replace(league.plan, divisions=DivisionPlan()))
    assert (Achievements(person=ANA, divisions=1),) == achievements_of([league])


def test_a_title_is_announced_once_even_if_points_come_from_two_series() -> None:
    rows = (
        night_place(ANA, first=1, ranked=20),
        *(night_place(Person(9 + one), first=18 + one, ranked=20) for one in range(3)),
    )
    one, other = series_of_nights(night_with_places(1, *rows)), series_of_nights(night_with_places(1, *rows))
    assert () == announce_titles(one, [], 0).told
    series = announce_titles(one, [other], 0)
    assert ((ANA, "club_player"),) == series.told
    assert [("title", "club_player", (ANA,))] == [
        (news.code, news.texts["title"], news.persons) for news in series.news
    ]
    assert series is announce_titles(series, [other], 0)
    assert other is announce_titles(other, [series], 0)


async def test_no_title_is_announced_again_for_a_reopened_night(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=ManualClock(parse_instant("2026-09-20 12:00"))) as world:
        number = await world.begin_series(start="2026-10-02 18:00", nights=12, best=8, final=0)
        for _ in range(5):
            await world.play_next_night(number, range(1, 17))
        series = await world.load_series(number)
        titled = [one for one in series.news if one.code == "title"]
        assert titled
        last = series.nights[-1]
        await world.evening.events.desk.reopen(world.caller(), last.tournament)
        await world.wait_until_idle()
        assert NightStage.MADE is (await world.load_series(number)).nights[-1].stage
        await world.pass_time(600_000)
        after = await world.load_series(number)
        assert NightStage.CLOSED is after.nights[-1].stage
        assert titled == [one for one in after.news if one.code == "title"]
