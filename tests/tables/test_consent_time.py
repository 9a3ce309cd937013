"""Time during proposals: stopped for an undo and in a pause; an undone turn gives no second increment."""

from __future__ import annotations

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import PRESETS, SeatClock
from bot.engine.moves.actions import DRAW, Discard
from bot.engine.table.views import SeatView
from bot.tables.state.clocks import Clocks, TableSettings
from bot.tables.state.proposals import ProposalKind
from tests.support.tables import CHANNEL, EAST, GUILD, NORTH, World

DAILY, LIVE = PRESETS["daily"], PRESETS["live"]


async def start_game(world: World, clock: str) -> int:
    """Return a game of two people with a clock, North to play."""
    settings = TableSettings(clock=PRESETS[clock])
    snapshot = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, players=2, settings=settings)
    await world.service.lobby.join(world.caller(EAST), snapshot.id)
    return (await world.service.lobby.start(world.caller(NORTH), snapshot.id)).id


async def clocks_of(world: World, table: int) -> Clocks:
    found = (await world.service.reading.snapshot(table)).clocks
    assert found is not None
    return found


async def discard_as_north(world: World, table: int) -> None:
    """Let North discard, which ends the turn."""
    view = (await world.service.reading.seat_snapshot(table, person=NORTH, guild=GUILD)).view
    assert isinstance(view, SeatView)
    step = next(step for step in view.legal if isinstance(step, Discard))
    await world.service.play.act(world.caller(NORTH), table, step)


async def test_the_clock_stops_while_an_undo_is_asked_for(world: World) -> None:
    table = await start_game(world, "daily")
    world.clock.advance(2 * HOUR)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    world.clock.advance(HOUR)
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    stands = await clocks_of(world, table)
    assert (None, SeatClock(69 * HOUR)) == (stands.owes, stands.seats[0])
    world.clock.advance(50 * MINUTE)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    runs = await clocks_of(world, table)
    assert (0, world.clock.now(), SeatClock(69 * HOUR)) == (runs.owes, runs.since, runs.seats[0])


async def test_an_undone_and_repeated_turn_gives_one_increment(world: World) -> None:
    table = await start_game(world, "daily")
    world.clock.advance(30 * HOUR)
    await world.service.play.act(world.caller(NORTH), table, DRAW)
    await discard_as_north(world, table)
    assert [SeatClock(54 * HOUR), SeatClock(72 * HOUR)] == list((await clocks_of(world, table)).seats)
    world.clock.advance(HOUR)
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.UNDO)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    clocks = await clocks_of(world, table)
    assert (0, [SeatClock(54 * HOUR), SeatClock(71 * HOUR)]) == (clocks.owes, list(clocks.seats))
    world.clock.advance(HOUR)
    await discard_as_north(world, table)
    clocks = await clocks_of(world, table)
    assert (1, [SeatClock(53 * HOUR), SeatClock(71 * HOUR)]) == (clocks.owes, list(clocks.seats))


async def test_the_clock_stops_in_a_pause(world: World) -> None:
    table = await start_game(world, "live")
    world.clock.advance(10 * SECOND)
    await world.service.consent.propose(world.caller(EAST), table, ProposalKind.PAUSE, days=2)
    world.clock.advance(5 * SECOND)
    await world.service.consent.answer_proposal(world.caller(NORTH), table, agrees=True)
    stands = await clocks_of(world, table)
    assert (None, SeatClock(285 * SECOND)) == (stands.owes, stands.seats[0])
    world.clock.advance(20 * HOUR)
    await world.service.consent.resume(world.caller(EAST), table)
    runs = await clocks_of(world, table)
    assert (0, world.clock.now() + 285 * SECOND) == (runs.owes, runs.until)


async def test_a_slower_clock_is_announced_at_once(world: World) -> None:
    table = await start_game(world, "live")
    world.clock.advance(30 * SECOND)
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.SLOWER_CLOCK)
    await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=True)
    clocks = await clocks_of(world, table)
    left = DAILY.bank - 30 * SECOND
    assert (0, SeatClock(left), SeatClock(DAILY.bank)) == (clocks.owes, *clocks.seats)
    assert world.clock.now() + left == clocks.until
