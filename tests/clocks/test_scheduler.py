"""The scheduler fires each deadline once and on time, also after a restart; outages postpone it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND, SystemClock
from bot.clocks.scheduler import RETRY, Scheduler
from bot.clocks.uptime import HEARTBEAT_INTERVAL
from bot.tables.core.limits import Limits
from bot.tables.state.events import Deadline
from bot.tables.state.snapshots import ClosingReason, Status, TableChanged
from tests.support.clock import START
from tests.support.tables import EAST, NORTH, World, open_world


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db") as opened:
        yield opened


def scheduler_of(world: World) -> Scheduler:
    return Scheduler(world.store.times, world.clock, world.service.deadlines, readiness=world.readiness)


async def table_status(world: World, table: int) -> Status:
    return (await world.service.reading.snapshot(table)).status


async def test_a_lobby_expires_on_time_and_not_before(tmp_path: Path) -> None:
    async with open_world(tmp_path / "short.db", limits=Limits(lobby_lives=3 * MINUTE)) as world:
        table = (await world.open_lobby(NORTH)).id
        scheduler = scheduler_of(world)
        while world.clock.now() < START + 3 * MINUTE:
            await scheduler.fire_due()
            assert await table_status(world, table) is Status.LOBBY
            world.clock.advance(HEARTBEAT_INTERVAL)
        await scheduler.fire_due()
        assert (await world.service.reading.snapshot(table)).closed_because is ClosingReason.EXPIRED


async def test_the_scheduler_sleeps_until_the_next_deadline_but_never_long(world: World) -> None:
    scheduler = scheduler_of(world)
    assert await scheduler.fire_due() == HEARTBEAT_INTERVAL
    await world.open_lobby(NORTH)
    assert await scheduler.fire_due() == HEARTBEAT_INTERVAL
    world.clock.advance(50 * SECOND)
    await world.store.times.note_heartbeat(world.clock.now())
    due = await world.store.times.next_due_at()
    assert due is not None
    world.clock.advance(due - world.clock.now() - 5 * SECOND)
    scheduler = scheduler_of(world)
    await world.store.times.note_heartbeat(world.clock.now())
    assert await scheduler.fire_due() == 5 * SECOND


async def test_an_outage_postpones_a_deadline_by_its_duration(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        table = (await world.open_lobby(NORTH)).id
        await scheduler_of(world).fire_due()
        world.clock.advance(23 * HOUR)
        await world.store.times.note_heartbeat(world.clock.now())
    world.clock.advance(5 * HOUR)
    async with open_world(path, clock=world.clock, first_request=6_000_000) as again:
        await scheduler_of(again).fire_due()
        snapshot = await again.service.reading.snapshot(table)
        assert (snapshot.status, snapshot.expires_at) == (Status.LOBBY, START + 29 * HOUR)
        await scheduler_of(again).fire_due()
        assert (await again.service.reading.snapshot(table)).expires_at == START + 29 * HOUR
        assert await again.store.times.last_heartbeat() == again.clock.now()


async def test_deadlines_due_before_an_outage_fire_at_once(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        table = (await world.open_lobby(NORTH)).id
        world.clock.advance(25 * HOUR)
        await world.store.times.note_heartbeat(world.clock.now())
    world.clock.advance(5 * HOUR)
    async with open_world(path, clock=world.clock, first_request=6_000_000) as again:
        await scheduler_of(again).fire_due()
        assert await table_status(again, table) is Status.CLOSED


async def test_a_short_pause_of_the_scheduler_moves_no_deadline(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    scheduler = scheduler_of(world)
    await scheduler.fire_due()
    world.clock.advance(MINUTE)
    await scheduler.fire_due()
    assert (await world.service.reading.snapshot(table)).expires_at == START + 24 * HOUR


async def test_no_deadline_fires_while_the_bot_is_not_ready(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    ready = True
    scheduler = Scheduler(
        world.store.times, world.clock, world.service.deadlines, readiness=world.readiness, ready=lambda: ready
    )
    await scheduler.fire_due()
    ready = False
    world.clock.advance(30 * HOUR)
    assert await scheduler.fire_due() == SECOND
    assert await table_status(world, table) is Status.LOBBY
    ready = True
    await scheduler.fire_due()
    assert (await world.service.reading.snapshot(table)).expires_at == START + 54 * HOUR


class FailingTables:
    """A service that fails to end one lobby, and notes the lobbies it was asked to end."""

    def __init__(self, world: World, faulty: int) -> None:
        self.world = world
        self.faulty = faulty
        self.asked: list[int] = []

    async def fire_deadline(self, table: int, kind: str) -> None:
        if kind == Deadline.EXPIRE:
            self.asked.append(table)
            if table == self.faulty:
                raise LookupError("7s")
        await self.world.service.deadlines.fire_deadline(table, kind)


async def test_a_deadline_that_fails_holds_no_other_up_and_is_tried_again_later(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = (await world.open_lobby(NORTH)).id, (await world.open_lobby(EAST)).id
    faulty = FailingTables(world, first)
    scheduler = Scheduler(world.store.times, world.clock, faulty, readiness=world.readiness)
    world.clock.advance(24 * HOUR)
    assert await scheduler.fire_due() == SECOND
    assert await table_status(world, second) is Status.CLOSED
    assert await scheduler.fire_due() == SECOND
    assert sorted(faulty.asked) == [first, second]
    world.clock.advance(RETRY)
    await scheduler.fire_due()
    assert faulty.asked[2:] == [first]
    assert "LookupError" in caplog.text
    assert "7s" not in caplog.text


async def test_a_failing_deadline_is_logged_once_and_retried_less_and_less(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    faulty = FailingTables(world, (await world.open_lobby(NORTH)).id)
    scheduler = Scheduler(world.store.times, world.clock, faulty, readiness=world.readiness)
    world.clock.advance(24 * HOUR)
    for _ in range(4 * 60):
        await scheduler.fire_due()
        world.clock.advance(HEARTBEAT_INTERVAL)
    assert 6 == len(faulty.asked)  # tried after 0, 1, 3, 7, 15 and 31 minutes of the hour
    assert 1 == caplog.text.count("deadline expire")


async def test_a_new_deadline_wakes_the_running_scheduler(tmp_path: Path) -> None:
    async with open_world(tmp_path / "short.db", limits=Limits(lobby_lives=5 * SECOND)) as world:
        closed = asyncio.Event()
        scheduler = scheduler_of(world)

        def wake_or_note_close(changed: TableChanged) -> None:
            if changed.due is not None:
                scheduler.wake_at(changed.due)
            if changed.kind == "expire":
                closed.set()

        world.service.subscribe(wake_or_note_close)
        scheduler.start()
        while not world.clock.sleepers:
            await asyncio.sleep(0)
        table = (await world.open_lobby(NORTH)).id
        while START + 5 * SECOND not in [until for until, _ in world.clock.sleepers]:
            await asyncio.sleep(0)
        world.clock.advance(5 * SECOND)
        await closed.wait()
        await scheduler.stop()
        assert await table_status(world, table) is Status.CLOSED


async def test_the_system_clock_advances() -> None:
    clock = SystemClock()
    before = clock.now()
    await clock.sleep(2)
    assert clock.now() > before > START


async def test_ever_sooner_deadlines_leave_no_waiting_tasks_behind(world: World) -> None:
    before = asyncio.all_tasks()
    scheduler = scheduler_of(world)
    scheduler.start()
    for sooner in range(20):
        await asyncio.sleep(0.01)
        scheduler.wake_at(world.clock.now() + SECOND - sooner)
    await asyncio.sleep(0.01)
    waiting = asyncio.all_tasks() - before
    assert len(waiting) <= 3, "the scheduler, its sleep and its alarm"
    await scheduler.stop()
    await asyncio.sleep(0)
    assert set() == asyncio.all_tasks() - before
