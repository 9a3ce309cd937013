"""Failed updates of messages of tournaments and series are tried again, without another change."""

from __future__ import annotations

import asyncio

import pytest

from cogs.shared.posting.update_queue import AFTER_ERROR, UpdateQueue
from tests.support.clock import ManualClock


async def test_an_update_that_fails_unexpectedly_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    clock, updated = ManualClock(), list[int]()

    async def fail_at_first_update(number: int) -> int | None:
        updated.append(number)
        if len(updated) == 1:
            raise ValueError
        return None

    queue = UpdateQueue(fail_at_first_update, clock=clock, subject="tournament", gone=LookupError)
    queue.start()
    queue.begin([7])
    await queue.wait_until_idle()
    assert [7] == updated
    await asyncio.sleep(0.01)
    clock.advance(AFTER_ERROR)
    async with asyncio.timeout(5):
        while len(updated) < 2:
            await asyncio.sleep(0.001)
    await queue.close()
    assert [7, 7] == updated
    assert "ValueError" in caplog.text
    caplog.clear()
