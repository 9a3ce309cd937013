"""Rate limits: faster requests than the bucket allows are refused, slower ones never."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tables.core.limits import Limits, RateLimiter
from bot.tables.state.refusals import TableCode, TableRefusal

LIMITS = Limits(burst=5, refill=600)


def is_accepted(pace: RateLimiter, person: int, now: int) -> bool:
    try:
        pace.count_request(person, now)
    except TableRefusal:
        return False
    return True


@given(st.lists(st.integers(0, 2000), max_size=60))
def test_any_period_allows_at_most_the_burst_and_the_refill(pauses: list[int]) -> None:
    pace, now, times = RateLimiter(LIMITS), 0, []
    for pause in pauses:
        now += pause
        if is_accepted(pace, 1, now):
            times.append(now)
    for first, began in enumerate(times):
        for last, ended in enumerate(times[first:], first):
            assert last - first + 1 <= LIMITS.burst + (ended - began) // LIMITS.refill + 1


def test_requests_within_the_rate_are_never_refused() -> None:
    pace = RateLimiter(LIMITS)
    assert all(is_accepted(pace, 1, step * LIMITS.refill) for step in range(200))


def test_a_request_is_accepted_after_the_wait_that_the_refusal_names() -> None:
    pace = RateLimiter(LIMITS)
    for _ in range(5):
        pace.count_request(1, 0)
    with pytest.raises(TableRefusal) as caught:
        pace.count_request(1, 100)
    assert caught.value == TableRefusal(TableCode.TOO_FAST, {"milliseconds": 500})
    pace.count_request(1, 600)


def test_a_clock_that_jumps_back_locks_no_person_out() -> None:
    pace = RateLimiter(LIMITS)
    for _ in range(5):
        pace.count_request(1, 1_000_000)
    with pytest.raises(TableRefusal):
        pace.count_request(1, 0)
    pace.count_request(1, LIMITS.refill)
