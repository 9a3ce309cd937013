"""Ownership of servers: each process owns a range of shards, and a spare takes a free range."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from dataclasses import replace

import pytest

from bot.clocks.clock import SystemClock
from bot.exit_codes import ExitCode, exit_code_of
from bot.store.engines.interface import OWNED, Budgets, Shards
from bot.store.engines.postgres_server import END_SILENT, LOCKS
from bot.store.engines.postgres_upkeep import fleet_state, open_session
from bot.store.errors import DatabaseAway, OtherFleet, StorageFailed, UnsuitableServer
from bot.store.messages import MessageRow
from bot.store.notices import NoticeRow
from bot.store.outbox import RATE, Promise
from bot.store.store import Store
from bot.store.table_changes import TimerChange
from cogs.shared.posting.request_budget import Budget, Priority
from tests.support.fleet import Fleet, guild_id_of_shard
from tests.support.postgres import new_database, open_autocommit_connection
from tests.support.stored_tables import new_change, new_table


async def wait_until(condition: object, seconds: float = 20) -> None:
    assert callable(condition)
    for _ in range(int(seconds / 0.05)):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never came true")


async def create_table_in(store: Store, guild: int) -> int:
    return await store.tables.create(replace(new_table(), guild=guild))


async def test_each_process_takes_a_range_and_a_further_one_waits_until_one_is_free(fleet: Fleet) -> None:
    one, other = await fleet.open_store(), await fleet.open_store()
    assert [Shards(0, 1, 4), Shards(2, 3, 4)] == [one.shards, other.shards]
    spare = fleet.begin_to_open_store()
    await wait_until(lambda: fleet.waited)
    assert not spare.done()
    await other.close()
    assert Shards(2, 3, 4) == (await spare).shards


async def test_a_process_that_loses_its_connection_takes_its_shards_again(fleet: Fleet) -> None:
    store = await fleet.open_store(name="a")
    dropped: list[int] = []
    store.on_reconnect(lambda: dropped.append(1))
    table = await create_table_in(store, guild_id_of_shard(1))
    fleet.cut_connection("a")
    with pytest.raises(DatabaseAway) as caught:
        await store.tables.commit(new_change(table, 1))
    assert not caught.value.is_unknown

    async def is_committed() -> bool:
        try:
            return await store.tables.commit(new_change(table, 1)) == 2
        except DatabaseAway:
            return False

    for _ in range(200):
        if await is_committed():
            break
        await asyncio.sleep(0.05)
    assert [1] == dropped
    assert 2 == len(await store.tables.actions(table))
    assert "0\n1" in fleet.run_sql(
        "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' ORDER BY 1"
    )


async def test_a_process_whose_shards_another_one_took_ends(fleet: Fleet) -> None:
    fleet.pauses = {"try_every": 0.02, "try_for": 0.2}
    one = await fleet.open_store(4, 4, name="a")
    spare = fleet.begin_to_open_store(4, 4)
    await wait_until(lambda: fleet.waited)
    fleet.cut_connection("a")  # without a write the former owner does not notice the lost connection
    assert Shards(0, 3, 4) == (await asyncio.wait_for(spare, 10)).shards
    with pytest.raises(DatabaseAway):
        await one.times.note_heartbeat(1)
    failure = await asyncio.wait_for(one.wait_for_failure(), 10)
    assert "holds the shards" in str(failure)
    assert ExitCode.FAILED == exit_code_of(failure), "the supervisor starts it again, as the spare"
    with pytest.raises(StorageFailed):
        await one.times.note_heartbeat(2)


async def test_a_fleet_in_another_database_of_the_server_is_left_alone(fleet: Fleet) -> None:
    await fleet.open_store(name="ours")
    async with Fleet(fleet.server, await new_database()) as others:
        await others.open_store(4, 4, name="theirs")
        with open_session(fleet.address) as session, closing(open_autocommit_connection(others.address)) as silent:
            state = fleet_state(session)
            assert ((0, 1), ["ours"]) == (state.held, [one.name for one in state.processes])
            silent.execute(f"SELECT pg_advisory_lock({LOCKS:d}, 9)")
            silent.execute("BEGIN")
            silent.execute("SELECT 1")
            await asyncio.sleep(0.01)
            assert [] == session.execute(END_SILENT, {"space": LOCKS, "seconds": 0}).rows
            with open_session(others.address) as theirs:
                assert 1 == len(theirs.execute(END_SILENT, {"space": LOCKS, "seconds": 0}).rows)


async def test_other_settings_and_another_schema_are_refused_while_a_process_runs(fleet: Fleet) -> None:
    await fleet.open_store()
    with pytest.raises(UnsuitableServer, match="have 4 shards"):
        await fleet.open_store(2, 8)
    fleet.run_sql("UPDATE fleet SET schema = schema - 1")
    with pytest.raises(OtherFleet, match="stop all"):
        await fleet.open_store()


async def test_changing_the_number_of_shards_counts_as_an_outage_since_the_last_heartbeat(fleet: Fleet) -> None:
    one = await fleet.open_store(4, 4)
    await one.times.note_heartbeat(1_000)
    await one.close()
    one = await fleet.open_store(8, 8)
    assert 8 == one.shards.count
    assert await one.times.last_heartbeat() is None
    assert [1_000] == [outage.start_at for outage in await one.times.outages()]
    assert 1_000 == await one.times.first_heartbeat()


async def test_a_process_asks_only_for_what_belongs_to_its_servers(fleet: Fleet) -> None:
    one, other = await fleet.open_store(), await fleet.open_store()
    ours, theirs = [await create_table_in(one, guild_id_of_shard(shard)) for shard in (0, 3)]
    for store, table, guild in ((one, ours, guild_id_of_shard(0)), (other, theirs, guild_id_of_shard(3))):
        await store.tables.commit(
            new_change(table, 1, status="playing", computer_to_act=True, timers=(TimerChange("clock", 10 + table),))
        )
        await store.premoves.set_premoves(table, 5, "{}")
        await store.notices.set_notice(NoticeRow(table, 5, "1.1", "first", 7, None, 1))
        await store.guilds.note_departure(guild, 5)
        await store.outbox.add(Promise(kind="event", key=f"t{table}", guild=guild), 1)
        await store.outbox.add(Promise(kind=RATE, key=f"b{table}", guild=guild), 1)
    for store, table, guild in ((one, ours, guild_id_of_shard(0)), (other, theirs, guild_id_of_shard(3))):
        assert [table] == [found.id for found in await store.tables.tables_with_status(("playing",))]
        assert (table,) == await store.tables.tables_awaiting_computers()
        assert (table,) == await store.messages.tables_with_outdated_message()
        assert (table,) == await store.premoves.tables_with_premoves()
        assert (table,) == await store.notices.tables_with_notices()
        assert (table,) == await store.notices.tables_sending_notices()
        assert (table,) == await store.times.tables_with_clock()
        assert 10 + table == await store.times.next_due_at()
        assert [table] == [due.table for due in await store.times.due_timers(1_000, 10)]
        assert (guild,) == await store.guilds.active_guilds()
        assert [guild] == [found.guild for found in await store.guilds.departures()]
    assert {("event", f"t{ours}"), ("rate", f"b{ours}")} <= {
        (row.kind, row.key) for row in await one.outbox.due_promises(9)
    }
    assert [("event", f"t{theirs}")] == [(row.kind, row.key) for row in await other.outbox.due_promises(9)]


async def test_bad_starts_are_counted_separately_for_each_range_of_shards(fleet: Fleet) -> None:
    """A spare that takes over must not wait for starts of other processes."""
    one, other = await fleet.open_store(), await fleet.open_store()
    for number in range(5):
        await one.times.store_start(1_000 + number, forget_before=0)
    assert [5, 0] == [await store.times.count_failed_starts(0) for store in (one, other)]


async def test_without_the_sql_condition_a_process_would_see_the_boards_of_others(fleet: Fleet) -> None:
    """A control of `test_a_process_asks_only_for_what_belongs_to_its_servers`."""
    one = await fleet.open_store()
    ours, theirs = [await create_table_in(one, guild_id_of_shard(shard)) for shard in (0, 3)]
    await one.messages.set_message(MessageRow(ours, 1, 1, 1, 1))
    assert () == await one.messages.tables_with_outdated_message()
    found = await one._database.fetch("SELECT id FROM tables ORDER BY id", {})
    condition = f"SELECT id FROM tables WHERE {OWNED} ORDER BY id"  # noqa: S608 - the text contains no values
    kept = await one._database.fetch(condition, one._database.shard_parameters)
    assert [[ours, theirs], [ours]] == [[row[0] for row in rows] for rows in (found, kept)]
    assert (guild_id_of_shard(0),) == await one.guilds.active_guilds()
    await one.close()
    every = await fleet.open_store(4, 4)  # this store owns all shards, so its condition excludes nothing
    assert (theirs,) == await every.messages.tables_with_outdated_message(), "a second board would be posted"
    assert (guild_id_of_shard(0), guild_id_of_shard(3)) == await every.guilds.active_guilds(), (
        "tables would be closed as of a server that was left"
    )


async def test_tables_that_a_failover_set_back_are_shown_again_with_a_notice(fleet: Fleet) -> None:
    one = await fleet.open_store()
    back, same = [await create_table_in(one, guild_id_of_shard(0)) for _ in range(2)]
    for table in (back, same):
        await one.messages.set_message(MessageRow(table, 1, table, 1, 1))
    assert () == await one.messages.tables_with_outdated_message()
    assert (back,) == await one.tables.note_tables_set_back({back: 51, same: 1, 999: 5}, 7)
    assert (back,) == await one.messages.tables_with_outdated_message()
    (promise,) = await one.outbox.all_promises()
    assert ("restored", f"b{back}", guild_id_of_shard(0)) == (promise.kind, promise.key, promise.guild)
    assert {"as_of": 1_000, "lost": 1} == json.loads(promise.args)


async def test_a_process_learns_of_changes_made_by_another_one(fleet: Fleet) -> None:
    one, other = await fleet.open_store(), await fleet.open_store()
    heard: list[str] = []
    other.on_notification(heard.append)
    await wait_until(lambda: "" in heard)
    await one.preferences.set("person", 5, {"language": "it"})
    await one.preferences.set("server", 7, {"theme": "dark"})
    await one.players.forget(5)
    await wait_until(lambda: {"person 5", "server 7", "forgotten 5"} <= set(heard))


async def test_a_database_server_that_loses_acknowledged_commits_is_refused(fleet: Fleet) -> None:
    fleet.run_sql(f"ALTER DATABASE {fleet.database} SET canasta.may_lose_data = off")
    with pytest.raises(UnsuitableServer, match="fsync=off"):
        await fleet.open_store()


async def test_two_processes_together_are_never_granted_more_than_their_common_budget(fleet: Fleet) -> None:
    opened = [store.budgets for store in (await fleet.open_store(), await fleet.open_store())]
    budgets = [budget for budget in opened if budget is not None]
    assert 2 == len(budgets)

    async def granted_tokens(budget: Budgets, want: int) -> int:
        granted = 0
        for asked in range(200):
            if granted and asked >= 12:  # on a busy machine, one may get nothing until the other stops
                break
            grant = await budget.take_tokens("requests", want, urgent=0, per_hour=20 * 3_600, holds=4)
            granted += grant.tokens
            await asyncio.sleep(0.05)
        return granted

    loop = asyncio.get_running_loop()
    began = loop.time()
    granted = await asyncio.gather(*(granted_tokens(budget, 4) for budget in budgets))
    assert sum(granted) <= 2 + 20 * (loop.time() - began) + 1
    assert min(granted) > 0
    await budgets[0].pause("requests", 60_000)
    paused = await budgets[1].take_tokens("requests", 1, urgent=1, per_hour=20 * 3_600, holds=4)
    assert 0 == paused.tokens
    assert 59_000 < paused.paused_for <= 60_000


async def test_the_last_two_tokens_of_the_budget_are_kept_for_urgent_calls(fleet: Fleet) -> None:
    budget = (await fleet.open_store()).budgets
    assert budget is not None
    first = await budget.take_tokens("requests", 4, urgent=0, per_hour=1, holds=4)
    assert 2 == first.tokens
    assert 0 == (await budget.take_tokens("requests", 1, urgent=0, per_hour=1, holds=4)).tokens
    assert 2 == (await budget.take_tokens("requests", 4, urgent=4, per_hour=1, holds=4)).tokens


async def test_a_refusal_that_concerns_the_whole_bot_pauses_every_process(fleet: Fleet) -> None:
    one, other = [Budget(SystemClock(), common=(await fleet.open_store()).budgets) for _ in range(2)]
    assert await other.ask_common_budget("rooms", per_hour=3_600_000, holds=3)
    one.pause_common_budget("rooms", 60_000)  # as after a refusal: too many direct messages were opened
    one.pause(60_000)
    for _ in range(100):
        if not await other.ask_common_budget("rooms", per_hour=3_600_000, holds=3):
            break
        await asyncio.sleep(0.05)
    assert not await other.ask_common_budget("rooms", per_hour=3_600_000, holds=3)
    taking = asyncio.create_task(other.wait_for_turn(Priority.NOTIFY))
    await asyncio.sleep(0.5)
    assert not taking.done()
    taking.cancel()
    await other.close()
