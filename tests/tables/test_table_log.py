"""The log of a table is complete: folding it gives the stored state and the snapshots."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from random import Random

import pytest

from bot import logs
from bot.engine.moves.actions import DRAW
from bot.engine.moves.events import Event
from bot.tables.state.events import GameStarted
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import TableRefusal
from tests.support.random_play import replay_events
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import EAST, NORTH, SOUTH, WEST, World


async def test_the_log_folds_into_the_stored_table_at_every_step_of_its_life(world: World) -> None:
    random = Random(8)
    table = (await world.open_lobby(NORTH, EAST, SOUTH, computers=1)).id
    await world.service.lobby.remove_computer(world.caller(NORTH), table)
    await world.service.lobby.join(world.caller(WEST), table)
    await world.service.lobby.start(world.caller(NORTH), table)
    await world.play_deal(table, random)
    await world.service.lobby.leave(world.caller(NORTH), table)
    await world.give_seat_back(NORTH, table)
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    for _ in range(25):
        await world.take_random_step(table, random)
    stored = await world.store.tables.load(table)
    actions = await world.store.tables.actions(table)
    assert stored is not None
    assert [action.version for action in actions] == list(range(1, stored.version + 1))
    events = await events_of(world.store, table)
    live = await record_of(world.store, table)
    assert apply_table_events(None, events) == live
    started = next(event for event in events if isinstance(event, GameStarted))
    assert replay_events(live.rules, started.dealer, [one for one in events if isinstance(one, Event)]) == live.game


async def test_every_action_is_a_row_with_its_person_seat_and_request(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    join = world.caller(EAST)
    await world.service.lobby.join(join, table)
    await world.service.lobby.start(world.caller(NORTH), table, fill=True)
    actions = await world.store.tables.actions(table)
    assert [action.kind for action in actions] == ["create", "commit_seed", "join", "start"]
    assert [action.person for action in actions] == [NORTH, None, EAST, NORTH]
    assert actions[2].request == join.request


async def test_an_owner_whose_clock_is_a_little_behind_sets_no_instant_back(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id
    world.clock.instant -= 1_500
    await world.service.lobby.join(world.caller(EAST), table)
    instants = [action.at for action in await world.store.tables.actions(table)]
    assert instants == sorted(instants)


@pytest.fixture
def log_lines() -> Iterator[io.StringIO]:
    """Yield the program's log at the most detailed level, configured as in production."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in logs.LOGGERS_OF_HIDDEN_DATA}
    stream = io.StringIO()
    logs.set_up_logging("DEBUG", "text", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, old in levels.items():
        logging.getLogger(name).setLevel(old)


async def test_every_action_is_one_log_line_and_none_names_a_card(world: World, log_lines: io.StringIO) -> None:
    snapshot = await world.start_game(NORTH, EAST)
    await world.play_deal(snapshot.id, Random(9))
    with pytest.raises(TableRefusal):
        await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW, expected_version=1)
    written = log_lines.getvalue().splitlines()
    version = (await world.service.reading.snapshot(snapshot.id)).version
    assert len(written) == version + 1
    shape = r".* INFO canasta\.action: action table=1 event=\d+( seat=[0-3])? kind=[a-z_]+ outcome=\w+ milliseconds=\d+"
    assert not [line for line in written if not re.fullmatch(shape, line)]
    assert "kind=draw outcome=stale_request" in written[-1]
