"""The stored start of a table's wait for a seat: only a turn, a question or a new holder resets it."""

from __future__ import annotations

import pytest

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY
from bot.engine.moves.actions import DRAW
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import TableSettings
from bot.tables.state.proposals import ProposalKind
from tests.support.absent_player_games import DAILY, FOUR, cast_vote, start_clock_game, start_game_with_no_time_left
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World


async def stored_start_of_wait(world: World, table: int) -> int | None:
    """Return the stored instant since when the table waits; the snapshot has the same one."""
    stored = await world.store.tables.load(table)
    assert stored is not None
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.waits_since == stored.waits_since
    return stored.waits_since


@pytest.mark.parametrize("settings", [DAILY, TableSettings()], ids=["daily", "no clock"])
async def test_offers_pauses_and_actions_within_the_turn_begin_no_new_wait(
    world: World, settings: TableSettings
) -> None:
    snapshot = await start_clock_game(world, *FOUR, settings=settings)
    table, came = snapshot.id, world.clock.now()
    assert came == await stored_start_of_wait(world, table)
    for request in (
        world.service.consent.propose(world.caller(EAST), table, ProposalKind.PAUSE, days=2),
        *(world.service.consent.answer_proposal(world.caller(one), table, agrees=True) for one in (NORTH, SOUTH, WEST)),
        world.service.consent.resume(world.caller(EAST), table),
        world.service.play.act(world.caller(NORTH), table, DRAW),
    ):
        world.clock.advance(HOUR)
        await request
        assert came == await stored_start_of_wait(world, table)
    world.clock.advance(HOUR)
    _, _, view = await world.current_turn(table)
    await world.service.play.act(world.caller(NORTH), table, view.legal[-1])
    assert world.clock.now() == await stored_start_of_wait(world, table)


async def test_a_vote_a_kept_seat_and_a_return_begin_no_new_wait(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    table, came = snapshot.id, snapshot.waits_since
    assert came == snapshot.created_at
    snapshot = await cast_vote(world, snapshot, EAST, AbsenceChoice.WAIT)
    assert came == snapshot.waits_since
    for person in (SOUTH, WEST):
        snapshot = await cast_vote(world, snapshot, person, AbsenceChoice.COMPUTER)
    assert (NORTH, came) == (snapshot.seats[0].kept_for, await stored_start_of_wait(world, table))
    world.clock.advance(DAY)
    await world.service.lobby.join(world.caller(NORTH), table)
    assert came == await stored_start_of_wait(world, table)


async def test_a_new_holder_begins_a_new_wait(world: World) -> None:
    snapshot = await start_game_with_no_time_left(world, *FOUR)
    for person in (EAST, SOUTH, WEST):
        snapshot = (
            await cast_vote(world, snapshot, person, AbsenceChoice.COMPUTER) if snapshot.vote is not None else snapshot
        )
    world.clock.advance(HOUR)
    snapshot = await world.service.lobby.take_seat(world.caller(STRANGER), snapshot.id, 0, joined_at=0)
    for person in (EAST, SOUTH, WEST):
        claim = snapshot.absence.claim(0)
        assert claim is not None
        assert snapshot.created_at == snapshot.waits_since
        snapshot = await world.service.absence.answer_claim(
            world.caller(person), snapshot.id, 0, agrees=True, asked_at=claim.at
        )
    assert (STRANGER, world.clock.now()) == (snapshot.seats[0].person, await stored_start_of_wait(world, snapshot.id))
