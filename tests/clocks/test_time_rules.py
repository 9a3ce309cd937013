"""The rules of clocks (`docs/long-games.md`, 3): worked examples and random ones.

Random ones are compared with a step-by-step simulation.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from bot.clocks import quiet_hours, time_rules
from bot.clocks.clock import HOUR, MINUTE, SECOND, Spans, covered_time, instant_after, merge_spans, running_time
from bot.clocks.quiet_hours import DAY, DatedQuietHours, QuietWindow
from bot.clocks.time_rules import PRESETS, ClockProblem, ClockTerms, SeatClock, Stage
from tests.support.seeds import SEARCHING, seeds

ROME = ZoneInfo("Europe/Rome")
NIGHT = QuietWindow("Europe/Rome", 22 * 60, 10)
DAILY = PRESETS["daily"]
ALWAYS = (DatedQuietHours(0, NIGHT),)


def rome_instant(day: str, time: str) -> int:
    """Return the instant of a local time in Rome, in UTC milliseconds."""
    return round(datetime.fromisoformat(f"{day} {time}").replace(tzinfo=ROME).timestamp()) * 1000


def night_spans(start: int, days: int = 20) -> Spans:
    return quiet_hours.quiet_spans(ALWAYS, start, start + days * DAY)


def milliseconds_of(hours: int, minutes: int = 0, seconds: int = 0) -> int:
    return hours * HOUR + minutes * MINUTE + seconds * SECOND


def test_example_1_a_turn_is_charged_and_the_increment_stops_at_the_cap() -> None:
    start, end = rome_instant("2026-11-02", "09:00"), rome_instant("2026-11-02", "13:00")
    clock = time_rules.charge_time(SeatClock(70 * HOUR), since=start, until=end, stopped_spans=night_spans(start))
    assert 66 * HOUR == clock.bank
    assert 72 * HOUR == time_rules.clock_after_turn(clock, DAILY).bank


def test_example_2_quiet_hours_are_not_charged() -> None:
    start, end = rome_instant("2026-11-02", "20:00"), rome_instant("2026-11-03", "09:15:20")
    assert milliseconds_of(3, 15, 20) == running_time(night_spans(start), start, end)


def test_example_3_time_that_would_run_out_in_quiet_hours_runs_out_after_them() -> None:
    start = rome_instant("2026-11-02", "18:00")
    assert rome_instant("2026-11-03", "08:00") == time_rules.instant_when_time_runs_out(
        SeatClock(4 * HOUR), since=start, stopped_spans=night_spans(start)
    )
    assert rome_instant("2026-11-03", "09:00") == time_rules.instant_when_time_runs_out(
        SeatClock(5 * HOUR), since=start, stopped_spans=night_spans(start)
    )


@pytest.mark.parametrize(("evening", "morning"), [("2027-03-27", "2027-03-28"), ("2026-10-24", "2026-10-25")])
def test_examples_4_and_5_the_clock_stands_in_a_night_that_changes_the_hour(evening: str, morning: str) -> None:
    start, end = rome_instant(evening, "21:00"), rome_instant(morning, "09:00")
    assert end - start in (11 * HOUR, 13 * HOUR)
    assert 2 * HOUR == running_time(night_spans(start), start, end)


def test_example_6_a_moved_window_stops_the_clock_at_most_twelve_hours_of_24() -> None:
    history = quiet_hours.history_with_new_quiet_hours(
        ALWAYS, QuietWindow("Europe/Rome", 8 * 60, 10), rome_instant("2026-11-03", "07:00")
    )
    start, end = rome_instant("2026-11-03", "21:00"), rome_instant("2026-11-04", "13:00")
    stands = quiet_hours.quiet_spans(history, start, end)
    night = rome_instant("2026-11-03", "22:00"), rome_instant("2026-11-04", "07:00")
    morning = rome_instant("2026-11-04", "08:00"), rome_instant("2026-11-04", "11:00")
    assert (night, morning) == stands
    assert 4 * HOUR == running_time(stands, start, end)


def test_example_7_an_outage_adds_only_what_the_clock_would_have_run() -> None:
    start = rome_instant("2026-11-02", "18:00")
    assert rome_instant("2026-11-04", "10:00") == time_rules.instant_when_time_runs_out(
        SeatClock(20 * HOUR), since=start, stopped_spans=night_spans(start)
    )
    outage = (rome_instant("2026-11-02", "20:00"), rome_instant("2026-11-03", "05:00"))
    standing = merge_spans(night_spans(start), (outage,))
    assert rome_instant("2026-11-04", "12:00") == time_rules.instant_when_time_runs_out(
        SeatClock(20 * HOUR), since=start, stopped_spans=standing
    )


def test_example_8_the_partner_who_answers_is_charged_and_has_an_increment_for_it() -> None:
    asker, partner = SeatClock(20 * HOUR), SeatClock(30 * HOUR)
    asker = asker.charge(10 * MINUTE)
    partner = time_rules.clock_after_answer(time_rules.clock_for_answer(partner, DAILY).charge(13 * HOUR))
    asker = time_rules.clock_after_turn(asker.charge(5 * MINUTE), DAILY)
    assert SeatClock(20 * HOUR - 15 * MINUTE + 12 * HOUR) == asker
    assert SeatClock(29 * HOUR) == partner


def test_example_9_the_extension_follows_the_bank_and_its_rest_expires() -> None:
    clock = SeatClock(6 * HOUR, extension=24 * HOUR, extended=True).charge(25 * HOUR)
    assert (0, 5 * HOUR) == (clock.bank, clock.extension)
    assert SeatClock(12 * HOUR, extended=True) == time_rules.clock_after_turn(clock, DAILY)


def test_reminders_come_at_half_and_at_a_tenth_and_an_hour_before_the_end_at_least() -> None:
    def times_by_stage(bank: int, terms: ClockTerms = DAILY) -> dict[Stage, int]:
        return dict(time_rules.reminder_instants(SeatClock(bank), terms, since=0, stopped_spans=()))

    assert {Stage.HALF: 20 * HOUR, Stage.LAST: 36 * HOUR} == times_by_stage(40 * HOUR)
    assert {Stage.HALF: 2 * HOUR, Stage.LAST: 3 * HOUR} == times_by_stage(4 * HOUR)
    assert {Stage.LAST: HOUR // 2} == times_by_stage(3 * HOUR // 2)
    assert {} == times_by_stage(HOUR - 1)
    assert {} == times_by_stage(2 * HOUR, PRESETS["live"])


def test_turns_of_90_seconds_use_up_the_live_clock_in_the_ninth_turn() -> None:
    """A deal for four has seven turns each."""
    terms = PRESETS["live"]
    clock, turns = time_rules.initial_clock(terms), 0
    while clock.time_left >= 90 * SECOND:
        clock, turns = time_rules.clock_after_turn(clock.charge(90 * SECOND), terms), turns + 1
    assert 8 == turns


def test_a_clock_with_its_own_terms_has_limits() -> None:
    assert () == time_rules.terms_problems(ClockTerms("custom", 30 * SECOND, 0, 30 * SECOND))
    assert (ClockProblem.BANK,) == time_rules.terms_problems(ClockTerms("custom", 15 * DAY, DAY, 20 * DAY))
    assert (ClockProblem.INCREMENT,) == time_rules.terms_problems(ClockTerms("custom", HOUR, 2 * HOUR, HOUR))
    assert (ClockProblem.CAP,) == time_rules.terms_problems(ClockTerms("custom", HOUR, 0, 3 * HOUR))


def test_a_returning_player_has_a_quarter_of_the_bank_and_no_extension() -> None:
    assert SeatClock(18 * HOUR, extended=True, lapses=1) == time_rules.clock_for_return(SeatClock(0, lapses=1), DAILY)
    assert 20 * HOUR == time_rules.clock_for_return(SeatClock(20 * HOUR), DAILY).bank


def test_a_charge_never_exceeds_the_remaining_time() -> None:
    assert SeatClock(0, extended=True) == SeatClock(5, allowance=2, extension=3, extended=True).charge(11)


# --- random windows and outages, step by step ---------------------------------------------------------------------


ZONES = ("Europe/Rome", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Montevideo", "UTC")


def random_quiet_hours(random: Random, start: int) -> tuple[DatedQuietHours, ...]:
    """Return a history of one to four random changes of quiet hours around the clock's start."""
    history: tuple[DatedQuietHours, ...] = ()
    now = start - random.randrange(6) * DAY
    for _ in range(random.randrange(1, 5)):
        window = QuietWindow(random.choice(ZONES), random.randrange(24 * 4) * 15, random.randrange(11))
        history = quiet_hours.history_with_new_quiet_hours(history, random.choice((window, window, None)), now)
        now += random.randrange(1, 40) * HOUR
    return history


def is_quiet(history: tuple[DatedQuietHours, ...], instant: int) -> bool:
    """Return whether an instant is in the quiet hours valid then, by local time in their zone."""
    held = [one.window for one in history if one.at <= instant]
    if not held or held[-1] is None or not held[-1].hours:
        return False
    window = held[-1]
    local = datetime.fromtimestamp(instant / 1000, ZoneInfo(window.zone))
    for day in (local.date() - timedelta(days=1), local.date()):
        begin = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(window.zone)) + timedelta(minutes=window.start)
        end = begin + timedelta(hours=window.hours)
        late = end.replace(fold=1)
        end = late if (end.utcoffset() or timedelta()) > (late.utcoffset() or timedelta()) else end
        if begin.timestamp() * 1000 <= instant < end.timestamp() * 1000:
            return True
    return False


def clock_run_time(history: tuple[DatedQuietHours, ...], outages: Spans, start: int, *, end: int, step: int) -> int:
    """Return for how long the clock ran, by testing every step."""
    before = range(start - DAY, end, step)
    quiet_steps = [is_quiet(history, instant) for instant in before]
    day, ran = DAY // step, 0
    last_day = sum(quiet_steps[:day])
    for number in range(day, len(before)):
        instant = before[number]
        stands = quiet_steps[number] and last_day < 12 * HOUR // step
        away = any(one <= instant < other for one, other in outages)
        ran += not (stands or away)
        last_day += quiet_steps[number] - quiet_steps[number - day]
    return ran * step


@pytest.mark.parametrize(
    ("tried", "step", "longest"),
    [(seeds(300 if SEARCHING else 150), 15 * MINUTE, 96), (seeds(1), SECOND if SEARCHING else 4 * SECOND, 8)],
)
def test_charges_equal_those_counted_step_by_step(tried: range, step: int, longest: int) -> None:
    """Acceptance 2 of `docs/long-games.md`.

    Examples 9 to 12 are in `tests/tables/test_time_at_a_table.py`.
    """
    for seed in tried:
        random = Random(seed)
        start = rome_instant("2026-01-01", "00:00") + random.randrange(365 * 96) * 15 * MINUTE
        end = start + random.randrange(1, longest) * HOUR
        history = random_quiet_hours(random, start)
        cuts = sorted(random.randrange(start - DAY, end, step) for _ in range(2 * random.randrange(3)))
        outages = merge_spans(zip(cuts[::2], cuts[1::2], strict=True))
        standing = merge_spans(quiet_hours.quiet_spans(history, start, end), outages)
        ran = running_time(standing, start, end)
        assert clock_run_time(history, outages, start, end=end, step=step) == ran, seed
        awake = running_time(outages, start, end)
        assert 0 <= ran <= awake
        if ran:
            instant = instant_after(standing, start, ran)
            assert ran == running_time(standing, start, instant)
            assert not any(one <= instant < other for one, other in standing)


NONE = (DatedQuietHours(0, None),)
AT_WORK = quiet_hours.history_with_new_quiet_hours(
    ALWAYS, QuietWindow("Europe/Rome", 8 * 60, 10), rome_instant("2026-11-03", "07:00")
)
AWAY = (rome_instant("2026-11-02", "20:00"), rome_instant("2026-11-03", "05:00"))


@pytest.mark.parametrize(
    ("history", "outages", "start", "end", "charge"),
    [
        (ALWAYS, (), rome_instant("2026-11-02", "09:00"), rome_instant("2026-11-02", "13:00"), milliseconds_of(4)),
        (
            ALWAYS,
            (),
            rome_instant("2026-11-02", "20:00"),
            rome_instant("2026-11-03", "09:15:20"),
            milliseconds_of(3, 15, 20),
        ),
        (ALWAYS, (), rome_instant("2026-11-02", "18:00"), rome_instant("2026-11-03", "08:00"), milliseconds_of(4)),
        (ALWAYS, (), rome_instant("2027-03-27", "21:00"), rome_instant("2027-03-28", "09:00"), milliseconds_of(2)),
        (ALWAYS, (), rome_instant("2026-10-24", "21:00"), rome_instant("2026-10-25", "09:00"), milliseconds_of(2)),
        (AT_WORK, (), rome_instant("2026-11-03", "21:00"), rome_instant("2026-11-04", "13:00"), milliseconds_of(4)),
        (
            ALWAYS,
            (AWAY,),
            rome_instant("2026-11-02", "18:00"),
            rome_instant("2026-11-04", "12:00"),
            milliseconds_of(20),
        ),
        (NONE, (), rome_instant("2026-11-02", "09:00"), rome_instant("2026-11-02", "22:00"), milliseconds_of(13)),
    ],
    ids=[f"example {number}" for number in range(1, 9)],
)
def test_examples_1_to_8_equal_the_count_step_by_step(
    history: tuple[DatedQuietHours, ...], outages: Spans, start: int, end: int, charge: int
) -> None:
    """Acceptance 2 of `docs/long-games.md`.

    The steps are twenty seconds, and all instants are multiples of that.
    """
    assert charge == clock_run_time(history, outages, start, end=end, step=20 * SECOND)
    assert charge == running_time(merge_spans(quiet_hours.quiet_spans(history, start, end), outages), start, end)


def test_spans_are_merged_and_their_time_is_measured() -> None:
    assert ((1, 4), (5, 8)) == merge_spans([(5, 6), (1, 3)], [(3, 4), (6, 8), (9, 9)])
    assert 4 == covered_time(((1, 4), (5, 8)), 2, 7)
    assert 0 == running_time(((1, 4),), 6, 2)


def test_a_zone_is_found_by_name_or_city_and_others_get_suggestions() -> None:
    assert "Europe/Rome" == quiet_hours.normalise_zone(" rome ")
    assert "America/New_York" == quiet_hours.normalise_zone("new york")
    with pytest.raises(quiet_hours.UnknownZone) as caught:
        quiet_hours.normalise_zone("Monteviedo")
    assert "America/Montevideo" in caught.value.near
    assert "Asia/Singapore" in quiet_hours.zone_names_containing("singap")


@pytest.mark.parametrize(
    ("typed", "first", "count"),
    [
        ("Monteviedo", "America/Montevideo", 3),  # a city
        ("europe/rmoe", "Europe/Rome", 5),  # the whole name
        ("america/argentina/san", "America/Argentina/Salta", 5),  # no more than five
        ("zzzzqq", None, 0),  # nothing similar
    ],
)
def test_an_unknown_zone_is_answered_with_at_most_five_similar_ones(typed: str, first: str | None, count: int) -> None:
    with pytest.raises(quiet_hours.UnknownZone) as caught:
        quiet_hours.normalise_zone(typed)
    near = caught.value.near
    assert (first, count) == (next(iter(near), None), len(near))
    assert len(set(near)) == len(near)


@pytest.mark.parametrize(
    ("typed", "minutes"), [("22", 1320), ("22:30", 1350), ("7.15", 435), ("25", None), ("x", None)]
)
def test_a_time_of_day_is_read_as_people_write_it(typed: str, minutes: int | None) -> None:
    assert minutes == quiet_hours.minutes_after_midnight(typed)
