"""Games that wait for a player who has stopped playing, and the hours until the table decides."""

from __future__ import annotations

from bot.clocks.clock import HOUR
from bot.clocks.quiet_hours import QuietWindow
from bot.clocks.time_rules import DAY, PRESETS
from bot.tables.state.clocks import TableSettings
from bot.tables.state.events import StageReached
from bot.tables.state.snapshots import TableSnapshot
from tests.support.absent_player_games import start_clock_game
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.stored_table_data import events_of
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World

PEOPLE = (NORTH, EAST, SOUTH, WEST, STRANGER, 6)
USUAL = TableSettings(clock=PRESETS["daily"])
LONGEST_WAIT = 132
"""The most hours that a table waits after the beginning of a turn or its player's last use of the bot."""

PRESENT = 72
DAYS_A_TURN = 2


def expected_hours_to_decision(
    last_seen: int, *, turn_hour: int, quiet_hours: int, bank: int = 72, extension: int = 24
) -> int:
    """Return the hours from the start of a turn until its table decides what happens, counted one by one.

    The turn came at `turn_hour` o'clock; the player was last seen `last_seen` hours later and sleeps `quiet_hours`
    hours from 22:00.
    """

    def is_asleep(hour: int) -> bool:
        return (turn_hour + hour - 22) % 24 < quiet_hours

    hour, left, extended, days = 0, bank, False, 0
    while True:
        while left or is_asleep(hour):
            left -= 0 if is_asleep(hour) else 1
            hour += 1
        present = last_seen <= hour < last_seen + PRESENT
        if present and not extended:
            extended, left = True, extension
        elif present and days < DAYS_A_TURN:
            days, hour = days + 1, hour + 24
        else:
            return hour


async def start_game_waiting_for_north(
    world: World, *, turn_hour: int, quiet_hours: int, persons: int = 2, settings: TableSettings = USUAL
) -> TableSnapshot:
    """Start a game with North in turn since `turn_hour` o'clock (UTC), and return its table.

    North's quiet hours begin at 22:00.
    """
    world.names[6] = "Sixth"
    clock = world.clock
    clock.advance(DAY - clock.now() % DAY + turn_hour * HOUR)
    if quiet_hours:
        await world.personal.set_quiet_hours(NORTH, QuietWindow("UTC", 22 * 60, quiet_hours), clock.now())
    return await start_clock_game(world, *PEOPLE[:persons], settings=settings, players=persons)


async def hours_until_decision(world: World, snapshot: TableSnapshot, last_seen: int | None) -> float:
    """Return the hours until the table decides what happens to the absent North.

    North last uses the bot `last_seen` hours after the turn began.
    """
    start = world.clock.now()
    if last_seen is not None:
        await ring_alarms_until(world, start + last_seen * HOUR)
        await world.record_activity(NORTH)
    return await hours_until_time_used_up(world, snapshot, start)


async def hours_until_time_used_up(world: World, snapshot: TableSnapshot, start: int) -> float:
    """Return the hours until North has used up all time for the first turn."""
    await ring_alarms_until(world, start + 20 * DAY)
    happened = await events_of(world.store, snapshot.id)
    return next(
        (event.until - start) / HOUR
        for event in happened
        if isinstance(event, StageReached) and event.stage == "lapsed"
    )
