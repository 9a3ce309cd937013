"""Readiness: each outage is one stored row, whatever its cause.

The bot may have crashed, lost Discord, hung, or its clock was set forward.
"""

from __future__ import annotations

from pathlib import Path

from bot.clocks.clock import HOUR, MINUTE, SECOND, Spans
from bot.clocks.uptime import HEARTBEAT_INTERVAL, Uptime
from bot.store.store import Store
from tests.support.clock import START, ManualClock
from tests.support.empty_database import open_new_store


async def begin_uptime(store: Store, clock: ManualClock) -> Uptime:
    readiness = Uptime(store.times, clock)
    await readiness.load()
    return readiness


async def stored_outages(store: Store) -> Spans:
    return tuple((one.start_at, one.end_at) for one in await store.times.outages())


async def test_after_a_crash_all_time_since_the_last_heartbeat_is_an_outage_however_short(tmp_path: Path) -> None:
    clock = ManualClock()
    async with open_new_store(tmp_path / "c.db") as store:
        first = await begin_uptime(store, clock)
        await first.note_ready()
        assert () == first.outages()
        clock.advance(40 * SECOND)
        second = await begin_uptime(store, clock)
        clock.advance(8 * SECOND)
        assert ((START, START + 48 * SECOND),) == second.outages(), "it still runs"
        await second.note_ready()
        clock.advance(HEARTBEAT_INTERVAL)
        await second.note_ready()
        assert ((START, START + 48 * SECOND),) == second.outages() == await stored_outages(store)


async def test_a_lost_connection_counts_from_the_moment_it_was_lost(tmp_path: Path) -> None:
    clock = ManualClock()
    async with open_new_store(tmp_path / "c.db") as store:
        readiness = await begin_uptime(store, clock)
        await readiness.note_ready()
        clock.advance(7 * SECOND)
        readiness.note_connection_lost()
        clock.advance(9 * HOUR)
        readiness.note_connection_lost()
        await readiness.note_ready()
        assert ((START + 7 * SECOND, START + 9 * HOUR + 7 * SECOND),) == await stored_outages(store)
        assert START + 9 * HOUR + 7 * SECOND == readiness.last_outage_end


async def test_a_loss_that_is_noticed_late_counts_from_the_last_heartbeat(tmp_path: Path) -> None:
    clock = ManualClock()
    async with open_new_store(tmp_path / "c.db") as store:
        readiness = await begin_uptime(store, clock)
        readiness.note_not_ready()
        assert () == readiness.outages(), "before the first start nobody waits"
        await readiness.note_ready()
        clock.advance(5 * SECOND)
        await readiness.note_ready()
        clock.advance(4 * SECOND)
        readiness.note_not_ready()
        clock.advance(MINUTE)
        readiness.note_not_ready()
        await readiness.note_ready()
        assert ((START, START + MINUTE + 9 * SECOND),) == await stored_outages(store), "a later beat was stored"


async def test_a_clock_set_forward_skips_uncharged_time(tmp_path: Path) -> None:
    clock = ManualClock()
    async with open_new_store(tmp_path / "c.db") as store:
        readiness = await begin_uptime(store, clock)
        await readiness.note_ready()
        clock.advance(10 * SECOND)
        clock.shift_wall_clock(72 * HOUR)
        assert ((START + 10 * SECOND, START + 72 * HOUR + 10 * SECOND),) == readiness.outages(), (
            "known before it is noted"
        )
        await readiness.note_ready()
        clock.shift_wall_clock(-HOUR)
        await readiness.note_ready()
        assert ((START + 10 * SECOND, START + 72 * HOUR + 10 * SECOND),) == await stored_outages(store)


async def test_time_in_which_the_process_hung_counts_as_an_outage(tmp_path: Path) -> None:
    clock = ManualClock()
    async with open_new_store(tmp_path / "c.db") as store:
        readiness = await begin_uptime(store, clock)
        await readiness.note_ready()
        clock.advance(MINUTE)
        await readiness.note_ready()
        assert () == await stored_outages(store)
        clock.advance(10 * MINUTE)
        await readiness.note_ready()
        assert ((START + MINUTE, START + 11 * MINUTE),) == await stored_outages(store)
