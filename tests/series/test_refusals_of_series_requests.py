"""Refusals of series that no other test of series causes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bot.series.refusals import SeriesCode
from bot.series.series import Series
from bot.series.service import SeriesService
from bot.tournaments.event.plan import SLOW
from bot.tournaments.format_traits import FormatKind
from tests.support.series import HOST, open_series, quick_tournament_plan, refusal_of
from tests.support.tables import CHANNEL, OTHER_GUILD


async def test_impossible_requests_to_a_series_are_refused(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number, service = await world.begin_series(), world.service
        me = world.caller
        assert SeriesCode.UNKNOWN_SERIES is (await refusal_of(service.get_series(99)))[0]
        assert SeriesCode.UNKNOWN_SERIES is (await refusal_of(service.get_series(number, guild=OTHER_GUILD)))[0]
        assert (
            SeriesCode.UNKNOWN_SERIES is (await refusal_of(service.pause(replace(me(), guild=OTHER_GUILD), number)))[0]
        )
        assert SeriesCode.NOT_PAUSED is (await refusal_of(service.resume(me(), number)))[0]
        await service.pause(me(), number)
        assert SeriesCode.SERIES_PAUSED is (await refusal_of(service.pause(me(), number)))[0]
        many = dict.fromkeys(range(1, 6), "P")
        assert (SeriesCode.TOO_MANY_HOSTS, {"most": 5}) == await refusal_of(service.set_hosts(me(), number, many))
        hosted = await service.set_hosts(me(), number, {1: "P1", HOST: "P"})
        assert (HOST, 1) == hosted.hosts
        assert (2,) == (await service.set_guests(me(), number, {2: "P2"})).guests
        for unfit in (quick_tournament_plan(**SLOW), quick_tournament_plan(kind=FormatKind.LADDER)):
            assert SeriesCode.NOT_REPEATABLE is (await refusal_of(service.change_pattern(me(), number, unfit)))[0]
            plan = replace(world.plan(), pattern=unfit)
            assert SeriesCode.NOT_REPEATABLE is (await refusal_of(service.create(me(), channel=CHANNEL, plan=plan)))[0]


async def test_a_request_is_served_once(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        caller = world.caller()
        made = await world.service.create(caller, channel=CHANNEL, plan=world.plan())
        assert made == await world.service.create(caller, channel=CHANNEL, plan=world.plan())
        other = await world.begin_series()
        assert SeriesCode.REQUEST_SERVED is (await refusal_of(world.service.pause(caller, other)))[0]
        again = world.caller()
        paused = await world.service.pause(again, other)
        assert paused == await world.service.pause(again, other)


async def test_a_request_is_stale_if_another_process_changed_the_series(tmp_path: Path) -> None:
    async with open_series(tmp_path / "s.db") as world:
        number = await world.begin_series()
        evening = world.evening
        beside = SeriesService(evening.world.store, evening.clock, evening.events)
        await beside.pause(world.caller(), number)
        assert SeriesCode.STALE_SERIES is (await refusal_of(world.service.pause(world.caller(), number)))[0]
        assert SeriesCode.SERIES_PAUSED is (await refusal_of(world.service.pause(world.caller(), number)))[0]


async def test_a_series_that_cannot_be_read_is_set_aside_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with open_series(path) as world:
        broken, whole = await world.begin_series(), await world.begin_series()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE series SET snapshot = ? WHERE id = ?", ("{", broken))
    async with open_series(path) as world:
        assert SeriesCode.UNKNOWN_SERIES is (await refusal_of(world.service.get_series(broken)))[0]
        assert [whole] == [one.id for one in await world.service.open_series_in(900)]
        await world.service.remove_from_all_series(HOST)
        series: Series = await world.load_series(whole)
        assert () == series.hosts
