"""Nights of a series that are made automatically: dates, outages, empty nights, hosts, finals."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.series.dates import dates_after, night_start
from bot.series.nights import upcoming_start
from bot.series.refusals import SeriesCode
from bot.series.series import NightStage, Series, SeriesStage
from bot.series.standings import standings
from bot.tournaments.event.entries import Person
from bot.tournaments.event.tournament import Stage
from tests.support.clock import ManualClock
from tests.support.series import HOST, SeriesWorld, open_series, parse_instant, quick_tournament_plan, refusal_of
from tests.support.tables import GUILD

PEOPLE = tuple(range(1, 9))
FIRST = "2026-10-02 18:00"
"""A Friday, 20:00 in Berlin."""


def clock_at(text: str) -> ManualClock:
    return ManualClock(parse_instant(text))


def news_codes(series: Series) -> list[str]:
    return [one.code for one in series.news]


def night_stages(series: Series) -> list[tuple[int, int, str]]:
    return [(one.season, one.number, one.stage.value) for one in series.nights]


async def test_a_night_is_published_six_days_before_and_counts_when_it_closes(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        assert () == (await world.load_series(number)).nights
        await world.advance_to(parse_instant("2026-09-26 17:59"))
        assert () == (await world.load_series(number)).nights
        await world.advance_to(parse_instant("2026-09-26 18:00"))
        (night,) = (await world.load_series(number)).nights
        snapshot = await world.tournament(night)
        assert (Stage.OPEN, parse_instant(FIRST), "Friday cup 1/10") == (
            snapshot.stage,
            snapshot.plan.starts_at,
            snapshot.plan.name,
        )
        assert (HOST,) == snapshot.directors
        await world.play_night(night, PEOPLE)
        series = await world.load_series(number)
        assert NightStage.CLOSED is series.nights[0].stage
        rows = standings(series, 1)
        assert len(PEOPLE) == len(rows)
        assert sum(range(1, 5)) * 2 * 2 == sum(row.total for row in rows)


async def test_dates_are_local_in_every_week(tmp_path: Path) -> None:

    clock = clock_at("2026-09-20 12:00")
    for zone in ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Sydney", "Africa/Cairo", "UTC"):
        async with open_series(tmp_path / f"{zone[-3:]}.db", clock=clock) as world:
            plan = world.plan(start=FIRST, zone=zone, minutes=20 * 60)
        days = [one for one, _ in zip(dates_after(plan, "2026-09-30"), range(52), strict=False)]
        starts = [night_start(plan, one) for one in days]
        apart = {(later - earlier) // HOUR for earlier, later in pairwise(starts)}
        assert apart <= {167, 168, 169}


async def test_a_night_in_a_skipped_or_doubled_hour_has_one_start(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        plan = replace(world.plan(start=FIRST), minutes=150)
    assert parse_instant("2027-03-28 01:30") == night_start(plan, "2027-03-28")  # 02:30 is skipped
    assert parse_instant("2026-10-25 00:30") == night_start(plan, "2026-10-25")  # 02:30 comes twice


async def test_after_an_outage_a_night_two_hours_away_is_published_at_once(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        await world.pass_outage(parse_instant("2026-10-02 16:00") - world.clock.now())
        (night,) = (await world.load_series(number)).nights
        assert Stage.OPEN is (await world.tournament(night)).stage


async def test_after_an_outage_a_night_under_two_hours_away_is_not_played(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        await world.pass_outage(parse_instant("2026-10-02 16:01") - world.clock.now())
        series = await world.load_series(number)
        assert [(1, 1, "away")] == night_stages(series)
        assert ["night_missed"] == news_codes(series)
        await world.advance_to(parse_instant("2026-10-04 12:00"))
        assert [(1, 1, "away"), (1, 2, "made")] == night_stages(await world.load_series(number))


async def test_no_night_is_made_for_a_date_that_is_left_out(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST, left_out=("2026-10-09",))
        await world.play_next_night(number, PEOPLE)
        assert parse_instant("2026-10-16 18:00") == upcoming_start(await world.load_series(number))


async def test_a_published_night_that_is_left_out_is_cancelled_and_its_number_comes_again(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        night = await world.wait_for_next_night(number)
        await world.enter(night, PEOPLE)
        series = await world.service.skip_next_date(world.caller(), number)
        snapshot = await world.tournament(night)
        assert Stage.CANCELLED is snapshot.stage
        assert [("called_off", PEOPLE)] == [(one.code, one.persons) for one in snapshot.news]
        assert () == series.nights
        assert ("2026-10-02",) == series.plan.left_out
        again = await world.wait_for_next_night(number)
        assert (1, parse_instant("2026-10-09 18:00")) == (again.number, again.starts_at)


async def test_three_empty_nights_pause_the_series_until_a_host_goes_on(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        for _ in range(3):
            snapshot = await world.play_next_night(number, ())
            assert (Stage.CLOSED, ()) == (snapshot.stage, snapshot.rounds)
        series = await world.load_series(number)
        assert SeriesStage.PAUSED is series.stage
        assert "nobody_came" in news_codes(series)
        await world.pass_time(30 * DAY)
        assert 3 == len((await world.load_series(number)).nights)
        after = await world.service.resume(world.caller(), number)
        assert SeriesStage.RUNNING is after.stage
        assert world.clock.now() + 2 * HOUR <= upcoming_start(after) < world.clock.now() + 8 * DAY
        assert 4 == (await world.wait_for_next_night(number)).number


async def test_without_hosts_the_series_goes_on_and_a_moderator_takes_over(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        assert SeriesCode.HAS_HOSTS is (await refusal_of(world.service.take_over(world.caller(77), number)))[0]
        await world.service.remove_person(number, HOST)
        assert ("no_hosts",) == tuple(news_codes(await world.load_series(number)))
        snapshot = await world.play_next_night(number, PEOPLE)
        assert ((), Stage.CLOSED) == (snapshot.directors, snapshot.stage)
        after = await world.service.take_over(world.caller(77), number)
        assert (77,) == after.hosts
        assert (77,) == (await world.tournament(await world.wait_for_next_night(number))).directors


async def test_a_forgotten_host_is_removed_and_keeps_no_name(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        await world.play_next_night(number, PEOPLE)
        for one in (HOST, 3):
            await world.evening.events.entering.withdraw_all_entries(one)
            await world.service.remove_from_all_series(one)
            await world.evening.world.store.players.forget(one)
        await world.evening.events.forget(3)
        await world.service.forget(3)
        series = await world.load_series(number)
        assert () == series.hosts
        people = {row.person for row in standings(series, 1)}
        assert {1, 2, 4, 5, 6, 7, 8} == {one for one in people if one > 0}
        assert 1 == sum(one < 0 for one in people)
        assert not {"P3", f"P{HOST}"} & set(series.names.values())


async def test_a_restart_does_not_part_a_forgotten_player_from_earlier_nights(tmp_path: Path) -> None:
    """Each tournament has other numbers for former players; the series has one of its own."""
    path = tmp_path / "s.db"
    async with open_series(path, clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        for _ in range(2):
            await world.play_next_night(number, PEOPLE)
        await world.evening.world.store.players.forget(PEOPLE[0])
        await world.evening.events.forget(PEOPLE[0])
        await world.service.forget(PEOPLE[0])
        before = await world.load_series(number)
        clock = world.clock
    async with open_series(path, clock=clock, first_request=8_000_000) as world:
        assert before == await world.load_series(number)
    former = {person for night in before.nights for one in night.placed for person in one.people if person < 0}
    assert 1 == len(former)


async def test_a_series_keeps_its_numbers_once_a_night_was_played(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        plan = replace((await world.load_series(number)).plan, nights=6, best=4)
        assert 6 == (await world.service.change_plan(world.caller(), number, plan)).plan.nights
        await world.wait_for_next_night(number)
        wanted = replace(plan, nights=5)
        assert (
            SeriesCode.SEASON_BEGUN is (await refusal_of(world.service.change_plan(world.caller(), number, wanted)))[0]
        )
        assert SeriesCode.NOT_HOST is (await refusal_of(world.service.change_plan(world.caller(5), number, plan)))[0]
        for wrong, code in (
            (replace(plan, best=7), SeriesCode.BEST_TOO_MANY),
            (replace(plan, final=5), SeriesCode.FINAL_SIZE),
        ):
            assert code is (await refusal_of(world.service.change_plan(world.caller(), number, wrong)))[0]


async def test_a_changed_pattern_applies_only_to_nights_not_yet_published(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        night = await world.wait_for_next_night(number)
        moved = quick_tournament_plan(rounds=1, starts_at=parse_instant("2026-10-08 17:00"))
        await world.service.change_pattern(world.caller(), number, moved)
        assert 2 == (await world.tournament(night)).plan.rounds
        await world.play_night(night, PEOPLE)
        following = (await world.load_series(number)).nights[1]
        snapshot = await world.tournament(following)
        assert (1, parse_instant("2026-10-08 17:00")) == (snapshot.plan.rounds, snapshot.plan.starts_at)


async def test_a_server_has_at_most_ten_series(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        for _ in range(10):
            await world.begin_series(start=FIRST)
        asked = world.service.create(world.caller(), channel=1, plan=world.plan(start=FIRST))
        assert (SeriesCode.TOO_MANY_SERIES, {"most": 10}) == await refusal_of(asked)
        await world.service.end(world.caller(), 1)
        await world.begin_series(start=FIRST)
        assert 10 == len(await world.service.open_series_in(GUILD))


async def play_season(world: SeriesWorld, *, final: int = 4, nights: int = 2) -> int:
    number = await world.begin_series(start=FIRST, nights=nights, best=nights, final=final)
    for _ in range(nights):
        await world.play_next_night(number, PEOPLE)
    return number


async def test_the_best_are_asked_for_the_final_and_each_no_asks_the_next(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await play_season(world)
        start = parse_instant("2026-10-16 18:00")
        await world.advance_to(start - 6 * DAY)
        series = await world.load_series(number)
        order = [row.person for row in standings(series, 1)]
        assert series.asking is not None
        asked = [one.person for one in series.asking.asked]
        assert (4, 8) == (len(asked), series.asking.listed)
        assert (
            SeriesCode.NOT_ASKED
            is (await refusal_of(world.service.answer_invitation(world.caller(99), number, yes=True)))[0]
        )
        for one in asked[:2]:
            await world.service.answer_invitation(world.caller(one), number, yes=True)
        await world.service.answer_invitation(world.caller(asked[2]), number, yes=False)
        assert 4 == len(people_asked(await world.load_series(number)))  # before 48 hours are over, nobody else is asked
        await world.advance_to(start - 48 * HOUR)
        now_asked = people_asked(await world.load_series(number))
        assert 6 == len(now_asked)  # one player said no, another did not answer
        await world.service.answer_invitation(world.caller(now_asked[4]), number, yes=False)
        assert 7 == len(people_asked(await world.load_series(number)))
        await world.advance_to(start - 36 * HOUR)
        now_asked = people_asked(await world.load_series(number))
        assert set(order) == set(now_asked)  # the last one asked said yes too
        await world.service.answer_invitation(world.caller(now_asked[7]), number, yes=True)
        # the answer is late, but a place is free
        await world.service.answer_invitation(world.caller(asked[3]), number, yes=True)
        full = await refusal_of(world.service.answer_invitation(world.caller(now_asked[5]), number, yes=True))
        assert (SeriesCode.FINAL_FULL, {"size": 4}) == full
        await world.advance_to(start - 2 * HOUR)
        final = (await world.load_series(number)).nights[-1]
        snapshot = await world.tournament(final)
        assert {*asked[:2], asked[3], now_asked[7]} == {one.people[0] for one in snapshot.entrants}
        assert ("individual", 3) == (snapshot.plan.kind.value, final.number)
        closed = await world.play_night(final)
        series = await world.load_series(number)
        assert 3 == len(closed.rounds)
        (champion,) = series.champions
        assert champion.people == tuple(
            person for one in series.nights[-1].placed if one.first == 1 for person in one.people
        )
        assert "champion" in news_codes(series)
        second = await world.wait_for_next_night(number) if series.nights[-1].final else series.nights[-1]
        assert (2, 1, parse_instant("2026-10-23 18:00")) == (second.season, second.number, second.starts_at)


def people_asked(series: Series) -> list[Person]:
    return [] if series.asking is None else [one.person for one in series.asking.asked]


async def test_with_under_four_players_there_is_no_final(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await play_season(world)
        await world.advance_to(parse_instant("2026-10-16 18:00") - 2 * HOUR)
        series = await world.load_series(number)
        assert (1, 3, "few") == night_stages(series)[2]
        assert {row.person for row in standings(series, 1) if row.first == 1} == set(series.champions[0].people)


async def test_a_missed_final_is_moved_to_the_next_date(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await play_season(world)
        await world.advance_to(parse_instant("2026-10-16 18:00") - 3 * DAY)
        assert 4 == len(people_asked(await world.load_series(number)))
        await world.pass_outage(3 * DAY - 10 * MINUTE)
        await world.advance_to(parse_instant("2026-10-23 18:00") - 6 * DAY + MINUTE)
        series = await world.load_series(number)
        assert series.asking is not None
        assert parse_instant("2026-10-23 18:00") == series.asking.starts_at
        assert 2 == len(series.nights)


async def test_without_a_final_the_first_of_the_standings_is_champion(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await play_season(world, final=0)
        series = await world.load_series(number)
        assert {row.person for row in standings(series, 1) if row.first == 1} == set(series.champions[0].people)
        assert (2, 1) == (
            (await world.wait_for_next_night(number)).season,
            (await world.load_series(number)).nights[-1].number,
        )


async def test_a_series_ends_with_the_published_night(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        night = await world.wait_for_next_night(number)
        await world.service.end(world.caller(), number)
        assert SeriesStage.RUNNING is (await world.load_series(number)).stage
        await world.play_night(night, PEOPLE)
        series = await world.load_series(number)
        assert (SeriesStage.ENDED, 1) == (series.stage, len(series.champions))
        await world.pass_time(30 * DAY)
        assert 1 == len((await world.load_series(number)).nights)
        assert SeriesCode.SERIES_OVER is (await refusal_of(world.service.pause(world.caller(), number)))[0]


async def test_a_reopened_night_does_not_count_until_it_closes_again(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db", clock=clock_at("2026-09-20 12:00")) as world:
        number = await world.begin_series(start=FIRST)
        await world.play_next_night(number, PEOPLE)
        night = (await world.load_series(number)).nights[0]
        await world.evening.events.desk.reopen(world.caller(), night.tournament)
        await world.wait_until_idle()
        assert () == standings(await world.load_series(number), 1)
        await world.pass_time(10 * MINUTE)
        assert len(PEOPLE) == len(standings(await world.load_series(number), 1))
