"""Results of a tournament table: deals, people, thinking time, facts (`docs/tournaments.md` 2, 5, 7)."""

from __future__ import annotations

from random import Random

from bot.clocks.clock import MINUTE, SECOND
from bot.engine.moves.events import Gathered
from bot.tables.state.snapshots import Status
from tests.support.stored_table_data import events_of
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World
from tests.support.tournament_tables import open_contest, person_holder


async def test_an_open_table_has_no_result_yet(world: World) -> None:
    table = (await open_contest(world)).id
    result = await world.service.contest.result(table)
    assert (Status.PLAYING, None, (), (0, 0), None) == (
        result.status,
        result.how,
        result.deals,
        result.totals,
        result.finished_at,
    )
    assert result.in_play


async def test_points_of_each_deal_are_the_increase_of_the_totals(world: World) -> None:
    table = (await open_contest(world, deals=2)).id
    first = await world.finish_deal(table, Random(1))
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    second = await world.finish_deal(table, Random(2))
    assert first.view is not None
    assert second.view is not None
    result = await world.service.contest.result(table)
    assert ("played", second.view.results[-1].scores, second.winner) == (result.how, result.totals, result.winner)
    assert first.view.results[0].scores == result.deals[0].points
    assert result.totals == tuple(sum(deal.points[side] for deal in result.deals) for side in range(2))
    assert not result.in_play


async def test_a_result_lists_the_holders_of_each_seat_by_deals(world: World) -> None:
    table = (await open_contest(world, deals=2)).id
    await world.finish_deal(table, Random(1))
    await world.service.contest.substitute(table, seat=2, holder=person_holder(STRANGER))
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    await world.finish_deal(table, Random(2))
    result = await world.service.contest.result(table)
    assert [{NORTH: 2}, {EAST: 2}, {SOUTH: 1, STRANGER: 1}, {WEST: 2}] == [
        result.deals_by_person(seat) for seat in range(4)
    ]
    assert {NORTH, EAST, SOUTH, WEST, STRANGER} == await world.service.contest.possible_viewers(table)


async def test_a_spectator_counts_as_a_possible_viewer_of_the_cards(world: World) -> None:
    snapshot = await open_contest(world)
    await world.service.places.set_spectator(snapshot, 77, is_spectator=True)
    assert 77 in await world.service.contest.possible_viewers(snapshot.id)


async def test_thinking_time_goes_to_the_side_whose_clock_ran(world: World) -> None:
    table = (await open_contest(world, clock="live")).id
    world.clock.advance(20 * SECOND)
    assert (20 * SECOND, 0) == (await world.service.contest.result(table)).thought
    while (await world.current_turn(table))[1] == 0:
        await world.take_random_step(table, Random(1))
    world.clock.advance(MINUTE)
    assert (20 * SECOND, MINUTE) == (await world.service.contest.result(table)).thought


async def test_a_result_lists_piles_given_away_with_size_and_giver(world: World) -> None:
    table = (await open_contest(world, deals=1)).id
    await world.play_deal(table, Random(1))
    result = await world.service.contest.result(table)
    taken = [event for event in await events_of(world.store, table) if isinstance(event, Gathered)]
    told = [pile for deal in result.deals for pile in deal.piles]
    assert [event.seat for event in taken] == [pile.seat for pile in told]
    assert taken
    assert all(pile.given_by in (None, (pile.seat - 1) % 4) for pile in told)
    assert all(pile.cards > event.count for pile, event in zip(told, taken, strict=True) if not event.red_threes)
