"""Quiet hours and vacation: kept across restarts, limited by the year, ended by a move."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, covered_time
from bot.clocks.quiet_hours import DAY, DatedQuietHours, QuietWindow
from bot.clocks.quiet_hours_and_vacation import (
    PersonalHours,
    PersonalTimes,
    Vacation,
    VacationCode,
    VacationProblem,
    personal_hours_json,
    read_personal_hours,
)
from bot.clocks.time_rules import SeatClock
from tests.support.clock import START
from tests.support.empty_database import open_new_store

PERSON = 1
NIGHT = QuietWindow("Europe/Rome", 22 * 60, 10)
LATE = QuietWindow("Asia/Tokyo", 0, 8)


async def test_the_first_quiet_hours_hold_at_once_and_changes_after_a_day(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "c.db") as store:
        times = PersonalTimes(store.times)
        await times.set_quiet_hours(PERSON, NIGHT, START)
        await times.set_quiet_hours(PERSON, LATE, START + HOUR)
        changed = await times.set_quiet_hours(PERSON, None, START + 2 * HOUR)
        assert (DatedQuietHours(START, NIGHT), DatedQuietHours(START + 2 * HOUR + DAY, None)) == changed.quiet, (
            "the last one counts"
        )
        assert changed == await PersonalTimes(store.times).hours_of(PERSON)


def test_fourteen_days_a_year_are_taken_one_by_one() -> None:
    personal = PersonalHours()
    for day in range(14):
        personal = personal.with_vacation_day(START + day * DAY, START + (day + 1) * DAY)
    assert 0 == personal.days_left(START + 14 * DAY)
    assert 1 == personal.days_left(START + 365 * DAY), "the first day is more than a year ago"


def test_no_second_vacation_day_is_taken_while_one_runs() -> None:
    personal = PersonalHours().with_vacation_day(START, START + DAY)
    assert (
        personal
        == personal.with_vacation_day(START - HOUR, START + DAY)
        == personal.with_vacation_day(START + HOUR, START + DAY)
    )
    assert personal == personal.with_planned_days_ended(START + HOUR, START + DAY)
    assert (START, START + DAY) == personal.current_vacation_day(START + 23 * HOUR)
    assert personal.current_vacation_day(START + HOUR, planned=True) is None
    assert personal.current_vacation(START + HOUR) is None, "nobody is away for a day that was taken when time ran out"


@pytest.mark.parametrize(("allowed", "days"), [(0, 0), (1, 1), (3, 3), (7, 3)])
def test_planned_days_stop_a_clock_for_the_days_that_the_table_allows(allowed: int, days: int) -> None:
    personal = PersonalHours(vacations=(Vacation(START, START + 3 * DAY),))
    off, clock = personal.vacation_days_and_clock(
        SeatClock(0), allowed=allowed, since=START - HOUR, until=START + 9 * DAY
    )
    assert (days * DAY, days) == (covered_time(off, START - HOUR, START + 9 * DAY), clock.vacation_days)
    again = personal.vacation_days_and_clock(clock, allowed=allowed, since=START - HOUR, until=START + 9 * DAY)
    assert (off, clock) == again, "no day counts twice"


def test_only_vacation_days_in_which_the_seat_is_to_act_are_counted() -> None:
    personal = PersonalHours(vacations=(Vacation(START, START + 5 * DAY),))
    since = START + 2 * DAY + 23 * HOUR
    off, clock = personal.vacation_days_and_clock(SeatClock(0), allowed=7, since=since, until=START + 3 * DAY + 1)
    assert (2, ((since, START + 3 * DAY + 1),)) == (clock.vacation_days, off)


def test_a_move_ends_the_vacation_day_at_that_table_but_not_at_others() -> None:
    personal = PersonalHours(vacations=(Vacation(START, START + 5 * DAY),)).with_planned_days_ended(
        START + 8 * HOUR, START + DAY
    )
    clock = SeatClock(0, worked=(START + 8 * HOUR, START + DAY))
    here, _ = personal.vacation_days_and_clock(clock, allowed=7, since=START, until=START + 3 * DAY)
    there, _ = personal.vacation_days_and_clock(SeatClock(0), allowed=7, since=START, until=START + 3 * DAY)
    assert (((START, START + 8 * HOUR),), ((START, START + DAY),)) == (here, there)
    assert 13 == personal.days_left(START + DAY)


async def test_planned_days_off_are_whole_days_within_the_allowance(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "c.db") as store:
        times = PersonalTimes(store.times)
        planned = await times.plan_vacation(PERSON, START + DAY, START + 7 * DAY + HOUR, START)
        assert (Vacation(START + DAY, START + 8 * DAY),) == planned.vacations
        assert 7 == planned.days_left(START)
        with pytest.raises(VacationProblem) as caught:
            await times.plan_vacation(PERSON, START + DAY, START + 20 * DAY, START)
        assert (VacationCode.DAYS, {"days": 19, "left": 14}) == (caught.value.code, caught.value.detail)
        with pytest.raises(VacationProblem) as caught:
            await times.plan_vacation(PERSON, START + DAY, START + DAY, START)
        assert VacationCode.ORDER is caught.value.code
        assert planned == await times.hours_of(PERSON), "what was refused changed nothing"
        ended = planned.with_planned_days_ended(START + 3 * DAY - 1, START + 3 * DAY)
        assert 12 == ended.days_left(START + 3 * DAY), "two days are spent, the other five are not"


async def test_automatic_vacation_can_be_turned_off(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "c.db") as store:
        times = PersonalTimes(store.times)
        await times.set_automatic_vacation(PERSON, automatic=False)
        assert not (await times.hours_of(PERSON)).automatic
        await times.forget(PERSON)
        assert PersonalHours() == await times.hours_of(PERSON)
        assert await store.times.personal_hours(PERSON) is None


def test_quiet_hours_and_vacation_are_read_back_as_they_were_stored() -> None:
    personal = PersonalHours(
        (DatedQuietHours(1, NIGHT), DatedQuietHours(2, None)),
        (Vacation(3, 3 + DAY, 5), Vacation(9, 9 + DAY, automatic=True)),
        automatic=False,
    )
    assert personal == read_personal_hours(personal_hours_json(personal))
    assert (
        DatedQuietHours(1, None)
        == read_personal_hours(personal_hours_json(personal).replace("Europe/Rome", "Europe/Atlantis")).quiet[0]
    )


def test_the_end_of_quiet_hours_is_known_while_they_last() -> None:
    personal = PersonalHours((DatedQuietHours(0, QuietWindow("UTC", 22 * 60, 10)),))
    midnight = START - START % DAY
    assert midnight + 8 * HOUR == personal.end_of_quiet_hours(midnight + HOUR)
    assert personal.end_of_quiet_hours(midnight + 8 * HOUR) is None
