"""Stored deadlines of tables, and the last heartbeat of the program."""

from __future__ import annotations

from bot.store.store import Store
from bot.store.table_changes import TimerChange
from bot.store.timers_and_uptime import DueTimer
from tests.support.stored_tables import GUILD, new_change, new_table


async def test_timers_are_set_moved_and_cleared_with_the_action(store: Store) -> None:
    table = await store.tables.create(new_table(timers=(TimerChange("expire", 500),)))
    assert 500 == await store.times.next_due_at()
    await store.tables.commit(new_change(table, 1, timers=(TimerChange("turn", 300), TimerChange("expire", 900))))
    assert 300 == await store.times.next_due_at()
    turn, expire = DueTimer(table, GUILD, "turn", 300, 2), DueTimer(table, GUILD, "expire", 900, 2)
    assert () == await store.times.due_timers(299, 10)
    assert (turn,) == await store.times.due_timers(300, 10)
    assert (turn, expire) == await store.times.due_timers(900, 10)
    assert (turn,) == await store.times.due_timers(900, 1)
    assert (turn, expire) == await store.times.due_timers(900, 10), "a timer stays until an action clears it"
    await store.tables.commit(new_change(table, 2, timers=(TimerChange("turn", None), TimerChange("never set", None))))
    assert (expire,) == await store.times.due_timers(900, 10)
    await store.tables.commit(new_change(table, 3, timers=(TimerChange("expire", None),)))
    assert await store.times.next_due_at() is None


async def test_the_latest_heartbeat_is_kept(store: Store) -> None:
    assert await store.times.last_heartbeat() is None
    await store.times.note_heartbeat(5)
    await store.times.note_heartbeat(9)
    assert 9 == await store.times.last_heartbeat()
