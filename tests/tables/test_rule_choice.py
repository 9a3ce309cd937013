"""Changing the game in a lobby: other rules, other numbers of players, and the resulting seats."""

from __future__ import annotations

import pytest

from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.rules.sets.difficulty_and_length import FAMILIES, FAVOURITES, GLANCES
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import TableCode
from bot.tables.state.snapshots import TableSnapshot
from tests.support.stored_table_data import events_of, record_of
from tests.support.tables import EAST, NORTH, OTHER_GUILD, SOUTH, WEST, World, refusal_of


def seated_people(snapshot: TableSnapshot) -> list[str]:
    return [holder.name or f"{holder.kind} {holder.number}".strip(" 0") for holder in snapshot.seats]


async def test_the_host_chooses_other_rules_and_everybody_stays(world: World) -> None:
    lobby = await world.open_lobby(NORTH, EAST, computers=1)
    await world.service.rules.change_rules(world.caller(NORTH), lobby.id, {"hand_size": 13})
    snapshot = await world.service.rules.choose_rules(world.caller(NORTH), lobby.id, "samba")
    assert rule_set("samba", 4) == snapshot.terms == snapshot.base
    assert ("samba", 10_000) == (snapshot.rules, snapshot.target)
    assert ["North", "computer 1", "East", "empty"] == seated_people(snapshot)
    started = await world.service.lobby.start(world.caller(NORTH), lobby.id, fill=True)
    assert started.view is not None
    assert "samba" == started.view.rules.name


async def test_rules_not_for_this_number_of_players_set_the_nearest_one(
    world: World,
) -> None:
    lobby = await world.open_lobby(NORTH, computers=3)
    snapshot = await world.service.rules.choose_rules(world.caller(NORTH), lobby.id, "classic-13")
    assert ["North", "computer 1"] == seated_people(snapshot)
    snapshot = await world.service.rules.choose_rules(world.caller(NORTH), lobby.id, "pennies")
    assert ["North", "computer 1", "empty", "empty", "empty", "empty"] == seated_people(snapshot)
    snapshot = await world.service.rules.choose_rules(world.caller(NORTH), lobby.id, "uruguay", 3)
    assert 3 == snapshot.players == len(snapshot.seats)
    five = await world.open_lobby(NORTH, EAST, SOUTH, players=5)
    snapshot = await world.service.rules.choose_rules(world.caller(NORTH), five.id, "modern-american")
    assert 4 == snapshot.players


async def test_a_person_who_loses_a_seat_gets_an_empty_or_a_computer_players_one(world: World) -> None:
    lobby = await world.open_lobby(NORTH, players=6)
    await world.service.lobby.add_computer(world.caller(NORTH), lobby.id, seat=1)
    await world.service.lobby.join(world.caller(EAST), lobby.id, seat=4)
    await world.service.lobby.join(world.caller(SOUTH), lobby.id, seat=5)
    await world.service.lobby.add_computer(world.caller(NORTH), lobby.id, seat=3)
    snapshot = await world.service.rules.set_players(world.caller(NORTH), lobby.id, 3)
    assert ["North", "South", "East"] == seated_people(snapshot)
    assert (TableCode.TOO_MANY_PERSONS, {"seated": 3, "players": 2}) == await refusal_of(
        world.service.rules.set_players(world.caller(NORTH), lobby.id, 2)
    )
    assert await world.service.reading.snapshot(lobby.id) == snapshot


async def test_house_rules_stay_where_only_the_number_of_players_changes(world: World) -> None:
    lobby = await world.open_lobby(NORTH, target=3000)
    await world.service.rules.change_rules(world.caller(NORTH), lobby.id, {"out_bonus": 300})
    snapshot = await world.service.rules.set_players(world.caller(NORTH), lobby.id, 2)
    assert (2, 15, 300, 3000) == (snapshot.players, snapshot.terms.hand_size, snapshot.terms.out_bonus, snapshot.target)
    assert (100, 3000) == (snapshot.base.out_bonus, snapshot.base.target)
    snapshot = await world.service.rules.reset_rules(world.caller(NORTH), lobby.id)
    assert (snapshot.base, 100) == (snapshot.terms, snapshot.terms.out_bonus)
    assert snapshot.terms == (await world.service.rules.set_players(world.caller(NORTH), lobby.id, 2)).terms
    assert (
        TableCode.PLAYERS_NOT_OFFERED
        is (await refusal_of(world.service.rules.set_players(world.caller(NORTH), lobby.id, 7)))[0]
    )


async def test_saved_rules_can_be_chosen_and_have_their_own_number(world: World) -> None:
    lobby = await world.open_lobby(NORTH)
    await world.service.rules.change_rules(world.caller(NORTH), lobby.id, {"hand_size": 13})
    await world.service.rules.save_rules(world.caller(NORTH), lobby.id, "Friday")
    other = await world.open_lobby(NORTH, players=2)
    snapshot = await world.service.rules.choose_rules(world.caller(NORTH), other.id, "friday")
    assert ("Friday", 13, 4) == (snapshot.saved_as, snapshot.terms.hand_size, snapshot.players)
    assert snapshot.base == snapshot.terms
    assert (
        TableCode.PLAYERS_NOT_OFFERED
        is (await refusal_of(world.service.rules.set_players(world.caller(NORTH), other.id, 2)))[0]
    )


async def test_only_the_host_chooses_rules_and_only_before_the_game(world: World) -> None:
    lobby = await world.open_lobby(NORTH, SOUTH)
    choose, players = world.service.rules.choose_rules, world.service.rules.set_players
    assert TableCode.NOT_HOST is (await refusal_of(choose(world.caller(SOUTH), lobby.id, "samba")))[0]
    assert TableCode.NOT_HOST is (await refusal_of(players(world.caller(SOUTH), lobby.id, 2)))[0]
    assert (
        TableCode.WRONG_SERVER
        is (await refusal_of(choose(world.caller(NORTH, guild=OTHER_GUILD), lobby.id, "samba")))[0]
    )
    assert TableCode.UNKNOWN_RULES is (await refusal_of(choose(world.caller(NORTH), lobby.id, "bridge")))[0]
    assert TableCode.PLAYERS_NOT_OFFERED is (await refusal_of(choose(world.caller(NORTH), lobby.id, "bolivia", 3)))[0]
    await world.service.lobby.start(world.caller(NORTH), lobby.id, fill=True)
    assert TableCode.ALREADY_STARTED is (await refusal_of(choose(world.caller(NORTH), lobby.id, "samba")))[0]


async def test_guests_see_the_rules_that_held_when_they_sat_down(world: World) -> None:
    lobby = await world.open_lobby(NORTH, SOUTH)
    snapshot = await world.service.rules.choose_rules(world.caller(NORTH), lobby.id, "samba")
    assert rule_set("classic", 4) == snapshot.joined_terms
    snapshot = await world.service.rules.choose_rules(world.caller(NORTH), lobby.id, "classic")
    assert snapshot.terms == snapshot.joined_terms


async def test_a_log_with_chosen_rules_folds_into_the_stored_table(world: World) -> None:
    lobby = await world.open_lobby(NORTH, SOUTH, EAST, WEST)
    await world.service.rules.choose_rules(world.caller(NORTH), lobby.id, "pennies")
    await world.service.rules.set_players(world.caller(NORTH), lobby.id, 6)
    await world.service.rules.choose_rules(world.caller(NORTH), lobby.id, "bolivia")
    live = await record_of(world.store, lobby.id)
    assert apply_table_events(None, await events_of(world.store, lobby.id)) == live
    assert ("bolivia", 4) == (live.rules.name, len(live.contributions))


def test_every_rule_set_belongs_to_one_family() -> None:
    listed = [name for names in FAMILIES.values() for name in names]
    assert sorted(RULE_SETS) == sorted(listed)
    assert sorted(RULE_SETS) == sorted(GLANCES)
    assert set(FAVOURITES) <= set(RULE_SETS)
    assert all(len(names) <= 9 for names in FAMILIES.values())


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_length_of_every_rule_set_has_been_measured(name: str) -> None:
    glance = GLANCES[name]
    assert glance.games > 0
    assert 1 <= glance.deals <= 12
    usual = rule_set(name, 4 if 4 in RULE_SETS[name] else min(RULE_SETS[name]))
    assert usual.rounds is None or usual.rounds == glance.deals
