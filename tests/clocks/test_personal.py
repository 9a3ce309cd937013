"""Quiet hours and vacation: kept across restarts, counted by the year, ended by a move."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.personal import PersonalHours, PersonalTimes, Vacation, VacationCode, VacationProblem, read, written
from bot.clocks.quiet_hours import DAY, QuietFrom, Window
from tests.support.clock import START
from tests.support.empty_database import open_new

PERSON = 1
NIGHT = Window("Europe/Rome", 22 * 60, 10)
LATE = Window("Asia/Tokyo", 0, 8)


async def test_the_first_quiet_hours_hold_at_once_and_changes_after_a_day(tmp_path: Path) -> None:
    async with open_new(tmp_path / "c.db") as store:
        times = PersonalTimes(store.times)
        await times.set_quiet(PERSON, NIGHT, START)
        await times.set_quiet(PERSON, LATE, START + HOUR)
        changed = await times.set_quiet(PERSON, None, START + 2 * HOUR)
        assert (QuietFrom(START, NIGHT), QuietFrom(START + 2 * HOUR + DAY, None)) == changed.quiet, (
            "the last one counts"
        )
        assert changed == await PersonalTimes(store.times).of(PERSON)


async def test_fourteen_days_a_year_are_taken_one_by_one(tmp_path: Path) -> None:
    async with open_new(tmp_path / "c.db") as store:
        times = PersonalTimes(store.times)
        for day in range(14):
            assert await times.take_day(PERSON, START + day * DAY, START + day * DAY) is not None
        assert 0 == await times.days_left(PERSON, START + 14 * DAY)
        assert await times.take_day(PERSON, START + 14 * DAY, START + 14 * DAY) is None
        assert 1 == await times.days_left(PERSON, START + 365 * DAY), "the first day is more than a year ago"


async def test_a_move_ends_the_day_and_it_is_spent(tmp_path: Path) -> None:
    async with open_new(tmp_path / "c.db") as store:
        times = PersonalTimes(store.times)
        await times.take_day(PERSON, START, START)
        await times.moved(PERSON, START + 8 * HOUR)
        personal = await times.of(PERSON)
        assert ((START, START + 8 * HOUR),) == personal.standing(START - HOUR, START + 2 * DAY, vacation=True)
        assert 13 == personal.days_left(START + 9 * HOUR)
        assert personal.away_now(START + 9 * HOUR) is None


async def test_planned_days_off_are_whole_days_within_the_allowance(tmp_path: Path) -> None:
    async with open_new(tmp_path / "c.db") as store:
        times = PersonalTimes(store.times)
        planned = await times.plan_away(PERSON, START + DAY, START + 7 * DAY + HOUR, START)
        assert (Vacation(START + DAY, START + 8 * DAY),) == planned.vacations
        assert 7 == planned.days_left(START)
        with pytest.raises(VacationProblem) as caught:
            await times.plan_away(PERSON, START + DAY, START + 20 * DAY, START)
        assert (VacationCode.DAYS, {"days": 19, "left": 14}) == (caught.value.code, caught.value.detail)
        with pytest.raises(VacationProblem) as caught:
            await times.plan_away(PERSON, START + DAY, START + DAY, START)
        assert VacationCode.ORDER is caught.value.code
        assert planned == await times.of(PERSON), "what was refused changed nothing"
        await times.moved(PERSON, START + 3 * DAY)
        assert 12 == await times.days_left(PERSON, START + 3 * DAY + 1), "two days are spent, the other five are not"


async def test_automatic_vacation_can_be_turned_off(tmp_path: Path) -> None:
    async with open_new(tmp_path / "c.db") as store:
        times = PersonalTimes(store.times)
        await times.set_automatic(PERSON, automatic=False)
        assert await times.take_day(PERSON, START, START) is None
        await times.forget(PERSON)
        assert PersonalHours() == await times.of(PERSON)
        assert await store.times.personal(PERSON) is None


def test_times_come_back_as_they_were_written() -> None:
    personal = PersonalHours((QuietFrom(1, NIGHT), QuietFrom(2, None)), (Vacation(3, 3 + DAY, 5),), automatic=False)
    assert personal == read(written(personal))
    assert QuietFrom(1, None) == read(written(personal).replace("Europe/Rome", "Europe/Atlantis")).quiet[0]


def test_quiet_hours_have_an_end() -> None:
    personal = PersonalHours((QuietFrom(0, Window("UTC", 22 * 60, 10)),))
    midnight = START - START % DAY
    assert midnight + 8 * HOUR == personal.quiet_now(midnight + HOUR)
    assert personal.quiet_now(midnight + 8 * HOUR) is None
