"""Ring stored alarms while time passes."""

from __future__ import annotations

from tests.support.tables import World


async def ring_alarms_until(world: World, instant: int) -> None:
    """Advance the clock to an instant, and let every stored alarm ring when it is due."""
    while (due := await world.store.times.next_due_at()) is not None and due <= instant:
        world.clock.advance(max(0, due - world.clock.now()))
        for timer in await world.store.times.due_timers(world.clock.now(), 200):
            await world.service.deadlines.fire_deadline(timer.table, timer.kind)
    world.clock.advance(max(0, instant - world.clock.now()))
