"""Tables in memory: after loads, changes and evictions in any order the cache equals the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.clocks.quiet_hours_and_vacation import PersonalTimes
from bot.numbered_cache import NumberedCache
from bot.profiles.guild_settings import ServerSettingsService
from bot.profiles.preferences import PreferencesService
from bot.store.engines.interface import EVERY_SERVER
from bot.store.errors import StaleVersion, StorageFailed
from bot.store.store import Store
from bot.store.table_changes import StoredHolder, TableChange
from bot.store.tables import StoredTable
from bot.tables.core.cache import TableCache
from bot.tables.core.limits import RateLimiter
from bot.tables.core.repository import TableRepository
from bot.tables.people.notices import Contact, NoticeRepository
from bot.tables.state.events import JoinRequested, JoinWithdrawn
from bot.tables.state.premoves import PlannedTurn
from bot.tables.state.refusals import TableCode
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import SeatHolder
from bot.tables.state.table import Table
from tests.support.stand_ins import StandIn, service_with_store_parts
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, PATIENT, World, refusal_of

INTERLEAVINGS = 200
LARGE = {"theme": "large"}
WAITS = SeatHolder("person", EAST, "East")


class ReplacingCache(NumberedCache[Any]):
    """A cache without the rule for loads: it keeps every loaded table, even an outdated one."""

    def _is_load_valid(self, number: int, mark: object) -> bool:
        del number, mark
        return True


class UnlockedMoves(TableRepository):
    """A repository whose moves take no lock and leave the table's old place in the cache."""

    async def move(self, number: int, *, channel: int, thread: int | None) -> None:
        await self.store.tables.move(number, channel=channel, thread=thread)


class RowsInMemory:
    """A table's row and holders in memory, in place of the database.

    Most statements pause for a random number of turns of the event loop before and after.
    """

    shards = EVERY_SERVER

    def __init__(self, row: StoredTable, holders: tuple[StoredHolder, ...], random: Random) -> None:
        self.row = row
        self.known = holders
        self.chance = random

    async def pause(self) -> None:
        for _ in range(self.chance.randrange(6)):
            await asyncio.sleep(0)

    async def load(self, _: int) -> StoredTable:
        await self.pause()
        row = self.row
        await self.pause()
        return row

    async def holders(self, _: int) -> tuple[StoredHolder, ...]:
        return self.known

    async def move(self, _: int, *, channel: int, thread: int | None, **_promised: object) -> None:
        await self.pause()
        self.row = replace(self.row, channel=channel, thread=thread)
        await self.pause()

    async def commit(self, change: TableChange) -> int:
        await self.pause()
        row = self.row
        if row.version != change.expected_version:
            raise StaleVersion(table=row.id, expected=change.expected_version, version=row.version)
        self.row = replace(row, version=row.version + 1, snapshot=change.snapshot, updated_at=change.at)
        self.known += change.holders
        await self.pause()
        return self.row.version


async def faults_of_concurrent_steps(repository: TableRepository, rows: RowsInMemory) -> list[str]:
    """Change, move, read and evict a table concurrently; return what went wrong.

    These are refused requests, and the names of cached values that differ from the stored ones.
    """
    table = rows.row.id

    async def ask_to_join_or_withdraw() -> None:
        await rows.pause()

        async def decide(current_table: Table) -> Decision:
            await rows.pause()
            return Decision((JoinWithdrawn(EAST) if current_table.record.wishes else JoinRequested(WAITS),))

        await repository.change(table, TableRequest("wish", {}), decide)

    async def move_table() -> None:
        await rows.pause()
        await repository.move(table, channel=CHANNEL + rows.chance.randrange(9), thread=rows.chance.randrange(9))

    async def load_table() -> None:
        await rows.pause()
        await repository.get(table)

    async def evict_table() -> None:
        await rows.pause()
        async with repository.lock(table):
            repository.evict(table)

    steps = [ask_to_join_or_withdraw, ask_to_join_or_withdraw, move_table, load_table, load_table, evict_table]
    rows.chance.shuffle(steps)
    came = await asyncio.gather(*(step() for step in steps), return_exceptions=True)
    held, stored = await repository.get(table), rows.row
    pairs = {
        "version": (held.version, stored.version),
        "place": ((held.channel, held.thread), (stored.channel, stored.thread)),
    }
    wrong = [what for what, (cached, written) in pairs.items() if cached != written]
    return [*wrong, *(str(one) for one in came if one is not None)]


class RepositoryWithReplacingCache(TableRepository):
    """A repository without the rule for loads: its cache keeps every loaded table."""

    def __init__(self, store: Any, *others: Any) -> None:
        super().__init__(store, *others)
        self.records = TableCache(store, ReplacingCache)


async def faults_of_interleavings(world: World, kind: type[TableRepository]) -> set[str]:
    """Return what went wrong in any of `INTERLEAVINGS` random orders of concurrent steps."""
    wrong: set[str] = set()
    table = (await world.open_lobby(NORTH)).id
    row, holders = await world.store.tables.load(table), await world.store.tables.holders(table)
    assert row is not None
    for seed in range(INTERLEAVINGS):
        rows = RowsInMemory(row, holders, Random(seed))
        in_memory: Any = StandIn(world.store, tables=rows)
        repository = kind(in_memory, world.clock, RateLimiter(PATIENT), world.dealer)
        wrong.update(await faults_of_concurrent_steps(repository, rows))
        await repository.finish()
    return wrong


async def test_the_cache_equals_the_store_under_concurrency(world: World) -> None:
    assert set() == await faults_of_interleavings(world, TableRepository)


async def test_without_the_check_of_loads_an_old_table_is_cached(world: World) -> None:
    assert {"place", "stale_request"} <= await faults_of_interleavings(world, RepositoryWithReplacingCache)


async def test_without_the_lock_of_writes_a_move_is_undone(world: World) -> None:
    assert {"place"} == await faults_of_interleavings(world, UnlockedMoves)


class DelayedFirstRead:
    """A read of the store that holds its first answer back until `go` is set."""

    def __init__(self, read: Callable[..., Awaitable[Any]]) -> None:
        self._read = read
        self.began, self.go = asyncio.Event(), asyncio.Event()

    async def __call__(self, *arguments: Any) -> Any:
        found = await self._read(*arguments)
        if not self.began.is_set():
            self.began.set()
            await self.go.wait()
        return found


async def test_a_slow_load_never_restores_an_older_table(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    load = DelayedFirstRead(world.store.tables.load)
    service = service_with_store_parts(world, tables=StandIn(world.store.tables, load=load))
    looking = asyncio.create_task(service.reading.snapshot(table))
    await load.began.wait()
    joined = await service.lobby.join(world.caller(EAST), table)
    load.go.set()
    assert joined.version == (await looking).version == (await service.reading.snapshot(table)).version


async def test_a_new_table_is_cached_as_it_is_stored_and_not_loaded(world: World) -> None:
    async def fail_to_load(_: int) -> StoredTable:
        raise StorageFailed("loaded")

    service = service_with_store_parts(world, tables=StandIn(world.store.tables, load=fail_to_load))
    table = (await service.lobby.create(world.caller(NORTH), channel=CHANNEL, players=4)).id
    cached = await service._context.repository.get(table)
    loaded = await service_with_store_parts(world)._context.repository.get(table)
    assert loaded == cached
    assert () == cached.holders.new_holders
    assert loaded.holders.holder(1) == cached.holders.holder(1)


async def test_a_load_that_began_before_all_tables_were_dropped_is_repeated(world: World) -> None:
    """In a fleet, another process may change the table while this process has no database."""
    table = (await world.open_lobby(NORTH)).id
    load = DelayedFirstRead(world.store.tables.load)
    service = service_with_store_parts(world, tables=StandIn(world.store.tables, load=load))
    looking = asyncio.create_task(service.reading.snapshot(table))
    await load.began.wait()
    joined = await world.service.lobby.join(world.caller(EAST), table)  # stands for a change by another process
    service.evict_all()
    load.go.set()
    assert joined.version == (await looking).version == (await service.reading.snapshot(table)).version


async def test_a_table_that_changes_while_all_are_dropped_is_loaded_again(world: World) -> None:
    """The table in memory may still name a person whom another process has just deleted."""
    table = (await world.open_lobby(NORTH)).id
    repository = world.service._context.repository
    deciding, go = asyncio.Event(), asyncio.Event()

    async def decide(_: Table) -> Decision:
        deciding.set()
        await go.wait()
        return Decision((JoinRequested(WAITS),))

    changing = asyncio.create_task(repository.change(table, TableRequest("wish", {}), decide))
    await deciding.wait()
    world.service.evict_all()
    dropping = asyncio.create_task(world.service.evict_all_after_changes())
    await asyncio.sleep(0)
    go.set()
    changed = (await changing).table
    await dropping
    assert not repository.records.is_cached(table)
    assert changed.version == (await repository.get(table)).version


def caches_of_people(store: Store) -> dict[str, tuple[DelayedFirstRead, Any, Any, Any]]:
    """Return each cache by name, with its delayed read, its query, and a write that bypasses it.

    The order is: the read, the cache, the query, the write.
    """
    load, hours = DelayedFirstRead(store.preferences.load), DelayedFirstRead(store.times.personal_hours)
    contact, settings = DelayedFirstRead(store.notices.contact_times), DelayedFirstRead(store.preferences.load)
    slow: Any = StandIn(store, preferences=StandIn(store.preferences, load=settings))
    waiting: Any = StandIn(store, notices=StandIn(store.notices, contact_times=contact))
    profiles = PreferencesService(StandIn(store.preferences, load=load))  # type: ignore[arg-type]
    times = PersonalTimes(StandIn(store.times, personal_hours=hours))  # type: ignore[arg-type]
    notices, servers = NoticeRepository(waiting), ServerSettingsService(slow)
    return {
        "preferences": (
            load,
            profiles,
            profiles.preferences_of,
            PreferencesService(store.preferences).change_preferences(NORTH, LARGE),
        ),
        "times": (
            hours,
            times,
            times.hours_of,
            PersonalTimes(store.times).set_automatic_vacation(NORTH, automatic=False),
        ),
        "contacts": (
            contact,
            notices,
            notices.contact,
            NoticeRepository(store).store_contact(NORTH, Contact(seen=5)),
        ),
        "settings": (settings, servers, servers.settings, ServerSettingsService(store).change_settings(NORTH, idle=60)),
    }


@pytest.mark.parametrize("kind", ["preferences", "times", "contacts", "settings"])
@pytest.mark.parametrize("told", [NORTH, None])
async def test_data_of_people_read_before_a_change_by_another_process_is_not_cached(
    world: World, kind: str, told: int | None
) -> None:
    every = caches_of_people(world.store)
    read, cache, ask, write = every.pop(kind)
    for *_, unused in every.values():
        unused.close()
    asking = asyncio.create_task(ask(NORTH))
    await read.began.wait()
    before = await ask(NORTH + 1)  # the answer about a person of whom nothing is stored
    await write
    cache.evict(told)
    read.go.set()
    assert await asking == await ask(NORTH) != before


async def test_a_move_to_another_channel_during_a_change_is_kept(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    ledger = world.service._context.repository
    moving: list[asyncio.Task[None]] = []

    async def decide(_: Table) -> Decision:
        moving.append(asyncio.create_task(ledger.move(table, channel=CHANNEL + 1, thread=7)))
        await asyncio.sleep(0.01)
        return Decision((JoinRequested(WAITS),))

    await ledger.change(table, TableRequest("wish", {}), decide)
    await moving[0]
    snapshot = await world.service.reading.snapshot(table)
    assert (CHANNEL + 1, 7) == (snapshot.channel, snapshot.thread)


async def test_a_foreign_write_evicts_the_table_and_refuses_the_request(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    snapshot = await world.open_lobby(NORTH)
    stored = await world.store.tables.load(snapshot.id)
    assert stored is not None
    foreign = TableChange(
        table=snapshot.id,
        expected_version=snapshot.version,
        request=None,
        person=None,
        seat=None,
        kind="elsewhere",
        payload='{"action":{},"events":[]}',
        status=stored.status,
        snapshot=stored.snapshot,
        at=world.clock.now(),
    )
    await world.store.tables.commit(foreign)
    detail = {"table": snapshot.id, "expected": snapshot.version, "version": snapshot.version + 1}
    assert (TableCode.STALE_REQUEST, detail) == await refusal_of(
        world.service.lobby.join(world.caller(EAST), snapshot.id)
    )
    (complaint,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert "the stored table is not the cached one" == complaint.getMessage()
    assert snapshot.version + 2 == (await world.service.lobby.join(world.caller(EAST), snapshot.id)).version


async def test_after_a_failed_commit_the_table_is_loaded_again(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    failures = iter([StorageFailed("disk")])

    async def fail_once(change: TableChange) -> int:
        for failure in failures:
            raise failure
        return await world.store.tables.commit(change)

    service = service_with_store_parts(world, tables=StandIn(world.store.tables, commit=fail_once))
    with pytest.raises(StorageFailed):
        await service.lobby.join(world.caller(EAST), table)
    assert not service._context.repository.records.is_cached(table)
    assert (NORTH, EAST) == (await service.lobby.join(world.caller(EAST), table)).persons


async def test_a_server_s_tables_are_evicted_once_their_changes_are_done(world: World) -> None:
    here, other = (await world.open_lobby(NORTH)).id, (await world.open_lobby(EAST)).id
    ledger = world.service._context.repository
    async with ledger.lock(here):
        evicting = asyncio.create_task(ledger.evict_guild(GUILD))
        await asyncio.sleep(0.01)
        assert ledger.records.is_cached(here)
    await evicting
    assert not ledger.records.is_cached(here)
    assert not ledger.records.is_cached(other)
    await world.service.reading.snapshot(here)
    await ledger.evict_guild(GUILD + 1)
    assert ledger.records.is_cached(here)


async def test_premoves_are_cached_and_loaded_again_after_each_write(world: World) -> None:
    table, reads = (await world.start_game(NORTH, EAST)).id, list[int]()

    async def count_reads(number: int) -> Any:
        reads.append(number)
        return await world.store.premoves.premoves_at_table(number)

    service = service_with_store_parts(world, premoves=StandIn(world.store.premoves, premoves_at_table=count_reads))
    premoves = service._context.repository.premoves
    actor = (await service.reading.snapshot(table)).actor
    assert actor is not None
    waiting = EAST if actor.person == NORTH else NORTH
    await service.premoves.store_premove(world.caller(waiting), table, PlannedTurn(draw=True))
    assert [waiting] == list(await premoves.premoves_at(table)) == list(await premoves.premoves_at(table))
    read = len(reads)
    await premoves.premoves_at(table)
    assert read == len(reads)
    await service.people.forget(world.caller(waiting))
    assert {} == await premoves.premoves_at(table)


async def test_the_cache_is_bounded() -> None:
    loads: list[int] = []

    async def load(number: int) -> int:
        loads.append(number)
        return number

    kept = NumberedCache(2, load)
    for number in (1, 2, 1, 3, 1, 2):
        assert number == await kept.get(number)
    assert [1, 2, 3, 2] == loads
