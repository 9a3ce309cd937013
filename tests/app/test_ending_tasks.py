"""A task that serves everybody ends only if the store has failed or is closed.

The end of such a task ends the program.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot import app, run_command
from bot.client import CanastaBot
from bot.clocks.scheduler import Scheduler
from bot.config import Settings
from bot.store.engines.sqlite_copies import require_disk_space
from bot.store.errors import StorageFailed, UndecodableData
from bot.store.timers_and_uptime import DueTimer
from tests.support.tables import World, open_world

PARTS = ("scheduler", "alarm for boards", "outbox", "digests", "sign of life", "packing")


class UnreadableDeadlines:
    """A store whose deadlines cannot be read the first `turns` times."""

    def __init__(self, world: World, turns: int) -> None:
        self.world = world
        self.left = turns

    async def next_due_at(self) -> int | None:
        return await self.world.store.times.next_due_at()

    async def due_timers(self, now: int, limit: int) -> tuple[DueTimer, ...]:
        self.left -= 1
        if self.left >= 0:
            raise UndecodableData("7s")
        return await self.world.store.times.due_timers(now, limit)


async def test_a_scheduler_outlives_deadlines_that_cannot_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_world(tmp_path / "canasta.db") as world:
        deadlines = UnreadableDeadlines(world, turns=2)
        scheduler = Scheduler(deadlines, world.clock, world.service.deadlines, readiness=world.readiness)
        task = scheduler.start()
        while deadlines.left > -2:
            await asyncio.sleep(0.01)
            world.clock.advance(60_000)
        assert not task.done()
        await scheduler.stop()
    assert 2 == caplog.text.count("a turn of the deadlines failed: Undecodable")
    assert "7s" not in caplog.text


@pytest.mark.parametrize("part", PARTS)
async def test_if_a_part_of_the_program_ends_the_program_ends(part: str, tmp_path: Path) -> None:
    async def cancel_part_and_wait(_client: CanastaBot, _token: str) -> None:
        for task in asyncio.all_tasks():
            if task.get_name() == part:
                task.cancel()
        await asyncio.Event().wait()

    settings = Settings(database=tmp_path / "canasta.db", discord_token="none")
    with pytest.raises(app.BackgroundTaskEnded, match=part):
        await run_command.serve_until_stopped(settings, connect=cancel_part_and_wait)


def test_writing_is_refused_at_once_if_the_disk_has_too_little_space(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match=r"MB are needed, \d+ MB are free"):
        require_disk_space(tmp_path, 10**15)
    require_disk_space(tmp_path, 1)
    assert [] == [*tmp_path.iterdir()]
