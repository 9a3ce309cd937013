"""A person at the tables of several owners: deleted everywhere, and vacation days counted once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot import app
from bot.app import Application
from bot.clocks.clock import SystemClock
from bot.clocks.quiet_hours_and_vacation import PersonalHours, PersonalTimes
from bot.config import ServerUrl, Settings
from bot.store.engines.postgres_upkeep import columns_of, open_session
from bot.store.upkeep.restoring import people_in_columns
from bot.tables.people.notices import Contact, NoticeRepository
from bot.tables.state.snapshots import Caller
from tests.support.fleet import Fleet, guild_id_of_shard
from tests.support.postgres import new_database, running_server

NORTH, SOUTH = 1_001, 1_002
HOUR = 3_600_000
DAY = 24 * HOUR
SHARDS = 3


class FleetInOneProcess:
    """The applications of a fleet in one process, not connected to Discord."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.folder = folder
        self.running: dict[int, tuple[Application, AsyncExitStack]] = {}

    async def start(self) -> Application:
        """Build one more application, which takes a free shard, and return it."""
        settings = Settings(
            database=ServerUrl(self.address), shards=(1, SHARDS), alive=self.folder / "x.alive", emojis="off"
        )
        stack = AsyncExitStack()
        made = await stack.enter_async_context(app.build_application(settings))
        self.running[made.tables._context.store.shards.first] = made, stack
        return made

    async def stop(self, shard: int) -> None:
        """End the application that owns a shard."""
        await self.running.pop(shard)[1].aclose()


@pytest.fixture
async def processes(tmp_path: Path) -> AsyncIterator[FleetInOneProcess]:
    made = FleetInOneProcess(await new_database(), tmp_path)
    for _ in range(SHARDS):
        await made.start()
    yield made
    for shard in tuple(made.running):
        await made.stop(shard)


def caller(person: int, shard: int, request_number: int) -> Caller:
    return Caller(person, "Somebody", guild_id_of_shard(shard, count=SHARDS), request_number, "account")


async def test_a_person_at_tables_of_three_owners_is_deleted_everywhere(processes: FleetInOneProcess) -> None:
    for shard in range(SHARDS):
        tables = processes.running[shard][0].tables
        made = await tables.lobby.create(caller(NORTH, shard, 10 + shard), channel=5)
        await tables.lobby.join(caller(SOUTH, shard, 20 + shard), made.id)
    assert {NORTH, SOUTH} <= people_named_in(processes.address)
    await processes.stop(2)
    asking = asyncio.create_task(processes.running[1][0].tables.people.forget(caller(NORTH, 1, 30)))
    await asyncio.sleep(1)
    assert NORTH in people_named_in(processes.address), "the owner of a shard has not yet had the person leave"
    await processes.start()
    await asking  # if the start takes over ten seconds, the answer says that the deletion goes on
    while NORTH in people_named_in(processes.address):
        await asyncio.sleep(0.1)
    assert SOUTH in people_named_in(processes.address)
    for shard in range(SHARDS):
        snapshot = await processes.running[shard][0].tables.reading.snapshot(shard + 1)
        assert NORTH not in {seat.person for seat in snapshot.seats}


async def test_a_process_that_missed_messages_drops_its_caches(processes: FleetInOneProcess) -> None:
    """A missed message may have announced a deletion or a database restored from a backup."""
    application, database = processes.running[1][0], urlsplit(processes.address).path[1:]
    tables = application.tables
    made = await tables.lobby.create(caller(NORTH, 1, 10), channel=5)
    assert [made.id] == list(tables.cached_versions())
    session = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'canasta hear'"
    running_server().run_sql("UPDATE tables SET version = version - 1", database)
    running_server().run_sql(session, database)
    while tables.cached_versions():
        await asyncio.sleep(0.05)
    while "restored" not in running_server().run_sql("SELECT kind FROM outbox", database):
        await asyncio.sleep(0.05)


async def test_only_the_owner_of_shard_0_sends_digests(processes: FleetInOneProcess) -> None:
    now, sent = SystemClock().now(), []
    for shard in (1, 2, 0):
        application = processes.running[shard][0]
        services = application.client.context.services
        hour = datetime.fromtimestamp(now / 1000 - HOUR / 1000, UTC).hour  # the hour of the digest began an hour ago
        await services.profiles.change_preferences(NORTH, {"digest": str(hour)})
        await application.client.digests.send_due_digests()
        sent.append((await services.notices.contact(NORTH)).digest > 0)
    assert [False, False, True] == sent


def people_named_in(address: str) -> set[int]:
    """Return the ids of all persons that appear in a row of the database."""
    with open_session(address) as session:
        return set(people_in_columns(session, columns_of(session)))


@pytest.fixture
async def fleet() -> AsyncIterator[Fleet]:
    async with Fleet(running_server(), await new_database()) as opened:
        yield opened


async def test_two_processes_that_change_a_person_s_times_at_once_keep_both_changes(fleet: Fleet) -> None:
    one, other = [PersonalTimes((await fleet.open_store()).times) for _ in range(2)]
    for times in (one, other):
        assert not (await times.hours_of(NORTH)).vacations
    await one.plan_vacation(NORTH, 10 * DAY, 12 * DAY, DAY)
    # its cache lacks the vacation, which another process stored
    await other.set_automatic_vacation(NORTH, automatic=True)
    one.evict(NORTH)
    found = await one.hours_of(NORTH)
    assert [(10 * DAY, 12 * DAY)] == [(away.start, away.end) for away in found.vacations]
    assert found.automatic


async def test_a_contact_noted_by_one_process_is_never_set_back_by_another(fleet: Fleet) -> None:
    one, other = [NoticeRepository(await fleet.open_store()) for _ in range(2)]
    for book in (one, other):
        assert Contact() == await book.contact(NORTH)
    await one.store_contact(NORTH, Contact(digest=5 * DAY, pings=(5 * DAY,)))
    await other.store_contact(NORTH, Contact(seen=5 * DAY, pings=(5 * DAY + 1,)))
    one.evict(NORTH)
    assert Contact(seen=5 * DAY, digest=5 * DAY, pings=(5 * DAY, 5 * DAY + 1)) == await one.contact(NORTH)


async def test_two_days_of_vacation_that_begin_at_once_both_count(fleet: Fleet) -> None:
    one, other = [PersonalTimes((await fleet.open_store()).times) for _ in range(2)]
    for times in (one, other):
        assert not (await times.hours_of(NORTH)).vacations
    now = 20 * DAY  # days that have begun stay in the plan when others are planned
    await asyncio.gather(
        one.plan_vacation(NORTH, now, 21 * DAY, now), other.plan_vacation(NORTH, 19 * DAY, 21 * DAY, now)
    )
    other.evict(NORTH)
    found = await other.hours_of(NORTH)
    assert [19 * DAY, 20 * DAY] == sorted(away.start for away in found.vacations)
    assert PersonalHours().days_left(now) - 3 == found.days_left(now)
