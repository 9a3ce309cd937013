"""Players' requests and absences at a table of a tournament (`docs/tournaments.md` 2)."""

from __future__ import annotations

from collections.abc import Awaitable
from random import Random

import pytest

from bot.clocks.clock import MINUTE
from bot.engine.moves.actions import DRAW, TAKE_BACK
from bot.tables.masters.interventions import ServerRole
from bot.tables.state.absence import AbsenceChoice
from bot.tables.state.clocks import TableSettings
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import Status, TableSnapshot
from tests.support.tables import EAST, GUILD, NORTH, SOUTH, STRANGER, WEST, World, refusal_of
from tests.support.tournament_tables import open_contest


def _forbidden_requests(world: World, table: int) -> dict[str, Awaitable[object]]:
    service, north = world.service, world.caller
    return {
        "close": service.lobby.close(north(NORTH), table),
        "a moderator": service.lobby.close(north(STRANGER), table, moderator=True),
        "end": service.consent.propose(north(NORTH), table, ProposalKind.END),
        "pause": service.consent.propose(north(NORTH), table, ProposalKind.PAUSE),
        "undo": service.consent.propose(north(NORTH), table, ProposalKind.UNDO),
        "slower": service.consent.propose(north(NORTH), table, ProposalKind.SLOWER_CLOCK),
        "substitute": service.consent.propose(north(NORTH), table, ProposalKind.SUBSTITUTE),
        "resume": service.consent.resume(north(NORTH), table),
        "give time": service.masters.give_time(north(NORTH), table, seat=1),
        "computer": service.masters.seat_computer(
            north(NORTH), table, seat=1, server_role=ServerRole(), has_left_guild=True
        ),
        "master": service.masters.pause(north(NORTH), table, reason="so"),
        "master's end": service.masters.end(north(NORTH), table, reason="so"),
        "take": service.lobby.take_seat(north(STRANGER), table, 1, joined_at=1),
        "join": service.lobby.join(north(STRANGER), table),
        "leave": service.lobby.leave(north(NORTH), table),
        "settings": service.lobby.choose_settings(north(NORTH), table, TableSettings()),
        "players": service.rules.set_players(north(NORTH), table, 2),
        "vote": service.absence.cast_vote(north(NORTH), table, AbsenceChoice.WAIT, asked_at=1),
        "place": service.lobby.swap_seats(north(NORTH), table, seat=0, other_seat=1),
        "rematch": service.lobby.rematch(north(NORTH), table),
    }


async def test_players_and_moderators_cannot_change_a_tournament_table(world: World) -> None:
    table = (await open_contest(world, clock="live")).id
    version = (await world.service.reading.snapshot(table)).version
    for name, asked in _forbidden_requests(world, table).items():
        assert (name, (TableCode.TOURNAMENT_TABLE, {"table": table})) == (name, await refusal_of(asked))
    assert version == (await world.service.reading.snapshot(table)).version


async def test_a_side_resigns_with_its_partners_consent(world: World) -> None:
    table = (await open_contest(world)).id
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.RESIGN)
    snapshot = await world.service.consent.answer_proposal(world.caller(SOUTH), table, agrees=True)
    assert Status.FINISHED is snapshot.status
    assert snapshot.conclusion is not None
    assert ("resigned", 0) == (snapshot.conclusion.how, snapshot.conclusion.last)


async def test_a_match_is_played_to_its_end(world: World) -> None:
    table = (await open_contest(world)).id
    snapshot = await world.play_deal(table, Random(2))
    assert Status.PLAYING is snapshot.status
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    snapshot = await world.play_deal(table, Random(3))
    assert Status.FINISHED is snapshot.status


async def let_time_run_out(world: World, table: int) -> TableSnapshot:
    """Let the clock of the player in turn run out, after that player has given a word; return the table.

    The word for the shuffle shows that the player has arrived.
    """
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.actor is not None
    assert snapshot.actor.person is not None
    await world.service.play.give_shuffle_word(world.caller(snapshot.actor.person), table, "here")
    world.clock.advance(10 * MINUTE)
    await world.service.deadlines.fire_deadline(table, "clock")
    return await world.service.reading.snapshot(table)


@pytest.mark.parametrize("persons", [(NORTH, EAST, SOUTH, WEST), (NORTH, EAST)])
async def test_a_player_out_of_time_forfeits_at_once(world: World, persons: tuple[int, ...]) -> None:
    snapshot = await open_contest(world, clock="live", seats=persons)
    snapshot = await let_time_run_out(world, snapshot.id)
    assert Status.FINISHED is snapshot.status
    assert snapshot.conclusion is not None
    assert ("forfeited", 1, 0) == (snapshot.conclusion.how, snapshot.conclusion.winner, snapshot.conclusion.last)


async def test_an_allowed_computer_player_plays_to_the_end_of_the_deal(world: World) -> None:
    snapshot = await open_contest(world, clock="live", computers=True)
    snapshot = await let_time_run_out(world, snapshot.id)
    assert (Status.PLAYING, "computer", NORTH) == (snapshot.status, snapshot.seats[0].kind, snapshot.seats[0].kept_for)
    assert snapshot.vote is None
    await world.play_deal(snapshot.id, Random(4))
    seen = await world.service.play.begin_next_deal(world.caller(EAST), snapshot.id)
    assert (NORTH, EAST, SOUTH, WEST) == seen.table.persons
    assert seen.table.contest is not None
    assert 0 in seen.table.contest.came


async def test_a_replaced_person_may_return_before_the_deal_ends(world: World) -> None:
    snapshot = await open_contest(world, clock="live", computers=True)
    snapshot = await let_time_run_out(world, snapshot.id)
    snapshot = await world.service.lobby.join(world.caller(NORTH), snapshot.id)
    assert (NORTH, EAST, SOUTH, WEST) == snapshot.persons


async def test_the_match_goes_on_with_everyone_away(world: World) -> None:
    snapshot = await open_contest(world, clock="live", computers=True, seats=(NORTH, EAST))
    snapshot = await let_time_run_out(world, snapshot.id)
    while (found := await world.service.reading.computer_turn(snapshot.id)) is not None:
        assert found.view is not None
        await world.service.play.act_for_computer(
            snapshot.id, 0, found.view.legal[0], expected_version=found.table.version
        )
    snapshot = await let_time_run_out(world, snapshot.id)
    assert ((), False) == (snapshot.persons, snapshot.has_no_people)
    assert await world.service.reading.computer_turn(snapshot.id) is not None


async def test_no_vote_is_held_about_a_person_who_left_the_server(world: World) -> None:
    snapshot = await open_contest(world, clock="daily")
    snapshot = await world.service.absence.handle_departure(snapshot.id, NORTH)
    assert (None, (NORTH, EAST, SOUTH, WEST)) == (snapshot.vote, snapshot.persons)


async def test_only_the_tournament_ends_its_tables(world: World) -> None:
    snapshot = await open_contest(world, clock="daily")
    assert (None, None) == (snapshot.absence.ends_at, snapshot.absence.idle_at)
    assert snapshot.version == (await world.service.reading.snapshot(snapshot.id)).version


async def test_outsiders_see_the_table_while_nothing_is_sealed(world: World) -> None:
    snapshot = await open_contest(world)
    assert snapshot.id == (await world.service.reading.snapshot_for(snapshot.id, person=STRANGER, guild=GUILD)).id


async def test_the_tournament_waits_for_a_missing_player_and_no_clock_runs(world: World) -> None:
    snapshot = await open_contest(world, clock="live")
    world.clock.advance(10 * MINUTE)
    await world.service.deadlines.fire_deadline(snapshot.id, "clock")
    assert Status.PLAYING is (await world.service.reading.snapshot(snapshot.id)).status
    await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW)
    snapshot = await world.service.reading.snapshot(snapshot.id)
    assert snapshot.contest is not None
    assert snapshot.clocks is not None
    assert ((0,), Status.PLAYING, 0) == (snapshot.contest.came, snapshot.status, snapshot.clocks.owes)
    snapshot = await let_time_run_out(world, snapshot.id)
    assert Status.FINISHED is snapshot.status


async def test_a_late_player_makes_no_click_of_others_stale(world: World) -> None:
    snapshot = await open_contest(world, clock="live")
    after = await world.service.contest.mark_arrived(snapshot.id, (EAST, SOUTH, WEST))
    assert snapshot.version < after.version
    await world.service.play.act(world.caller(NORTH), snapshot.id, DRAW, expected_version=snapshot.version)
    code, detail = await refusal_of(
        world.service.play.act(world.caller(NORTH), snapshot.id, TAKE_BACK, expected_version=after.version)
    )
    assert (TableCode.STALE_REQUEST, after.version) == (code, detail["expected"])
    assert after.version + 1 == detail["version"]
