"""The request budget: never above Discord's rate, messages that notify first, no request lost."""

from __future__ import annotations

import asyncio
import math

from hypothesis import given
from hypothesis import strategies as st

from bot.clocks.clock import SECOND
from cogs.shared.posting.request_budget import BURST, RATE, Budget, Priority, TokenBucket
from tests.support.clock import START, ManualClock

ALLOWED = 45


@given(st.lists(st.integers(0, 400), max_size=300))
def test_no_second_has_more_requests_than_allowed(pauses: list[int]) -> None:
    """Requests come after random pauses, and each starts as soon as the budget allows it."""
    now, bucket, went = START, TokenBucket(START), list[int]()
    for pause in pauses:
        now += pause
        now += bucket.milliseconds_to_wait(now)
        assert 0 == bucket.milliseconds_to_wait(now)
        bucket.take_token(now)
        went.append(now)
    assert all(sum(begin <= at < begin + SECOND for at in went) <= ALLOWED for begin in went)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=200))
def test_a_request_waits_only_for_earlier_requests(pauses: list[int]) -> None:
    """Each waits at most for one new token: a second divided by the rate, rounded up."""
    now, bucket = START, TokenBucket(START)
    for pause in pauses:
        now += pause
        wait = bucket.milliseconds_to_wait(now)
        assert wait <= math.ceil(SECOND / RATE)
        now += wait
        bucket.take_token(now)


def test_setting_the_clock_back_does_not_allow_more_requests() -> None:
    bucket = TokenBucket(START)
    for _ in range(BURST):
        assert 0 == bucket.milliseconds_to_wait(START)
        bucket.take_token(START)
    assert 0 < bucket.milliseconds_to_wait(START - 3_600_000)
    assert 0 < bucket.milliseconds_to_wait(START - 3_599_999)


async def advance_in_steps(clock: ManualClock, milliseconds: int) -> None:
    """Advance the time in small steps, and let all tasks run after each."""
    for _ in range(milliseconds // 5):
        for _ in range(3):
            await asyncio.sleep(0)
        clock.advance(5)


@given(st.lists(st.sampled_from(Priority), min_size=BURST + 1, max_size=60))
def test_notifying_messages_go_first_and_all_are_sent(asked: list[Priority]) -> None:
    async def grant_requests() -> list[tuple[Priority, int]]:
        clock = ManualClock()
        budget = Budget(clock)
        went: list[tuple[Priority, int]] = []

        async def wait_and_note_turn(priority: Priority, number: int) -> None:
            await budget.wait_for_turn(priority)
            went.append((priority, number))

        tasks = [asyncio.create_task(wait_and_note_turn(priority, number)) for number, priority in enumerate(asked)]
        await advance_in_steps(clock, 2 * SECOND)
        assert all(task.done() for task in tasks)
        await budget.close()
        return went

    went = asyncio.run(grant_requests())
    # Repairs (MEND) that have waited longest may come earlier.
    by_class = [one for one in went[BURST:] if one[0] is not Priority.MEND]
    assert sorted(by_class) == by_class
    assert sorted(enumerate(asked)) == sorted((number, priority) for priority, number in went)


async def test_a_pause_of_the_budget_holds_all_requests_back() -> None:
    clock = ManualClock()
    budget = Budget(clock)
    budget.pause(60 * SECOND)
    task = asyncio.create_task(budget.wait_for_turn(Priority.NOTIFY))
    await advance_in_steps(clock, SECOND)
    assert not task.done()
    clock.advance(59 * SECOND)
    await advance_in_steps(clock, SECOND)
    assert task.done()


async def test_a_cancelled_request_uses_none_of_the_budget() -> None:
    clock = ManualClock()
    budget = Budget(clock)
    for _ in range(BURST):
        await budget.wait_for_turn(Priority.EDIT)
    given_up = [asyncio.create_task(budget.wait_for_turn(Priority.NOTIFY)) for _ in range(100)]
    await asyncio.sleep(0)
    for task in given_up:
        task.cancel()
    patient = asyncio.create_task(budget.wait_for_turn(Priority.DELETE))
    await advance_in_steps(clock, 50)
    assert patient.done()


async def test_requests_of_play_come_before_repairs_without_starving_them() -> None:
    clock = ManualClock()
    budget = Budget(clock)
    went: list[Priority] = []

    async def wait_and_note_turn(priority: Priority) -> None:
        await budget.wait_for_turn(priority)
        went.append(priority)

    tasks = [
        asyncio.create_task(wait_and_note_turn(priority)) for priority in [Priority.EDIT] * 100 + [Priority.MEND] * 20
    ]
    await advance_in_steps(clock, 5 * SECOND)
    assert all(task.done() for task in tasks)
    assert [9 + 10 * number for number in range(10)] == [
        at for at, wait_and_note_turn in enumerate(went[:100]) if wait_and_note_turn is Priority.MEND
    ]
    await budget.close()
