"""Directors' actions at the tables of their tournament (`docs/tournaments.md` 1.5, 2)."""

from __future__ import annotations

from random import Random

from bot.clocks.clock import MINUTE
from bot.engine.moves.phases import Phase
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import ClosingReason, SeatHolder, Status
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World, refusal_of
from tests.support.tournament_tables import VERA, open_contest, person_holder


async def test_a_director_pauses_and_resumes_and_both_are_logged(world: World) -> None:
    table = (await open_contest(world, clock="live")).id
    snapshot = await world.service.contest.pause(table, VERA)
    assert snapshot.pause is not None
    assert (50, None, "the evening is over") == (snapshot.pause.by, snapshot.pause.until, snapshot.pause.reason)
    again = await world.service.contest.pause(table, VERA)
    assert snapshot.version == again.version
    assert (await refusal_of(world.service.consent.resume(world.caller(NORTH), table)))[0] is TableCode.TOURNAMENT_TABLE
    snapshot = await world.service.contest.resume(table, VERA)
    assert snapshot.pause is None
    noted = await world.store.guilds.audit_entries(snapshot.guild, table=table, limit=5)
    assert ["resume", "pause"] == [one.action for one in noted]


async def test_a_substitute_sits_down_with_the_next_deal(world: World) -> None:
    table = (await open_contest(world)).id
    snapshot = await world.service.contest.substitute(table, seat=2, holder=person_holder(STRANGER), director=VERA)
    assert (NORTH, EAST, SOUTH, WEST) == snapshot.persons
    await world.finish_deal(table, Random(1))
    seen = await world.service.play.begin_next_deal(world.caller(NORTH), table)
    assert (NORTH, EAST, STRANGER, WEST) == seen.table.persons
    assert seen.table.contest is not None
    assert () == seen.table.contest.substitutes


async def test_a_substitute_between_deals_or_at_once_sits_down_without_waiting(world: World) -> None:
    table = (await open_contest(world)).id
    snapshot = await world.service.contest.substitute(table, seat=2, holder=person_holder(STRANGER), at_once=True)
    assert (NORTH, EAST, STRANGER, WEST) == snapshot.persons
    await world.finish_deal(table, Random(1))
    snapshot = await world.service.contest.substitute(table, seat=1, holder=SeatHolder("computer", number=1))
    assert (NORTH, STRANGER, WEST) == snapshot.persons
    again = await world.service.contest.substitute(table, seat=1, holder=SeatHolder("computer", number=1))
    assert snapshot.version == again.version


async def test_at_the_end_of_a_round_the_deal_in_play_is_finished_and_counts(world: World) -> None:
    table = (await open_contest(world, deals=3)).id
    until = world.clock.now() + 15 * MINUTE
    snapshot = await world.service.contest.end(table, finish_deal=True, until=until)
    assert (Status.PLAYING, True) == (snapshot.status, snapshot.last_deal)
    again = await world.service.contest.end(table, finish_deal=True, until=until)
    assert snapshot.version == again.version
    snapshot = await world.finish_deal(table, Random(1))
    result = await world.service.contest.result(table)
    assert (Status.FINISHED, "latest_end", 1) == (snapshot.status, result.how, len(result.deals))


async def test_a_deal_that_lasts_too_long_is_void_and_the_totals_count(world: World) -> None:
    table = (await open_contest(world, deals=3)).id
    await world.finish_deal(table, Random(1))
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    await world.service.contest.end(table, finish_deal=True, until=world.clock.now() + 15 * MINUTE)
    world.clock.advance(15 * MINUTE)
    await world.service.deadlines.fire_deadline(table, "round_end")
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.conclusion is not None
    assert snapshot.view is not None
    assert (Status.FINISHED, snapshot.view.results[0].scores) == (snapshot.status, snapshot.conclusion.scores)
    result = await world.service.contest.result(table)
    assert (1, world.clock.now()) == (len(result.deals), result.finished_at)


async def test_a_director_ends_a_game_between_deals_at_once(world: World) -> None:
    table = (await open_contest(world, deals=3)).id
    snapshot = await world.finish_deal(table, Random(1))
    assert snapshot.view is not None
    assert Phase.BETWEEN is snapshot.view.phase
    snapshot = await world.service.contest.end(table, finish_deal=True)
    assert Status.FINISHED is snapshot.status


async def test_a_game_ended_before_its_first_finished_deal_has_no_winner(world: World) -> None:
    table = (await open_contest(world)).id
    snapshot = await world.service.contest.end(table, finish_deal=False, director=VERA)
    assert snapshot.conclusion is not None
    assert (None, (0, 0)) == (snapshot.conclusion.winner, snapshot.conclusion.scores)


async def test_a_director_can_make_one_side_or_both_forfeit(world: World) -> None:
    one, both = (await open_contest(world)).id, (await open_contest(world, 2)).id
    snapshot = await world.service.contest.forfeit(one, sides=(1,), director=VERA)
    assert snapshot.conclusion is not None
    assert ("forfeited", 0, 1) == (snapshot.conclusion.how, snapshot.conclusion.winner, snapshot.conclusion.last)
    snapshot = await world.service.contest.forfeit(both, sides=(0, 1))
    assert snapshot.conclusion is not None
    assert ("forfeited", None, None) == (snapshot.conclusion.how, snapshot.conclusion.winner, snapshot.conclusion.last)


async def test_a_void_table_counts_for_nothing(world: World) -> None:
    table = (await open_contest(world)).id
    snapshot = await world.service.contest.void(table, VERA)
    assert (Status.CLOSED, ClosingReason.VOID) == (snapshot.status, snapshot.closed_because)
    assert "void" == (await world.service.contest.result(table)).how
    assert snapshot.version == (await world.service.contest.void(table)).version


async def test_directors_cannot_rule_on_other_tables(world: World) -> None:
    snapshot = await world.start_game(NORTH, EAST)
    expected = (TableCode.UNKNOWN_TABLE, {"table": snapshot.id})
    assert expected == await refusal_of(world.service.contest.pause(snapshot.id, VERA))
    assert expected == await refusal_of(world.service.contest.result(snapshot.id))
