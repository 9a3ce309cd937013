"""Opening the tables of a tournament: all players are seated at once (`docs/tournaments.md` 2).

A match is opened only once, and no limits apply.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.engine.moves.phases import Phase
from bot.store.contest_tables import ContestKey, ContestRow
from bot.tables.core.limits import Limits
from bot.tables.state.snapshots import Status, TableChanged
from tests.support.tables import CHANNEL, EAST, NORTH, SOUTH, WEST, World, open_world
from tests.support.tournament_tables import HERE, SHARES, match_opening, open_contest


async def test_a_table_is_dealt_at_once_with_the_given_people_in_order(world: World) -> None:
    view = await world.service.contest.open_contest(HERE, match_opening())
    assert (Status.PLAYING, (NORTH, EAST, SOUTH, WEST)) == (view.status, view.persons)
    assert view.view is not None
    assert (1, Phase.DRAW, 3) == (view.view.deal, view.view.phase, view.view.dealer)
    assert SHARES == view.shuffle[0].contributions
    assert view.contest is not None
    assert (9, 1) == view.contest.key


async def test_opening_a_match_again_returns_its_first_table(world: World) -> None:
    first = await open_contest(world)
    again = await open_contest(world)
    other = await open_contest(world, number=2)
    assert (first.id, first.version) == (again.id, again.version)
    assert first.id != other.id
    assert (
        ContestRow(first.id, 9, 1, 1, "playing", first.version),
        ContestRow(other.id, 9, 1, 2, "playing", other.version),
    ) == await world.service.contest.tables_of(9)
    assert () == await world.service.contest.tables_of(8)


async def test_an_opened_but_undealt_table_is_dealt_later(world: World) -> None:
    wanted = match_opening()
    number = await world.service.contest._find_or_open_table(HERE, wanted, ContestKey(9, 1, 1))
    assert Status.LOBBY is (await world.service.reading.snapshot(number)).status
    view = await world.service.contest.open_contest(HERE, wanted)
    assert (number, Status.PLAYING) == (view.id, view.status)


async def test_a_tournament_table_is_found_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_world(path) as world:
        first = await open_contest(world, computers=True)
    async with open_world(path, first_request=6_000_000) as world:
        again = await open_contest(world)
        assert (first.id, first.contest) == (again.id, again.contest)


async def test_a_tournament_table_counts_against_no_limit(tmp_path: Path) -> None:
    limits = Limits(burst=1_000_000, refill=1, seats_per_person=1, tables_per_guild=1, lobbies_per_person=1)
    async with open_world(tmp_path / "canasta.db", limits=limits) as world:
        for match in range(3):
            await open_contest(world, match)
        view = await world.service.lobby.create(world.caller(NORTH), channel=CHANNEL, players=4)
        assert Status.LOBBY is view.status


async def test_the_first_dealer_may_be_named(world: World) -> None:
    view = await world.service.contest.open_contest(HERE, replace(match_opening(), dealer=1))
    assert view.view is not None
    assert (1, 2) == (view.view.dealer, view.view.actor)


async def test_listeners_learn_which_match_changed(world: World) -> None:
    heard: list[TableChanged] = []
    world.service.subscribe(heard.append)
    await open_contest(world, 4)
    await world.open_lobby(NORTH)
    assert {(9, 4), None} == {one.contest for one in heard}


async def test_the_thread_of_a_table_may_be_stored_later(world: World) -> None:
    view = await open_contest(world)
    await world.service.places.move(view.id, channel=CHANNEL, thread=77)
    assert 77 == (await world.service.reading.snapshot(view.id)).thread
