"""Starts are counted and stored before Discord is reached, so that a loop of starts is stopped.

Discord resets the token of a bot that connects too often.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY
from bot.metrics import METRICS
from bot.start_guard import LEAST_FREE, STABLE, StartGuard, has_too_few_identifies, pause_before_start
from bot.store.errors import StorageFailed
from bot.store.store import Store
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new_store


@dataclass(slots=True)
class StartingClient:
    """A client that is ready and has that number of identifies left."""

    remaining: list[int] = field(default_factory=lambda: [1_000])
    shards: int = 1
    readiness: Iterator[bool] = field(default_factory=lambda: repeat(True))

    async def identifies_left(self) -> tuple[int, int, int]:
        left = self.remaining[0] if len(self.remaining) == 1 else self.remaining.pop(0)
        return left, self.shards, HOUR

    def is_ready(self) -> bool:
        return next(self.readiness)


class SleeplessClock(ManualClock):
    """A clock whose `sleep` lets the time pass at once."""

    async def sleep(self, milliseconds: int) -> None:
        self.instant += milliseconds


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with open_new_store(tmp_path / "canasta.db") as made:
        yield made


def new_start_guard(store: Store, clock: ManualClock, free: int = LEAST_FREE) -> StartGuard:
    return StartGuard(store.times, clock, Path("canasta.db"), free=lambda _: free)


def test_the_first_bad_starts_wait_for_nothing_and_each_further_one_twice_as_long() -> None:
    waits = [pause_before_start(bad) // SECOND for bad in range(13)]
    assert [0, 0, 0, 30, 60, 120, 240, 480, 960, 1800, 1800, 1800, 1800] == waits
    assert 1800 == pause_before_start(10**6) // SECOND


def test_too_few_identifies_are_under_fifty_or_two_for_each_shard() -> None:
    assert [True, False] == [has_too_few_identifies(left, 5) for left in (49, 50)]
    assert [True, False] == [has_too_few_identifies(left, 40) for left in (79, 80)]


async def test_a_bot_that_crashes_after_five_seconds_starts_fewer_than_sixty_times_a_day(store: Store) -> None:
    clock, starts = SleeplessClock(), 0
    end = clock.now() + DAY
    while clock.now() < end:
        guard = new_start_guard(store, clock)
        await clock.sleep(await guard.record_start())
        starts += 1
        await guard.count_identify()
        await clock.sleep(5 * SECOND)
    assert starts < 60


async def test_a_start_that_was_ready_for_ten_minutes_does_not_count_as_bad(store: Store) -> None:
    clock = SleeplessClock()
    for number in range(5):
        guard = new_start_guard(store, clock)
        assert 0 == await guard.record_start(), number
        await guard.mark_good_start(StartingClient())
    for _ in range(3):
        await new_start_guard(store, clock).record_start()
    assert 30 * SECOND == await new_start_guard(store, clock).record_start()
    await clock.sleep(DAY)
    assert 0 == await new_start_guard(store, clock).record_start()


async def test_a_full_disk_ends_a_thousand_starts_without_an_identify(store: Store) -> None:
    clock, reached = SleeplessClock(), 0
    for _ in range(1_000):
        try:
            await new_start_guard(store, clock, free=LEAST_FREE - 1).record_start()
        except StorageFailed:
            continue
        reached += 1
    assert 0 == reached
    assert 0 == await store.times.count_failed_starts(0)


async def test_a_file_that_takes_no_row_ends_the_start_without_an_identify(tmp_path: Path) -> None:
    async with open_new_store(tmp_path / "canasta.db") as store:
        pass
    with pytest.raises(Exception, match="closed"):
        await new_start_guard(store, SleeplessClock()).record_start()


async def test_with_few_identifies_left_the_bot_waits_for_new_ones(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    clock = SleeplessClock()
    before = clock.now()
    await new_start_guard(store, clock).wait_for_identifies(StartingClient([20, 20, 900]))
    assert 2 * HOUR == clock.now() - before
    assert 2 == sum("only 20 identifies are left" in one.getMessage() for one in caplog.records)
    caplog.clear()


async def test_a_monitor_sees_how_many_identifies_are_left(store: Store) -> None:
    guard = new_start_guard(store, SleeplessClock())
    await guard.record_start()
    await guard.wait_for_identifies(StartingClient([900]))
    assert "canasta_identifies_left 900" in METRICS.lines()
    await guard.count_identify()
    assert "canasta_identifies_left 899" in METRICS.lines()


async def test_a_bot_that_is_not_ready_in_between_starts_counting_again(store: Store) -> None:
    clock = SleeplessClock()
    guard = new_start_guard(store, clock)
    await guard.record_start()
    before = clock.now()
    await guard.mark_good_start(StartingClient(readiness=chain(repeat(True, 30), [False], repeat(True))))
    assert STABLE + 7 * MINUTE < clock.now() - before
