"""The outbox: promises (work stored with a change) are kept in order, despite failures and restarts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.outbox import AT_ONCE, Outbox, PromiseKind, TemporaryFailure
from bot.store.outbox import OutboxRow, Promise
from bot.store.store import Store
from tests.support.clock import START, ManualClock
from tests.support.empty_database import open_new_store
from tests.support.stored_tables import create_tables, new_change


@dataclass(slots=True)
class PromiseKeeper:
    """Does the promised work of one kind, except for `failing` keys.

    Each piece of work waits until the event `open` is set.
    """

    kept: list[str] = field(default_factory=list)
    tried: list[tuple[str, int]] = field(default_factory=list)
    failing: dict[str, Exception] = field(default_factory=dict)
    at_once: int = 0
    most_at_once: int = 0
    door: asyncio.Event = field(default_factory=asyncio.Event)

    async def keep(self, row: OutboxRow) -> None:
        self.tried.append((row.key, row.generation))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self.door.wait()
        finally:
            self.at_once -= 1
        if row.key in self.failing:
            raise self.failing[row.key]
        self.kept.append(row.key)


@dataclass(slots=True)
class World:
    """A store with a table whose changes make promises, and the outbox that keeps them."""

    store: Store
    clock: ManualClock
    outbox: Outbox
    sender: PromiseKeeper
    table: int
    version: int = 1

    async def make_promises(
        self, *keys: str, kind: str = "test", guild: int | None = None, person: int | None = None
    ) -> None:
        """Store a promise of this kind for each key, all in one change."""
        made = tuple(Promise(kind=kind, key=key, guild=guild, person=person, args={"n": 7}) for key in keys)
        await self.store.tables.commit(new_change(self.table, self.version, at=self.clock.now(), promises=made))
        self.version += 1

    async def waiting_promises(self) -> list[tuple[str, int, int]]:
        """Return the promises not kept yet: key, number of attempts, and time until the next attempt."""
        return [(one.key, one.tries, one.due_at - self.clock.now()) for one in await self.store.outbox.all_promises()]

    async def let_time_pass(self, milliseconds: int) -> None:
        self.clock.advance(milliseconds)
        await self.outbox.carry_out_due_effects()


@asynccontextmanager
async def open_world(path: Path, *, lifetime: int | None = None) -> AsyncIterator[World]:
    async with open_new_store(path) as store:
        (table,) = await create_tables(store, 1)
        clock, sender = ManualClock(), PromiseKeeper()
        sender.door.set()
        outbox = Outbox(store.outbox, clock)
        outbox.register("test", PromiseKind(sender.keep, lifetime))
        yield World(store, clock, outbox, sender, table)
        await outbox.stop()


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db") as made:
        yield made


async def test_a_promise_is_kept_once_and_then_deleted(world: World) -> None:
    await world.make_promises("a", "b", guild=5)
    assert [("a", 0, 0), ("b", 0, 0)] == await world.waiting_promises()
    (first, _) = await world.store.outbox.all_promises()
    assert ('{"n":7}', 5, None, START) == (first.args, first.guild, first.person, first.made_at)
    await world.outbox.carry_out_due_effects()
    await world.outbox.carry_out_due_effects()
    assert (["a", "b"], []) == (world.sender.kept, await world.waiting_promises())


async def test_a_change_that_is_not_stored_promises_nothing(world: World) -> None:
    stale = new_change(world.table, 9, promises=(Promise(kind="test", key="a"),))
    with pytest.raises(Exception, match="is at version 1"):
        await world.store.tables.commit(stale)
    assert [] == await world.waiting_promises()


async def test_a_promise_made_again_while_it_is_kept_is_kept_again(world: World) -> None:
    world.sender.door.clear()
    await world.make_promises("a")
    keeping = asyncio.create_task(world.outbox.carry_out_due_effects())
    while not world.sender.tried:
        await asyncio.sleep(0)
    await world.make_promises("a")
    world.sender.door.set()
    await keeping
    assert [("a", 1), ("a", 2)] == world.sender.tried
    assert [] == await world.waiting_promises()


async def test_a_failing_promise_delays_no_other_and_is_retried_every_hour(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.sender.failing["a"] = ValueError("secret text")
    await world.make_promises("a", "b", guild=5)
    await world.outbox.carry_out_due_effects()
    assert (["b"], [("a", 1, HOUR)]) == (world.sender.kept, await world.waiting_promises())
    await world.let_time_pass(HOUR)
    assert [("a", 2, HOUR)] == await world.waiting_promises()
    del world.sender.failing["a"]
    await world.let_time_pass(HOUR)
    assert (["b", "a"], []) == (world.sender.kept, await world.waiting_promises())
    (told,) = [one for one in caplog.records if one.name == "canasta.outbox"]
    assert (logging.ERROR, "test a failed and is tried again: ValueError") == (told.levelno, told.getMessage())


async def test_after_a_passing_trouble_the_wait_grows_from_five_seconds_to_five_minutes(world: World) -> None:
    world.sender.failing["a"] = TemporaryFailure()
    await world.make_promises("a")
    await world.outbox.carry_out_due_effects()
    waits = []
    for _ in range(8):
        ((_, _, wait),) = await world.waiting_promises()
        waits.append(wait // SECOND)
        await world.let_time_pass(wait)
    assert [5, 10, 20, 40, 80, 160, 300, 300] == waits


async def test_a_failed_promise_that_is_made_again_is_due_at_once(world: World) -> None:
    world.sender.failing["a"] = ValueError()
    await world.make_promises("a")
    await world.outbox.carry_out_due_effects()
    world.clock.advance(MINUTE)
    await world.make_promises("a")
    assert [("a", 0, 0)] == await world.waiting_promises()


async def test_promises_of_a_kind_with_a_lifetime_are_given_up_after_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_world(tmp_path / "canasta.db", lifetime=90 * MINUTE) as world:
        world.sender.failing["a"] = ValueError()
        await world.make_promises("a")
        await world.outbox.carry_out_due_effects()
        await world.let_time_pass(HOUR)
        assert 1 == len(await world.waiting_promises())
        await world.let_time_pass(HOUR)
        assert [] == await world.waiting_promises()
    assert "test a is given up: ValueError" in [one.getMessage() for one in caplog.records]


async def test_promises_of_a_person_or_server_are_kept_in_order_and_four_at_once(world: World) -> None:
    world.sender.door.clear()
    for number in range(3):
        for person in range(1, 7):
            await world.make_promises(f"{person}:{number}", person=person, guild=5)
    await world.make_promises("5:server", guild=5)
    keeping = asyncio.create_task(world.outbox.carry_out_due_effects())
    while world.sender.at_once < AT_ONCE:
        await asyncio.sleep(0)
    world.sender.door.set()
    await keeping
    assert AT_ONCE == world.sender.most_at_once
    assert 19 == len(world.sender.kept)
    for digit in "123456":
        assert [f"{digit}:{number}" for number in range(3)] == [
            key for key in world.sender.kept if key.startswith(f"{digit}:") and "server" not in key
        ]


async def test_a_promised_effect_of_an_unknown_kind_stays_in_the_outbox(world: World) -> None:
    await world.make_promises("a", kind="later")
    await world.make_promises("b")
    await world.outbox.carry_out_due_effects()
    assert (["b"], [("a", 1, HOUR)]) == (world.sender.kept, await world.waiting_promises())


async def test_after_a_start_due_promises_are_kept_and_then_new_ones(world: World) -> None:
    await world.make_promises("a")
    world.sender.failing["a"] = TemporaryFailure()
    world.outbox.start()
    await wait_until(lambda: bool(world.clock.sleepers) and not world.sender.at_once and bool(world.sender.tried))
    await world.make_promises("b")
    world.outbox.wake()
    await wait_until(lambda: world.sender.kept == ["b"])
    world.sender.failing.clear()
    while world.sender.kept != ["b", "a"]:
        world.clock.advance(5 * SECOND)
        await asyncio.sleep(0)
    await world.outbox.stop()
    assert [] == await world.waiting_promises()


async def wait_until(reached: Callable[[], bool]) -> None:
    while not reached():
        await asyncio.sleep(0)
