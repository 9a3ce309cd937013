"""The driver: computer players act once when it is their turn, and never block a table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest

from bot.computer.chosen_step import Choice, Reason, RejectedStep
from bot.computer.expert_process import ExpertProcess
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.player import ComputerPlayer, RandomPlayer, player_for
from bot.computer.turn_driver import ComputerDriver, pause_factor
from bot.engine.cards.cards import RED_THREE
from bot.engine.moves.actions import Discard, Meld
from bot.engine.moves.phases import Phase
from bot.engine.table.views import SeatView
from bot.tables.state.clocks import Level, TableSettings
from bot.tables.state.snapshots import Status, TableChanged, TableSnapshot
from tests.support.tables import EAST, GUILD, NORTH, World, open_world


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with open_world(tmp_path / "canasta.db") as opened:
        yield opened


def same_for_every_level(player: ComputerPlayer) -> Callable[[Level], ComputerPlayer]:
    """Return a function that returns this player for every level."""
    return lambda _level: player


class TableWaiter:
    """Waits until a person is to act at a table, or nobody is."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._changed = asyncio.Event()
        world.service.subscribe(self._on_change)

    def _on_change(self, _: TableChanged) -> None:
        self._changed.set()

    async def wait_for_person_or_end(self, table: int) -> TableSnapshot:
        while True:
            self._changed.clear()
            snapshot = await self._world.service.reading.snapshot(table)
            if snapshot.actor is None or snapshot.actor.kind == "person":
                return snapshot
            await self._changed.wait()


async def play_game_to_end(world: World, table: int, random: Random) -> TableSnapshot:
    """Play the people's turns at random until the game is over; the driver plays the others."""
    waiter = TableWaiter(world)
    while True:
        snapshot = await waiter.wait_for_person_or_end(table)
        if snapshot.status is not Status.PLAYING:
            return snapshot
        if snapshot.actor is None:
            await world.service.play.begin_next_deal(world.caller(NORTH), table)
        else:
            await world.take_random_step(table, random)


@pytest.mark.parametrize("in_thread", [False, True])
async def test_computer_players_play_a_whole_game_with_a_person(world: World, *, in_thread: bool) -> None:
    driver = ComputerDriver(
        world.service, same_for_every_level(RandomPlayer(1)), world.clock, pace=0, in_thread=in_thread
    )
    await driver.start()
    snapshot = await world.start_game(NORTH, target=500)
    snapshot = await play_game_to_end(world, snapshot.id, Random(2))
    await driver.stop()
    assert snapshot.status is Status.FINISHED
    actions = await world.store.tables.actions(snapshot.id)
    assert {action.seat for action in actions} >= {0, 1, 2, 3}
    assert all((action.request is None) == (action.person is None) for action in actions)


async def test_the_driver_continues_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        snapshot = await world.start_game(NORTH)
        while snapshot.view is None or snapshot.view.actor == 0:
            await world.take_random_step(snapshot.id, Random(3))
            snapshot = await world.service.reading.snapshot(snapshot.id)
    async with open_world(path, clock=world.clock, first_request=6_000_000) as again:
        waiter = TableWaiter(again)
        driver = ComputerDriver(again.service, same_for_every_level(RandomPlayer(2)), again.clock, pace=0)
        await driver.start()
        later = await waiter.wait_for_person_or_end(snapshot.id)
        await driver.stop()
        assert later.version > snapshot.version


async def test_the_driver_pauses_before_every_step(world: World) -> None:
    driver = ComputerDriver(world.service, same_for_every_level(RandomPlayer(3)), world.clock, pace=1000)
    await driver.start()
    snapshot = await world.start_game(NORTH)
    while snapshot.view is None or snapshot.view.actor == 0:
        await world.take_random_step(snapshot.id, Random(4))
        snapshot = await world.service.reading.snapshot(snapshot.id)
    while not world.clock.sleepers:
        await asyncio.sleep(0)
    assert [until - world.clock.now() for until, _ in world.clock.sleepers] == [1000]
    assert (await world.service.reading.snapshot(snapshot.id)).version == snapshot.version
    told = asyncio.Event()
    world.service.subscribe(lambda _: told.set())
    world.clock.advance(1000)
    await told.wait()
    await driver.stop()
    assert (await world.service.reading.snapshot(snapshot.id)).version > snapshot.version


def test_a_player_hesitates_where_choices_are_close() -> None:
    rivals = tuple(RejectedStep(Discard(kind), Reason.PAIR_KEEP, {}, 10.0 + 30 * kind) for kind in range(4))
    far = Choice(Discard(0), Reason.SINGLE, {}, rivals[1:])
    near = Choice(Discard(0), Reason.SINGLE, {}, rivals)
    assert pause_factor(Choice(Discard(0))) < pause_factor(far) < pause_factor(near)


async def test_experts_think_in_a_process_of_their_own(world: World) -> None:
    experts = ExpertProcess()
    driver = ComputerDriver(world.service, player_for, world.clock, pace=0, experts=experts)
    await driver.start()
    waiter = TableWaiter(world)
    opened = await world.open_lobby(NORTH)
    await world.service.lobby.choose_settings(world.caller(NORTH), opened.id, TableSettings(level="expert"))
    snapshot = await world.service.lobby.start(world.caller(NORTH), opened.id, fill=True)
    assert ["expert"] * 3 == [holder.level for holder in snapshot.seats if holder.kind == "computer"]
    snapshot = await waiter.wait_for_person_or_end(snapshot.id)
    while snapshot.actor is not None and snapshot.actor.person == NORTH:
        await world.take_random_step(snapshot.id, Random(9))
        snapshot = await world.service.reading.snapshot(snapshot.id)
    await waiter.wait_for_person_or_end(snapshot.id)
    await driver.stop()


class BrokenPlayer:
    """A player whose choice fails, with a card in the error's text."""

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:  # noqa: ARG002
        raise RuntimeError(f"cannot choose among {view.hand}")


class CheatingPlayer:
    """A player that chooses a step which is never legal."""

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:  # noqa: ARG002
        return Choice(Discard(RED_THREE) if view.table.phase is not Phase.DRAW else Meld(0, naturals=8))


@pytest.mark.parametrize("player", [BrokenPlayer(), CheatingPlayer()])
async def test_a_broken_computer_player_stops_no_table_and_its_cards_are_not_logged(
    world: World, caplog: pytest.LogCaptureFixture, player: ComputerPlayer
) -> None:
    driver = ComputerDriver(world.service, same_for_every_level(player), world.clock, pace=0)
    await driver.start()
    table = (await world.start_game(NORTH)).id
    waiter = TableWaiter(world)
    for _ in range(3):
        snapshot = await waiter.wait_for_person_or_end(table)
        while snapshot.actor is not None and snapshot.actor.person == NORTH:
            await world.take_random_step(table, Random(5))
            snapshot = await world.service.reading.snapshot(table)
    await waiter.wait_for_person_or_end(table)
    await driver.stop()
    complaints = [record for record in caplog.records if record.name == "bot.computer.turn_driver"]
    assert complaints
    assert all({"table", "event", "seat"} <= vars(record).keys() for record in complaints)
    text = r"a computer player (failed \(RuntimeError in test_playing_computer_turns\.py:\d+\)|was refused \([a-z_]+\))"
    assert not [record for record in complaints if not re.fullmatch(text, record.getMessage())]


async def test_the_driver_rests_when_all_people_have_left_and_resumes_when_one_returns(world: World) -> None:
    driver = ComputerDriver(world.service, same_for_every_level(RandomPlayer(6)), world.clock, pace=0)
    await driver.start()
    table = (await world.start_game(NORTH, EAST)).id
    await world.service.lobby.leave(world.caller(EAST), table)
    left = await world.service.lobby.leave(world.caller(NORTH), table)
    for _ in range(50):
        await asyncio.sleep(0.001)
    assert (await world.service.reading.snapshot(table)).version == left.version
    waiter = TableWaiter(world)
    await world.service.lobby.join(world.caller(EAST), table)
    snapshot = await waiter.wait_for_person_or_end(table)
    await driver.stop()
    assert snapshot.version > left.version + 1
    assert (await world.service.reading.seat_snapshot(table, person=EAST, guild=GUILD)).seat == 1


async def test_the_driver_plays_nothing_after_its_stop(world: World) -> None:
    driver = ComputerDriver(world.service, same_for_every_level(RandomPlayer(7)), world.clock, pace=1000)
    await driver.start()
    table = (await world.start_game(NORTH)).id
    snapshot = await world.service.reading.snapshot(table)
    while snapshot.view is None or snapshot.view.actor == 0:
        await world.take_random_step(table, Random(8))
        snapshot = await world.service.reading.snapshot(table)
    await driver.stop()
    world.clock.advance(5000)
    for _ in range(20):
        await asyncio.sleep(0.001)
    assert await world.service.reading.snapshot(table) == snapshot
