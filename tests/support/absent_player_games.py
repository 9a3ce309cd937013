"""Start games for tests of absent players: with a clock, with no time left, with votes on the absent seat."""

from __future__ import annotations

from bot.clocks.clock import MINUTE
from bot.clocks.time_rules import PRESETS
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import TableSnapshot
from tests.support.ringing_alarms import ring_alarms_until
from tests.support.tables import CHANNEL, EAST, NORTH, SOUTH, WEST, World

FOUR = (NORTH, EAST, SOUTH, WEST)
DAILY = TableSettings(clock=PRESETS["daily"], extension=False, vacation=0)


async def start_clock_game(
    world: World, *persons: int, settings: TableSettings = DAILY, players: int = 4
) -> TableSnapshot:
    """Start a game of these persons with a clock, filled up with computer players, and return its table."""
    table = await world.service.lobby.create(
        world.caller(persons[0]), channel=CHANNEL, players=players, settings=settings
    )
    for person in persons[1:]:
        await world.service.lobby.join(world.caller(person), table.id)
    return await world.service.lobby.start(world.caller(persons[0]), table.id, fill=True)


async def start_game_with_no_time_left(
    world: World, *persons: int, settings: TableSettings = DAILY, players: int = 4
) -> TableSnapshot:
    """Start a game in which North, the person in turn, has used up all time; return its table."""
    table = await start_clock_game(world, *persons, settings=settings, players=players)
    await ring_alarms_until(world, world.clock.now() + PRESETS["daily"].bank + MINUTE)
    return await world.service.reading.snapshot(table.id)


async def cast_vote(world: World, table: TableSnapshot, person: int, choice: AbsenceChoice) -> TableSnapshot:
    """Cast a person's vote on the absent player's seat, and return the table."""
    assert table.vote is not None
    return await world.service.absence.cast_vote(world.caller(person), table.id, choice, asked_at=table.vote.at)
