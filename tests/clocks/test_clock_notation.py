"""Clocks as people type them: which texts are read, and which are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.clock_notation import CUSTOM, UnreadableClock, clock_problems, read_clock, write_clock
from bot.clocks.time_rules import DAY, PRESETS, ClockProblem, ClockTerms


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("4d+12h", (4 * DAY, 12 * HOUR, 4 * DAY)),
        ("3d + 12h max 4d", (3 * DAY, 12 * HOUR, 4 * DAY)),
        ("1d12h+6h<=2d", (36 * HOUR, 6 * HOUR, 2 * DAY)),
        ("5min+30s/6m", (5 * MINUTE, 30 * SECOND, 6 * MINUTE)),
        ("2H", (2 * HOUR, 0, 2 * HOUR)),
    ],
)
def test_a_clock_is_a_bank_an_increment_and_a_cap(text: str, numbers: tuple[int, int, int]) -> None:
    assert ClockTerms(CUSTOM, *numbers) == read_clock(text)


def test_clocks_with_names_are_read_by_their_names_and_by_their_numbers() -> None:
    assert list(PRESETS.values()) == [read_clock(name) for name in PRESETS]
    assert read_clock(" None ") is None
    assert PRESETS["daily"] == read_clock("72h+12h")
    assert PRESETS["live"] == read_clock("5m+1m max 10m")


@pytest.mark.parametrize("text", ["", "soon", "3", "3d+", "3d+12", "+12h", "3 weeks", "3d+12h max", "-3d"])
def test_an_invalid_clock_is_not_parsed(text: str) -> None:
    with pytest.raises(UnreadableClock):
        read_clock(text)


def test_an_impossible_clock_is_refused_with_the_reason() -> None:
    assert (ClockProblem.BANK,) == clock_problems(read_clock("10s"))
    assert (ClockProblem.INCREMENT,) == clock_problems(read_clock("1h+2h"))
    assert (ClockProblem.CAP,) == clock_problems(read_clock("1h+10min max 3h"))
    assert (ClockProblem.CAP,) == clock_problems(read_clock("2h max 1h"))
    assert () == clock_problems(None) == clock_problems(PRESETS["live"])


@given(st.integers(1, 14 * 86_400), st.integers(0, 14 * 86_400), st.integers(1, 28 * 86_400))
def test_a_written_clock_is_parsed_again(bank: int, increment: int, cap: int) -> None:
    terms = read_clock(write_clock(ClockTerms(CUSTOM, bank * SECOND, increment * SECOND, cap * SECOND)))
    assert terms is not None
    assert (bank * SECOND, increment * SECOND, cap * SECOND) == (terms.bank, terms.increment, terms.cap)
