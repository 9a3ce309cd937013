"""Concurrent writes: none is lost, repeated, mixed with another or half done."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from bot.store.engines.interface import Session
from bot.store.errors import InvalidWrite, RequestAlreadyServed, StaleVersion, StoreClosed
from bot.store.messages import MessageRow
from bot.store.store import Store
from bot.store.table_changes import TimerChange
from bot.store.writer import MOST_QUEUED
from tests.support.seeds import SEARCHING
from tests.support.stored_tables import create_tables, new_change, new_table, read_log


async def test_one_stale_change_does_not_harm_two_hundred_good_ones(store: Store) -> None:
    tables = await create_tables(store, 200)
    changes = [new_change(table, 1, timers=(TimerChange("turn", table),)) for table in tables]
    stale = new_change(tables[0], 7)
    broken = new_change(tables[1], 1, status="no such status")
    outcomes = await asyncio.gather(*map(store.tables.commit, (*changes, stale, broken)), return_exceptions=True)
    assert [2] * 200 == outcomes[:200]
    assert isinstance(outcomes[200], StaleVersion)
    assert isinstance(outcomes[201], StaleVersion | InvalidWrite)
    assert tables == [timer.table for timer in await store.times.due_timers(10**9, 1_000)]
    for table in tables:
        assert 2 == len(await read_log(store, table))


async def test_a_failing_write_does_not_harm_others_of_its_batch(store: Store) -> None:
    tables = await create_tables(store, 20)
    changes = [new_change(table, 1 if table % 2 else 9) for table in tables]
    outcomes = await asyncio.gather(*map(store.tables.commit, changes), return_exceptions=True)
    for table, outcome in zip(tables, outcomes, strict=True):
        assert (outcome == 2) if table % 2 else isinstance(outcome, StaleVersion)
        assert (2 if table % 2 else 1) == len(await read_log(store, table))


async def test_an_error_in_one_write_does_not_affect_others(store: Store) -> None:
    """A bug in one step, run in the writer's thread, must not end the store for all others."""
    tables = await create_tables(store, 2)
    database = store.tables._database

    def delete_and_fail(session: Session) -> None:
        session.execute("DELETE FROM timers")
        session.execute("UPDATE tables SET status = 'closed'")
        raise ValueError

    changes = [store.tables.commit(new_change(table, 1)) for table in tables]
    outcomes = await asyncio.gather(*changes, database.run(delete_and_fail), return_exceptions=True)
    assert [2, 2, ValueError] == [*outcomes[:2], type(outcomes[2])]
    assert 3 == await store.tables.commit(new_change(tables[0], 2))
    assert [] == list(await store.tables.tables_with_status(["closed"]))


async def test_exactly_one_of_fifty_changes_of_one_version_wins(store: Store) -> None:
    table = await store.tables.create(new_table())
    racing = [new_change(table, 1, seat=seat) for seat in range(50)]
    outcomes = await asyncio.gather(*map(store.tables.commit, racing), return_exceptions=True)
    winners = [seat for seat, outcome in enumerate(outcomes) if outcome == 2]
    assert 1 == len(winners)
    assert 49 == sum(isinstance(outcome, StaleVersion) for outcome in outcomes)
    assert [None, *winners] == [row.seat for row in await read_log(store, table)]


async def test_a_request_sent_fifty_times_is_done_once(store: Store) -> None:
    table = await store.tables.create(new_table())
    outcomes = await asyncio.gather(
        *(store.tables.commit(new_change(table, 1, request=5)) for _ in range(50)), return_exceptions=True
    )
    assert 1 == outcomes.count(2)
    served = [outcome for outcome in outcomes if isinstance(outcome, RequestAlreadyServed)]
    assert [(table, 2)] * 49 == [(one.table, one.version) for one in served]
    assert 2 == len(await read_log(store, table))


async def test_a_request_sent_to_fifty_tables_is_done_at_one(store: Store) -> None:
    tables = await create_tables(store, 50)
    outcomes = await asyncio.gather(
        *(store.tables.commit(new_change(table, 1, request=5)) for table in tables), return_exceptions=True
    )
    assert 1 == outcomes.count(2)
    winner = tables[outcomes.index(2)]
    served = [outcome for outcome in outcomes if isinstance(outcome, RequestAlreadyServed)]
    assert [(winner, 2)] * 49 == [(one.table, one.version) for one in served]


async def test_concurrent_changes_of_one_table_are_written_in_request_order(store: Store) -> None:
    table = await store.tables.create(new_table())
    outcomes = await asyncio.gather(*(store.tables.commit(new_change(table, version)) for version in range(1, 101)))
    assert list(range(2, 102)) == outcomes
    assert 101 == len(await read_log(store, table))


async def test_tables_opened_at_once_get_different_numbers(store: Store) -> None:
    tables = await asyncio.gather(*(store.tables.create(new_table()) for _ in range(100)))
    assert 100 == len(set(tables))
    for table in tables:
        assert 1 == len(await read_log(store, table))


async def test_cancelled_callers_leave_no_half_done_write(store: Store) -> None:
    random = Random(7)
    tables = await create_tables(store, 10)
    versions = dict.fromkeys(tables, 1)
    for _ in range(10):
        asked = [asyncio.create_task(store.tables.commit(new_change(table, versions[table]))) for table in tables]
        for _ in range(random.randrange(6)):
            await asyncio.sleep(0)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert all(task.cancelled() for task in asked)
        await store.times.note_heartbeat(1)  # all requests accepted before this one are written by now
        for table in tables:
            versions[table] = len(await read_log(store, table))
    assert max(versions.values()) > 1, "no cancelled caller's write was accepted at all"
    await asyncio.gather(*(store.tables.commit(new_change(table, versions[table])) for table in tables))


async def test_readers_never_see_what_is_not_committed(store: Store) -> None:
    """Each change is written, then rolled back because its last statement fails (a missing seed)."""
    table = await store.tables.create(new_table())
    ended = asyncio.Event()

    async def write_many_times() -> None:
        for _ in range(200 if SEARCHING else 40):
            with pytest.raises(InvalidWrite):
                await store.tables.commit(new_change(table, 1, revealed=(7,), timers=(TimerChange("turn", 1),)))
        ended.set()

    async def count_reads() -> int:
        reads = 0
        while not ended.is_set():
            stored = await store.tables.load(table)
            assert stored is not None
            assert (1, None, 1) == (
                stored.version,
                await store.times.next_due_at(),
                len(await store.tables.actions(table)),
            )
            reads += 1
        return reads

    _, *reads = await asyncio.gather(write_many_times(), count_reads(), count_reads())
    assert all(number > 0 for number in reads)


async def test_readers_do_not_wait_for_all_writers(store: Store) -> None:
    beats = [asyncio.create_task(store.times.note_heartbeat(at)) for at in range(MOST_QUEUED)]
    await beats[0]
    await store.tables.load(1)
    assert sum(beat.done() for beat in beats) < MOST_QUEUED // 2
    await asyncio.gather(*beats)


async def test_writes_of_one_table_keep_their_request_order(store: Store) -> None:
    table = await store.tables.create(new_table())
    first, second = MessageRow(table, 1, 10, 1, 0), MessageRow(table, 2, 20, 1, 0)
    await asyncio.gather(
        store.messages.set_message(first), store.messages.clear_message(table), store.messages.set_message(second)
    )
    assert second == await store.messages.load(table)
    await asyncio.gather(
        store.messages.clear_message(table), store.messages.set_message(first), store.messages.clear_message(table)
    )
    assert await store.messages.load(table) is None


async def test_a_full_queue_of_writes_makes_callers_wait(store: Store) -> None:
    tables = await create_tables(store, 10)
    beats = [store.times.note_heartbeat(at) for at in range(MOST_QUEUED + 500)]
    changes = [store.tables.commit(new_change(table, 1)) for table in tables]
    outcomes = await asyncio.gather(*beats, *changes)
    assert [2] * 10 == outcomes[-10:]
    assert MOST_QUEUED + 499 == await store.times.last_heartbeat()


async def test_closing_writes_what_was_accepted_and_refuses_the_rest(store: Store) -> None:
    tables = await create_tables(store, 50)
    accepted = [asyncio.create_task(store.tables.commit(new_change(table, 1))) for table in tables]
    await asyncio.sleep(0)
    await store.close()
    assert [2] * 50 == await asyncio.gather(*accepted)
    with pytest.raises(StoreClosed):
        await store.tables.commit(new_change(tables[0], 2))


async def test_closing_ends_all_waiting_requests(store: Store) -> None:
    crowd = [asyncio.create_task(store.times.note_heartbeat(at)) for at in range(MOST_QUEUED * 2)]
    await asyncio.sleep(0)
    await store.close()
    outcomes = await asyncio.gather(*crowd, return_exceptions=True)
    assert {type(None), StoreClosed} == {type(outcome) for outcome in outcomes}
