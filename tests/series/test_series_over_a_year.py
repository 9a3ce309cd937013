"""A year of a series without a director: every date is played, unplayed or skipped exactly once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY
from bot.series.series import NightStage
from tests.support.series_year import WEEK, YearPlan, check_year, play_year

SHORT = YearPlan(
    weeks=9,
    nights=3,
    best=2,
    outages=(
        (WEEK - 6 * DAY - HOUR, DAY),  # while the second night should be published
        (2 * WEEK - HOUR, 2 * HOUR),  # during a check-in
        (5 * WEEK - 6 * DAY - HOUR, 7 * DAY),  # during a whole night, from its publication on
    ),
    empty=(2,),
    left_out=("2026-10-30",),
    kills=(40, 150),
    host_goes=2,
    deleted=4,
)

WHOLE = YearPlan(
    weeks=52,
    nights=10,
    best=7,
    outages=(
        (WEEK - 6 * DAY - HOUR, DAY),  # while a night should be published
        (2 * WEEK - HOUR, 2 * HOUR),  # during a check-in
        (4 * WEEK + HOUR // 2, 5 * HOUR),  # during a night
        (7 * WEEK - 6 * DAY - HOUR, 9 * DAY),  # from a night's publication until after its end
        (10 * WEEK - 3 * HOUR, 6 * HOUR),  # during a final
        (17 * WEEK - 20 * HOUR, 19 * HOUR),  # until an hour before a published night
        (29 * WEEK - 6 * DAY - HOUR, 6 * DAY + 2 * HOUR),  # until after the start of an unpublished night
        (40 * WEEK - DAY, 2 * HOUR),
    ),
    empty=(15, 33),
    left_out=("2026-12-25", "2027-01-01"),
    kills=(60, 700, 1_200, 1_900),
    host_goes=10,
    deleted=20,
)


async def test_a_series_runs_for_weeks_without_a_director(tmp_path: Path) -> None:
    walk, number = await play_year(tmp_path / "year.db", SHORT, 1)
    await check_year(walk, number, finals=2)
    assert 1 == sum(one.stage is NightStage.AWAY for one in (await walk.current_world.load_series(number)).nights)
    await walk.stack.aclose()


@pytest.mark.nightly
async def test_a_series_runs_for_a_year_without_a_director(tmp_path: Path) -> None:
    walk, number = await play_year(tmp_path / "year.db", WHOLE, 1)
    await check_year(walk, number, finals=4, moved=1)
    nights = (await walk.current_world.load_series(number)).nights
    assert {"closed", "away"} == {one.stage.value for one in nights[:-1]}
    assert walk.left > 30
    await walk.stack.aclose()
