"""Results of a finished game for each person, stored with the end or later."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bot.engine.melds.canastas import canasta_tally
from bot.engine.moves.phases import Phase
from bot.tables.state.clocks import Conclusion
from bot.tables.state.results import results_of
from bot.tables.state.table import TableState
from tests.support.tables import EAST, NORTH, SOUTH, World


async def table_state(world: World, table: int) -> TableState:
    return (await world.service._context.repository.get(table)).record


async def test_the_end_of_a_game_leaves_a_result_for_each_person_seated(world: World) -> None:
    snapshot = await world.start_game(NORTH, EAST, players=4, target=500)
    ended = await world.finish_game(snapshot.id, Random(5))
    assert ended.view is not None
    scores = [total.score for total in ended.view.totals]
    (own,) = await world.store.players.results(NORTH)
    (other,) = await world.store.players.results(EAST)
    assert (0, 0, 1, 1) == (own.seat, own.side, other.seat, other.side)
    assert {ended.view.winner: True, 1 - (ended.view.winner or 0): False} == {own.side: own.won, other.side: other.won}
    assert (scores[0], scores[1]) == (own.score, own.against) == (other.against, other.score)
    totals = [result.lines[0].total for result in ended.view.results]
    assert (len(totals), max(totals), "played") == (own.deals, own.best_deal, own.how)
    assert ("classic", 4, 2, ended.updated_at) == (own.rules, own.players, own.persons, own.finished_at)


async def test_canastas_are_counted_as_each_deal_ends(world: World) -> None:
    snapshot = await world.start_game(NORTH, players=2, target=1000)
    random, expected = Random(2), 0
    while True:
        game = (await table_state(world, snapshot.id)).game
        assert game is not None
        if game.phase is Phase.OVER:
            break
        if game.phase is Phase.BETWEEN:
            expected += canasta_tally(game.rules, game.melds[0]).total
            await world.service.play.begin_next_deal(world.caller(NORTH), snapshot.id)
            continue
        await world.take_random_step(snapshot.id, random)
    expected += canasta_tally(game.rules, game.melds[0]).total
    (own,) = await world.store.players.results(NORTH)
    assert (expected, own.deals) == (own.canastas, own.canasta_deals)


async def test_a_running_game_has_no_result(world: World) -> None:
    snapshot = await world.start_game(NORTH, players=2)
    assert () == results_of(snapshot.id, await table_state(world, snapshot.id), at=5)
    assert () == await world.store.players.results(NORTH)


async def test_a_game_ended_early_counts_its_finished_deals(world: World) -> None:
    snapshot = await world.start_game(NORTH, EAST, SOUTH, players=4, target=500)
    await world.finish_game(snapshot.id, Random(5))
    record = replace(await table_state(world, snapshot.id), conclusion=Conclusion("agreed", 1, (100, 310)))
    found = {one.person: (one.how, one.won, one.score, one.against) for one in results_of(1, record, at=5)}
    lost, won = ("agreed", False, 100, 310), ("agreed", True, 310, 100)
    assert {NORTH: lost, EAST: won, SOUTH: lost} == found
