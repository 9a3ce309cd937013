"""Long games with an absent person: a game with a clock, a person out of time, a vote about the seat."""

from __future__ import annotations

from bot.clocks.clock import MINUTE
from bot.clocks.law import PRESETS
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import TableSnapshot
from tests.support.alarms import ring_until
from tests.support.tables import CHANNEL, EAST, NORTH, SOUTH, WEST, World

FOUR = (NORTH, EAST, SOUTH, WEST)
DAILY = TableSettings(clock=PRESETS["daily"], extension=False, vacation=0)


async def game(world: World, *persons: int, settings: TableSettings = DAILY, players: int = 4) -> TableSnapshot:
    """A game with a clock; the seat after the first is in turn last."""
    look = await world.service.lobby.create(
        world.caller(persons[0]), channel=CHANNEL, players=players, settings=settings
    )
    for person in persons[1:]:
        await world.service.lobby.join(world.caller(person), look.id)
    return await world.service.lobby.start(world.caller(persons[0]), look.id, fill=True)


async def lapsed(world: World, *persons: int, settings: TableSettings = DAILY, players: int = 4) -> TableSnapshot:
    """A game in which the person in turn, North, has used up all time."""
    look = await game(world, *persons, settings=settings, players=players)
    await ring_until(world, world.clock.now() + PRESETS["daily"].bank + MINUTE)
    return await world.service.reading.snapshot(look.id)


async def vote(world: World, look: TableSnapshot, person: int, choice: AbsenceChoice) -> TableSnapshot:
    """Cast a person's vote in the open vote."""
    assert look.vote is not None
    return await world.service.absence.vote(world.caller(person), look.id, choice, asked_at=look.vote.at)
